package market

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// MarketPrice is what a unit of a security cost on a day, in a currency, as it was quoted then: a later split
// changes nothing of it.
type MarketPrice struct {
	Date     ledger.Date
	Price    decimal.Decimal
	Currency string
}

// Price is a market price that is kept.
type Price struct {
	MarketPrice
	ID                   uuid.UUID // made of security and day, always the same
	Security             *ledger.SecurityRef
	Source               string // see the sources of prices
	CreatedAt, UpdatedAt int64
}

// Where market prices come from.
const (
	SourceAPI   = "api"
	SourceQIF   = "qif"
	SourceFetch = "fetch" // from a [PriceSource]
)

// PriceFilter selects prices; what is not given selects all. Currency is a code, empty for all. Both days are
// included.
type PriceFilter struct {
	SecurityID         ledger.Opt[uuid.UUID]
	Currency           string
	StartDate, EndDate ledger.Opt[ledger.Date]
}

// ListPrices gives a page of the market prices that the filter selects, the newest day first, then by ticker,
// and how many it selects in all.
func (s *Service) ListPrices(ctx context.Context, who ledger.Actor, f PriceFilter, page ledger.Page) (list []Price,
	total int64, err error) {
	err = s.ReadTx(ledger.Heavy(ctx, who), who, func(ctx context.Context, tx *ledger.Tx) error {
		labels, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		// Securities stand in it by ticker.
		keys := []int64{}
		key, known := labels.Keys[f.SecurityID.Value]
		switch {
		case known:
			keys = append(keys, key)
		case !f.SecurityID.Has():
			sorted, err := tx.ListSecurities(ctx, SecurityFilter{}.Params(tx.Actor, ledger.Everything()))
			if err != nil {
				return err
			}
			for _, s := range sorted {
				keys = append(keys, s.ID)
			}
		}
		p := queries.ListPricesParams{HouseholdID: tx.HouseholdID, Securities: ledger.JSONArray(keys),
			Currency: f.Currency,
			FirstDay: int64(f.StartDate.Or(ledger.MinDate)), LastDay: int64(f.EndDate.Or(ledger.MaxDate))}
		total, err = tx.CountPrices(ctx, queries.CountPricesParams{
			HouseholdID: p.HouseholdID, Securities: p.Securities, FirstDay: p.FirstDay, LastDay: p.LastDay,
			Currency: p.Currency})
		if err != nil {
			return err
		}
		p.Size, p.Skipped = int64(page.Size), page.Offset()
		rows, err := tx.ListPrices(ctx, p)
		if err != nil {
			return err
		}
		list, err = pricesOf(rows, labels)
		return err
	})
	return list, total, err
}

func pricesOf(rows []queries.ListPricesRow, labels ledger.RefSet[ledger.SecurityRef]) ([]Price, error) {
	list := make([]Price, len(rows))
	for i, r := range rows {
		price, err := decimal.NewFromString(r.Price)
		if err != nil {
			return nil, err
		}
		label := labels.ByKey[r.SecurityID]
		list[i] = Price{MarketPrice{ledger.Date(r.Date), price, r.Currency},
			ledger.DatedID(label.ID, ledger.Date(r.Date)), label, r.Source, r.CreatedAt, r.UpdatedAt}
	}
	return list, nil
}

// GetPrice gives one market price.
func (s *Service) GetPrice(ctx context.Context, who ledger.Actor, id uuid.UUID) (p Price, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		labels, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		row, err := getPrice(ctx, tx, labels, id)
		if err != nil {
			return err
		}
		list, err := pricesOf([]queries.ListPricesRow{{SecurityID: row.SecurityID, Date: row.Date, Price: row.Price,
			Currency: row.Currency,
			Source:   row.Source, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt}}, labels)
		if err == nil {
			p = list[0]
		}
		return err
	})
	return p, err
}

func getPrice(ctx context.Context, tx *ledger.Tx, labels ledger.RefSet[ledger.SecurityRef],
	id uuid.UUID) (queries.SecurityPrice, error) {
	for of, key := range labels.Keys {
		if day, made := ledger.DayInID(id, of); made {
			row, err := tx.GetPrice(ctx, queries.GetPriceParams{SecurityID: key, Day: int64(day),
				HouseholdID: tx.HouseholdID})
			return row, ledger.Missing(err, "Security price")
		}
	}
	return queries.SecurityPrice{}, ledger.NewNotFound("Security price")
}

// DeletePrice removes a market price: from its day on the one before it counts.
func (s *Service) DeletePrice(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		labels, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		row, err := getPrice(ctx, tx, labels, id)
		if err != nil {
			return err
		}
		return position.RecomputePrices(ctx, tx, map[int64]ledger.Date{row.SecurityID: ledger.Date(row.Date)},
			func() error {
				if err := tx.DeletePrice(ctx, queries.DeletePriceParams{SecurityID: row.SecurityID, Day: row.Date,
					HouseholdID: tx.HouseholdID}); err != nil {
					return err
				}
				return recordPrices(ctx, tx, queries.PublicID(labels.ByKey[row.SecurityID].ID),
					&keptPrices{Rows: keep([]queries.SecurityPrice{row})}, nil)
			})
	})
}

// PriceSpan sums up the market prices of a security: how many there are, the first and last day, and the newest.
type PriceSpan struct {
	Security
	Count       int64
	First, Last ledger.Date
}

// ListPriceSpans sums up the market prices of all securities that have some, by ticker and market.
func (s *Service) ListPriceSpans(ctx context.Context, who ledger.Actor) (spans []PriceSpan, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListSecurities(ctx, SecurityFilter{}.Params(tx.Actor, ledger.Everything()))
		if err != nil {
			return err
		}
		list, err := withNewest(ctx, tx, rows...)
		if err != nil {
			return err
		}
		for _, security := range slices.DeleteFunc(list, func(security Security) bool { return security.Newest == nil }) {
			span, err := tx.GetPriceSpan(ctx, queries.GetPriceSpanParams{SecurityID: security.ID,
				HouseholdID: tx.HouseholdID})
			if err != nil {
				return err
			}
			spans = append(spans, PriceSpan{security, span.Prices, ledger.Date(span.FirstDay),
				ledger.Date(span.LastDay)})
		}
		return nil
	})
	return spans, err
}
