package importer

import (
	"cmp"
	"context"
	"fmt"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// withoutTrades parts the rows that become trades from the others, both in the order of the file.
func withoutTrades(rows []Row) (others, booked []Row) {
	for _, row := range rows {
		if row.Trade() != nil {
			booked = append(booked, row)
		} else {
			others = append(others, row)
		}
	}
	return others, booked
}

// bookTrades writes the rows that become trades, in one go, in the write that makes the transactions count.
func (a *applier) bookTrades(ctx context.Context, q *queries.Queries, rows []Row) error {
	drafts := make([]trade.TradeDraft, 0, len(rows))
	for _, row := range rows {
		d, err := a.tradeDraft(ctx, row)
		if err != nil {
			return err
		}
		drafts = append(drafts, d)
	}
	if err := a.ledger.Trades.InsertTrades(ctx, q, a.who, a.target, drafts); err != nil || a.target.ImportID != 0 {
		return err
	}
	var err error
	a.short, err = a.ledger.Trades.ShortSales(ctx, q, a.who, drafts)
	return err
}

func (a *applier) tradeDraft(ctx context.Context, row Row) (trade.TradeDraft, error) {
	t := row.Trade()
	d := trade.TradeDraft{Date: row.Date, Kind: t.Kind, Quantity: t.Quantity, Price: t.Price, Fee: t.Fee, Amount: row.Minor,
		Currency: row.Currency.Code, Name: row.Name, Notes: row.Notes, Label: t.Label, AllowShort: t.AllowShort, KeepsLeave: t.KeepsLeave,
		Row: int64(row.Number), SourceHash: row.Key, BankKey: row.Bank, LikeKey: cmp.Or(row.Like, row.Key), Occurrence: row.Occurrence}
	if t.Kind == string(sideSell) {
		d.Quantity = d.Quantity.Neg()
	}
	var err error
	if d.AccountID, err = a.names.account(ctx, row); err != nil {
		return d, err
	}
	if d.CategoryID, err = a.names.category(ctx, row); err != nil {
		return d, err
	}
	d.SecurityID, err = a.names.security(ctx, t)
	return d, err
}

// security is 0 when the trade is of none.
func (n *names) security(ctx context.Context, t *Trade) (int64, error) {
	ticker := or(t.Ticker, t.ISIN)
	if ticker == "" {
		return 0, nil
	}
	return n.resolve(ctx, n.securities, market.TickerText(ticker, t.MIC), func(ctx context.Context, q *queries.Queries) (int64, []ledger.Created, error) {
		if t.Named {
			if key, err := n.im.ledger.Intake.FindSecurityNamed(ctx, q, n.who, t.SecurityName); err != nil || key != 0 {
				return key, nil, err
			}
		}
		return n.im.ledger.Intake.FindOrCreateSecurity(ctx, q, n.who, ticker, t.MIC, t.SecurityName)
	})
}

// addTradeIDs finds what became of the rows that were to be trades.
func (im *Importer) addTradeIDs(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	return im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportTradeEntries(ctx, queries.ListImportTradeEntriesParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		for _, e := range entries {
			numbered(list, *e.ImportRow).EntryID = uuid.UUID(e.PublicID)
		}
		return err
	})
}

// shortWarning says that the file sells more than is held; it is empty when it does not.
func (out *Outcome) shortWarning() []string {
	if len(out.Short) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("row %d sells more than is held (rows that do: %d): purchases before it seem to be missing; allow_short=false refuses such rows",
		out.Short[0], len(out.Short))}
}
