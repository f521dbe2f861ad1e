package engine_test

import (
	"fmt"
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// BenchmarkQuestion reads a question in a household with 2,000 merchants; it is to take less than 5 ms.
func BenchmarkQuestion(b *testing.B) {
	h := newFixture(b)
	for i := range 2000 {
		if _, err := h.Labels.CreateMerchant(b.Context(), h.who,
			catalog.MerchantInput{Name: ledger.Some(fmt.Sprintf("Market %d of Town %d", i, i%97))}); err != nil {
			b.Fatal(err)
		}
	}
	for _, text := range []string{"What did I spend on groceries in May compared with April?",
		"How much did I spend at Makret 1234 of Town 70 this year?",
		"payments to somebody nobody knows since March"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				h.reply(text)
			}
		})
	}
}
