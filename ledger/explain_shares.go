package ledger

import "context"

// shares converts amounts that are converted as a sum, one after the other: each gets what the sum grows by
// when it is added. So the shares add up to the converted sum to the minor unit.
type shares struct {
	book *rateBook
	to   Currency
	sums map[shareKey]sharedSum
}

// shareKey names a sum: of what day's rate it is converted by.
type shareKey struct {
	currency string
	day      Date
}

type sharedSum struct{ original, converted int64 }

func newShares(book *rateBook, to Currency) *shares {
	return &shares{book, to, map[shareKey]sharedSum{}}
}

// share converts an amount; the original is nil where there is nothing to convert. Without a rate the share
// is nothing, nor has it one where no amount holds it.
func (s *shares) share(ctx context.Context, minor int64, currency string, day Date) (share int64, original *Original, err error) {
	if currency == s.to.Code {
		return minor, nil, nil
	}
	original = &Original{Currency: currency, Minor: minor}
	rate, known, err := s.book.find(ctx, currency, s.to.Code, day)
	if err != nil || !known {
		return 0, original, err
	}
	from, _ := LookupCurrency(currency) // what is stored was looked up
	before := s.sums[shareKey{currency, day}]
	var after sharedSum
	if after.original, known = AddMinor(before.original, minor); !known {
		return 0, original, nil
	}
	if after.converted, known = rate.convert(after.original, from, s.to); !known {
		return 0, original, nil
	}
	if share, known = SubMinor(after.converted, before.converted); !known {
		return 0, original, nil
	}
	s.sums[shareKey{currency, day}] = after
	original.Rates = rate.used(day)
	return share, original, nil
}
