package report

import (
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// ExplainNetWorth explains the net worth on a day: each account's balance, converted at the rate of the day.
// With a day to tell the change from, it is what changed the balance of each account, and what exchange rates
// did to the balances of that day.
func (s *Service) ExplainNetWorth(ctx context.Context, who ledger.Actor, days ExplainDays) (Explanation, error) {
	return s.explain(ctx, who, days, func(ctx context.Context, x *explainer, e *Explanation) error {
		e.Figure = FigureNetWorth
		now, err := x.newWorth(ctx, e.Date)
		if err != nil {
			return err
		}
		e.Minor, e.Unconverted, e.Stale = now.sheet.NetWorth, now.sheet.Unconverted, now.sheet.Stale
		if e.From == nil {
			e.Parts, err = x.accounts(ctx, now)
			return err
		}
		then, err := x.newWorth(ctx, e.From.Date)
		if err != nil {
			return err
		}
		e.From.Minor, e.Stale = then.sheet.NetWorth, fx.StaleRates(e.Stale).And(then.sheet.Stale...)
		for _, w := range []*worth{then, now} {
			if slices.ContainsFunc(w.accounts, func(a *sheetAccount) bool { return a.excess }) {
				return ledger.NewInvalid("from", "must not be given for a net worth on %s or %s: not all accounts can be added up then, so what changed it cannot be told",
					e.From.Date, e.Date)
			}
		}
		// Fill in what changed the balance of each account, at the rates of the last day, and what the rates did to
		// the balances of the first.
		var rates []Part
		for _, a := range now.accounts {
			of := &Explanation{Date: e.Date, From: &FigureOfDay{Date: e.From.Date}}
			b, err := x.newAccountBook(ctx, a.ID, a.currency, of)
			if err != nil {
				return err
			}
			if err := b.changes(ctx, of); err != nil {
				return err
			}
			if slices.ContainsFunc(of.Unconverted, func(g Unconverted) bool { return g.Excess }) {
				return ledger.ErrBeyond(of.sum(), a.Currency)
			}
			rates, err = x.accountChanges(ctx, e, of, a, newShares(x.book, now.currency), rates)
			if err != nil {
				return err
			}
		}
		e.Parts = append(e.Parts, rates...)
		return nil
	})
}

// worth is the net worth at the end of a day.
type worth struct {
	*networth
	sheet BalanceSheet
}

func (x *explainer) newWorth(ctx context.Context, day ledger.Date) (*worth, error) {
	sheets, err := NewSheet(ctx, x.tx)
	if err != nil {
		return nil, err
	}
	if err := sheets.begin(ctx, day, day); err != nil {
		return nil, err
	}
	sheet, err := sheets.sheet(ctx, day)
	return &worth{sheets, sheet}, err
}

// parts are the accounts, as the balance sheet counts each.
func (x *explainer) accounts(ctx context.Context, w *worth) (parts []Part, err error) {
	for _, a := range w.accounts {
		one, excess := *w.networth, a.excess
		one.accounts = []*sheetAccount{a}
		sheet, err := one.sheet(ctx, w.sheet.AsOf)
		if err != nil {
			return nil, err
		}
		p := Part{Kind: PartAccount, Minor: sheet.NetWorth, Account: x.tx.Refs.Accounts.ByKey[a.ID]}
		if excess { // it is left out of the whole, though by itself it could be counted
			p.Minor, a.excess = 0, true
		}
		if a.currency != w.currency {
			p.Original = &Original{a.Currency, a.balance.Minor, sheet.Rates}
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// accountChanges adds what changed the balance of an account to that of a net worth, in whose currency it is
// shared out, and to what rates did. The balance of the first day is converted by itself: the shares begin with it, at
// the rate of the last day, and both may be one day.
func (x *explainer) accountChanges(ctx context.Context, e, of *Explanation, a *sheetAccount, shared *allocation,
	rates []Part) ([]Part, error) {
	then, _, err := newShares(x.book, shared.to).share(ctx, of.From.Minor, a.Currency, e.From.Date)
	if err != nil {
		return nil, err
	}
	now, original, err := shared.share(ctx, of.From.Minor, a.Currency, e.Date)
	if err != nil {
		return nil, err
	}
	sum := money.SumOf(now)
	for _, p := range of.Parts {
		if p.Kind == PartEntries && p.Count == 0 {
			continue
		}
		p.Account = x.tx.Refs.Accounts.ByKey[a.ID]
		p.Minor, p.Original, err = shared.share(ctx, p.Minor, a.Currency, e.Date)
		if err != nil {
			return nil, err
		}
		sum.Add(p.Minor)
		e.Parts = append(e.Parts, p)
	}
	if shared.beyond {
		return nil, ledger.ErrBeyond(sum, shared.to.Code)
	}
	moved, err := partOfSum(money.SumOf(now).Minus(money.SumOf(then)), shared.to)
	if err != nil {
		return nil, err
	}
	return addRateMove(rates, moved, original), nil
}

// addRateMove adds what a rate did to one account to what it did to those before it.
func addRateMove(parts []Part, minor int64, original *Original) []Part {
	if original == nil || minor == 0 {
		return parts
	}
	for i := range parts {
		if parts[i].Original.Currency != original.Currency {
			continue
		}
		sum, fits := money.AddMinor(parts[i].Minor, minor)
		of, also := money.AddMinor(parts[i].Original.Minor, original.Minor)
		if fits && also {
			parts[i].Minor, parts[i].Original.Minor = sum, of
			return parts
		}
	}
	return append(parts, Part{Kind: PartRates, Minor: minor, Original: original})
}
