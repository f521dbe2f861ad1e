package market

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// deleted is a security that is gone as the history keeps it, with the prices and splits that went with it.
type deleted struct {
	queries.Security
	Prices []keptPrice
	Splits []queries.SecuritySplit
}

// readDeletion reads what the history is to keep of a security.
func readDeletion(ctx context.Context, tx *ledger.Tx, security queries.Security) (d deleted, err error) {
	d.Security = security
	prices, err := pricesBetween(ctx, tx, security.ID, ledger.MinDate, ledger.MaxDate)
	if err != nil {
		return d, err
	}
	d.Prices = keep(prices)
	d.Splits, err = splitsOf(ctx, tx, security.ID)
	return d, err
}

func splitsOf(ctx context.Context, tx *ledger.Tx, security int64) ([]queries.SecuritySplit, error) {
	return tx.ListSplits(ctx, queries.ListSplitsParams{HouseholdID: tx.HouseholdID, SecurityID: security,
		FirstDay: int64(ledger.MinDate), LastDay: int64(ledger.MaxDate)})
}

func pricesBetween(ctx context.Context, tx *ledger.Tx, security int64, first, last ledger.Date) ([]queries.SecurityPrice, error) {
	return tx.ListSecurityPrices(ctx, queries.ListSecurityPricesParams{SecurityID: security, HouseholdID: tx.HouseholdID,
		FirstDay: int64(first), LastDay: int64(last)})
}

// RestoreSecurity takes back what a change did to a security: one that was made goes, unless it has trades, or prices or
// splits that came later; one that was deleted comes back with its id, its prices and splits; and of one that was changed
// what was changed is what it was. It is a conflict where that has been changed since, or another security has the ticker.
// What an import has noted of prices that went is not known again: its revert leaves them.
func (s *Service) RestoreSecurity(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return insertSecurityAgain(ctx, tx, change)
	}
	now, err := getSecurity(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the security "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	what := "the security " + TickerOf(&now)
	if change.Action == ledger.ActionUpdate {
		then, err := ledger.WithoutChange(now, change, what)
		if err != nil {
			return err
		}
		_, err = changeSecurity(ctx, tx, now, then)
		return tickerTakenSince(err, &then)
	}
	changed, err := ledger.ChangedLater(ctx, tx, change)
	if err != nil {
		return err
	}
	if changed {
		return ledger.ChangedSince(what, "it or its prices were changed")
	}
	gone, err := readDeletion(ctx, tx, now)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(gone.Prices, func(p keptPrice) bool { return p.CreatedAt >= change.At }) {
		return ledger.ChangedSince(what, "it has prices")
	}
	if slices.ContainsFunc(gone.Splits, func(s queries.SecuritySplit) bool { return s.CreatedAt >= change.At }) {
		return ledger.ChangedSince(what, "it was split")
	}
	err = removeSecurity(ctx, tx, now)
	if e := ledger.AsError(err); e != nil && e.Kind == ledger.Conflict {
		return ledger.ChangedSince(what, e.Message)
	}
	return err
}

func tickerTakenSince(err error, s *queries.Security) error {
	if ledger.IsKind(err, ledger.Invalid) {
		return ledger.ChangedSince("the security "+TickerOf(s), "another one has its ticker")
	}
	return err
}

func insertSecurityAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	was, err := ledger.ReadDeleted[deleted](change, "the security")
	if err != nil {
		return err
	}
	was.UpdatedAt = max(tx.Stamp(), was.UpdatedAt+1)
	if _, err := tx.InsertSecurity(ctx, insertSecurityParams(&was.ID, was.Security)); err != nil {
		return tickerTakenSince(tickerTaken(err, &was.Security), &was.Security)
	}
	for _, p := range was.Prices {
		if err := tx.RestorePrice(ctx, p.params(tx, was.ID)); err != nil {
			return err
		}
	}
	for _, split := range was.Splits {
		split.SecurityID = was.ID
		if _, err := tx.InsertSplit(ctx, insertSplitParams(&split.ID, split)); err != nil {
			return err
		}
	}
	return tx.Record(ctx, ledger.EntitySecurity, was.PublicID, nil, was)
}

// RestoreSplit takes back that a split was noted or removed, and with it what is held and what that is worth. It is a
// conflict where the day has another split by now, or a sale would take more than is held.
func (s *Service) RestoreSplit(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return insertSplitAgain(ctx, tx, change)
	}
	split, err := tx.GetSplit(ctx, queries.GetSplitParams{PublicID: change.EntityID, HouseholdID: tx.HouseholdID})
	err = ledger.Missing(err, "Security split")
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the split "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	return splitRefused(deleteSplit(ctx, tx, split), split)
}

func insertSplitAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	split, err := ledger.ReadDeleted[queries.SecuritySplit](change, "the split")
	if err != nil {
		return err
	}
	securities, err := ledger.SecurityRefs(ctx, tx)
	if err != nil {
		return err
	}
	if securities.ByKey[split.SecurityID] == nil {
		return ledger.ChangedSince("the security of the split of "+ledger.Date(split.Date).String(), "it is gone")
	}
	err = recomputeSplit(ctx, tx, split, func() error {
		_, err := tx.InsertSplit(ctx, insertSplitParams(&split.ID, split))
		if db.IsTaken(err) {
			return ledger.NewConflict("its day has another one")
		}
		return err
	})
	if err != nil {
		return splitRefused(err, split)
	}
	return tx.Record(ctx, ledger.EntitySplit, split.PublicID, nil, split)
}

