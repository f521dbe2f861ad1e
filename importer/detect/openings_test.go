package detect

import (
	"strings"
	"testing"

	"finsvc/importer/lexicon"
)

// The quick look must let every phrase through.
func TestMayTellBalanceKnowsEveryPhrase(t *testing.T) {
	t.Parallel()
	for _, list := range []lexicon.Meaning{lexicon.OpeningBalance, lexicon.BookedOpeningBalance, lexicon.ClosingBalance, lexicon.BalanceRow} {
		for _, phrase := range lexicon.Words(list) {
			if !mayTellBalance(phrase) || !mayTellBalance(strings.ToUpper(phrase)) {
				t.Errorf("%q is not looked at", phrase)
			}
		}
	}
}
