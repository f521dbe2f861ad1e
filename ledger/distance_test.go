package ledger_test

import (
	"testing"

	"finsvc/ledger"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	for words, want := range map[[2]string]int{{"", ""}: 0, {"abc", ""}: 3, {"list", "lst"}: 1, {"kitten", "sitting"}: 3, {"süd", "sud"}: 1} {
		if got := ledger.Distance(words[0], words[1]); got != want {
			t.Errorf("%v: got %d, want %d", words, got, want)
		}
	}
}
