package report

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// allocation converts amounts that are converted as a sum, one after the other: each gets what the sum grows by
// when it is added. So the shares add up to the converted sum to the minor unit.
type allocation struct {
	book   *fx.RateBook
	to     money.Currency
	sums   map[shareKey]sharedSum
	beyond bool // a share was left out because no amount holds it, or the sum with it
}

// shareKey names a sum: of what day's rate it is converted by.
type shareKey struct {
	currency string
	day      ledger.Date
}

type sharedSum struct{ original, converted int64 }

func newShares(book *fx.RateBook, to money.Currency) *allocation {
	return &allocation{book: book, to: to, sums: map[shareKey]sharedSum{}}
}

// share converts an amount; the original is nil where there is nothing to convert. Without a rate the share
// is nothing, nor has it one where no amount holds it.
func (s *allocation) share(ctx context.Context, minor int64, currency string, day ledger.Date) (share int64,
	original *Original, err error) {
	if currency == s.to.Code {
		return minor, nil, nil
	}
	original = &Original{Currency: currency, Minor: minor}
	rate, known, err := s.book.Find(ctx, currency, s.to.Code, day)
	if err != nil || !known {
		return 0, original, err
	}
	from, _ := money.LookupCurrency(currency) // what is stored was looked up
	before := s.sums[shareKey{currency, day}]
	after, share, fits := before.with(minor, func(sum int64) (int64, bool) { return rate.Convert(sum, from, s.to) })
	if !fits {
		s.beyond = true
		return 0, original, nil
	}
	s.sums[shareKey{currency, day}] = after
	original.Rates = rate.Used(day)
	return share, original, nil
}

// with adds an amount to the sum, and gives what the converted sum grows by, if amounts hold all of it.
func (s sharedSum) with(minor int64, convert func(int64) (int64, bool)) (after sharedSum, share int64, fits bool) {
	after.original, fits = money.AddMinor(s.original, minor)
	if !fits {
		return s, 0, false
	}
	after.converted, fits = convert(after.original)
	if !fits {
		return s, 0, false
	}
	share, fits = money.SubMinor(after.converted, s.converted)
	return after, share, fits
}
