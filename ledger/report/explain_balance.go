package report

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// ExplainBalance explains the balance of an account on a day: the statement it starts from, every entry
// since, what is held. With a day to tell the change from, it is the entries after that day, what statements
// added to their sum, and what trades, prices and rates did to what is held. The page is one of the entries.
func (s *Service) ExplainBalance(ctx context.Context, who ledger.Actor, account uuid.UUID, days ExplainDays,
	page ledger.Page) (Explanation, error) {
	return s.explain(ctx, who, days, func(ctx context.Context, x *explainer, e *Explanation) error {
		key, currency, err := x.choose(e, account)
		if err != nil {
			return err
		}
		e.Figure = FigureBalance
		b, err := x.newAccountBook(ctx, key, currency, e)
		if err != nil {
			return err
		}
		entries, fill := period{key, b.start.day, e.Date}, b.parts
		if e.From != nil {
			entries.after, fill = e.From.Date, b.changes
		}
		if err := fill(ctx, e); err != nil {
			return err
		}
		err = x.explainEntries(ctx, e, entries, currency, page)
		// Turn the amounts into the written sign.
		sign := e.Account.Sign()
		e.Minor *= sign
		if e.From != nil {
			e.From.Minor *= sign
		}
		for _, list := range [][]Part{e.Parts, e.Entries} {
			for i := range list {
				list[i].Minor *= sign
				if list[i].Original != nil {
					list[i].Original.Minor *= sign
				}
			}
		}
		for i := range e.Unconverted {
			e.Unconverted[i].Minor *= sign
		}
		return err
	})
}

// accountBook has what the balance of an account is made of on some days.
type accountBook struct {
	*explainer
	account  int64
	currency money.Currency
	lines    []position.Key // by ticker
	held     *position.LineBook
	start    statement // in force on the last day
}

// statement is what an account is worth by valuation at the end of a day; without one nothing, before all
// days.
type statement struct {
	kind  string
	day   ledger.Date
	id    uuid.UUID
	minor int64
}

// newAccountBook reads what balances from the statement in force on a day, or from the day that a change is
// told from, are made of. It notes those balances in the explanation.
func (x *explainer) newAccountBook(ctx context.Context, account int64, currency money.Currency,
	e *Explanation) (*accountBook, error) {
	b := &accountBook{explainer: x, account: account, currency: currency}
	bal, err := balance.BalanceTx(ctx, x.tx, account, e.Date)
	if err != nil {
		return nil, err
	}
	e.Minor, e.Stale = bal.Minor, bal.Stale
	leftOut := func(u balance.Unconverted) Unconverted {
		return Unconverted{u.Currency, u.Minor, u.Excess, []uuid.UUID{x.tx.Refs.Accounts.ByKey[account].ID}}
	}
	for _, u := range bal.Unconverted {
		e.Unconverted = append(e.Unconverted, leftOut(u))
	}
	b.start, err = x.statement(ctx, account, e.Date)
	if err != nil {
		return nil, err
	}
	first := max(b.start.day, ledger.MinDate)
	if e.From != nil {
		bal, err = balance.BalanceTx(ctx, x.tx, account, e.From.Date)
		if err != nil {
			return nil, err
		}
		e.From.Minor, first = bal.Minor, e.From.Date
		for _, u := range bal.Unconverted {
			if gap := leftOut(u); gap.Excess { // what no amount holds cannot be told from either
				e.Unconverted = append(e.Unconverted, gap)
			}
		}
		e.Stale = fx.StaleRates(e.Stale).And(bal.Stale...)
	}
	return b, b.readHeld(ctx, first, e.Date)
}

