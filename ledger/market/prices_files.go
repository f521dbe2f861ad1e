package market

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// PriceFile is what a file of market prices says.
type PriceFile struct{ rows map[tickerName][]priceRow }

// tickerName is a ticker and the code of its market, which may be empty.
type tickerName struct{ symbol, mic string }

// ParsePrices reads market prices: CSV with the columns date, ticker, price and currency, and if there is one mic,
// in any order, parted by commas, semicolons or tabs; it may be in a zip file. A ticker may be SYMBOL|MIC. Other
// columns are left out. Prices are exact. The error lists what is wrong by line and column.
func ParsePrices(content []byte) (PriceFile, error) {
	content, err := fx.UnpackTable(content, ".csv")
	if err != nil {
		return PriceFile{}, err
	}
	r := priceReader{tickers: map[tickerName]tickerName{}, rows: map[tickerName][]priceRow{}}
	r.ReadCSV(content, separatorOf(content), r.readHeader)
	if len(r.Problems) == 0 && len(r.rows) == 0 {
		r.Problems.Add("file", "must hold at least one price, has none")
	}
	return PriceFile{r.rows}, r.Problems.Err()
}

// separatorOf is what parts the cells of the first line that has any.
func separatorOf(content []byte) rune {
	line, _, _ := bytes.Cut(bytes.TrimLeft(content, "\r\n "), []byte("\n"))
	separator := ','
	for _, other := range []rune{';', '\t'} {
		if bytes.Count(line, []byte(string(other))) > bytes.Count(line, []byte(string(separator))) {
			separator = other
		}
	}
	return separator
}

// priceReader gathers prices and what is wrong.
type priceReader struct {
	fx.TableReader
	columns priceColumns
	tickers map[tickerName]tickerName // as read, by how it is written
	rows    map[tickerName][]priceRow
}

// priceColumns are the places of the columns; -1 for one that is not there.
type priceColumns struct{ date, ticker, mic, price, currency, count int }

// priceHeader finds the columns by the names in a header. It names the first that must be there and is not, and
// the first that is there twice.
func priceHeader(head []string, must ...string) (c priceColumns, missing, twice string) {
	place := func(names ...string) int {
		for _, name := range names {
			same := func(cell string) bool { return strings.EqualFold(cell, name) }
			first := slices.IndexFunc(head, same)
			if first >= 0 && slices.ContainsFunc(head[first+1:], same) {
				twice = cmp.Or(twice, name)
			}
			if first >= 0 {
				return first
			}
		}
		if slices.Contains(must, names[0]) {
			missing = cmp.Or(missing, names[0])
		}
		return -1
	}
	c = priceColumns{place("date"), place("ticker"), place("mic"), place("price", "close"), place("currency"),
		len(head)}
	return c, missing, twice
}

func (r *priceReader) readHeader(line int, head []string) func(line int, cells []string) bool {
	columns, missing, twice := priceHeader(head, "date", "ticker", "price", "currency")
	switch {
	case missing != "":
		r.Fail(line, "", "must be a header with the columns date, ticker, price and currency, lacks %s: %s", missing,
			money.Clip(strings.Join(head, ",")))
		return nil
	case twice != "":
		r.Fail(line, "", "must be a header that names each column once, has %s twice", twice)
		return nil
	}
	r.columns = columns
	return r.readLine
}

func (r *priceReader) readLine(line int, cells []string) bool {
	if len(cells) == 0 {
		return true
	}
	if len(cells) > r.columns.count {
		return r.Fail(line, "", "must have at most %d cells, as the header has, has %d", r.columns.count, len(cells))
	}
	price, more := readPrice(&r.TableReader, line, r.columns, cells, fx.Cell(cells, r.columns.currency))
	name, ok := r.name(line, cells)
	if !ok {
		return len(r.Problems) < fx.MaxFileProblems
	}
	if len(r.Problems) == 0 {
		r.rows[name] = append(r.rows[name], priceRow{price.Date, int32(line), price.Currency, price.Price.String()})
	}
	return more
}

// name reads the cells that name the security.
func (r *priceReader) name(line int, cells []string) (tickerName, bool) {
	written := tickerName{fx.Cell(cells, r.columns.ticker), fx.Cell(cells, r.columns.mic)}
	if name, known := r.tickers[written]; known {
		return name, true
	}
	symbol, mic, err := ParseTicker(written.symbol)
	if err != nil {
		r.Fail(line, "ticker", "%s", err)
		return tickerName{}, false
	}
	column, err := ParseMIC(written.mic)
	switch {
	case err != nil:
		r.Fail(line, "mic", "%s", err)
		return tickerName{}, false
	case mic != "" && column != "" && mic != column:
		r.Fail(line, "mic", "must be %s as in the ticker, or empty, got %s", mic, ledger.Quote(column))
		return tickerName{}, false
	}
	name := tickerName{symbol, cmp.Or(mic, column)}
	r.tickers[tickerName{strings.Clone(written.symbol), strings.Clone(written.mic)}] = name
	return name, true
}

// readPrice reads the cells that say the price of a day, and whether reading on makes sense.
func readPrice(r *fx.TableReader, line int, c priceColumns, cells []string, code string) (p MarketPrice, more bool) {
	more = true
	day, err := ledger.ParseDate(fx.Cell(cells, c.date))
	if err != nil {
		more = r.Fail(line, "date", "%s", err)
	}
	price, err := money.ParseDecimal(fx.Cell(cells, c.price))
	if err == nil {
		err = CheckPrice(price)
	}
	if err != nil {
		more = r.Fail(line, "price", "%s", err)
	}
	currency, err := fx.ParseCode(code)
	if err != nil {
		more = r.Fail(line, "currency", "%s", err)
	}
	return MarketPrice{day, price, currency.Code}, more
}

// PricesImported says what became of the prices of a file: what was written, and which tickers were left out.
type PricesImported struct {
	PricesPut
	LeftOut []TickerLeftOut
}

// TickerLeftOut is a ticker of a file that no price was written for: how many prices it has there and why not.
type TickerLeftOut struct {
	Ticker string
	Prices int
	Reason string // continues the sentence that "ticker" begins
}

// ImportPrices writes the market prices of a file, all or none, and uses the file up; one that is there already is
// replaced. Securities that the household does not have are left out: a price is no reason to make one.
func (s *Service) ImportPrices(ctx context.Context, who ledger.Actor, file PriceFile) (done PricesImported, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		index, err := newSecurityIndex(ctx, tx)
		if err != nil {
			return err
		}
		done = PricesImported{}
		rows := map[*queries.Security][]priceRow{}
		for _, name := range slices.SortedFunc(maps.Keys(file.rows), tickerName.compare) {
			security, err := index.Named(name.symbol, name.mic)
			if err != nil {
				done.LeftOut = append(done.LeftOut, TickerLeftOut{TickerText(name.symbol, name.mic),
					len(file.rows[name]), err.Error()})
				continue
			}
			rows[security] = together(rows[security], file.rows[name])
		}
		done.PricesPut, err = putPrices(ctx, tx, fx.SourceCSV, rows, inputPlaces{"line %d", "line %d, column price"})
		return err
	})
	return done, err
}

// together puts lists together, without a copy where there is only one: a file holds millions.
func together(first, second []priceRow) []priceRow {
	if first == nil {
		return second
	}
	return append(first, second...)
}

func (n tickerName) compare(other tickerName) int {
	return cmp.Or(cmp.Compare(n.symbol, other.symbol), cmp.Compare(n.mic, other.mic))
}
