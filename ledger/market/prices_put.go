package market

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// MaxPrices is how many prices one batch may have.
const MaxPrices = 10_000

// maxPricePlaces is how many decimals a price may have.
const maxPricePlaces = 12

// PriceInput is what a client says about a market price. Price is that of a unit, in major units of Currency.
// Problems are what decoding found.
type PriceInput struct {
	Security SecurityName
	Date     ledger.Opt[ledger.Date]
	Price    ledger.Opt[decimal.Decimal]
	Currency ledger.Opt[string]
	Problems ledger.Problems
}

// PricesPut says how many market prices were written, and how many were there already, just so.
type PricesPut struct {
	Added     int64 `json:"added"`
	Replaced  int64 `json:"replaced"`
	Unchanged int64 `json:"unchanged"`
}

// priceRow is a price to be written, and where it stands in what it was read from: its line or index.
type priceRow struct {
	day      ledger.Date
	at       int32
	currency string
	price    string // in the shortest form
}

// PutPrice writes a market price of a security that the household has. The one of the same day is replaced.
func (s *Service) PutPrice(ctx context.Context, who ledger.Actor, in PriceInput) (PricesPut, error) {
	return s.putInputs(ctx, who, []PriceInput{in}, inputPlaces{})
}

// PutPrices writes market prices of securities that the household has: all or, when one is wrong, none. Problems
// name the wrong one by its place, counted from 0. A price that is there already is replaced.
func (s *Service) PutPrices(ctx context.Context, who ledger.Actor, inputs []PriceInput) (PricesPut, error) {
	if len(inputs) > MaxPrices {
		return PricesPut{}, ledger.NewInvalid("security_prices", "must have at most %d members, has %d", MaxPrices,
			len(inputs))
	}
	return s.putInputs(ctx, who, inputs, inputPlaces{"security_prices[%d]", "security_prices[%d].price"})
}

func (s *Service) putInputs(ctx context.Context, who ledger.Actor, inputs []PriceInput,
	places inputPlaces) (done PricesPut, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		index, err := newSecurityIndex(ctx, tx)
		if err != nil {
			return err
		}
		var problems ledger.Problems
		rows := map[*queries.Security][]priceRow{}
		for i, in := range inputs {
			security, row := in.row(index)
			row.at = int32(i)
			rows[security] = append(rows[security], row)
			for _, p := range in.Problems {
				problems.Add(places.member(i)+p.Field, "%s", p.Message)
			}
		}
		if err := problems.Err(); err != nil {
			return err
		}
		done, err = putPrices(ctx, tx, SourceAPI, rows, places)
		return err
	})
	return done, err
}

// row checks an input as a whole.
func (in *PriceInput) row(index *SecurityIndex) (*queries.Security, priceRow) {
	security := index.find(in.Security, &in.Problems, "")
	in.Problems.Require(in.Date.Has(), "date", "is required, such as 2026-01-31")
	in.Problems.Require(in.Price.Has(), "price", "is required, such as 12.50")
	in.Problems.Require(in.Currency.Has(), "currency", "is required, such as EUR")
	row := priceRow{day: in.Date.Value}
	if in.Currency.Has() {
		currency, err := fx.ParseCode(in.Currency.Value)
		in.Problems.Note("currency", err)
		row.currency = currency.Code
	}
	if in.Price.Has() {
		in.Problems.Note("price", CheckPrice(in.Price.Value))
		row.price = in.Price.Value.String()
	}
	return security, row
}

// RoundPrice takes the decimals from a price that cannot be stored.
func RoundPrice(price decimal.Decimal) decimal.Decimal { return price.Round(maxPricePlaces) }

// CheckPrice says what is wrong with a price. The error continues a sentence that begins with the field's name.
func CheckPrice(price decimal.Decimal) error {
	switch {
	case !price.IsPositive():
		return fmt.Errorf("must be greater than 0, got %s", price)
	case !price.Equal(price.Truncate(maxPricePlaces)):
		return fmt.Errorf("must have at most %d decimals, got %s", maxPricePlaces, price)
	}
	return nil
}

// inputPlaces are formats that name an input by its line or index: the whole, and its price. They are empty where
// there is only one.
type inputPlaces struct{ whole, price string }

// member is what the names of an input's members begin with.
func (p inputPlaces) member(at int) string {
	if p.whole == "" {
		return ""
	}
	return fmt.Sprintf(p.whole, at) + "."
}