func (x *explainer) statement(ctx context.Context, account int64, day ledger.Date) (statement, error) {
	v, err := x.tx.GetLastValuation(ctx, queries.GetLastValuationParams{AccountID: account,
		HouseholdID: x.tx.HouseholdID, Day: int64(day)})
	if errors.Is(err, db.ErrNotFound) {
		v, err = x.tx.GetOpening(ctx, queries.GetOpeningParams{AccountID: account, HouseholdID: x.tx.HouseholdID})
	}
	switch {
	case errors.Is(err, db.ErrNotFound) || err == nil && v.Date != nil && ledger.Date(*v.Date) > day:
		return statement{kind: PartOpening, day: ledger.Dawn}, nil
	case err != nil:
		return statement{}, err
	}
	s := statement{PartValuation, ledger.Dawn, uuid.UUID(v.PublicID), v.Amount}
	if v.Kind == "opening_anchor" {
		s.kind = PartOpening
	}
	if v.Date != nil {
		s.day = ledger.Date(*v.Date)
	}
	return s, nil
}

func (b *accountBook) readHeld(ctx context.Context, first, last ledger.Date) error {
	keys, err := b.tx.ListAccountSecurities(ctx, queries.ListAccountSecuritiesParams{HouseholdID: b.tx.HouseholdID,
		AccountID: b.account})
	if err != nil {
		return err
	}
	slices.SortFunc(keys, func(s, t int64) int {
		return cmp.Or(strings.Compare(b.securities.ByKey[s].Ticker, b.securities.ByKey[t].Ticker), cmp.Compare(s, t))
	})
	for _, key := range keys {
		b.lines = append(b.lines, position.Key{Account: b.account, Security: key})
	}
	b.held, err = position.ReadLines(ctx, b.tx, b.lines, first, last)
	return err
}

// parts fills in what a balance is made of.
func (b *accountBook) parts(ctx context.Context, e *Explanation) error {
	if err := b.startParts(ctx, e); err != nil {
		return err
	}
	minor, count, err := b.sumEntries(ctx, period{b.account, b.start.day, e.Date}, b.currency)
	if err != nil {
		return err
	}
	e.EntryCount = count
	e.Parts = append(e.Parts, Part{Kind: PartEntries, Minor: minor, Count: count})
	now, err := b.holdings(ctx, e.Date)
	e.Parts = append(e.Parts, now...)
	return err
}

// startParts fills in the statement that a balance starts from, and takes what was held on its day out of it:
// the rest was cash.
func (b *accountBook) startParts(ctx context.Context, e *Explanation) error {
	e.Parts = []Part{{Kind: b.start.kind, Minor: b.start.minor, ID: b.start.id}}
	if b.start.day == ledger.Dawn {
		return nil
	}
	e.Parts[0].Date = ledger.Some(b.start.day)
	then, err := b.holdings(ctx, b.start.day)
	for _, p := range then {
		p.Kind, p.Minor = PartHeldThen, -p.Minor
		if p.Original != nil {
			p.Original.Minor *= -1
		}
		e.Parts = append(e.Parts, p)
	}
	return err
}

// holdings are the parts that what is held at the end of a day makes of a balance: per currency they are
// converted as a sum.
func (b *accountBook) holdings(ctx context.Context, day ledger.Date) (parts []Part, err error) {
	shared := newShares(b.book, b.currency)
	for _, at := range b.lines {
		s := b.held.On(at, day)
		if s == nil || s.Quantity.IsZero() {
			continue
		}
		p := Part{Kind: PartHolding, Date: ledger.Some(day), Security: b.securities.ByKey[at.Security],
			Units: stepUnits(s)}
		p.Minor, p.Original, err = shared.share(ctx, s.Value, s.PriceCurrency, day)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func stepUnits(s *position.Step) *position.Units {
	if s == nil {
		return nil
	}
	u := &position.Units{Quantity: s.Quantity, Price: s.Price, Currency: s.PriceCurrency,
		PriceDate: ledger.Some(s.PriceDay), PriceSource: position.PriceOfMarket}
	if s.Traded {
		u.PriceSource = position.PriceOfTrade
	}
	return u
}

// worth is what the holdings of a day add to the balance.
func (b *accountBook) worth(ctx context.Context, day ledger.Date) (minor int64, err error) {
	parts, err := b.holdings(ctx, day)
	if err != nil {
		return 0, err
	}
	var sum money.Sum
	for _, p := range parts {
		sum.Add(p.Minor)
	}
	return partOfSum(sum, b.currency)
}
