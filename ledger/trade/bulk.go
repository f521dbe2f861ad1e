package trade

import (
	"context"
	"errors"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/position"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// TradeDraft is a trade that an import is about to write. AccountID, SecurityID and CategoryID are inner keys;
// SecurityID and CategoryID are 0 when there is none. Fee and Amount are minor units of Currency: Amount is the
// cash that the trade moves, fee included, into the account positive, see [TradeCash].
type TradeDraft struct {
	AccountID, SecurityID int64
	Date                  ledger.Date
	Kind                  string          // buy, sell, dividend, interest or fee
	Quantity, Price       decimal.Decimal // as stored: the quantity of a sale is negative, other kinds have 0
	Fee, Amount           int64
	Currency              string
	Name, Notes           string // a blank name: what [TradeName] says
	Label                 string // one of the activity labels; blank: that of the kind
	CategoryID            int64
	AllowShort            bool  // a sale may take more than is held
	KeepsLeave            bool  // it stays allowed where that turns out not to be needed
	Row                   int64 // of the file, from 1
	SourceHash            int64 // hash of the raw row
	BankKey, LikeKey      int64 // as in [entry.Draft]
	Occurrence            int64 // how many equal rows came before it in the file
}

// InsertTrades writes all trades of an import, and what follows from them: rollups and, once for all of them,
// positions and the values of holdings. They count and are seen at once, so this belongs into the write that
// settles the import. A sale of more than is held is a validation error that names its row, unless it may be short;
// only sales that need that leave keep it, and those of a file that says of each.
func InsertTrades(ctx context.Context, tx *ledger.Tx, to entry.BulkTarget, drafts []TradeDraft) error {
	if len(drafts) == 0 {
		return nil
	}
	if err := checkTradingAccounts(ctx, tx, drafts); err != nil {
		return err
	}
	securities, err := ledger.SecurityRefs(ctx, tx)
	if err != nil {
		return err
	}
	rows, stamp := make([]queries.Trade, len(drafts)), tx.Stamp()
	for i := range drafts {
		var err error
		rows[i], err = drafts[i].row(tx.Actor, to, securities.ByKey[drafts[i].SecurityID].TickerName(),
			stamp)
		if err != nil {
			return err
		}
	}
	err = moveTrades(ctx, tx, func() error {
		for _, row := range rows {
			if err := tx.Queries.InsertTrade(ctx, queries.InsertTradeParams(row)); err != nil {
				return err
			}
		}
		return nil
	}, rows...)
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		return shortInFile(short, drafts, securities.ByKey[short.Security].TickerName())
	}
	if err != nil {
		return err
	}
	if err := rollupsOfTrade(rows...).Apply(ctx, tx); err != nil {
		return err
	}
	if slices.ContainsFunc(drafts, func(d TradeDraft) bool { return d.KeepsLeave }) {
		return nil
	}
	return tx.CoverImportTrades(ctx, queries.CoverImportTradesParams{ImportID: ledger.OptionalKey(to.ImportID),
		HouseholdID: tx.HouseholdID})
}

// ShortSales are the rows of the sales among trades just inserted that took more than was held at the end of their day.
func ShortSales(ctx context.Context, tx *ledger.Tx, drafts []TradeDraft) (rows []int64, err error) {
	for _, d := range drafts {
		if d.Kind != KindSell || !d.AllowShort {
			continue
		}
		n, err := tx.CountShortPosition(ctx, queries.CountShortPositionParams{AccountID: d.AccountID,
			SecurityID: d.SecurityID, Date: int64(d.Date), HouseholdID: tx.HouseholdID})
		if err != nil {
			return nil, err
		}
		if n > 0 {
			rows = append(rows, d.Row)
		}
	}
	return rows, nil
}

