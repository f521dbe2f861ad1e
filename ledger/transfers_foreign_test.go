package ledger_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// TestTransferBetweenCurrencies: on March 5th a euro is 1.10 USD. 1,000.00 EUR are 1,100.00 USD; within one
// percent are 1,089.00 to 1,111.00.
func TestTransferBetweenCurrencies(t *testing.T) {
	t.Parallel()
	for arrives, reason := range map[string]string{
		"1100":    "1000.00 EUR left one account and 1100.00 USD arrived in another, one day apart; at the rate 1.1 of 2026-03-04 that is exactly that; nothing else comes into question",
		"1089":    "1000.00 EUR left one account and 1089.00 USD arrived in another, one day apart; at the rate 1.1 of 2026-03-04 that is 1.00 % less; nothing else comes into question",
		"1111":    "1000.00 EUR left one account and 1111.00 USD arrived in another, one day apart; at the rate 1.1 of 2026-03-04 that is 1.00 % more; nothing else comes into question",
		"1088.99": "", "1111.01": "",
	} {
		b := newBooks(t)
		giro, dollars := b.openWith("Giro", "depository", "EUR", "0"), b.openWith("Dollars", "depository", "USD", "0")
		b.rate("EUR", "USD", "2026-03-04", "1.1")
		b.book(dollars, "2026-03-06", "-"+arrives, "USD", "in")
		b.book(giro, "2026-03-05", "1000", "EUR", "out")
		if list := b.transfers(); reason == "" && len(list) > 0 || reason != "" && (len(list) != 1 || list[0].Reason != reason) {
			t.Errorf("%s: got %+v", arrives, list)
		}
	}
}

// TestTransferBetweenCurrenciesMustBeTheOnlyOne: as soon as anything else could be meant there is none, and it
// is back when that is gone.
func TestTransferBetweenCurrenciesMustBeTheOnlyOne(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	giro, savings, dollars := b.openWith("Giro", "depository", "EUR", "0"), b.openWith("Savings", "depository", "EUR", "0"), b.openWith("Dollars", "depository", "USD", "0")
	b.rate("USD", "EUR", "2026-03-02", "0.9")
	out := b.book(giro, "2026-03-05", "90", "EUR", "out")
	b.book(dollars, "2026-03-05", "-100", "USD", "in")
	b.movedIs("out>in", "alone")
	second := b.book(dollars, "2026-03-07", "-100.50", "USD", "second")
	b.movedIs("", "with a second candidate")
	b.remove(second)
	b.movedIs("out>in", "without it")
	exact := b.book(savings, "2026-03-09", "-90", "EUR", "exact")
	b.movedIs("out>exact", "one currency is better")
	b.update(uuid.UUID(exact.PublicID), ledger.TransactionInput{Amount: amountOf("80")})
	b.movedIs("out>in", "and is gone")
	b.book(savings, "2026-03-03", "90.10", "EUR", "also out")
	b.movedIs("", "another that left")
	b.remove(out)
	b.movedIs("also out>in", "the other is the only one now")
	b.reject(b.only())
	b.movedIs("", "rejected")
}
