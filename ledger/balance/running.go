package balance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// Running is an account's balance on its way from day to day. All balances are computed by it:
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
type Running struct {
	currency money.Currency
	Cash     money.Sum
	held     []Unconverted // by currency
	left     []Unconverted // of what was booked, by currency
	stated   []Unconverted // of what was held on the day of the valuation, by currency
	stale    fx.StaleRates // by which what was booked, and held on the day of the valuation, was converted
}

// book counts what was booked on a day.
func (t *Running) book(ctx context.Context, book *fx.RateBook, currency string, minor int64, day ledger.Date) error {
	from, _ := money.LookupCurrency(currency) // what is stored was looked up
	converted, err := book.Convert(ctx, minor, from, t.currency, day)
	t.Cash.Add(converted.Minor)
	switch {
	case !converted.Known:
		t.left = withLeftOut(t.left, Unconverted{currency, minor, converted.Beyond})
	case minor != 0:
		t.stale = t.stale.With(currency, t.currency.Code, day, converted)
	}
	return err
}

// BookDays counts what was booked in a currency on several days.
func (t *Running) BookDays(ctx context.Context, book *fx.RateBook, currency string, days []DayAmount) error {
	for _, d := range days {
		if err := t.book(ctx, book, currency, d.Minor, d.Day); err != nil {
			return err
		}
	}
	return nil
}

// State takes in a valuation at the end of a day.
func (t *Running) State(ctx context.Context, book *fx.RateBook, minor int64, day ledger.Date) error {
	worth, left, stale, err := t.worth(ctx, book, day)
	t.Cash, t.left, t.stated, t.stale = money.SumOf(minor).Minus(worth), nil, left, stale
	return err
}

// Hold notes what is held of a currency from now on.
func (t *Running) Hold(currency string, minor int64) {
	at, found := slices.BinarySearchFunc(t.held, currency, byCurrency)
	if !found {
		t.held = slices.Insert(t.held, at, Unconverted{Currency: currency})
	}
	t.held[at].Minor = minor
}

// worth is what the holdings of a day are worth, what has no rate of them, and which rates are stale.
func (t *Running) worth(ctx context.Context, book *fx.RateBook, day ledger.Date) (sum money.Sum, left []Unconverted,
	stale fx.StaleRates, err error) {
	for _, h := range t.held {
		from, _ := money.LookupCurrency(h.Currency) // what is stored was looked up
		converted, err := book.Convert(ctx, h.Minor, from, t.currency, day)
		if err != nil {
			return money.Sum{}, nil, nil, err
		}
		sum.Add(converted.Minor)
		switch {
		case h.Minor == 0:
		case converted.Known:
			stale = stale.With(h.Currency, t.currency.Code, day, converted)
		default:
			left = append(left, Unconverted{h.Currency, h.Minor, converted.Beyond})
		}
	}
	return sum, left, stale, nil
}

// Balance is the balance at the end of a day.
func (t *Running) Balance(ctx context.Context, book *fx.RateBook, day ledger.Date) (Balance, error) {
	worth, held, stale, err := t.worth(ctx, book, day)
	b := Balance{Unconverted: t.left, Stale: t.stale.And(stale...)}
	b.take(t.currency, t.Cash, worth)
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
func (b *Balance) take(currency money.Currency, cash, worth money.Sum) {
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

// withLeftOut is a copy of the list, by currency, with more left out. A currency has more than one place in it where
// one amount does not hold all of it, or where it is left out for more than one reason.
func withLeftOut(list []Unconverted, more Unconverted) []Unconverted {
	list = slices.Clone(list)
	at, _ := slices.BinarySearchFunc(list, more.Currency, byCurrency)
	for ; at < len(list) && list[at].Currency == more.Currency; at++ {
		sum, fits := money.AddMinor(list[at].Minor, more.Minor)
		if fits && list[at].Excess == more.Excess {
			list[at].Minor = sum
			return list
		}
	}
	return slices.Insert(list, at, more)
}

func byCurrency(u Unconverted, code string) int { return strings.Compare(u.Currency, code) }

// unpackHalves adds up sums that are each "upper lower" by commas, see [money.SumOfHalves].
func unpackHalves(text string) (sum money.Sum, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, second, _ := strings.Cut(part, " ")
		upper, errUpper := strconv.ParseInt(first, 10, 64)
		lower, errLower := strconv.ParseInt(second, 10, 64)
		if errUpper != nil || errLower != nil {
			return sum, fmt.Errorf("the database packed a sum as %q", part)
		}
		sum = sum.Plus(money.SumOfHalves(upper, lower))
	}
	return sum, nil
}

// eachPacked gives use each day and what the database packed with it, in no order, of "day rest" by commas.
func eachPacked(text string, use func(day ledger.Date, rest string) error) error {
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		first, rest, _ := strings.Cut(part, " ")
		day, err := strconv.ParseInt(first, 10, 32)
		if err == nil {
			err = use(ledger.Date(day), rest)
		}
		if err != nil {
			return fmt.Errorf("the database packed the days of an account as %q: %w", part, err)
		}
	}
	return nil
}

// DaySum is a sum of several days, by the last of them.
type DaySum struct {
	Day ledger.Date
	Sum money.Sum
}

// UnpackSums reads "day amount" or "day upper lower" by commas, and sorts it.
func UnpackSums(text string) ([]DaySum, error) {
	var list []DaySum
	err := eachPacked(text, func(day ledger.Date, halves string) error {
		if !strings.Contains(halves, " ") {
			halves = "0 " + halves
		}
		sum, err := unpackHalves(halves)
		list = append(list, DaySum{day, sum})
		return err
	})
	slices.SortStableFunc(list, func(a, b DaySum) int { return cmp.Compare(a.Day, b.Day) })
	return list, err
}

// DayAmount is an amount of a day.
type DayAmount struct {
	Day   ledger.Date
	Minor int64
}

// CurrencyDays are amounts of a currency, by day.
type CurrencyDays struct {
	Currency string
	Days     []DayAmount
}

// Span is from the first day to the last.
func (c CurrencyDays) Span() fx.Span {
	return fx.Span{First: c.Days[0].Day, Last: c.Days[len(c.Days)-1].Day}
}

// UnpackDays reads "day amount" by commas, and sorts it: SQLite promises no order.
func UnpackDays(text string) ([]DayAmount, error) {
	list := make([]DayAmount, 0, strings.Count(text, ",")+1)
	err := eachPacked(text, func(day ledger.Date, amount string) error {
		minor, err := strconv.ParseInt(amount, 10, 64)
		list = append(list, DayAmount{day, minor})
		return err
	})
	slices.SortStableFunc(list, func(a, b DayAmount) int { return cmp.Compare(a.Day, b.Day) })
	return list, err
}