// sortUnique sorts the prices of a security by day and takes away those that are there twice. Two different ones of
// a day are a problem.
func (p inputPlaces) sortUnique(rows []priceRow, ticker string, problems *ledger.Problems) []priceRow {
	slices.SortStableFunc(rows, func(a, b priceRow) int { return cmp.Compare(a.day, b.day) })
	kept := rows[:0]
	for _, row := range rows {
		if len(kept) == 0 || kept[len(kept)-1].day != row.day {
			kept = append(kept, row)
			continue
		}
		if before := kept[len(kept)-1]; (before.price != row.price || before.currency != row.currency) &&
			len(*problems) < fx.MaxFileProblems {
			problems.Add(fmt.Sprintf(p.price, row.at), "must not differ from "+p.whole+
				": %s on %s is %s %s there, here %s %s",
				before.at, ticker, row.day, before.price, before.currency, row.price, row.currency)
		}
	}
	return kept
}

// putPrices writes market prices, all or none, and brings what follows from them up to date.
func putPrices(ctx context.Context, tx *ledger.Tx, source string, rows map[*queries.Security][]priceRow,
	places inputPlaces) (PricesPut, error) {
	var problems ledger.Problems
	touched := map[int64]ledger.Date{}
	securities := slices.SortedFunc(maps.Keys(rows), func(a,
		b *queries.Security) int {
		return cmp.Compare(a.ID, b.ID)
	})
	for _, security := range securities {
		rows[security] = places.sortUnique(rows[security], TickerOf(security), &problems)
		touched[security.ID] = rows[security][0].day
	}
	if err := problems.Err(); err != nil {
		return PricesPut{}, err
	}
	var done PricesPut
	err := position.RecomputePrices(ctx, tx, touched, func() error {
		for _, security := range securities {
			if err := putPricesOf(ctx, tx, source, security, rows[security], &done); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// priceBatch is how many prices one statement writes at most.
const priceBatch = 10_000

// putPricesOf writes the market prices of a security, in order of days. The history keeps which came and which they have
// replaced.
func putPricesOf(ctx context.Context, tx *ledger.Tx, source string, security *queries.Security, rows []priceRow,
	done *PricesPut) error {
	before, err := pricesBetween(ctx, tx, security.ID, rows[0].day, rows[len(rows)-1].day)
	if err != nil {
		return err
	}
	present := make(map[ledger.Date]queries.SecurityPrice, len(before))
	for _, p := range before {
		present[ledger.Date(p.Date)] = p
	}
	var put PricesPut
	var replaced []queries.SecurityPrice
	var came []keptPrice
	for _, row := range rows {
		was, there := present[row.day]
		switch {
		case !there:
			put.Added++
		case was.Price == row.price && was.Currency == row.currency:
			put.Unchanged++
			continue
		default:
			put.Replaced++
			replaced = append(replaced, was)
		}
		came = append(came, keptPrice{Date: int64(row.day), Price: row.price, Currency: row.currency})
	}
	*done = PricesPut{done.Added + put.Added, done.Replaced + put.Replaced, done.Unchanged + put.Unchanged}
	if len(came) == 0 {
		return nil
	}
	for rest := rows; len(rest) > 0; {
		// The rows at the beginning that one statement can write: those in one currency.
		batch := rest[:min(len(rest), priceBatch)]
		if other := slices.IndexFunc(batch, func(row priceRow) bool { return row.currency != batch[0].currency }); other > 0 {
			batch = batch[:other]
		}
		if err := tx.PutPrices(ctx, queries.PutPricesParams{SecurityID: security.ID, Currency: batch[0].currency,
			Source: source, HouseholdID: tx.HouseholdID, Stamp: tx.Stamp(), Prices: packPrices(batch)}); err != nil {
			return err
		}
		rest = rest[len(batch):]
	}
	return recordPrices(ctx, tx, security.PublicID, &keptPrices{Rows: keep(replaced)}, &keptPrices{Source: source,
		FirstDate: rows[0].day.String(), LastDate: rows[len(rows)-1].day.String(), Counts: &put, Rows: came})
}

// packPrices writes prices by day as JSON for the database. No price has a character that must be escaped.
func packPrices(rows []priceRow) string {
	text := []byte{'{'}
	for i, row := range rows {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(append(text, '"'), int64(row.day), 10)
		text = append(append(append(text, `":"`...), row.price...), '"')
	}
	return string(append(text, '}'))
}
