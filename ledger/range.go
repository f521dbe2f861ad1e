package ledger

import (
	"context"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// A balance is a number of 64 bits. What would leave one that is not is refused by the write that would do so, so that
// every balance can be read. Only accounts that move or hold very large amounts are ever looked through for it.

// CheckBalances is a validation error when a balance of the household is no amount on any day. It is for the end of the
// write of an import: what lies between its parts does not count.
func (l *Ledger) CheckBalances(ctx context.Context, q *queries.Queries, who Actor) error {
	accounts, err := q.ListLargeAccounts(ctx, who.HouseholdID)
	slices.Sort(accounts)
	for _, account := range accounts {
		if err == nil {
			err = checkBalance(ctx, q, who, account)
		}
	}
	return err
}

// checkBalances is the same of some accounts, at the end of a write that is no part of an import.
func checkBalances(ctx context.Context, q *queries.Queries, who Actor, accounts []int64) error {
	if who.Origin == OriginImport {
		return nil
	}
	for _, account := range accounts {
		may, err := q.MayLeaveRange(ctx, queries.MayLeaveRangeParams{AccountID: account, HouseholdID: who.HouseholdID})
		if err == nil && may != 0 {
			err = checkBalance(ctx, q, who, account)
		}
		if err != nil {
			return Missing(err, "Account")
		}
	}
	return nil
}

// checkBalance follows an account through all days on which anything happens. What a valuation adjusts its balance by must
// be an amount, too.
func checkBalance(ctx context.Context, q *queries.Queries, who Actor, account int64) error {
	book := newRateBook(q)
	tallies, err := readTallies(ctx, book, who, account, MinDate-1)
	if err != nil {
		return err
	}
	w := &balanceWindow{q: q, who: who, book: book, one: account, accounts: []int64{account}, span: span{MinDate, MaxDate},
		tallies: tallies, flows: map[accountDay][]dayFlow{}, held: map[accountDay][]Unconverted{}, values: map[accountDay]int64{}}
	if err := w.readSums(ctx); err != nil {
		return err
	}
	if err := w.readLevels(ctx); err != nil {
		return err
	}
	days := slices.AppendSeq(slices.Collect(maps.Keys(w.flows)), maps.Keys(w.held))
	days = slices.AppendSeq(days, maps.Keys(w.values))
	slices.SortFunc(days, func(a, b accountDay) int { return int(a.day - b.day) })
	for _, at := range slices.Compact(days) {
		if err := w.checkDay(ctx, at); err != nil {
			return err
		}
	}
	return nil
}

// checkDay takes the balance to the end of a day and looks at it.
func (w *balanceWindow) checkDay(ctx context.Context, at accountDay) error {
	t := w.tallies[at.account]
	for _, flow := range w.flows[at] {
		if err := w.checkRate(ctx, flow.currency, flow.net, at); err != nil {
			return err
		}
		if err := t.book(ctx, w.book, flow.currency, flow.net, at.day); err != nil {
			return err
		}
	}
	for _, h := range w.held[at] {
		if err := w.checkRate(ctx, h.Currency, h.Minor, at); err != nil {
			return err
		}
		t.hold(h.Currency, h.Minor)
	}
	if value, stated := w.values[at]; stated {
		cash := t.cash
		if err := t.state(ctx, w.book, value, at.day); err != nil {
			return err
		}
		adjustment := t.cash.Minus(cash)
		if _, fits := adjustment.Minor(); !fits {
			return errRange(ctx, w.q, w.who.HouseholdID, at, t.currency, "what a valuation adjusts the balance of", t.currency.PlainSum(adjustment))
		}
	}
	worth, _, _, err := t.worth(ctx, w.book, at.day)
	if err != nil {
		return err
	}
	for _, part := range []Sum{worth, t.cash, t.cash.Plus(worth)} {
		if _, fits := part.Minor(); !fits {
			return errRange(ctx, w.q, w.who.HouseholdID, at, t.currency, "the balance of", t.currency.PlainSum(part))
		}
	}
	return nil
}

// checkRate is an error when there is a rate for an amount and what it comes to is none.
func (w *balanceWindow) checkRate(ctx context.Context, currency string, minor int64, at accountDay) error {
	from, _ := LookupCurrency(currency) // what is stored was looked up
	to := w.tallies[at.account].currency
	converted, err := w.book.convert(ctx, minor, from, to, at.day)
	if err != nil || converted.known {
		return err
	}
	r, known, err := w.book.find(ctx, from.Code, to.Code, at.day)
	if err != nil || !known {
		return err
	}
	tooMuch := decimal.New(minor, -int32(from.Exponent)).Mul(r.num).DivRound(r.den, int32(to.Exponent))
	return errRange(ctx, w.q, w.who.HouseholdID, at, to, "the balance of", tooMuch.StringFixed(int32(to.Exponent)))
}

// errDayRange is for what is booked on a day in one currency and is no amount.
func errDayRange(ctx context.Context, q *queries.Queries, householdID int64, at dayKey, done string) error {
	name, err := q.GetAccountName(ctx, queries.GetAccountNameParams{ID: at.account, HouseholdID: householdID})
	if err != nil {
		return err
	}
	currency, _ := LookupCurrency(at.currency) // what is stored was looked up
	return NewInvalid("amount", "must keep what is %s in the account %s on %s between %s and %s %s; together it would be beyond that",
		done, Quote(name), at.date, currency.Plain(-maxBalance), currency.Plain(maxBalance), currency.Code)
}

// errRange is for a figure of an account that is no amount.
func errRange(ctx context.Context, q *queries.Queries, householdID int64, at accountDay, currency Currency, what, figure string) error {
	name, err := q.GetAccountName(ctx, queries.GetAccountNameParams{ID: at.account, HouseholdID: householdID})
	if err != nil {
		return err
	}
	return NewInvalid("amount", "must keep %s the account %s between %s and %s %s; on %s it would be %s", what, Quote(name),
		currency.Plain(-maxBalance), currency.Plain(maxBalance), currency.Code, at.day, figure)
}