// row is the draft as it is stored, under the key that was reserved for its row.
func (d *TradeDraft) row(who ledger.Actor, to entry.BulkTarget, ticker string, stamp int64) (queries.Trade, error) {
	id, err := ledger.NewID()
	t := queries.Trade{
		ID: int64(ledger.NewKey(who.HouseholdID, d.Date, to.FirstSequence+d.Row-1)), PublicID: id,
		HouseholdID: who.HouseholdID, AccountID: d.AccountID,
		SecurityID: ledger.OptionalKey(d.SecurityID), Date: int64(d.Date), Kind: d.Kind, Quantity: d.Quantity.String(),
		Price: d.Price.String(), Fee: d.Fee,
		Amount: d.Amount, Currency: d.Currency, AllowShort: ledger.AsInteger(d.AllowShort && d.Kind == KindSell),
		Name: d.Name, CategoryID: ledger.OptionalKey(d.CategoryID),
		ImportID: ledger.OptionalKey(to.ImportID), ImportRow: &d.Row, SourceHash: &d.SourceHash,
		Occurrence: &d.Occurrence, CreatedAt: stamp, UpdatedAt: stamp,
		BankKey: ledger.OptionalKey(d.BankKey), LikeKey: entry.LikeKey(d.LikeKey, d.SourceHash),
	}
	if t.Name == "" {
		t.Name = defaultName(t, ticker)
	}
	if d.Notes != "" {
		t.Notes = &d.Notes
	}
	label := d.Label
	if label == "" {
		label = defaultLabel(d.Kind)
	}
	t.ActivityLabel = &label
	return t, err
}

// shortInFile explains a sale that takes more than is held by the row that asks for too much: the last sale of the
// file up to the day.
func shortInFile(e *position.ShortSale, drafts []TradeDraft, ticker string) error {
	var culprit *TradeDraft
	for i := range drafts {
		d := &drafts[i]
		if d.Kind == KindSell && d.AccountID == e.Account && d.SecurityID == e.Security && d.Date <= e.Day &&
			(culprit == nil || d.Date >= culprit.Date) {
			culprit = d
		}
	}
	switch {
	case culprit == nil:
		return uncovered(e, ticker)
	case culprit.Date < e.Day:
		return ledger.NewInvalid("qty", "of row %d must leave no sale without cover: after the sale of %s %s on %s, %s are missing for the sale on %s; allow_short=true lets it",
			culprit.Row, culprit.Quantity.Abs(), ticker, culprit.Date, e.Missing, e.Day)
	}
	return ledger.NewInvalid("qty", "of row %d must not take more than is held: it sells %s %s on %s, and %s are missing on that day; allow_short=true lets it",
		culprit.Row, culprit.Quantity.Abs(), ticker, culprit.Date, e.Missing)
}

// checkTradingAccounts wants accounts that take trades.
func checkTradingAccounts(ctx context.Context, tx *ledger.Tx, drafts []TradeDraft) error {
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return err
	}
	seen := map[int64]bool{}
	for _, d := range drafts {
		if seen[d.AccountID] {
			continue
		}
		seen[d.AccountID] = true
		if err := refs.Accounts.ByKey[d.AccountID].CheckTrading("account"); err != nil {
			return err
		}
	}
	return nil
}

// CheckTradingAccount is a validation error of account_id when the account, given by its inner key, takes no trades.
func (s *Service) CheckTradingAccount(ctx context.Context, who ledger.Actor, key int64) error {
	return s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *ledger.Tx) error {
		if account := tx.Refs.Accounts.ByKey[key]; account != nil {
			return account.CheckTrading("account_id")
		}
		return ledger.NewNotFound("Account")
	})
}

// RemoveImportTrades takes the trades of an import back, and all that followed from them. It is a conflict when
// a sale of other origin would be left without cover.
func RemoveImportTrades(ctx context.Context, tx *ledger.Tx, importID int64) error {
	rows, err := tx.ListImportTrades(ctx, queries.ListImportTradesParams{ImportID: &importID,
		HouseholdID: tx.HouseholdID})
	if err != nil || len(rows) == 0 {
		return err
	}
	sums := rollup.NewRollups()
	for _, t := range rows {
		sums.RemoveTrade(tradePosting(t))
	}
	if err := sums.Apply(ctx, tx); err != nil {
		return err
	}
	err = moveTrades(ctx, tx, func() error {
		return tx.DeleteImportTrades(ctx, queries.DeleteImportTradesParams{ImportID: &importID,
			HouseholdID: tx.HouseholdID})
	}, rows...)
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		securities, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		return ledger.NewConflict("without the trades of this import %s of %s are missing for the sale on %s: change or delete that first",
			short.Missing, securities.ByKey[short.Security].TickerName(), short.Day)
	}
	return err
}
