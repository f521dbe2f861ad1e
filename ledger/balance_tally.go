package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// tally is an account's balance on its way from day to day. All balances are computed by it:
//
//   - what is booked adds to cash; in another currency it counts at the rate of its day, each day's sum
//     rounded by itself;
//   - what is held in securities counts with its value, that of another currency as one sum at the rate of the
//     day asked about;
//   - a valuation states the sum of both at the end of its day: cash is then what holdings leave of it.
//
// What has no rate is left out and said. What a valuation stated is in its sum, with or without a rate: of
// holdings that had none then, only the change since is left out.
//
// It is the one piece of code that counts balances: for accounts, days, the balance sheet and net worth.
type tally struct {
	currency Currency
	cash     Sum
	held     []Unconverted // by currency
	left     []Unconverted // of what was booked, by currency
	stated   []Unconverted // of what was held on the day of the valuation, by currency
	stale    staleRates    // by which what was booked, and held on the day of the valuation, was converted
}

// book counts what was booked on a day.
func (t *tally) book(ctx context.Context, book *rateBook, currency string, minor int64, day Date) error {
	from, _ := LookupCurrency(currency) // what is stored was looked up
	converted, err := book.convert(ctx, minor, from, t.currency, day)
	t.cash.Add(converted.minor)
	switch {
	case !converted.known:
		t.left = withLeftOut(t.left, Unconverted{currency, minor, converted.beyond})
	case minor != 0:
		t.stale = t.stale.with(currency, t.currency.Code, day, converted)
	}
	return err
}

// rebook converts what cash has already taken in as if it were of the account's currency.
func (t *tally) rebook(ctx context.Context, book *rateBook, currency string, days []dayAmount) error {
	for _, d := range days {
		t.cash.Sub(d.minor)
		if err := t.book(ctx, book, currency, d.minor, d.day); err != nil {
			return err
		}
	}
	return nil
}

// state takes in a valuation at the end of a day.
func (t *tally) state(ctx context.Context, book *rateBook, minor int64, day Date) error {
	worth, left, stale, err := t.worth(ctx, book, day)
	t.cash, t.left, t.stated, t.stale = SumOf(minor).Minus(worth), nil, left, stale
	return err
}

// hold notes what is held of a currency from now on.
func (t *tally) hold(currency string, minor int64) {
	at, found := slices.BinarySearchFunc(t.held, currency, byCurrency)
	if !found {
		t.held = slices.Insert(t.held, at, Unconverted{Currency: currency})
	}
	t.held[at].Minor = minor
}

// worth is what the holdings of a day are worth, what has no rate of them, and which rates are stale.
func (t *tally) worth(ctx context.Context, book *rateBook, day Date) (sum Sum, left []Unconverted, stale staleRates, err error) {
	for _, h := range t.held {
		from, _ := LookupCurrency(h.Currency) // what is stored was looked up
		converted, err := book.convert(ctx, h.Minor, from, t.currency, day)
		if err != nil {
			return Sum{}, nil, nil, err
		}
		sum.Add(converted.minor)
		switch {
		case h.Minor == 0:
		case converted.known:
			stale = stale.with(h.Currency, t.currency.Code, day, converted)
		default:
			left = append(left, Unconverted{h.Currency, h.Minor, converted.beyond})
		}
	}
	return sum, left, stale, nil
}

// balance is the balance at the end of a day.
func (t *tally) balance(ctx context.Context, book *rateBook, day Date) (Balance, error) {
	worth, held, stale, err := t.worth(ctx, book, day)
	b := Balance{Unconverted: t.left, Stale: t.stale.and(stale...)}
	b.take(t.currency, t.cash, worth)
	moved := held
	for _, s := range t.stated { // for what is left out now that stands for the reason of now
		if at := slices.IndexFunc(held, func(h Unconverted) bool { return h.Currency == s.Currency }); at >= 0 {
			s.Excess = held[at].Excess
		}
		moved = withLeftOut(moved, Unconverted{s.Currency, -s.Minor, s.Excess})
	}
	for _, m := range moved {
		if m.Minor != 0 {
			b.Unconverted = withLeftOut(b.Unconverted, m)
		}
	}
	isNothing := func(u Unconverted) bool { return u.Minor == 0 } // such as a purchase and what it bought
	if slices.ContainsFunc(b.Unconverted, isNothing) {
		b.Unconverted = slices.DeleteFunc(slices.Clone(b.Unconverted), isNothing)
	}
	return b, err
}

