package intake_test

import (
	"testing"

	"finsvc/ledger"
)

// These hashes are stored: FNV-1a of "coffee", of "café x" in UTF-8, and of nothing, worked out by another program.
func TestNameHash(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]uint32{
		"coffee": 2385279649, " Coffee\t": 2385279649, "COFFEE": 2385279649,
		"Café  X": 3169312585, "CAFÉ x ": 3169312585, "": 2166136261, "  ": 2166136261,
	} {
		if got := ledger.NameHash(name); got != want {
			t.Errorf("%q has %d, want %d", name, got, want)
		}
	}
	if ledger.NameHash("a b") == ledger.NameHash("ab") {
		t.Error("white space within a name does not count")
	}
}
