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
	return queries.ListSecuritiesParams{HouseholdID: who.HouseholdID, Ticker: f.Ticker, Mic: f.MIC, Kind: f.Kind, Manual: manual,
		Size: int64(page.Size), Skipped: page.Offset()}
}

// ListSecurities gives a page of the securities that the filter selects, by ticker and market, and how many it
// selects in all.
func (l *Service) ListSecurities(ctx context.Context, who ledger.Actor, f SecurityFilter, page ledger.Page) (list []Security, total int64, err error) {
	err = l.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		p := f.Params(tx.Actor, page)
		if total, err = tx.CountSecurities(ctx, queries.CountSecuritiesParams{
			HouseholdID: p.HouseholdID, Ticker: p.Ticker, Mic: p.Mic, Kind: p.Kind, Manual: p.Manual}); err != nil {
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
	prices, err := tx.ListNewestPrices(ctx, queries.ListNewestPricesParams{HouseholdID: tx.HouseholdID, Securities: ledger.JSONArray(keys)})
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
func (l *Service) GetSecurity(ctx context.Context, who ledger.Actor, id uuid.UUID) (s Security, err error) {
	err = l.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := getSecurity(ctx, tx, id)
		if err != nil {
			return err
		}
		s, err = oneSecurity(ctx, tx, row)
		return err
	})
	return s, err
}

func getSecurity(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Security, error) {
	row, err := tx.GetSecurity(ctx, queries.GetSecurityParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
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
func (l *Service) CreateSecurity(ctx context.Context, who ledger.Actor, in SecurityInput) (s Security, err error) {
	err = l.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		fresh, err := in.Fill(queries.Security{HouseholdID: tx.HouseholdID, Kind: "standard"})
		if err != nil {
			return err
		}
		s.Security, err = l.InsertSecurity(ctx, tx, fresh)
		return err
	})
	return s, err
}

// InsertSecurity stores a new security whose members have been checked.
func (l *Service) InsertSecurity(ctx context.Context, tx *ledger.Tx, s queries.Security) (queries.Security, error) {
	var err error
	if s.PublicID, err = ledger.NewID(); err != nil {
		return s, err
	}
	s.CreatedAt = l.Stamp()
	s.UpdatedAt = s.CreatedAt
	if s.ID, err = tx.InsertSecurity(ctx, queries.InsertSecurityParams{PublicID: s.PublicID, HouseholdID: s.HouseholdID, Ticker: s.Ticker, Mic: s.Mic,
		Name: s.Name, Kind: s.Kind, Manual: s.Manual, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}); err != nil {
		return s, tickerTaken(err, &s)
	}
	return s, l.Record(ctx, tx, ledger.EntitySecurity, s.PublicID, nil, s)
}

func tickerTaken(err error, s *queries.Security) error {
	return ledger.Taken(err, "ticker", "must not be that of another security on the same market, %s is", TickerOf(s))
}

// UpdateSecurity changes what is given and leaves the rest. Its trades and prices stay with it.
func (l *Service) UpdateSecurity(ctx context.Context, who ledger.Actor, id uuid.UUID, in SecurityInput) (s Security, err error) {
	err = l.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := getSecurity(ctx, tx, id)
		if err != nil {
			return err
		}
		after, err := in.Fill(before)
		if err != nil {
			return err
		}
		if after, err = l.changeSecurity(ctx, tx, before, after); err != nil {
			return err
		}
		s, err = oneSecurity(ctx, tx, after)
		return err
	})
	return s, err
}

// changeSecurity writes a changed security; a change of nothing writes nothing.
func (l *Service) changeSecurity(ctx context.Context, tx *ledger.Tx, before, after queries.Security) (queries.Security, error) {
	if before.Ticker == after.Ticker && before.Mic == after.Mic && ledger.Same(before.Name, after.Name) && before.Manual == after.Manual {
		return before, nil
	}
	after.UpdatedAt = max(l.Stamp(), before.UpdatedAt+1)
	if err := tx.UpdateSecurity(ctx, queries.UpdateSecurityParams{Ticker: after.Ticker, Mic: after.Mic, Name: after.Name, Manual: after.Manual,
		UpdatedAt: after.UpdatedAt, ID: after.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return after, tickerTaken(err, &after)
	}
	return after, l.Record(ctx, tx, ledger.EntitySecurity, after.PublicID, before, after)
}

// DeleteSecurity removes a security with its prices and splits; not while trades refer to it.
func (l *Service) DeleteSecurity(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return l.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		s, err := getSecurity(ctx, tx, id)
		if err != nil {
			return err
		}
		start, err := tx.GetTradeStart(ctx, queries.GetTradeStartParams{SecurityID: &s.ID, HouseholdID: tx.HouseholdID})
		if err == nil {
			return ledger.NewConflict("%s has trades, the first on %s: delete those first", TickerOf(&s), ledger.Date(start.Date))
		}
		if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if err := tx.DeleteSecurity(ctx, queries.DeleteSecurityParams{ID: s.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return l.Record(ctx, tx, ledger.EntitySecurity, s.PublicID, s, nil)
	})
}
