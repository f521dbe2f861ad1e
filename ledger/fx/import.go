package fx

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// RateFile is what a file of exchange rates says.
type RateFile struct {
	Rates   []ExchangeRate
	Source  string   // SourceCSV or SourceECB
	Unknown []string // codes of currencies that cannot hold an amount here; their rates are left out
}

// Where rates come from.
const (
	SourceCSV = "csv" // date,from,to,rate
	SourceECB = "ecb" // the European Central Bank's reference rates
)

// ParseRates reads exchange rates: CSV with the header date,from,to,rate, or what the European Central Bank
// publishes, which is CSV with a column per currency or XML, what one euro is worth; each of them may be in
// a zip file. Rates are exact. The error lists what is wrong by line and column.
func ParseRates(content []byte) (RateFile, error) {
	content, err := UnpackTable(content, ".csv", ".xml")
	if err != nil {
		return RateFile{}, err
	}
	r := rateReader{seen: map[rateKey]seenRate{}}
	if bytes.HasPrefix(bytes.TrimSpace(content), []byte("<")) {
		r.readXML(content)
	} else {
		r.ReadCSV(content, ',', r.readHeader)
	}
	if len(r.Problems) == 0 && len(r.file.Rates) == 0 {
		r.Problems.Add("file", "must hold at least one rate, has none")
	}
	slices.Sort(r.file.Unknown)
	return r.file, r.Problems.Err()
}

// rateReader gathers rates and what is wrong.
type rateReader struct {
	TableReader
	file RateFile
	seen map[rateKey]seenRate
}

type rateKey struct {
	CurrencyPair
	day ledger.Date
}

type seenRate struct {
	rate decimal.Decimal
	line int
}

// add takes a rate. The same rate may be there twice, but not with two values.
func (r *rateReader) add(line int, column string, rate ExchangeRate) bool {
	key := rateKey{CurrencyPair{rate.From, rate.To}, rate.Date}
	before, again := r.seen[key]
	switch {
	case !again:
		r.seen[key] = seenRate{rate.Rate, line}
		r.file.Rates = append(r.file.Rates, rate)
	case !before.rate.Equal(rate.Rate):
		return r.Fail(line, column, "must not differ from line %d: %s to %s on %s is %s there, here %s", before.line,
			rate.From, rate.To, rate.Date, before.rate, rate.Rate)
	}
	return true
}

// addECB takes a rate of the euro; code and text are cells.
func (r *rateReader) addECB(line int, column, code, text string, day ledger.Date) bool {
	currency, known := money.LookupCurrency(code)
	if !known {
		code = strings.ToUpper(code)
		if !slices.Contains(r.file.Unknown, code) {
			r.file.Unknown = append(r.file.Unknown, code)
		}
		return true
	}
	const euro = "EUR"
	if currency.Code == euro {
		return r.Fail(line, column, "must not be EUR: the rates are those of one euro")
	}
	rate, err := parseRate(text)
	if err != nil {
		return r.Fail(line, column, "%s", err)
	}
	return r.add(line, column, ExchangeRate{euro, currency.Code, day, rate})
}

// parseRate reads a rate exactly. The error continues a sentence.
func parseRate(text string) (decimal.Decimal, error) {
	rate, err := money.ParseDecimal(text)
	if err == nil && !rate.IsPositive() {
		err = fmt.Errorf("must be greater than 0, got %s", money.Clip(text))
	}
	return rate, err
}

// RatesImported says how many rates were written, and how many were there already, just so.
type RatesImported struct{ Added, Replaced, Unchanged int64 }

// ImportRates writes rates, all or none; one that is there already is replaced. Rates are published facts
// and belong to no household.
func (s *Service) ImportRates(ctx context.Context, file RateFile) (RatesImported, error) {
	byPair := map[CurrencyPair]map[ledger.Date]string{}
	for _, r := range file.Rates {
		pair := CurrencyPair{r.From, r.To}
		if byPair[pair] == nil {
			byPair[pair] = map[ledger.Date]string{}
		}
		byPair[pair][r.Date] = r.Rate.String()
	}
	packed := make(map[CurrencyPair]string, len(byPair))
	for pair, days := range byPair {
		text, err := json.Marshal(days)
		if err != nil {
			return RatesImported{}, err
		}
		packed[pair] = string(text)
	}
	var done RatesImported
	err := s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		done = RatesImported{Unchanged: int64(len(file.Rates))}
		for pair, days := range packed {
			if err := done.put(ctx, q, queries.PutRatesParams{FromCurrency: pair.From, ToCurrency: pair.To,
				Source: file.Source, Rates: days}); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

func (d *RatesImported) put(ctx context.Context, q *queries.Queries, rates queries.PutRatesParams) error {
	pair := queries.GetRateSpanParams{FromCurrency: rates.FromCurrency, ToCurrency: rates.ToCurrency}
	before, err := q.GetRateSpan(ctx, pair)
	if err != nil {
		return err
	}
	changed, err := q.PutRates(ctx, rates)
	if err != nil {
		return err
	}
	after, err := q.GetRateSpan(ctx, pair)
	added := after.Rates - before.Rates
	d.Added += added
	d.Replaced += changed - added
	d.Unchanged -= changed
	return err
}

// RateSpan sums up the rates of a pair of currencies: how many there are, the first and last day, and the rate of the
// last, and how many days that is old today (in UTC, as rates belong to no household); 0 when it is of today or later.
type RateSpan struct {
	From, To    string
	Count       int64
	First, Last ledger.Date
	Newest      string // decimal
	DaysOld     int64
}

// Stale reports whether the newest rate is so old that it is told wherever it is used today.
func (s RateSpan) Stale() bool { return s.DaysOld > freshRate }

// ListRates sums up all exchange rates by pair. They belong to no household.
func (s *Service) ListRates(ctx context.Context) ([]RateSpan, error) {
	var spans []RateSpan
	today := ledger.DateOf(s.Now().UTC())
	err := s.DB.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		pairs, err := q.ListRatePairs(ctx)
		if err != nil {
			return err
		}
		for _, p := range pairs {
			span, err := q.GetRateSpan(ctx, queries.GetRateSpanParams(p))
			if err != nil {
				return err
			}
			spans = append(spans, RateSpan{p.FromCurrency, p.ToCurrency, span.Rates, ledger.Date(span.FirstDay),
				ledger.Date(span.LastDay), span.Newest,
				max(0, int64(today)-span.LastDay)})
		}
		return nil
	})
	slices.SortFunc(spans, func(a, b RateSpan) int {
		return cmp.Or(cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To))
	})
	return spans, err
}
