package importer

import (
	"context"

	"finsvc/ledger"
	"finsvc/queries"
)

// market makes the splits and market prices of securities that a file has.
type market struct {
	securities map[string]int64 // by ticker and market
	prices     []ledger.ImportedPrice
}

func newMarket() market { return market{securities: map[string]int64{}} }

// marketSplit is what a split's row says besides its security and day.
type marketSplit struct{ numerator, denominator int64 }

// make notes the split of a row, and gathers the price of one.
func (k *market) make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	security, created, err := k.security(ctx, q, m, row)
	if err != nil {
		return nil, err
	}
	if row.Entity == entitySplit {
		split := row.Thing.(marketSplit)
		return created, m.ledger.BookSplit(ctx, q, m.who, m.target.ImportID, security, row.Date, split.numerator, split.denominator)
	}
	k.prices = append(k.prices, ledger.ImportedPrice{Security: security, Date: row.Date, Price: row.Trade.Price, Currency: row.Currency.Code, Source: row.Notes})
	return created, nil
}

// security finds or creates that of a row; 0 when it has none.
func (k *market) security(ctx context.Context, q *queries.Queries, m *making, row Row) (int64, []ledger.Created, error) {
	ticker := ledger.TickerText(row.Trade.Ticker, row.Trade.MIC)
	if key, known := k.securities[ticker]; known || ticker == "" {
		return key, nil, nil
	}
	in := ledger.SecurityInput{Ticker: ledger.Some(row.Trade.Ticker), MIC: ledger.Some(row.Trade.MIC), Name: said(row.Trade.SecurityName)}
	key, created, err := m.ledger.RestoreSecurity(ctx, q, m.who, in, "standard")
	k.securities[ticker] = key
	return key, created, err
}

// write writes the prices that were gathered.
func (k *market) write(ctx context.Context, q *queries.Queries, m *making) error {
	return m.ledger.BookPrices(ctx, q, m.who, m.target.ImportID, k.prices)
}
