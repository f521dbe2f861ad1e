package ledger_test

import (
	"testing"

	"finsvc/ledger"
)

// TestFoldKnowsNoFormOfUnicode: a name as macOS writes it, a letter and its mark, is the name as everybody else does.
func TestFoldKnowsNoFormOfUnicode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ one, other, folded string }{
		"acute":                       {"Caf\u00e9", "CAFE\u0301", "caf\u00e9"},
		"umlaut":                      {"M\u00fcller", "mu\u0308ller", "m\u00fcller"},
		"two marks in either order":   {"a\u0323\u0307", "a\u0307\u0323", "\u1ea1\u0307"},
		"Hangul":                      {"\ud55c\uad6d", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "\ud55c\uad6d"},
		"sign of the unit":            {"\u212bngstr\u00f6m", "A\u030angstro\u0308m", "\u00e5ngstr\u00f6m"},
		"no capital with the mark":    {"T\u0308", "\u1e97", "\u1e97"},
		"blank before a mark":         {"a \u0301", " A\u00a0\u0301 ", "a \u0301"},
		"same signs, another letter":  {"stra\u00dfe", "STRA\u00dfE", "stra\u00dfe"},
		"kana with a mark of its own": {"\u304c", "\u304b\u3099", "\u304c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if one, other := ledger.Fold(c.one), ledger.Fold(c.other); one != c.folded || other != c.folded {
				t.Errorf("%+q and %+q are %+q and %+q, want %+q", c.one, c.other, one, other, c.folded)
			}
			if ledger.NameHash(c.one) != ledger.NameHash(c.other) {
				t.Errorf("%+q and %+q have two keys", c.one, c.other)
			}
		})
	}
	if got := ledger.NormalText("Cafe\u0301 Nord"); got != "Caf\u00e9 Nord" {
		t.Errorf("the normal text is %+q", got)
	}
}
