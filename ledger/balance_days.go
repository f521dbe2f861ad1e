package ledger

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/queries"
)

// BalanceDay is an account's balance at the end of a day and how it came about. Amounts are in minor units
// of the account's currency. Balances, Adjustment, Market and Unconverted are in the written sign (see
// [Account]); the flows are positive: what came into the account and what went out of it in cash, purchases and
// sales included, and what purchases put into holdings and sales took out of them, fees included. Balances are
// of cash and of holdings together; cash is what is not Holdings. Each part chains with itself, and the end of
// a day is the start of the next:
//
//	EndCash() = StartCash() + FlowsFactor * (Inflow - Outflow) + Adjustment
//	EndHoldings = StartHoldings + FlowsFactor * (Bought - Sold) + Market
//
// FlowsFactor is -1 for a liability, else 1. The adjustment is what a valuation of the day added to the cash,
// so that cash and holdings are what it states. Market is what prices, exchange rates, fees and whatever else
// is no purchase or sale did to the holdings.
type BalanceDay struct {
	ID                          uuid.UUID // made of account and day, always the same
	Date                        Date
	Account                     *AccountLabel
	FlowsFactor                 int64
	Start, End                  int64
	StartHoldings, EndHoldings  int64
	Inflow, Outflow, Adjustment int64         // of cash
	Bought, Sold, Market        int64         // of holdings
	Unconverted                 []Unconverted // by currency
	Stale                       []StaleRate   // by currencies
	CreatedAt                   int64         // that of the account: a balance is not stored
}

// StartCash is the part of Start that is not held in securities.
func (b *BalanceDay) StartCash() int64 { return b.Start - b.StartHoldings }

// EndCash is that of End.
func (b *BalanceDay) EndCash() int64 { return b.End - b.EndHoldings }

// BalanceFilter selects days of balances; what is not given selects all. Both days are included.
type BalanceFilter struct {
	AccountID          Opt[uuid.UUID]
	Currency           Opt[Currency]
	StartDate, EndDate Opt[Date]
}

// ListBalanceDays gives a page of the balances of every account on every day from its first one (see
// [Valuation] for that of an opening balance) to today, and how many there are in all: the newest day
// first, then the accounts as they were made. Nothing of it is stored.
func (l *Ledger) ListBalanceDays(ctx context.Context, who Actor, f BalanceFilter, page Page) (list []BalanceDay, total int64, err error) {
	err = l.withLabels(heavy(ctx, who), l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		rows, err := l.balanceRows(ctx, q, who, names, f)
		if err != nil {
			return err
		}
		total = rows.count()
		list, err = l.balancePage(ctx, q, who, names, rows, page)
		return err
	})
	return list, total, err
}

// GetBalanceDay gives the balance of an account on a day by its id.
func (l *Ledger) GetBalanceDay(ctx context.Context, who Actor, id uuid.UUID) (b BalanceDay, err error) {
	err = l.withLabels(ctx, l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		account, day, found := names.balanceOf(id)
		if !found {
			return NewNotFound("Balance")
		}
		rows, err := l.balanceRows(ctx, q, who, names, BalanceFilter{AccountID: Some(account), StartDate: Some(day), EndDate: Some(day)})
		if err != nil {
			return err
		}
		list, err := l.balancePage(ctx, q, who, names, rows, Page{1, 1})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return NewNotFound("Balance")
		}
		b = list[0]
		return nil
	})
	return b, err
}

// balancePage gives the balances of a page of rows.
func (l *Ledger) balancePage(ctx context.Context, q *queries.Queries, who Actor, names *labels, rows balanceRows, page Page) ([]BalanceDay, error) {
	wanted := rows.page(page)
	list, err := l.balanceDays(ctx, q, who, names, wanted)
	if err != nil {
		return nil, err
	}
	created := map[int64]int64{}
	for _, life := range rows.lives {
		created[life.account] = life.created
	}
	for i := range list {
		list[i].CreatedAt = created[wanted[i].account]
	}
	return list, nil
}

// balanceOf finds out the account and the day that an id was made of.
func (l *labels) balanceOf(id uuid.UUID) (account uuid.UUID, day Date, found bool) {
	for account := range l.accounts.keys {
		if day, made := dayInID(id, account); made {
			return account, day, true
		}
	}
	return uuid.Nil, 0, false
}

// balanceRows are the rows of a list of balances: each account has one on every day from its first one,
// within the first and the last.
type balanceRows struct {
	lives       []lifetime // by first day, rising
	first, last Date
}

// balanceRows are those that a filter selects.
func (l *Ledger) balanceRows(ctx context.Context, q *queries.Queries, who Actor, names *labels, f BalanceFilter) (balanceRows, error) {
	lives, today, err := l.lifetimes(ctx, q, who)
	wanted := names.accounts.keys[f.AccountID.Value]
	rows := balanceRows{first: f.StartDate.Or(MinDate), last: min(today, f.EndDate.Or(MaxDate))}
	for _, life := range lives {
		if f.AccountID.Has() && life.account != wanted || f.Currency.Has() && life.currency != f.Currency.Value.Code {
			continue
		}
		if life.floating != 0 {
			life.first = min(life.first, today) // it is there already, though its first entry is yet to come
		}
		rows.lives = append(rows.lives, life)
	}
	slices.SortFunc(rows.lives, func(a, b lifetime) int { return cmp.Compare(a.first, b.first) })
	return rows, err
}

func (r balanceRows) count() (n int64) {
	for _, life := range r.lives {
		n += max(0, int64(r.last-max(life.first, r.first))+1)
	}
	return n
}

// accountDay names a row.
type accountDay struct {
	account int64
	day     Date
}

// page cuts out a page. Between two first days every day has the same accounts, so whole days before the
// page are leapt over.
func (r balanceRows) page(p Page) []accountDay {
	var out []accountDay
	live, skip := r.lives, p.Offset()
	for day := r.last; day >= r.first && len(out) < p.Size; day-- {
		for len(live) > 0 && live[len(live)-1].first > day {
			live = live[:len(live)-1]
		}
		if len(live) == 0 {
			break
		}
		n := int64(len(live))
		same := int64(day-max(r.first, live[n-1].first)) + 1
		if leap := min(skip/n, same); leap > 0 {
			skip -= leap * n
			day -= Date(leap) - 1
			continue
		}
		for _, account := range accountsOf(live)[skip:] {
			out = append(out, accountDay{account, day})
		}
		skip = 0
	}
	return out[:min(len(out), p.Size)]
}

// accountsOf are the keys of accounts, as they were made.
func accountsOf(lives []lifetime) []int64 {
	keys := make([]int64, len(lives))
	for i, life := range lives {
		keys[i] = life.account
	}
	slices.Sort(keys)
	return keys
}
