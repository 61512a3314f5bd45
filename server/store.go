package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"riposte/hub"
	"riposte/hub/embedded"
	"riposte/hub/redis"
)

// journal is the store that serve runs on, and what only one kind has.
type journal struct {
	hub.Store
	broken      <-chan struct{}     // closed when it has failed for good; nil: it never does
	room        func() error        // whether there is room for new encounters; nil: always
	offerBackup func() (end func()) // lets the backup command copy it
}

// redisTimeout bounds how long Redis may take to answer at the start.
const redisTimeout = 10 * time.Second

// open opens the store that the flags name: Redis, or a file of our own.
func (c *config) open(log *slog.Logger, meter prometheus.Registerer) (*journal, error) {
	if c.redis.URL != "" {
		return c.openRedis(log, meter)
	}
	if err := os.MkdirAll(c.data, 0o700); err != nil {
		return nil, err
	}
	store, err := embedded.Open(filepath.Join(c.data, journalFile))
	if err != nil {
		return nil, err
	}
	return &journal{Store: store, broken: store.Broken(),
		room:        func() error { return roomOn(c.data, c.minFree) },
		offerBackup: func() func() { return offerBackup(c.data, store, log) },
	}, nil
}

func (c *config) openRedis(log *slog.Logger, meter prometheus.Registerer) (*journal, error) {
	options := c.redis
	options.Log, options.Meter = log, meter
	if c.redisCA != "" {
		pem, err := os.ReadFile(c.redisCA)
		if err != nil {
			return nil, fmt.Errorf("-redis-ca: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("-redis-ca: no certificate in %s", c.redisCA)
		}
		options.TLS = &tls.Config{RootCAs: roots}
	}
	ctx, cancel := context.WithTimeout(context.Background(), redisTimeout)
	defer cancel()
	store, err := redis.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	return &journal{Store: store, offerBackup: func() func() { return func() {} }}, nil
}
