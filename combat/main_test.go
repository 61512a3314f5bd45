package combat_test

import (
	"flag"
	"os"
	"testing"
)

// fights is how many random fights each property is checked in under each rule
// system, unless -rapid.checks says otherwise: enough to see a fault of every
// day, few enough for every run. `make fuzz` plays many more.
const fights = "25"

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "rapid.checks" })
	if !chosen {
		if err := flag.Set("rapid.checks", fights); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
