package trade

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/queries"
)

// resolveSecurity gives the security that a new trade names: by its id, else by a ticker with or without a
// market, else by a ticker that is never looked up. One that the household does not have is still to be stored
// and has no key yet. It is nil when none is named or something is wrong, which is noted.
func resolveSecurity(ctx context.Context, tx *ledger.Tx, in *Input, kind string) (*queries.Security, error) {
	p := &in.Problems
	switch {
	case p.Has("security_id") || p.Has("ticker") || p.Has("manual_ticker"):
		return nil, nil
	case in.SecurityID.Has():
		return ownSecurity(ctx, tx, p, in.SecurityID.Value)
	case given(in.Ticker) != "":
		symbol, mic, err := market.ParseTicker(in.Ticker.Value)
		if p.Note("ticker", err); err != nil {
			return nil, nil
		}
		return TickerSecurity(ctx, tx.Queries, p, "ticker", queries.Security{HouseholdID: tx.HouseholdID,
			Ticker: symbol, Mic: mic, Kind: "standard"})
	case given(in.ManualTicker) != "":
		symbol, err := market.ParseSymbol(in.ManualTicker.Value)
		if p.Note("manual_ticker", err); err != nil {
			return nil, nil
		}
		return TickerSecurity(ctx, tx.Queries, p, "manual_ticker",
			queries.Security{HouseholdID: tx.HouseholdID, Ticker: symbol, Kind: "standard", Manual: 1})
	}
	needed := MovesUnits(kind) || kind == kindDividend
	p.Require(!needed, "security_id", "is required, or in its place a ticker such as AAPL or AAPL|XNAS, or a manual_ticker")
	return nil, nil
}

func ownSecurity(ctx context.Context, tx *ledger.Tx, p *ledger.Problems, id uuid.UUID) (*queries.Security, error) {
	found, err := tx.GetSecurity(ctx, queries.GetSecurityParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		p.Add("security_id", "is not the id of one of the household's own securities: %s", id)
		return nil, nil
	}
	return &found, err
}

// TickerSecurity is the one that has the ticker and market of this one, or this one. Without a market it is
// the one without, else the only one of that ticker.
func TickerSecurity(ctx context.Context, q *queries.Queries, p *ledger.Problems, field string,
	fresh queries.Security) (*queries.Security, error) {
	rows, err := q.ListSecurities(ctx, market.SecurityFilter{Ticker: fresh.Ticker}.Params(ledger.Actor{HouseholdID: fresh.HouseholdID}, ledger.Everything()))
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || fresh.Mic != "" && !slices.ContainsFunc(rows,
		func(s queries.Security) bool { return s.Mic == fresh.Mic }) {
		return &fresh, nil
	}
	index := &market.SecurityIndex{ByTicker: map[string][]*queries.Security{}}
	for i := range rows {
		index.ByTicker[fresh.Ticker] = append(index.ByTicker[fresh.Ticker], &rows[i])
	}
	found, err := index.Named(fresh.Ticker, fresh.Mic)
	p.Note(field, err)
	return found, nil
}
