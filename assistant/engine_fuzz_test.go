package assistant_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzQuestion: whatever is asked, and whatever was asked before, leads to calls with valid arguments or to a text.
func FuzzQuestion(f *testing.F) {
	h := newHouse(f)
	for _, text := range []string{"", "What did I spend on groceries in May compared with April?", "and in April?", `find "car wash" last year`, "between 50 and 100 EUR from May to July 2025",
		"balance of Checking on February 30", "net worth over the last 99999 months", "top 0 expenses since 1899", "\xff\x00“„»«&&'’", "spending on 9999-12-31",
		"last 4000 years", "3 May 2026 to 3/4/5", "Food & Drink & at at at", strings.Repeat("a ", 100)} {
		f.Add(text, "how much on rent by month")
		f.Add("largest 3 expenses", text)
	}
	f.Fuzz(func(t *testing.T, before, text string) {
		here := *h
		here.tb = t
		r := here.reply(before, text)
		if len(r.Calls) == 0 && !strings.Contains(r.Text, "\n- ") {
			t.Errorf("neither calls nor a refusal: %q", r.Text)
		}
		for _, c := range r.Calls {
			if !json.Valid(c.Arguments) || c.Arguments[0] != '{' || !strings.HasPrefix(c.Name, "get_") && c.Name != "explain_figure" {
				t.Errorf("%s %s is no call", c.Name, c.Arguments)
			}
		}
		if !utf8.ValidString(r.Text) {
			t.Errorf("%q is no text", r.Text)
		}
	})
}
