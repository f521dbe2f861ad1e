package market

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// Security is something that can be held: a share, a fund, a coin.
type Security struct {
	queries.Security
	Newest *MarketPrice // the newest market price; nil when there is none
}

// SecurityFilter selects securities; what is not given selects all. Ticker is one without a market, MIC the
// code of a market, Kind standard or cash.
type SecurityFilter struct {
	Ticker, MIC, Kind string
	Manual            ledger.Opt[bool]
}

// Params are the filter for the database.
func (f SecurityFilter) Params(who ledger.Actor, page ledger.Page) queries.ListSecuritiesParams {
	manual := int64(-1)
	if f.Manual.Has() {
		manual = ledger.AsInteger(f.Manual.Value)
	}
	return queries.ListSecuritiesParams{HouseholdID: who.HouseholdID, Ticker: f.Ticker, Mic: f.MIC, Kind: f.Kind,
		Manual: manual,
		Size:   int64(page.Size), Skipped: page.Offset()}
}

// ListSecurities gives a page of the securities that the filter selects, by ticker and market, and how many it
// selects in all.
func (s *Service) ListSecurities(ctx context.Context, who ledger.Actor, f SecurityFilter,
	page ledger.Page) (list []Security, total int64, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		p := f.Params(tx.Actor, page)
		total, err = tx.CountSecurities(ctx, queries.CountSecuritiesParams{
			HouseholdID: p.HouseholdID, Ticker: p.Ticker, Mic: p.Mic, Kind: p.Kind, Manual: p.Manual})
		if err != nil {
			return err
		}
		rows, err := tx.ListSecurities(ctx, p)
		if err != nil {
			return err
		}
		list, err = withNewest(ctx, tx, rows...)
		return err
	})
	return list, total, err
}

// withNewest puts the newest price to securities.
func withNewest(ctx context.Context, tx *ledger.Tx, rows ...queries.Security) ([]Security, error) {
	keys := make([]int64, len(rows))
	for i, s := range rows {
		keys[i] = s.ID
	}
	prices, err := tx.ListNewestPrices(ctx, queries.ListNewestPricesParams{HouseholdID: tx.HouseholdID,
		Securities: ledger.JSONArray(keys)})
	if err != nil {
		return nil, err
	}
	newest := make(map[int64]*MarketPrice, len(prices))
	for _, p := range prices {
		price, err := decimal.NewFromString(p.Price)
		if err != nil {
			return nil, err
		}
		newest[p.SecurityID] = &MarketPrice{ledger.Date(p.Date), price, p.Currency}
	}
	list := make([]Security, len(rows))
	for i, s := range rows {
		list[i] = Security{s, newest[s.ID]}
	}
	return list, nil
}

// GetSecurity gives one security.
func (s *Service) GetSecurity(ctx context.Context, who ledger.Actor, id uuid.UUID) (security Security, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := getSecurity(ctx, tx, id)
		if err != nil {
			return err
		}
		security, err = oneSecurity(ctx, tx, row)
		return err
	})
	return security, err
}

func getSecurity(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Security, error) {
	row, err := tx.GetSecurity(ctx, queries.GetSecurityParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	return row, ledger.Missing(err, "Security")
}

func oneSecurity(ctx context.Context, tx *ledger.Tx, row queries.Security) (Security, error) {
	list, err := withNewest(ctx, tx, row)
	if err != nil {
		return Security{}, err
	}
	return list[0], nil
}

// CreateSecurity makes a security. Ticker and market together must be new to the household.
func (s *Service) CreateSecurity(ctx context.Context, who ledger.Actor, in SecurityInput) (security Security,
	err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		fresh, err := in.Fill(queries.Security{HouseholdID: tx.HouseholdID, Kind: "standard"})
		if err != nil {
			return err
		}
		security.Security, err = InsertSecurity(ctx, tx, fresh)
		return err
	})
	return security, err
}

// InsertSecurity stores a new security whose members have been checked.
func InsertSecurity(ctx context.Context, tx *ledger.Tx, security queries.Security) (queries.Security, error) {
	var err error
	security.PublicID, err = ledger.NewID()
	if err != nil {
		return security, err
	}
	security.CreatedAt = tx.Stamp()
	security.UpdatedAt = security.CreatedAt
	security.ID, err = tx.InsertSecurity(ctx, insertSecurityParams(nil, security))
	if err != nil {
		return security, tickerTaken(err, &security)
	}
	return security, tx.Record(ctx, ledger.EntitySecurity, security.PublicID, nil, security)
}

// insertSecurityParams are the row of a security; its key is nil where it is given anew.
func insertSecurityParams(key *int64, s queries.Security) queries.InsertSecurityParams {
	return queries.InsertSecurityParams{ID: key, PublicID: s.PublicID, HouseholdID: s.HouseholdID, Ticker: s.Ticker, Mic: s.Mic,
		Name: s.Name, Kind: s.Kind, Manual: s.Manual, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
}

func tickerTaken(err error, s *queries.Security) error {
	return ledger.Taken(err, "ticker", "must not be that of another security on the same market, %s is", TickerOf(s))
}

// UpdateSecurity changes what is given and leaves the rest. Its trades and prices stay with it.
func (s *Service) UpdateSecurity(ctx context.Context, who ledger.Actor, id uuid.UUID,
	in SecurityInput) (security Security, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := getSecurity(ctx, tx, id)
		if err != nil {
			return err
		}
		after, err := in.Fill(before)
		if err != nil {
			return err
		}
		after, err = changeSecurity(ctx, tx, before, after)
		if err != nil {
			return err
		}
		security, err = oneSecurity(ctx, tx, after)
		return err
	})
	return security, err
}

// changeSecurity writes a changed security; a change of nothing writes nothing.
func changeSecurity(ctx context.Context, tx *ledger.Tx, before, after queries.Security) (queries.Security, error) {
	if before.Ticker == after.Ticker && before.Mic == after.Mic && ledger.Same(before.Name, after.Name) &&
		before.Manual == after.Manual {
		return before, nil
	}
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	if err := tx.UpdateSecurity(ctx, queries.UpdateSecurityParams{Ticker: after.Ticker, Mic: after.Mic,
		Name: after.Name, Manual: after.Manual,
		UpdatedAt: after.UpdatedAt, ID: after.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return after, tickerTaken(err, &after)
	}
	return after, tx.Record(ctx, ledger.EntitySecurity, after.PublicID, before, after)
}

// DeleteSecurity removes a security with its prices and splits; not while trades refer to it.
func (s *Service) DeleteSecurity(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		security, err := getSecurity(ctx, tx, id)
		if err != nil {
			return err
		}
		return removeSecurity(ctx, tx, security)
	})
}

func removeSecurity(ctx context.Context, tx *ledger.Tx, security queries.Security) error {
	start, err := tx.GetTradeStart(ctx, queries.GetTradeStartParams{SecurityID: &security.ID, HouseholdID: tx.HouseholdID})
	if err == nil {
		return ledger.NewConflict("%s has trades, the first on %s: delete those first", TickerOf(&security), ledger.Date(start.Date))
	}
	if !errors.Is(err, db.ErrNotFound) {
		return err
	}
	gone, err := readDeletion(ctx, tx, security)
	if err != nil {
		return err
	}
	if err := tx.DeleteSecurity(ctx, queries.DeleteSecurityParams{ID: security.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntitySecurity, security.PublicID, gone, nil)
}
