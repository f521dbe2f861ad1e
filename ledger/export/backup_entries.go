package export

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// part is the first part of the household's rows that are read by key.
func (b *backup) part() queries.ListBackupTransactionsParams {
	return queries.ListBackupTransactionsParams{
		After:       int64(ledger.FirstKey(b.tx.HouseholdID, ledger.MinDate)),
		LastKey:     int64(ledger.LastKey(b.tx.HouseholdID, ledger.MaxDate)),
		HouseholdID: b.tx.HouseholdID, HiddenFrom: b.home.HiddenFrom, HiddenTo: b.home.HiddenTo, Size: journalPart}
}

// inParts writes rows that are read a part at a time, each part after the key of the last row before it.
func inParts[T any](list func(after int64) ([]T, error), first int64, write func(T) (key int64, err error)) error {
	for after := first; ; {
		rows, err := list(after)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after, err = write(row)
			if err != nil {
				return err
			}
		}
	}
}

func (b *backup) writeTransactions(ctx context.Context) error {
	part := b.part()
	return inParts(func(after int64) ([]queries.ListBackupTransactionsRow, error) {
		part.After = after
		return b.tx.ListBackupTransactions(ctx, part)
	}, part.After, func(t queries.ListBackupTransactionsRow) (int64, error) {
		// Give the ids of tags by name; packed are their keys by commas.
		packed := t.Tags
		keys, err := queries.Numbers(packed, ",")
		tags := b.tagIDs(keys)
		if err != nil {
			return 0, err
		}
		lines, err := b.parts(ctx, t)
		if err != nil {
			return 0, err
		}
		return t.ID, b.write("Transaction", backupTransaction{ID: idText(t.PublicID), AccountID: b.account(t.AccountID),
			Date:   ledger.Key(t.ID).Day().String(),
			Amount: plain(-t.Amount, t.Currency), Currency: t.Currency, Name: t.Name, Notes: t.Notes,
			CategoryID: b.category(t.CategoryID),
			MerchantID: b.merchant(t.MerchantID), TagIDs: tags, Kind: "standard", ExternalID: t.ExternalID,
			Source: t.Source, Lines: lines,
			backupTimes: timesOf(t.CreatedAt, t.UpdatedAt)})
	})
}

// parts are those of a split transaction; none of any other.
func (b *backup) parts(ctx context.Context, t queries.ListBackupTransactionsRow) (list []backupLine, err error) {
	if t.IsSplit == 0 {
		return nil, nil
	}
	stored, err := b.tx.GetSplitLines(ctx, t.ID)
	for _, s := range stored {
		list = append(list, backupLine{Amount: plain(-s.Amount, t.Currency), Name: s.Name, Notes: s.Notes,
			CategoryID: b.category(s.CategoryID),
			MerchantID: b.merchant(s.MerchantID), TagIDs: b.tagIDs(s.TagIDs)})
	}
	return list, err
}

func (b *backup) account(key int64) string { return b.tx.Refs.Accounts.ByKey[key].ID.String() }

func (b *backup) category(key *int64) *string {
	if key == nil || b.tx.Refs.Categories.ByKey[*key] == nil {
		return nil
	}
	return new(b.tx.Refs.Categories.ByKey[*key].ID.String())
}

func (b *backup) merchant(key *int64) *string {
	if key == nil || b.tx.Refs.Merchants.ByKey[*key] == nil {
		return nil
	}
	return new(b.tx.Refs.Merchants.ByKey[*key].ID.String())
}

// tagLabels are tags by name.
func (b *backup) tagLabels(keys []int64) (list []*ledger.TagRef) {
	for _, key := range keys {
		if tag := b.tx.Refs.Tags.ByKey[key]; tag != nil {
			list = append(list, tag)
		}
	}
	slices.SortFunc(list, func(a, b *ledger.TagRef) int { return cmp.Compare(a.SortKey, b.SortKey) })
	return list
}

func (b *backup) tagIDs(keys []int64) []string {
	ids := []string{}
	for _, tag := range b.tagLabels(keys) {
		ids = append(ids, tag.ID.String())
	}
	return ids
}

func (b *backup) writeTransfers(ctx context.Context) error {
	return inParts(func(after int64) ([]queries.ListBackupTransfersRow, error) {
		return b.tx.ListBackupTransfers(ctx, queries.ListBackupTransfersParams{HouseholdID: b.tx.HouseholdID,
			After: after, Size: journalPart})
	}, 0, func(f queries.ListBackupTransfersRow) (int64, error) {
		return f.ID, b.write("Transfer", backupTransfer{idText(f.PublicID), idText(f.InflowID), idText(f.OutflowID),
			f.Status, f.Notes, f.Reason,
			timesOf(f.CreatedAt, f.UpdatedAt)})
	})
}

func (b *backup) writeRejections(ctx context.Context) error {
	rows, err := b.tx.ListBackupRejections(ctx, queries.ListBackupRejectionsParams{HouseholdID: b.tx.HouseholdID,
		FirstKey: int64(ledger.FirstKey(b.tx.HouseholdID, ledger.MinDate)),
		LastKey:  int64(ledger.LastKey(b.tx.HouseholdID, ledger.MaxDate))})
	for _, r := range rows {
		if err != nil {
			return err
		}
		err = b.write("RejectedTransfer", backupRejection{idText(r.PublicID), idText(r.InflowID), idText(r.OutflowID),
			instantText(r.CreatedAt)})
	}
	return err
}

