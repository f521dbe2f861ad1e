package market

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// BookSplit notes a split for an import, unless the security has one on that day. The import is 0 in a dry run.
func BookSplit(ctx context.Context, tx *ledger.Tx, importID, security int64, day ledger.Date, numerator,
	denominator int64) error {
	have, err := tx.ListBackupSplits(ctx, queries.ListBackupSplitsParams{SecurityID: security,
		HouseholdID: tx.HouseholdID})
	if err != nil || slices.ContainsFunc(have, func(split queries.SecuritySplit) bool { return ledger.Date(split.Date) == day }) {
		return err
	}
	split := queries.SecuritySplit{HouseholdID: tx.HouseholdID, SecurityID: security, Date: int64(day),
		Numerator: numerator, Denominator: denominator}
	return recomputeSplit(ctx, tx, split, func() error {
		split, err := insertSplit(ctx, tx, split)
		if err != nil || importID == 0 {
			return err
		}
		return tx.NoteImportSplit(ctx, queries.NoteImportSplitParams{ImportID: importID, SplitID: split.ID,
			HouseholdID: tx.HouseholdID})
	})
}

// ImportedPrice is a market price that an import writes, of the security with that key.
type ImportedPrice struct {
	Security int64
	Date     ledger.Date
	Price    decimal.Decimal
	Currency string
	Source   string
}

// BookPrices writes market prices for an import, each with the source it has. A price that is there already is
// replaced. The import is 0 in a dry run.
func BookPrices(ctx context.Context, tx *ledger.Tx, importID int64, prices []ImportedPrice) error {
	if importID != 0 {
		if err := noteImportPrices(ctx, tx, importID, prices); err != nil {
			return err
		}
	}
	all, err := tx.ListSecurities(ctx, SecurityFilter{}.Params(tx.Actor, ledger.Everything()))
	if err != nil {
		return err
	}
	byKey := map[int64]*queries.Security{}
	for i, security := range all {
		byKey[security.ID] = &all[i]
	}
	bySource := map[string]map[*queries.Security][]priceRow{}
	for i, p := range prices {
		if bySource[p.Source] == nil {
			bySource[p.Source] = map[*queries.Security][]priceRow{}
		}
		security := byKey[p.Security]
		bySource[p.Source][security] = append(bySource[p.Source][security],
			priceRow{p.Date, int32(i), p.Currency, p.Price.String()})
	}
	for source, rows := range bySource {
		if _, err := putPrices(ctx, tx, source, rows, inputPlaces{"price %d", "price %d"}); err != nil {
			return err
		}
	}
	return nil
}

func noteImportPrices(ctx context.Context, tx *ledger.Tx, importID int64, prices []ImportedPrice) error {
	for batch := range slices.Chunk(prices, priceBatch) {
		list := make([][4]any, len(batch))
		for i, p := range batch {
			list[i] = [4]any{p.Security, p.Date, p.Price.String(), p.Currency}
		}
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		if err := tx.NoteImportPrices(ctx, queries.NoteImportPricesParams{ImportID: importID,
			HouseholdID: tx.HouseholdID, Prices: string(text)}); err != nil {
			return err
		}
	}
	return nil
}

// Revert removes the splits and market prices that an import has written, and gives the prices that they have
// replaced back their places. What was changed since stays.
func Revert(ctx context.Context, tx *ledger.Tx, importID int64) error {
	splits, err := tx.ListImportSplits(ctx, queries.ListImportSplitsParams{ImportID: importID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, split := range splits {
		if err := deleteSplit(ctx, tx, split); err != nil {
			return err
		}
	}
	prices, err := tx.ListImportPrices(ctx, queries.ListImportPricesParams{ImportID: importID,
		HouseholdID: tx.HouseholdID})
	if err != nil || len(prices) == 0 {
		return err
	}
	touched := map[int64]ledger.Date{}
	for _, p := range slices.Backward(prices) { // the oldest of each security
		touched[p.SecurityID] = ledger.Date(p.Date)
	}
	if err := position.RecomputePrices(ctx, tx, touched, func() error {
		// Remove market prices and write those that they have replaced.
		var days [][2]int64
		for _, p := range prices {
			days = append(days, [2]int64{p.SecurityID, p.Date})
		}
		text, err := json.Marshal(days)
		if err != nil {
			return err
		}
		if err := tx.DeletePricesOfDays(ctx, queries.DeletePricesOfDaysParams{HouseholdID: tx.HouseholdID,
			Days: string(text)}); err != nil {
			return err
		}
		for _, p := range prices {
			if p.OldPrice == nil {
				continue
			}
			row := priceRow{day: ledger.Date(p.Date), price: *p.OldPrice}
			if err := tx.PutPrices(ctx, queries.PutPricesParams{SecurityID: p.SecurityID, Currency: *p.OldCurrency,
				Source:      *p.OldSource,
				HouseholdID: tx.HouseholdID, Stamp: tx.Stamp(), Prices: packPrices([]priceRow{row})}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return tx.ForgetImportPrices(ctx, queries.ForgetImportPricesParams{ImportID: importID, HouseholdID: tx.HouseholdID})
}
