# Everything one does with a checkout of Riposte. `make help` lists the targets.
# Needs Go and Node; `test` installs what else is missing with apt.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

LISTEN   ?= :8080
DATA     ?= data
FUZZTIME ?= 20s
CHECKS   ?= 2000
SEEDS    ?= 3000
BENCH    ?= .
SCENARIO ?= combat/testdata/scenarios/demo.scn
PACE     ?= 1200ms

CHAOS_TIME ?= 10m
CHAOS_SEED ?= 0
TAKEOVERS  ?= 10

WEB_SOURCES := $(shell find web/src web/public web/index.html web/package.json web/*.ts web/tsconfig*.json -type f 2>/dev/null)
NODE_STAMP  := web/node_modules/.package-lock.json

.PHONY: help
help: ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

# npm ci writes the stamp itself; touched because npm gives it the time of the
# slowest package, not of the install.
$(NODE_STAMP): web/package-lock.json web/package.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

web/dist/index.html: $(NODE_STAMP) $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

.PHONY: build
build: web/dist/index.html ## build the browser client and the server, ./riposte
	CGO_ENABLED=0 go build -trimpath -o riposte ./server

.PHONY: run
run: build ## build all and start one instance that keeps its data in ./data
	./riposte serve -listen $(LISTEN) -data $(DATA)

# What the tests need from the system: a C compiler for the race detector, a
# real Redis, a real browser.
.PHONY: system
system:
	@missing=(); \
	command -v gcc >/dev/null || missing+=(gcc libc6-dev); \
	command -v redis-server >/dev/null || missing+=(redis-server); \
	command -v chromium >/dev/null || missing+=(chromium); \
	if (( $${#missing[@]} )); then \
	  sudo=; (( EUID == 0 )) || sudo=sudo; \
	  $$sudo apt-get update </dev/null; \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$${missing[@]}" </dev/null; \
	fi

.PHONY: test
test: system test-go test-web test-e2e ## all tests, as CI runs them

.PHONY: test-go
test-go: web/dist/index.html ## the Go tests, with the race detector
	go vet ./...
	go test -race -timeout 20m ./...

.PHONY: test-web
test-web: $(NODE_STAMP) ## the browser client's own tests
	cd web && npm run check && npm test

.PHONY: test-e2e
test-e2e: web/dist/index.html ## the tests in a real browser against a real server
	cd web && npm run e2e

.PHONY: lint
lint: $(NODE_STAMP) ## formatting, vet, staticcheck, svelte-check
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not gofmt'ed:" $$unformatted; exit 1; fi
	go vet ./...
	go tool staticcheck ./...
	cd web && npm run check

.PHONY: generate
generate: ## write the JSON Schema and the TypeScript types from the Go types
	go generate ./hub/schema

.PHONY: bench
bench: ## the benchmarks; BENCH=regexp chooses
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME, the properties with CHECKS checks each, SEEDS seeds of the simulator
	@for package in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' "$$package" | grep '^Fuzz' || true); do \
	    echo "$$package $$target"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package"; \
	  done; \
	done
	@for package in $$(go list -f '{{if .TestImports}}{{.ImportPath}} {{.TestImports}} {{.XTestImports}}{{end}}' ./... | grep pgregory.net/rapid | cut -d' ' -f1); do \
	  go test -timeout 0 "$$package" -rapid.checks=$(CHECKS); \
	done
	go test -timeout 0 ./hub/sim -run 'TestSeeds$$' -seeds=$(SEEDS)

.PHONY: check-deploy
check-deploy: build ## try what is in deploy/; needs haproxy, promtool (Debian: prometheus) and systemd-analyze
	cd deploy/prometheus && promtool check config prometheus.yaml && promtool test rules alerts_test.yaml
	unit=$$(mktemp -d)/riposte.service; trap 'rm -r "$${unit%/*}"' EXIT; \
	sed 's|/usr/local/bin/riposte|$(CURDIR)/riposte|' deploy/systemd/riposte.service >"$$unit"; \
	systemd-analyze verify --man=no "$$unit"; \
	systemd-analyze security --offline=true --threshold=20 "$$unit" | tail -1
	go test -count 1 -tags balancer -run '^TestBalancer$$' ./server

.PHONY: chaos
chaos: system web/dist/index.html ## hurt three instances and their Redis at random for CHAOS_TIME; CHAOS_SEED as printed does it again
	go test -race -v -timeout 0 -run '^TestChaos$$' ./server -chaos $(CHAOS_TIME) -chaos-seed $(CHAOS_SEED)

.PHONY: takeover
takeover: system web/dist/index.html ## how long the next owner takes, by how the last one was lost, TAKEOVERS times each
	go test -timeout 0 -run '^$$' -bench '^BenchmarkTakeOver$$' -benchtime $(TAKEOVERS)x ./server

.PHONY: demo
demo: build ## play a fight on a server of its own; prints the spectator link
	@data=$$(mktemp -d); : >"$$data/log"; \
	./riposte serve -listen 127.0.0.1:0 -data "$$data" >"$$data/log" 2>&1 & server=$$!; \
	trap 'kill $$server; wait $$server || true; rm -rf "$$data"' EXIT; \
	until url=$$(grep -om1 'http://[^ "]*' "$$data/log"); do \
	  kill -0 $$server 2>/dev/null || { cat "$$data/log"; exit 1; }; sleep 0.1; \
	done; \
	./riposte play -url "$$url" -pace $(PACE) $(SCENARIO)

.PHONY: pictures
pictures: web/dist/index.html ## take the README's pictures, and one of every face at every moment
	cd web && npx playwright test -c pictures
