package balance

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// Day is an account's balance at the end of a day and how it came about. Amounts are in minor units
// of the account's currency. Balances, Adjustment, Market and Unconverted are in the written sign (see
// [catalog.Account]); the flows are positive: what came into the account and what went out of it in cash, purchases and
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
type Day struct {
	ID                          uuid.UUID // made of account and day, always the same
	Date                        ledger.Date
	Account                     *ledger.AccountRef
	FlowsFactor                 int64
	Start, End                  int64
	StartHoldings, EndHoldings  int64
	Inflow, Outflow, Adjustment int64          // of cash
	Bought, Sold, Market        int64          // of holdings
	Unconverted                 []Unconverted  // by currency
	Stale                       []fx.StaleRate // by currencies
	CreatedAt                   int64          // that of the account: a balance is not stored
}

// StartCash is the part of Start that is not held in securities.
func (b *Day) StartCash() int64 { return b.Start - b.StartHoldings }

// EndCash is that of End.
func (b *Day) EndCash() int64 { return b.End - b.EndHoldings }

// DayFilter selects days of balances; what is not given selects all. Both days are included.
type DayFilter struct {
	AccountID          ledger.Opt[uuid.UUID]
	Currency           ledger.Opt[money.Currency]
	StartDate, EndDate ledger.Opt[ledger.Date]
}

// ListBalanceDays gives a page of the balances of every account on every day from its first one (see
// [catalog.Valuation] for that of an opening balance) to today, and how many there are in all: the newest day
// first, then the accounts as they were made. Nothing of it is stored.
func (s *Service) ListBalanceDays(ctx context.Context, who ledger.Actor, f DayFilter, page ledger.Page) (list []Day,
	total int64, err error) {
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := listRows(ctx, tx, f)
		if err != nil {
			return err
		}
		total = rows.count()
		list, err = balancePage(ctx, tx, rows, page)
		return err
	})
	return list, total, err
}

// GetBalanceDay gives the balance of an account on a day by its id.
func (s *Service) GetBalanceDay(ctx context.Context, who ledger.Actor, id uuid.UUID) (b Day, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		account, day, found := tx.Refs.BalanceOf(id)
		if !found {
			return ledger.NewNotFound("Balance")
		}
		rows, err := listRows(ctx, tx, DayFilter{AccountID: ledger.Some(account), StartDate: ledger.Some(day),
			EndDate: ledger.Some(day)})
		if err != nil {
			return err
		}
		list, err := balancePage(ctx, tx, rows, ledger.Page{Number: 1, Size: 1})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return ledger.NewNotFound("Balance")
		}
		b = list[0]
		return nil
	})
	return b, err
}

// balancePage gives the balances of a page of rows.
func balancePage(ctx context.Context, tx *ledger.Tx, rows balanceRows, page ledger.Page) ([]Day, error) {
	// Cut out a page. Between two first days every day has the same accounts, so whole days before the page are
	// leapt over.
	var out []accountDay
	live, skip := rows.lives, page.Offset()
	for day := rows.last; day >= rows.first && len(out) < page.Size; day-- {
		for len(live) > 0 && live[len(live)-1].First > day {
			live = live[:len(live)-1]
		}
		if len(live) == 0 {
			break
		}
		n := int64(len(live))
		same := int64(day-max(rows.first, live[n-1].First)) + 1
		if leap := min(skip/n, same); leap > 0 {
			skip -= leap * n
			day -= ledger.Date(leap) - 1
			continue
		}
		for _, account := range accountsOf(live)[skip:] {
			out = append(out, accountDay{account, day})
		}
		skip = 0
	}
	wanted := out[:min(len(out), page.Size)]
	list, err := balanceDays(ctx, tx, wanted)
	if err != nil {
		return nil, err
	}
	created := map[int64]int64{}
	for _, life := range rows.lives {
		created[life.Account] = life.created
	}
	for i := range list {
		list[i].CreatedAt = created[wanted[i].account]
	}
	return list, nil
}

// balanceRows are the rows of a list of balances: each account has one on every day from its first one,
// within the first and the last.
type balanceRows struct {
	lives       []Lifetime // by first day, rising
	first, last ledger.Date
}

// listRows are those that a filter selects.
func listRows(ctx context.Context, tx *ledger.Tx, f DayFilter) (balanceRows, error) {
	lives, today, err := Lifetimes(ctx, tx)
	wanted := tx.Refs.Accounts.Keys[f.AccountID.Value]
	rows := balanceRows{first: f.StartDate.Or(ledger.MinDate), last: min(today, f.EndDate.Or(ledger.MaxDate))}
	for _, life := range lives {
		if f.AccountID.Has() && life.Account != wanted || f.Currency.Has() && life.currency != f.Currency.Value.Code {
			continue
		}
		if life.Floating != 0 {
			life.First = min(life.First, today) // it is there already, though its first entry is yet to come
		}
		rows.lives = append(rows.lives, life)
	}
	slices.SortFunc(rows.lives, func(a, b Lifetime) int { return cmp.Compare(a.First, b.First) })
	return rows, err
}

func (r balanceRows) count() (n int64) {
	for _, life := range r.lives {
		n += max(0, int64(r.last-max(life.First, r.first))+1)
	}
	return n
}

// accountDay names a row.
type accountDay struct {
	account int64
	day     ledger.Date
}

// accountsOf are the keys of accounts, as they were made.
func accountsOf(lives []Lifetime) []int64 {
	keys := make([]int64, len(lives))
	for i, life := range lives {
		keys[i] = life.Account
	}
	slices.Sort(keys)
	return keys
}
