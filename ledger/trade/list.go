package trade

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// Filter selects trades; what is not given selects all. A list of ids that is nil is no filter, an empty one
// matches nothing. Both days are included. Kind is buy, sell, dividend, interest or fee.
type Filter struct {
	AccountIDs, SecurityIDs []uuid.UUID
	StartDate, EndDate      ledger.Opt[ledger.Date]
	Kind                    string
}

// params are the filter for the database.
func (f Filter) params(who ledger.Actor, refs *ledger.Refs, securities ledger.RefSet[ledger.SecurityRef]) queries.CountTradesParams {
	return queries.CountTradesParams{
		HouseholdID: who.HouseholdID, Kind: f.Kind,
		FirstKey:   int64(ledger.FirstKey(who.HouseholdID, f.StartDate.Or(ledger.MinDate))),
		LastKey:    int64(ledger.LastKey(who.HouseholdID, f.EndDate.Or(ledger.MaxDate))),
		Accounts:   ledger.JSONArray(entry.KeysOf(f.AccountIDs, refs.Accounts.Keys)),
		Securities: ledger.JSONArray(entry.KeysOf(f.SecurityIDs, securities.Keys)),
	}
}

// ListTrades gives a page of the trades that the filter selects, newest day first, then newest created, and how
// many it selects in all.
func (s *Service) ListTrades(ctx context.Context, who ledger.Actor, f Filter, page ledger.Page) (list []Trade,
	total int64, err error) {
	if f.Kind != "" || f.SecurityIDs != nil {
		ctx = ledger.Heavy(ctx, who) // they are counted one by one
	}
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		securities, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		p := f.params(tx.Actor, tx.Refs, securities)
		total, err = f.count(ctx, tx.Queries, p)
		if err != nil {
			return err
		}
		rows, err := tx.ListTrades(ctx, queries.ListTradesParams{HouseholdID: p.HouseholdID, FirstKey: p.FirstKey,
			LastKey: p.LastKey, Kind: p.Kind,
			Accounts: p.Accounts, Securities: p.Securities, Size: int64(page.Size), Skipped: page.Offset()})
		if err != nil {
			return err
		}
		list, err = tradesOf(tx.Refs, rows, securities)
		return err
	})
	return list, total, err
}

// count is how many trades are selected.
func (f Filter) count(ctx context.Context, q *queries.Queries, p queries.CountTradesParams) (int64, error) {
	if f.Kind == "" && f.SecurityIDs == nil {
		return q.CountAccountTrades(ctx, queries.CountAccountTradesParams{
			HouseholdID: p.HouseholdID, FirstKey: p.FirstKey, LastKey: p.LastKey, Accounts: p.Accounts})
	}
	return q.CountTrades(ctx, p)
}

func tradesOf(refs *ledger.Refs, rows []queries.Trade, securities ledger.RefSet[ledger.SecurityRef]) ([]Trade, error) {
	list := make([]Trade, len(rows))
	for i, row := range rows {
		var security *ledger.SecurityRef
		if row.SecurityID != nil {
			security = securities.ByKey[*row.SecurityID]
		}
		var err error
		list[i], err = tradeOf(refs, row, security)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// GetTrade gives one trade.
func (s *Service) GetTrade(ctx context.Context, who ledger.Actor, id uuid.UUID) (t Trade, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, security, err := readTrade(ctx, tx, id)
		if err != nil {
			return err
		}
		t, err = tradeOf(tx.Refs, row, security)
		return err
	})
	return t, err
}