func (b *backup) writeTrades(ctx context.Context) error {
	part := queries.ListBackupTradesParams(b.part())
	return inParts(func(after int64) ([]queries.Trade, error) {
		part.After = after
		return b.tx.ListBackupTrades(ctx, part)
	}, part.After, func(t queries.Trade) (int64, error) {
		record := backupTrade{ID: idText(t.PublicID), AccountID: b.account(t.AccountID),
			Date: ledger.Date(t.Date).String(), Type: t.Kind,
			Quantity: t.Quantity, Price: t.Price, Amount: plain(-t.Amount, t.Currency), Fee: plain(t.Fee, t.Currency),
			Currency: t.Currency,
			Name:     t.Name, Notes: t.Notes, Label: t.ActivityLabel, CategoryID: b.category(t.CategoryID),
			AllowShort:  t.AllowShort == 1 && t.Kind == trade.KindSell,
			backupTimes: timesOf(t.CreatedAt, t.UpdatedAt)}
		if t.SecurityID != nil {
			record.backupTicker = b.tickers[*t.SecurityID]
		}
		return t.ID, b.write("Trade", record)
	})
}

func (b *backup) writeSecurities(context.Context) error {
	for _, s := range b.securities {
		if err := b.write(recordSecurity, backupSecurity{idText(s.PublicID), s.Ticker, ledger.OptionalText(s.Mic),
			s.Name, s.Kind, s.Manual == 1,
			timesOf(s.CreatedAt, s.UpdatedAt)}); err != nil {
			return err
		}
	}
	return nil
}

func (b *backup) writeSplits(ctx context.Context) error {
	for _, s := range b.securities {
		rows, err := b.tx.ListBackupSplits(ctx, queries.ListBackupSplitsParams{SecurityID: s.ID,
			HouseholdID: b.tx.HouseholdID})
		for _, r := range rows {
			if err != nil {
				return err
			}
			err = b.write(recordSecuritySplit, backupSplit{idText(r.PublicID), b.tickers[s.ID],
				ledger.Date(r.Date).String(), r.Numerator, r.Denominator,
				timesOf(r.CreatedAt, r.UpdatedAt)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *backup) writePrices(ctx context.Context) error {
	for _, s := range b.securities {
		rows, err := b.tx.ListBackupPrices(ctx, queries.ListBackupPricesParams{SecurityID: s.ID,
			HouseholdID: b.tx.HouseholdID})
		for _, r := range rows {
			if err != nil {
				return err
			}
			err = b.write(recordSecurityPrice, backupPrice{b.tickers[s.ID], ledger.Date(r.Date).String(), r.Price,
				r.Currency, r.Source})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeHoldings writes what accounts hold today, in the order of the accounts and then by ticker; without those of
// disabled accounts, as everywhere.
func (b *backup) writeHoldings(ctx context.Context) error {
	h, err := position.NewHoldingMaker(ctx, b.tx)
	if err != nil {
		return err
	}
	list, err := h.Holdings(ctx, h.Rows(position.HoldingFilter{Date: ledger.Some(b.today)}).Page(ledger.Everything()))
	place := map[uuid.UUID]int{}
	for i, a := range b.accounts {
		place[uuid.UUID(a.Account.PublicID)] = i
	}
	slices.SortStableFunc(list, func(x, y position.Holding) int {
		return cmp.Compare(place[x.Account.ID],
			place[y.Account.ID])
	})
	for _, r := range list {
		if err != nil {
			return err
		}
		err = b.write("Holding", backupHolding{r.Account.ID.String(), b.tickers[h.Securities.Keys[r.Security.ID]],
			r.Date.String(),
			r.Quantity.String(), r.Price.String(), plain(r.Minor, r.Currency), r.Currency})
	}
	return err
}

func (b *backup) writeValuations(ctx context.Context) error {
	lives, _, err := balance.Lifetimes(ctx, b.tx)
	if err != nil {
		return err
	}
	first := map[int64]ledger.Date{}
	for _, life := range lives {
		first[life.Account] = life.First
	}
	for _, a := range b.accounts {
		rows, err := b.tx.ListBackupValuations(ctx, queries.ListBackupValuationsParams{AccountID: a.Account.ID,
			HouseholdID: b.tx.HouseholdID})
		sortValuations(rows)
		for _, row := range rows {
			if err != nil {
				return err
			}
			err = b.writeValuation(row, first[a.Account.ID])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func sortValuations(rows []queries.Valuation) {
	slices.SortFunc(rows, func(x, y queries.Valuation) int { return cmp.Compare(dayOf(x), dayOf(y)) })
}

// DayOf is that of a valuation; an opening balance without a date comes before all others.
func dayOf(v queries.Valuation) ledger.Date {
	if v.Date == nil {
		return ledger.MinDate
	}
	return ledger.Date(*v.Date)
}

// writeValuation writes a valuation; first is the day on which the account's books begin.
func (b *backup) writeValuation(row queries.Valuation, first ledger.Date) error {
	name := "Valuation"
	if row.Kind == openingKind {
		name = "Opening balance"
	}
	day := first
	if row.Date != nil {
		day = ledger.Date(*row.Date)
	}
	v := catalog.ValuationOf(b.tx.Refs, row, day)
	return b.write("Valuation", backupValuation{idText(v.PublicID), v.Account.ID.String(), day.String(),
		row.Date == nil, plain(v.Minor, v.Account.Currency),
		v.Account.Currency, v.Kind, name, v.Notes, timesOf(v.CreatedAt, v.UpdatedAt)})
}
