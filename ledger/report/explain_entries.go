package report

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// period is the days of an account after one, up to another.
type period struct {
	account     int64
	after, last ledger.Date
}

func (s period) keys(who ledger.Actor) (first, last int64) {
	return int64(ledger.FirstKey(who.HouseholdID, max(s.after+1, ledger.MinDate))),
		int64(ledger.LastKey(who.HouseholdID, s.last))
}

// sumEntries is what all entries of a period add to the account, from the rollups, and how many they are.
func (x *explainer) sumEntries(ctx context.Context, s period, to money.Currency) (minor, count int64, err error) {
	first, last := s.keys(x.tx.Actor)
	own, err := x.tx.SumDaysOfAccount(ctx, queries.SumDaysOfAccountParams{FirstKey: first, LastKey: last,
		AccountID: s.account, HouseholdID: x.tx.HouseholdID, After: int64(s.after), Day: int64(s.last)})
	if err != nil {
		return 0, 0, err
	}
	foreign, err := balance.ReadForeign(ctx, x.tx, [][2]int64{{s.account, int64(s.after)}}, s.last)
	if err != nil {
		return 0, 0, err
	}
	sum := money.SumOfHalves(own.Upper, own.Lower)
	for _, f := range foreign[s.account] {
		converted, err := x.convertDays(ctx, f, to)
		if err != nil {
			return 0, 0, err
		}
		sum = sum.Plus(converted)
	}
	minor, err = partOfSum(sum, to)
	return minor, own.Entries, err
}

// convertDays converts each day's sum at the rate of its day.
func (x *explainer) convertDays(ctx context.Context, of balance.CurrencyDays, to money.Currency) (sum money.Sum,
	err error) {
	from, _ := money.LookupCurrency(of.Currency) // what is stored was looked up
	if err := x.book.Expect(ctx, from.Code, to.Code, of.Span()); err != nil {
		return sum, err
	}
	for _, d := range of.Days {
		converted, err := x.book.Convert(ctx, d.Minor, from, to, d.Day)
		if err != nil {
			return sum, err
		}
		sum.Add(converted.Minor)
	}
	return sum, nil
}

// explainEntries fills in a page of the entries of a period, with their shares of what their days add.
func (x *explainer) explainEntries(ctx context.Context, e *Explanation, s period, to money.Currency,
	page ledger.Page) error {
	first, last := s.keys(x.tx.Actor)
	keys, err := x.tx.ListEntryKeys(ctx, queries.ListEntryKeysParams{HouseholdID: x.tx.HouseholdID,
		AccountID: s.account,
		FirstKey:  first, LastKey: last, RowLimit: int64(page.Size), RowOffset: page.Offset()})
	if err != nil || len(keys) == 0 {
		return err
	}
	parts, err := x.readEntries(ctx, keys)
	if err != nil {
		return err
	}
	shared := newShares(x.book, to)
	if err := x.shareBefore(ctx, shared, s.account, parts, ledger.Key(keys[0])); err != nil {
		return err
	}
	for i := range parts {
		p := &parts[i]
		p.Minor, p.Original, err = shared.share(ctx, p.Original.Minor, p.Original.Currency,
			p.Date.Value)
		if err != nil {
			return err
		}
	}
	e.Entries = parts
	return nil
}

// shareBefore takes in what was booked on the first day of a page before it.
func (x *explainer) shareBefore(ctx context.Context, shared *allocation, account int64, parts []Part,
	first ledger.Key) error {
	seen := map[string]bool{shared.to.Code: true}
	for _, p := range parts {
		currency := p.Original.Currency
		if p.Date.Value != first.Day() || seen[currency] {
			continue
		}
		seen[currency] = true
		halves, err := x.tx.SumEntries(ctx, queries.SumEntriesParams{AccountID: account, Currency: currency,
			HouseholdID: x.tx.HouseholdID,
			FirstKey:    int64(ledger.FirstKey(x.tx.HouseholdID, first.Day())), LastKey: int64(first) - 1})
		if err != nil {
			return err
		}
		sum, err := partOfSum(money.SumOfHalves(halves.Upper, halves.Lower), shared.to)
		if err != nil {
			return err
		}
		if _, _, err := shared.share(ctx, sum, currency, first.Day()); err != nil {
			return err
		}
	}
	return nil
}

// readEntries reads entries by their keys; their amounts stand in Original.
func (x *explainer) readEntries(ctx context.Context, keys []int64) ([]Part, error) {
	ids := ledger.JSONArray(keys)
	transactions, err := x.tx.ListEntryTransactions(ctx, queries.ListEntryTransactionsParams{Ids: ids,
		HouseholdID: x.tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	trades, err := x.tx.ListEntryTrades(ctx, queries.ListEntryTradesParams{Ids: ids, HouseholdID: x.tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	byKey := make(map[int64]Part, len(keys))
	for _, t := range transactions {
		byKey[t.ID] = Part{Kind: PartTransaction, Date: ledger.Some(ledger.Key(t.ID).Day()), ID: uuid.UUID(t.PublicID),
			Name:     t.Name,
			Original: &Original{Currency: t.Currency, Minor: t.Amount}}
	}
	for _, t := range trades {
		byKey[t.ID], err = x.trade(t)
		if err != nil {
			return nil, err
		}
	}
	parts := make([]Part, len(keys))
	for i, key := range keys {
		parts[i] = byKey[key]
	}
	return parts, nil
}

func (x *explainer) trade(t queries.ListEntryTradesRow) (Part, error) {
	p := Part{Kind: t.Kind, Date: ledger.Some(ledger.Key(t.ID).Day()), ID: uuid.UUID(t.PublicID), Name: t.Name,
		Original: &Original{Currency: t.Currency, Minor: t.Amount}}
	if t.SecurityID != nil {
		p.Security = x.securities.ByKey[*t.SecurityID]
	}
	if !trade.MovesUnits(t.Kind) {
		return p, nil
	}
	quantity, price, err := money.TwoDecimals(t.Quantity, t.Price)
	p.Units = &position.Units{Quantity: quantity, Price: price, Currency: t.Currency}
	return p, err
}
