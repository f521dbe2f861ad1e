package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// stretch is the days of an account after one, up to another.
type stretch struct {
	account     int64
	after, last Date
}

func (s stretch) keys(who Actor) (first, last int64) {
	return int64(FirstKey(who.HouseholdID, max(s.after+1, MinDate))), int64(LastKey(who.HouseholdID, s.last))
}

// sumEntries is what all entries of a stretch add to the account, from the rollups, and how many they are.
func (x *explainer) sumEntries(ctx context.Context, s stretch, to Currency) (minor, count int64, err error) {
	first, last := s.keys(x.who)
	own, err := x.q.SumDaysOfAccount(ctx, queries.SumDaysOfAccountParams{FirstKey: first, LastKey: last,
		AccountID: s.account, HouseholdID: x.who.HouseholdID, After: int64(s.after), Day: int64(s.last)})
	if err != nil {
		return 0, 0, err
	}
	foreign, err := readForeign(ctx, x.q, x.who, [][2]int64{{s.account, int64(s.after)}}, s.last)
	if err != nil {
		return 0, 0, err
	}
	sum := sumOfHalves(own.Upper, own.Lower)
	for _, f := range foreign[s.account] {
		converted, err := x.convertDays(ctx, f, to)
		if err != nil {
			return 0, 0, err
		}
		sum = sum.Plus(converted)
	}
	minor, err = sum.part(to)
	return minor, own.Entries, err
}

// convertDays converts each day's sum at the rate of its day.
func (x *explainer) convertDays(ctx context.Context, of currencyDays, to Currency) (sum Sum, err error) {
	from, _ := LookupCurrency(of.currency) // what is stored was looked up
	if err := x.book.expect(ctx, from.Code, to.Code, of.span()); err != nil {
		return sum, err
	}
	for _, d := range of.days {
		converted, err := x.book.convert(ctx, d.minor, from, to, d.day)
		if err != nil {
			return sum, err
		}
		sum.Add(converted.minor)
	}
	return sum, nil
}

// explainEntries fills in a page of the entries of a stretch, with their shares of what their days add.
func (x *explainer) explainEntries(ctx context.Context, e *Explanation, s stretch, to Currency, page Page) error {
	first, last := s.keys(x.who)
	keys, err := x.q.ListEntryKeys(ctx, queries.ListEntryKeysParams{HouseholdID: x.who.HouseholdID, AccountID: s.account,
		FirstKey: first, LastKey: last, RowLimit: int64(page.Size), RowOffset: page.Offset()})
	if err != nil || len(keys) == 0 {
		return err
	}
	parts, err := x.readEntries(ctx, keys)
	if err != nil {
		return err
	}
	shared := newShares(x.book, to)
	if err := x.shareBefore(ctx, shared, s.account, parts, Key(keys[0])); err != nil {
		return err
	}
	for i := range parts {
		p := &parts[i]
		if p.Minor, p.Original, err = shared.share(ctx, p.Original.Minor, p.Original.Currency, p.Date.Value); err != nil {
			return err
		}
	}
	e.Entries = parts
	return nil
}

// shareBefore takes in what was booked on the first day of a page before it.
func (x *explainer) shareBefore(ctx context.Context, shared *shares, account int64, parts []Part, first Key) error {
	seen := map[string]bool{shared.to.Code: true}
	for _, p := range parts {
		currency := p.Original.Currency
		if p.Date.Value != first.Day() || seen[currency] {
			continue
		}
		seen[currency] = true
		halves, err := x.q.SumEntries(ctx, queries.SumEntriesParams{AccountID: account, Currency: currency, HouseholdID: x.who.HouseholdID,
			FirstKey: int64(FirstKey(x.who.HouseholdID, first.Day())), LastKey: int64(first) - 1})
		if err != nil {
			return err
		}
		sum, err := sumOfHalves(halves.Upper, halves.Lower).part(shared.to)
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
	ids := jsonArray(keys)
	transactions, err := x.q.ListEntryTransactions(ctx, queries.ListEntryTransactionsParams{Ids: ids, HouseholdID: x.who.HouseholdID})
	if err != nil {
		return nil, err
	}
	trades, err := x.q.ListEntryTrades(ctx, queries.ListEntryTradesParams{Ids: ids, HouseholdID: x.who.HouseholdID})
	if err != nil {
		return nil, err
	}
	byKey := make(map[int64]Part, len(keys))
	for _, t := range transactions {
		byKey[t.ID] = Part{Kind: PartTransaction, Date: Some(Key(t.ID).Day()), ID: uuid.UUID(t.PublicID), Name: t.Name,
			Original: &Original{Currency: t.Currency, Minor: t.Amount}}
	}
	for _, t := range trades {
		if byKey[t.ID], err = x.trade(t); err != nil {
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
	p := Part{Kind: t.Kind, Date: Some(Key(t.ID).Day()), ID: uuid.UUID(t.PublicID), Name: t.Name, Original: &Original{Currency: t.Currency, Minor: t.Amount}}
	if t.SecurityID != nil {
		p.Security = x.securities.byKey[*t.SecurityID]
	}
	if !movesUnits(t.Kind) {
		return p, nil
	}
	quantity, price, err := twoDecimals(t.Quantity, t.Price)
	p.Units = &Units{Quantity: quantity, Price: price, Currency: t.Currency}
	return p, err
}