// take makes the balance that of cash and holdings. Where that is no amount, all of it is left out, in amounts of the
// account's own currency that add up to it: no write leaves such a balance, but a rate or a file from elsewhere may.
func (b *Balance) take(currency Currency, cash, worth Sum) {
	all := cash.Plus(worth)
	minor, fits := all.Minor()
	holdings, held := worth.Minor()
	if _, paid := cash.Minor(); fits && held && paid {
		b.Minor, b.Holdings = minor, holdings
		return
	}
	for _, piece := range all.Pieces() {
		b.Unconverted = withLeftOut(b.Unconverted, Unconverted{currency.Code, piece, true})
	}
}

// withLeftOut is a copy of the list, by currency, with more left out. A currency has more than one place in it where one
// amount does not hold all of it, or where it is left out for more than one reason.
func withLeftOut(list []Unconverted, more Unconverted) []Unconverted {
	list = slices.Clone(list)
	at, _ := slices.BinarySearchFunc(list, more.Currency, byCurrency)
	for ; at < len(list) && list[at].Currency == more.Currency; at++ {
		sum, fits := AddMinor(list[at].Minor, more.Minor)
		if fits && list[at].Excess == more.Excess {
			list[at].Minor = sum
			return list
		}
	}
	return slices.Insert(list, at, more)
}

func byCurrency(u Unconverted, code string) int { return strings.Compare(u.Currency, code) }

// unpackHalves adds up sums that are each "upper lower" by commas, see [sumOfHalves].
func unpackHalves(text string) (sum Sum, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, second, _ := strings.Cut(part, " ")
		upper, errUpper := strconv.ParseInt(first, 10, 64)
		lower, errLower := strconv.ParseInt(second, 10, 64)
		if errUpper != nil || errLower != nil {
			return sum, fmt.Errorf("the database packed a sum as %q", part)
		}
		sum = sum.Plus(sumOfHalves(upper, lower))
	}
	return sum, nil
}

// eachPacked gives use each day and what the database packed with it, in no order, of "day rest" by commas.
func eachPacked(text string, use func(day Date, rest string) error) error {
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		first, rest, _ := strings.Cut(part, " ")
		day, err := strconv.ParseInt(first, 10, 32)
		if err == nil {
			err = use(Date(day), rest)
		}
		if err != nil {
			return fmt.Errorf("the database packed the days of an account as %q: %w", part, err)
		}
	}
	return nil
}

// daySum is a sum of several days, by the last of them.
type daySum struct {
	day Date
	sum Sum
}

// unpackSums reads "day amount" or "day upper lower" by commas, and sorts it.
func unpackSums(text string) ([]daySum, error) {
	var list []daySum
	err := eachPacked(text, func(day Date, halves string) error {
		if !strings.Contains(halves, " ") {
			halves = "0 " + halves
		}
		sum, err := unpackHalves(halves)
		list = append(list, daySum{day, sum})
		return err
	})
	slices.SortStableFunc(list, func(a, b daySum) int { return cmp.Compare(a.day, b.day) })
	return list, err
}

// dayAmount is an amount of a day.
type dayAmount struct {
	day   Date
	minor int64
}

// currencyDays are amounts of a currency, by day.
type currencyDays struct {
	currency string
	days     []dayAmount
}

// span is from the first day to the last.
func (c currencyDays) span() span { return span{c.days[0].day, c.days[len(c.days)-1].day} }

// unpackDays reads "day amount" by commas, and sorts it: SQLite promises no order.
func unpackDays(text string) ([]dayAmount, error) {
	list := make([]dayAmount, 0, strings.Count(text, ",")+1)
	err := eachPacked(text, func(day Date, amount string) error {
		minor, err := strconv.ParseInt(amount, 10, 64)
		list = append(list, dayAmount{day, minor})
		return err
	})
	slices.SortStableFunc(list, func(a, b dayAmount) int { return cmp.Compare(a.day, b.day) })
	return list, err
}
