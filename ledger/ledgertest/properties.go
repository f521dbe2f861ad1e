package ledgertest

import (
	"flag"
	"testing"
)

// Main runs the tests of a package whose properties write a household each time they are tried: 25 times instead of
// rapid's 100, which keeps the whole tests within minutes. What the command line says (-rapid.checks) wins.
func Main(m *testing.M) (code int) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	return m.Run()
}