func splitRefused(err error, split queries.SecuritySplit) error {
	if e := ledger.AsError(err); e != nil && e.Kind == ledger.Conflict {
		return ledger.ChangedSince("the split of "+ledger.Date(split.Date).String(), e.Message)
	}
	return err
}

// keptPrice is a market price as the history keeps it: of what was written, the values; of what was there before, all.
// Its names are short as there may be thousands.
type keptPrice struct {
	Date      int64  `json:"d"` // days since 1970
	Price     string `json:"p"`
	Currency  string `json:"c"`
	Source    string `json:"s,omitempty"`
	CreatedAt int64  `json:"t,omitempty"`
	UpdatedAt int64  `json:"u,omitempty"`
}

func keep(prices []queries.SecurityPrice) []keptPrice {
	var kept []keptPrice
	for _, p := range prices {
		kept = append(kept, keptPrice{p.Date, p.Price, p.Currency, p.Source, p.CreatedAt, p.UpdatedAt})
	}
	return kept
}

func (p keptPrice) params(tx *ledger.Tx, security int64) queries.RestorePriceParams {
	return queries.RestorePriceParams{SecurityID: security, Date: p.Date, Price: p.Price, Currency: p.Currency, Source: p.Source,
		HouseholdID: tx.HouseholdID, CreatedAt: p.CreatedAt, UpdatedAt: max(tx.Stamp(), p.UpdatedAt+1)}
}

// keptPrices is what the history keeps of market prices of a security that were written, replaced or removed: on one side
// of the change those that went, on the other those that came, each by day.
type keptPrices struct {
	Source    string      `json:"source,omitempty"`
	FirstDate string      `json:"first_date,omitempty"`
	LastDate  string      `json:"last_date,omitempty"`
	Counts    *PricesPut  `json:"prices,omitempty"`
	Rows      []keptPrice `json:"rows"`
}

// recordPrices notes in the history which prices of a security went and which came.
func recordPrices(ctx context.Context, tx *ledger.Tx, security queries.PublicID, went, came *keptPrices) error {
	var before, after any
	if went != nil && len(went.Rows) > 0 {
		before = went
	}
	if came != nil && len(came.Rows) > 0 {
		after = came
	}
	return tx.Record(ctx, ledger.EntityPrices, security, before, after)
}

// RestorePrices takes back what a change did to market prices of a security: those that came go, those that went come
// back. It is a conflict where one of those that came is not there as it came, or the day of one that went has another.
func (s *Service) RestorePrices(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	security, err := getSecurity(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the security "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	what := "a price of " + TickerOf(&security)
	var went, came keptPrices
	for _, side := range []struct {
		text *string
		to   *keptPrices
	}{{change.Before, &went}, {change.After, &came}} {
		if side.text == nil {
			continue
		}
		if err := json.Unmarshal([]byte(*side.text), side.to); err != nil {
			return err
		}
	}
	if len(went.Rows)+len(came.Rows) == 0 {
		return ledger.ChangedSince(what, "what they were is not known")
	}
	first, last := ledger.MaxDate, ledger.MinDate
	for _, p := range slices.Concat(went.Rows, came.Rows) {
		first, last = min(first, ledger.Date(p.Date)), max(last, ledger.Date(p.Date))
	}
	rows, err := pricesBetween(ctx, tx, security.ID, first, last)
	if err != nil {
		return err
	}
	present, going := map[int64]queries.SecurityPrice{}, []queries.SecurityPrice{}
	for _, p := range rows {
		present[p.Date] = p
	}
	for _, p := range came.Rows {
		now, there := present[p.Date]
		if !there || now.Price != p.Price || now.Currency != p.Currency {
			return ledger.ChangedSince(what, "that of "+ledger.Date(p.Date).String())
		}
		going = append(going, now)
		delete(present, p.Date)
	}
	for _, p := range went.Rows {
		if _, taken := present[p.Date]; taken {
			return ledger.ChangedSince(what, "there is one of "+ledger.Date(p.Date).String())
		}
	}
	touched := map[int64]ledger.Date{security.ID: first}
	err = position.RecomputePrices(ctx, tx, touched, func() error {
		days := make([][2]int64, len(going))
		for i, p := range going {
			days[i] = [2]int64{p.SecurityID, p.Date}
		}
		text, err := json.Marshal(days)
		if err != nil {
			return err
		}
		if err := tx.DeletePricesOfDays(ctx, queries.DeletePricesOfDaysParams{HouseholdID: tx.HouseholdID, Days: string(text)}); err != nil {
			return err
		}
		for _, p := range went.Rows {
			if err := tx.RestorePrice(ctx, p.params(tx, security.ID)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return recordPrices(ctx, tx, security.PublicID, &keptPrices{Rows: keep(going)}, &keptPrices{Rows: went.Rows})
}
