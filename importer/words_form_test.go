package importer

import (
	"strings"
	"testing"
)

// Names in the tables must be in the form in which headers are looked up, or they are never found.
func TestHeaderNamesAreInTheFormTheyAreLookedUp(t *testing.T) {
	t.Parallel()
	for name, entries := range newHeaderNames() {
		if plain, code := plainHeader(name); plain != name && code == "" {
			t.Errorf("%s %s: %q is looked up as %q", entries[0].language, entries[0].role, name, plain)
		}
	}
}

// The quick look must let every phrase through.
func TestMayTellBalanceKnowsEveryPhrase(t *testing.T) {
	t.Parallel()
	for phrase := range strings.SplitSeq(strings.TrimSuffix(balanceRows+openingRows, ";"), ";") {
		if !mayTellBalance(phrase) || !mayTellBalance(strings.ToUpper(phrase)) {
			t.Errorf("%q is not looked at", phrase)
		}
	}
}

// The check digits of real numbers were worked out by hand from ISO 6166.
func TestIsISIN(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"US0378331005": true, "IE00B4L5Y983": true, "DE0008404005": true, "AU0000XVGZA3": true, "GB0002634946": true,
		"US0378331006": false, "IE00B4L5Y93": false, "us0378331005": false, "0S0378331005": false, "US03783310Q5": false, "": false, "US037833100é": false,
	} {
		if got := isISIN(cell); got != want {
			t.Errorf("%q: %v", cell, got)
		}
	}
}
