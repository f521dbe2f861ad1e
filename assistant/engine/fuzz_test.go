package engine_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzQuestion: whatever is asked, and whatever was asked before, leads to calls with valid arguments or to a text, and
// what the calls give to a text.
func FuzzQuestion(f *testing.F) {
	h := newFixture(f)
	for _, text := range []string{"", "What did I spend on groceries in May compared with April?", "and in April?",
		`find "car wash" last year`, "between 50 and 100 EUR from May to July 2025",
		"balance of Checking on February 30", "net worth over the last 99999 months", "top 0 expenses since 1899",
		"\xff\x00“„»«&&'’", "spending on 9999-12-31",
		"last 4000 years", "3 May 2026 to 3/4/5", "Food & Drink & at at at", strings.Repeat("a ", 100),
		"Did I spend more on groceries or on restaurants in May?", "groceries in May compared with rent in April",
		"May Aldi vs April Lidl vs Netflix", "vs groceries and café or rent than",
		"compare Food & Drink, bakery, kids and vacation with Checking", "average Aldi or Lidl over 50 EUR",
		"income vs rent by month since #kids", "rent + groceries a week vs spending per quarter",
		"from 1 to 15 november vs last weekend", "when did acme last pay", "expences janury vs febuary by month",
		"compare income and and vs than spending on at", "jan - (mar", "jan-", "2024–\xff"} {
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
			if !json.Valid(c.Arguments) || c.Arguments[0] != '{' ||
				!strings.HasPrefix(c.Name, "get_") && c.Name != "explain_figure" {
				t.Errorf("%s %s is no call", c.Name, c.Arguments)
			}
		}
		if len(here.reply(text).Calls) > 0 {
			r.Text = here.answer(text, 4000)
		}
		if !utf8.ValidString(r.Text) {
			t.Errorf("%q is no text", r.Text)
		}
	})
}
