package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// TradeFilter selects trades; what is not given selects all. A list of ids that is nil is no filter, an empty one
// matches nothing. Both days are included. Kind is buy, sell, dividend, interest or fee.
type TradeFilter struct {
	AccountIDs, SecurityIDs []uuid.UUID
	StartDate, EndDate      Opt[Date]
	Kind                    string
}

// params are the filter for the database.
func (f TradeFilter) params(who Actor, names *labels, securities labelSet[SecurityLabel]) queries.CountTradesParams {
	return queries.CountTradesParams{
		HouseholdID: who.HouseholdID, Kind: f.Kind,
		FirstKey: int64(FirstKey(who.HouseholdID, f.StartDate.Or(MinDate))), LastKey: int64(LastKey(who.HouseholdID, f.EndDate.Or(MaxDate))),
		Accounts: jsonArray(keysOf(f.AccountIDs, names.accounts.keys)), Securities: jsonArray(keysOf(f.SecurityIDs, securities.keys)),
	}
}

// ListTrades gives a page of the trades that the filter selects, newest day first, then newest created, and how
// many it selects in all.
func (l *Ledger) ListTrades(ctx context.Context, who Actor, f TradeFilter, page Page) (list []Trade, total int64, err error) {
	if f.Kind != "" || f.SecurityIDs != nil {
		ctx = heavy(ctx, who) // they are counted one by one
	}
	err = l.withLabels(ctx, l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		securities, err := securityLabels(ctx, q, who)
		if err != nil {
			return err
		}
		p := f.params(who, names, securities)
		if total, err = f.count(ctx, q, p); err != nil {
			return err
		}
		rows, err := q.ListTrades(ctx, queries.ListTradesParams{HouseholdID: p.HouseholdID, FirstKey: p.FirstKey, LastKey: p.LastKey, Kind: p.Kind,
			Accounts: p.Accounts, Securities: p.Securities, Size: int64(page.Size), Skipped: page.Offset()})
		if err != nil {
			return err
		}
		list, err = names.trades(rows, securities)
		return err
	})
	return list, total, err
}

// count is how many trades are selected.
func (f TradeFilter) count(ctx context.Context, q *queries.Queries, p queries.CountTradesParams) (int64, error) {
	if f.Kind == "" && f.SecurityIDs == nil {
		return q.CountAccountTrades(ctx, queries.CountAccountTradesParams{
			HouseholdID: p.HouseholdID, FirstKey: p.FirstKey, LastKey: p.LastKey, Accounts: p.Accounts})
	}
	return q.CountTrades(ctx, p)
}

func (l *labels) trades(rows []queries.Trade, securities labelSet[SecurityLabel]) ([]Trade, error) {
	list := make([]Trade, len(rows))
	for i, row := range rows {
		var security *SecurityLabel
		if row.SecurityID != nil {
			security = securities.byKey[*row.SecurityID]
		}
		var err error
		if list[i], err = l.trade(row, security); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// GetTrade gives one trade.
func (l *Ledger) GetTrade(ctx context.Context, who Actor, id uuid.UUID) (t Trade, err error) {
	err = l.withLabels(ctx, l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		row, security, err := readTrade(ctx, q, who, id)
		if err != nil {
			return err
		}
		t, err = names.trade(row, security)
		return err
	})
	return t, err
}
