package transfer_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
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
		b := ledgertest.New(t)
		giro, dollars := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Dollars", "depository", "USD", "0")
		b.Rate("EUR", "USD", "2026-03-04", "1.1")
		b.Book(dollars, "2026-03-06", "-"+arrives, "USD", "in")
		b.Book(giro, "2026-03-05", "1000", "EUR", "out")
		if list := b.ListedTransfers(); reason == "" && len(list) > 0 || reason != "" && (len(list) != 1 || list[0].Reason != reason) {
			t.Errorf("%s: got %+v", arrives, list)
		}
	}
}

// TestTransferBetweenCurrenciesMustBeTheOnlyOne: as soon as anything else could be meant there is none, and it
// is back when that is gone.
func TestTransferBetweenCurrenciesMustBeTheOnlyOne(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings, dollars := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0"), b.OpenWith("Dollars", "depository", "USD", "0")
	b.Rate("USD", "EUR", "2026-03-02", "0.9")
	out := b.Book(giro, "2026-03-05", "90", "EUR", "out")
	b.Book(dollars, "2026-03-05", "-100", "USD", "in")
	b.MovedIs("out>in", "alone")
	second := b.Book(dollars, "2026-03-07", "-100.50", "USD", "second")
	b.MovedIs("", "with a second candidate")
	b.Remove(second)
	b.MovedIs("out>in", "without it")
	exact := b.Book(savings, "2026-03-09", "-90", "EUR", "exact")
	b.MovedIs("out>exact", "one currency is better")
	b.Update(uuid.UUID(exact.PublicID), entry.TransactionInput{Amount: ledgertest.AmountOf("80")})
	b.MovedIs("out>in", "and is gone")
	b.Book(savings, "2026-03-03", "90.10", "EUR", "also out")
	b.MovedIs("", "another that left")
	b.Remove(out)
	b.MovedIs("also out>in", "the other is the only one now")
	b.Reject(b.Only())
	b.MovedIs("", "rejected")
}
