package importer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer/pdf"
)

func (l layout) read(t testing.TB) pdf.Statement {
	t.Helper()
	return pdf.Read(wordsOf(l.pages...), settings(t, or(l.settings, "{}")),
		pdf.StatementAccount{Currency: currency(t, l.currency), Liability: l.liability})
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func TestStatementLayouts(t *testing.T) {
	t.Parallel()
	for _, l := range layouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			got := l.read(t)
			if got.Doubt != "" {
				t.Errorf("doubt: %s", got.Doubt)
			}
			if diff := cmp.Diff(l.want, rowLines(got)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStatementDoubts(t *testing.T) {
	t.Parallel()
	for _, l := range doubtfulLayouts() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			if got := l.read(t); got.Doubt == "" || !strings.Contains(got.Doubt, l.doubt) {
				t.Errorf("doubt %q, want %q in it; rows %v", got.Doubt, l.doubt, rowLines(got))
			}
		})
	}
}

// TestStatementOrder: the order in which a PDF writes its words means nothing.
func TestStatementOrder(t *testing.T) {
	t.Parallel()
	for _, l := range layouts() {
		words := wordsOf(l.pages...)
		slices.Reverse(words)
		got := pdf.Read(words, settings(t, "{}"), pdf.StatementAccount{Currency: currency(t, l.currency),
			Liability: l.liability})
		if diff := cmp.Diff(l.want, rowLines(got)); diff != "" || got.Doubt != "" {
			t.Errorf("%s: %s, rows (-want +got):\n%s", l.name, got.Doubt, diff)
		}
	}
}
