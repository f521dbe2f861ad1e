package export

import (
	"context"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/position"
	"finsvc/queries"
)

func (t *tableWriter) transactionRows(ctx context.Context) error {
	part := queries.ListTableTransactionsParams(t.part())
	return inParts(func(after int64) ([]queries.ListTableTransactionsRow, error) {
		part.After = after
		return t.tx.ListTableTransactions(ctx, part)
	}, part.After, func(r queries.ListTableTransactionsRow) (int64, error) {
		tags, err := t.tagNames(r.Tags)
		if err != nil {
			return 0, err
		}
		return r.ID, t.row(idText(r.PublicID), ledger.Key(r.ID).Day().String(), t.accountName(r.AccountID),
			plain(r.Amount, r.Currency), r.Currency,
			Harmless(r.Name), harmless(r.Notes), t.path(r.CategoryID), t.merchantName(r.MerchantID), tags, r.Transfer,
			t.accountName(r.OtherAccount), countText(r.Lines), harmless(r.ExternalID), harmless(r.Source),
			t.account(r.AccountID))
	})
}

// countText is blank for none.
func countText(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func (t *tableWriter) lineRows(ctx context.Context) error {
	all := t.part()
	part := queries.ListTableLinesParams{After: all.After, LastKey: all.LastKey, HouseholdID: all.HouseholdID,
		HiddenFrom: all.HiddenFrom,
		HiddenTo:   all.HiddenTo, Size: all.Size}
	return inParts(func(after int64) ([]queries.ListTableLinesRow, error) {
		part.After = after
		return t.tx.ListTableLines(ctx, part)
	}, part.After, func(r queries.ListTableLinesRow) (int64, error) {
		part.AfterPosition = r.Position
		tags, err := t.tagNames(r.Tags)
		if err != nil {
			return 0, err
		}
		return r.TransactionID, t.row(idText(r.PublicID), countText(r.Position),
			ledger.Key(r.TransactionID).Day().String(), t.accountName(r.AccountID),
			plain(r.Amount, r.Currency), r.Currency, harmless(r.Name), harmless(r.Notes), t.path(r.CategoryID),
			t.merchantName(r.MerchantID), tags)
	})
}

func (t *tableWriter) tradeRows(ctx context.Context) error {
	part := queries.ListBackupTradesParams(t.part())
	return inParts(func(after int64) ([]queries.Trade, error) {
		part.After = after
		return t.tx.ListBackupTrades(ctx, part)
	}, part.After, func(r queries.Trade) (int64, error) {
		var s backupTicker
		if r.SecurityID != nil {
			s = t.tickers[*r.SecurityID]
		}
		return r.ID, t.row(idText(r.PublicID), ledger.Date(r.Date).String(), t.accountName(r.AccountID), r.Kind,
			harmless(s.Ticker), harmless(s.MIC),
			harmless(s.SecurityName), r.Quantity, r.Price, plain(r.Fee, r.Currency), plain(r.Amount, r.Currency),
			r.Currency, Harmless(r.Name),
			harmless(r.Notes), t.path(r.CategoryID), harmless(r.ActivityLabel), t.account(r.AccountID))
	})
}

func (t *tableWriter) holdingRows(ctx context.Context) error {
	h, err := position.NewHoldingMaker(ctx, t.tx)
	if err != nil {
		return err
	}
	list, err := h.Holdings(ctx, h.Rows(position.HoldingFilter{Date: ledger.Some(t.today)}).Page(ledger.Everything()))
	for _, r := range list {
		if err != nil {
			return err
		}
		cost := ""
		if r.AvgCost != nil {
			cost = r.AvgCost.String()
		}
		s := t.tickers[h.Securities.Keys[r.Security.ID]]
		err = t.row(r.Date.String(), Harmless(r.Account.Name), harmless(s.Ticker), harmless(s.MIC),
			harmless(s.SecurityName), r.Quantity.String(),
			r.Price.String(), plain(r.Minor, r.Currency), r.Currency, cost, r.CostCurrency, r.PriceDate.String())
	}
	return err
}

func (t *tableWriter) valuationRows(ctx context.Context) error {
	for _, a := range t.accounts {
		rows, err := t.tx.ListBackupValuations(ctx, queries.ListBackupValuationsParams{AccountID: a.Account.ID,
			HouseholdID: t.tx.HouseholdID})
		if err != nil {
			return err
		}
		sortValuations(rows)
		for _, r := range rows {
			day := "" // an opening balance without a date lies before everything
			if r.Date != nil {
				day = ledger.Date(*r.Date).String()
			}
			if err := t.row(idText(r.PublicID), day, Harmless(a.Account.Name), r.Kind,
				plain(r.Amount, a.Account.Currency), a.Account.Currency,
				harmless(r.Notes), idText(a.Account.PublicID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// balanceRows are those of all accounts at the end of each month from the first entry on, and of today.
func (t *tableWriter) balanceRows(ctx context.Context) error {
	lives, _, err := balance.Lifetimes(ctx, t.tx)
	if err != nil {
		return err
	}
	first, begun := t.today, map[int64]ledger.Date{}
	for _, life := range lives {
		first, begun[life.Account] = min(first, life.First), life.First
	}
	for day := first.MonthEnd(); ; day = (day + 1).MonthEnd() {
		day = min(day, t.today)
		balances, err := balance.BalancesTx(ctx, t.tx, day)
		if err != nil {
			return err
		}
		for _, a := range t.accounts {
			if begun[a.Account.ID] > day {
				continue
			}
			if err := t.balanceRow(day, a.Account, balances[a.Account.ID]); err != nil {
				return err
			}
		}
		if day == t.today {
			return nil
		}
	}
}

func (t *tableWriter) balanceRow(day ledger.Date, a queries.Account, b balance.Balance) error {
	var left []string
	for _, u := range b.Unconverted {
		left = append(left, plain(u.Minor, u.Currency)+" "+u.Currency)
	}
	var stale []string
	for _, s := range b.Stale {
		stale = append(stale, s.From+" of "+s.RateDate.String()+" for "+s.Date.String())
	}
	return t.row(day.String(), Harmless(a.Name), plain(b.Minor, a.Currency), plain(b.Cash(), a.Currency),
		plain(b.Holdings, a.Currency),
		a.Currency, strings.Join(left, " "), idText(a.PublicID), strings.Join(stale, " "))
}
