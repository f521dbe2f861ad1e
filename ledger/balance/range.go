package balance

import (
	"context"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// A balance is a number of 64 bits. What would leave one that is not is refused by the write that would do so, so that
// every balance can be read. Only accounts that move or hold very large amounts are ever looked through for it.

// CheckAll is a validation error when a balance of the household is no amount on any day. It is for the end of the
// write of an import: what lies between its parts does not count.
func CheckAll(ctx context.Context, tx *ledger.Tx) error {
	accounts, err := tx.ListLargeAccounts(ctx, tx.HouseholdID)
	slices.Sort(accounts)
	for _, account := range accounts {
		if err == nil {
			err = checkBalance(ctx, tx, account)
		}
	}
	return err
}

// Check is the same of some accounts, at the end of a write that is no part of an import.
func Check(ctx context.Context, tx *ledger.Tx, accounts []int64) error {
	if tx.Origin == ledger.OriginImport {
		return nil
	}
	for _, account := range accounts {
		may, err := tx.MayLeaveRange(ctx, queries.MayLeaveRangeParams{AccountID: account, HouseholdID: tx.HouseholdID})
		if err == nil && may != 0 {
			err = checkBalance(ctx, tx, account)
		}
		if err != nil {
			return ledger.Missing(err, "Account")
		}
	}
	return nil
}

// checkBalance follows an account through all days on which anything happens. What a valuation adjusts its balance by
// must be an amount, too.
func checkBalance(ctx context.Context, tx *ledger.Tx, account int64) error {
	book := fx.NewRateBook(tx.Queries)
	tallies, err := ReadRunning(ctx, tx, book, account, ledger.MinDate-1)
	if err != nil {
		return err
	}
	w := &window{tx: tx, book: book, one: account, accounts: []int64{account},
		Span:    fx.Span{First: ledger.MinDate, Last: ledger.MaxDate},
		running: tallies, flows: map[accountDay][]dayFlow{}, held: map[accountDay][]Unconverted{},
		values: map[accountDay]int64{}}
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
func (w *window) checkDay(ctx context.Context, at accountDay) error {
	t := w.running[at.account]
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
		t.Hold(h.Currency, h.Minor)
	}
	if value, stated := w.values[at]; stated {
		cash := t.Cash
		if err := t.State(ctx, w.book, value, at.day); err != nil {
			return err
		}
		adjustment := t.Cash.Minus(cash)
		if _, fits := adjustment.Minor(); !fits {
			return errRange(ctx, w.tx.Queries, w.tx.HouseholdID, at, t.currency,
				"what a valuation adjusts the balance of", t.currency.PlainSum(adjustment))
		}
	}
	worth, _, _, err := t.worth(ctx, w.book, at.day)
	if err != nil {
		return err
	}
	for _, part := range []money.Sum{worth, t.Cash, t.Cash.Plus(worth)} {
		if _, fits := part.Minor(); !fits {
			return errRange(ctx, w.tx.Queries, w.tx.HouseholdID, at, t.currency, "the balance of",
				t.currency.PlainSum(part))
		}
	}
	return nil
}

// checkRate is an error when there is a rate for an amount and what it comes to is none.
func (w *window) checkRate(ctx context.Context, currency string, minor int64, at accountDay) error {
	from, _ := money.LookupCurrency(currency) // what is stored was looked up
	to := w.running[at.account].currency
	converted, err := w.book.Convert(ctx, minor, from, to, at.day)
	if err != nil || converted.Known {
		return err
	}
	r, known, err := w.book.Find(ctx, from.Code, to.Code, at.day)
	if err != nil || !known {
		return err
	}
	tooMuch := decimal.New(minor, -int32(from.Exponent)).Mul(r.Num).DivRound(r.Den, int32(to.Exponent))
	return errRange(ctx, w.tx.Queries, w.tx.HouseholdID, at, to, "the balance of",
		tooMuch.StringFixed(int32(to.Exponent)))
}

// errRange is for a figure of an account that is no amount.
func errRange(ctx context.Context, q *queries.Queries, householdID int64, at accountDay, currency money.Currency, what,
	figure string) error {
	name, err := q.GetAccountName(ctx, queries.GetAccountNameParams{ID: at.account, HouseholdID: householdID})
	if err != nil {
		return err
	}
	return ledger.NewInvalid("amount", "must keep %s the account %s between %s and %s %s; on %s it would be %s", what,
		ledger.Quote(name),
		currency.Plain(-money.MaxBalance), currency.Plain(money.MaxBalance), currency.Code, at.day, figure)
}
