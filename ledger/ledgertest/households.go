package ledgertest

import (
	"strings"
	"testing"

	"finsvc/ledger"
)

// Refused checks the kind of an error and that its text has the words.
func Refused(t testing.TB, err error, kind ledger.Kind, words ...string) {
	t.Helper()
	if !ledger.IsKind(err, kind) {
		t.Fatalf("got error %v, want one of kind %d", err, kind)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not say %q", err, word)
		}
	}
}
