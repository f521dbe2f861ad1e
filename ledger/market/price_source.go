package market

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// PriceSource looks up market prices outside of the household's own file. It is asked one security at a time, and
// never within a write.
type PriceSource interface {
	// Prices are those of a security on the days of a range, in no order. An error says for people what went
	// wrong; [ErrSourceBusy] in its chain says that asking on makes no sense for now.
	Prices(ctx context.Context, of PriceQuery) ([]MarketPrice, error)
}

// PriceQuery is what a [PriceSource] is asked: which security, and from which day to which. Currency is that of
// prices that do not say theirs.
type PriceQuery struct {
	Ticker, MIC, Currency string
	First, Last           ledger.Date
}

// ErrSourceBusy is in the chain of a [PriceSource]'s error when it has been asked too much.
var ErrSourceBusy = errors.New("the source has been asked too much")

// Fetched says what became of looking up the prices of a security.
type Fetched struct {
	PriceQuery
	PricesPut
	Err error // nothing was written
}

// FetchPrices looks up the market prices of each security that has ever been traded or priced, but for manual ones:
// from the day after the newest price, else from the first trade, to today. Each is written by itself and told to
// done. It ends early when ctx ends or the source has been asked too much.
func (s *Service) FetchPrices(ctx context.Context, who ledger.Actor, source PriceSource, done func(Fetched)) error {
	wanted, err := s.priceQueries(ctx, who)
	if err != nil {
		return err
	}
	for _, w := range wanted {
		f := Fetched{PriceQuery: w.PriceQuery}
		f.PricesPut, f.Err = s.fetchPrices(ctx, who, source, w)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		done(f)
		if errors.Is(f.Err, ErrSourceBusy) {
			return nil
		}
	}
	return nil
}

// wantedPrices are the prices of a security that are to be looked up.
type wantedPrices struct {
	PriceQuery
	security queries.Security
}

// priceQueries are what a source is to be asked now.
func (s *Service) priceQueries(ctx context.Context, who ledger.Actor) (wanted []wantedPrices, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		today, err := tx.Today(ctx)
		if err != nil {
			return err
		}
		rows, err := tx.ListSecurities(ctx, SecurityFilter{Kind: "standard",
			Manual: ledger.Some(false)}.Params(tx.Actor, ledger.Everything()))
		if err != nil {
			return err
		}
		list, err := withNewest(ctx, tx, rows...)
		if err != nil {
			return err
		}
		for _, security := range list {
			first, currency, err := priceStart(ctx, tx, security)
			if err != nil {
				return err
			}
			if currency != "" && first <= today {
				wanted = append(wanted, wantedPrices{PriceQuery{security.Ticker, security.Mic, currency, first, today},
					security.Security})
			}
		}
		return nil
	})
	return wanted, err
}

// priceStart is the day from which prices are missing, and the currency they were in last; empty when the
// security has neither prices nor trades.
func priceStart(ctx context.Context, tx *ledger.Tx, s Security) (ledger.Date, string, error) {
	if s.Newest != nil {
		return s.Newest.Date.AddDays(1), s.Newest.Currency, nil
	}
	start, err := tx.GetTradeStart(ctx, queries.GetTradeStartParams{SecurityID: &s.ID, HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return 0, "", nil
	}
	return ledger.Date(start.Date), start.Currency, err
}

// fetchPrices asks the source and writes what it gives. Prices of other days than those asked for are left out.
func (s *Service) fetchPrices(ctx context.Context, who ledger.Actor, source PriceSource,
	w wantedPrices) (done PricesPut, err error) {
	list, err := source.Prices(ctx, w.PriceQuery)
	if err != nil {
		return done, err
	}
	var rows []priceRow
	for i, p := range list {
		if err := errors.Join(CheckPrice(p.Price), p.Date.Check()); err != nil {
			return done, fmt.Errorf("the price of %s %w", p.Date, err)
		}
		if w.First <= p.Date && p.Date <= w.Last {
			rows = append(rows, priceRow{p.Date, int32(i), p.Currency, p.Price.String()})
		}
	}
	if len(rows) == 0 {
		return done, nil
	}
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		done, err = putPrices(ctx, tx, SourceFetch, map[*queries.Security][]priceRow{&w.security: rows},
			inputPlaces{"price %d", "price %d"})
		return err
	})
	return done, err
}

// ParseMarketPrices reads what a source of prices answers: CSV with a column date, a column price or close, and if
// there is one currency, in any order, parted by commas, semicolons or tabs. Lines without a price are left out;
// those without a currency are in the one that is given. The error says what is wrong by line and column.
func ParseMarketPrices(content []byte, currency string) ([]MarketPrice, error) {
	content = fx.WithoutMark(content)
	r := quoteReader{otherwise: currency}
	r.ReadCSV(content, separatorOf(content), r.readHeader)
	return r.prices, r.Problems.Err()
}

// quoteReader gathers the prices of one security.
type quoteReader struct {
	fx.TableReader
	otherwise string // the currency of those that do not say it
	prices    []MarketPrice
}

func (r *quoteReader) readHeader(line int, head []string) func(line int, cells []string) bool {
	columns, missing, twice := priceHeader(head, "date", "price")
	if missing != "" || twice != "" {
		r.Fail(line, "", "must be a header with a column date and a column price or close, each once, got %s",
			money.Clip(strings.Join(head, ",")))
		return nil
	}
	return func(line int, cells []string) bool {
		// Sources write a day without a price in several ways.
		nothing := []string{"", "N/A", "N/D", "NULL", "-"}
		if slices.Contains(nothing, strings.ToUpper(fx.Cell(cells, columns.price))) {
			return true
		}
		p, more := readPrice(&r.TableReader, line, columns, cells,
			cmp.Or(fx.Cell(cells, columns.currency), r.otherwise))
		r.prices = append(r.prices, p)
		return more
	}
}
