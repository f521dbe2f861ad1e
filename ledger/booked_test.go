package ledger_test

import (
	"testing"

	"finsvc/ledger"
)

// These hashes are stored: FNV-1a of "coffee", of "café x" in UTF-8, and of nothing, worked out by another program.
func TestTextKey(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]uint32{
		"coffee": 2385279649, " Coffee\t": 2385279649, "COFFEE": 2385279649,
		"Café  X": 3169312585, "CAFÉ x ": 3169312585, "": 2166136261, "  ": 2166136261,
	} {
		if got := ledger.TextKey(name); got != want {
			t.Errorf("%q has %d, want %d", name, got, want)
		}
	}
	if ledger.TextKey("a b") == ledger.TextKey("ab") {
		t.Error("white space within a name does not count")
	}
}
