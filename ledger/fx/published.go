package fx

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/queries"
)

// published has the published rates of a pair of currencies, as far as they were read: blocks of days.
type published struct {
	CurrencyPair
	book     *RateBook
	expected []Span // days that are going to be asked about
	blocks   []*rateBlock
	last     *rateBlock
}

// blockDays is how many days are read at once where it is not known what is going to be asked.
const blockDays = 256

// rateBlock answers any of its days: it has the rates of those, and the newest before.
type rateBlock struct {
	Span
	days  []ledger.Date  // when it answers only these
	list  []ExchangeRate // by day, rising; the rate is read when it is needed
	texts []string       // rates that are not read yet
	at    int            // where the last answer was
}

// expect says which days are going to be asked about.
func (p *published) expect(days Span) {
	if p != nil {
		p.expected = append(p.expected, days)
	}
}

// newest is the newest published rate on or before the day, however old.
func (p *published) newest(ctx context.Context, day ledger.Date) (Rate, bool, error) {
	if p == nil {
		return Rate{}, false, nil
	}
	b, err := p.block(ctx, day)
	if err != nil {
		return Rate{}, false, err
	}
	at := b.seek(day)
	if at < 0 {
		return Rate{}, false, nil
	}
	value, err := b.read(at)
	return Rate{value, p.book.one, b.list[at].Date, b.list[at : at+1]}, value.IsPositive(), err
}

func (b *rateBlock) has(day ledger.Date) bool {
	return b.Span.Has(day) && (b.days == nil || among(b.days, day))
}

func among(days []ledger.Date, day ledger.Date) bool {
	_, found := slices.BinarySearch(days, day)
	return found
}

// block is the one that answers a day.
func (p *published) block(ctx context.Context, day ledger.Date) (*rateBlock, error) {
	if p.last != nil && p.last.has(day) {
		return p.last, nil
	}
	at := slices.IndexFunc(p.blocks, func(b *rateBlock) bool { return b.has(day) })
	if at < 0 {
		b := p.around(day)
		if err := p.load(ctx, b); err != nil {
			return nil, err
		}
		at = len(p.blocks)
		p.blocks = append(p.blocks, b)
	}
	p.last = p.blocks[at]
	return p.last, nil
}

// around is the block that is read when a day is asked about.
func (p *published) around(day ledger.Date) *rateBlock {
	for _, days := range p.expected {
		if days.Has(day) {
			return &rateBlock{Span: days}
		}
	}
	switch {
	case among(p.book.Days, day):
		return &rateBlock{Span: Span{p.book.Days[0], p.book.Days[len(p.book.Days)-1]}, days: p.book.Days}
	case p.book.Window.Has(day):
		return &rateBlock{Span: p.book.Window}
	}
	first := ledger.MinDate + (day-ledger.MinDate)/blockDays*blockDays
	return &rateBlock{Span: Span{first, first + blockDays - 1}}
}

func (p *published) load(ctx context.Context, b *rateBlock) error {
	packed, err := p.pack(ctx, b)
	if err != nil || packed == "" {
		return err
	}
	n := strings.Count(packed, ",") + 1
	b.list, b.texts = make([]ExchangeRate, 0, n), make([]string, 0, n)
	for part := range strings.SplitSeq(packed, ",") {
		date, text, _ := strings.Cut(part, " ")
		day, err := strconv.ParseInt(date, 10, 32)
		if err != nil {
			return err
		}
		b.list = append(b.list, ExchangeRate{From: p.From, To: p.To, Date: ledger.Date(day)})
		b.texts = append(b.texts, text)
	}
	if !sort.IsSorted(b) { // SQLite promises no order
		sort.Sort(b)
	}
	return nil
}

func (p *published) pack(ctx context.Context, b *rateBlock) (string, error) {
	if b.days == nil {
		return p.book.Q.PackRates(ctx, queries.PackRatesParams{
			FromCurrency: p.From, ToCurrency: p.To, FirstDay: int64(b.First), LastDay: int64(b.Last)})
	}
	return p.book.Q.PackRatesOn(ctx, queries.PackRatesOnParams{FromCurrency: p.From, ToCurrency: p.To,
		Days: ledger.JSONArray(b.days)})
}

// Len, Less and Swap sort a block by day.
func (b *rateBlock) Len() int { return len(b.list) }

func (b *rateBlock) Less(i, j int) bool { return b.list[i].Date < b.list[j].Date }

func (b *rateBlock) Swap(i, j int) {
	b.list[i], b.list[j] = b.list[j], b.list[i]
	b.texts[i], b.texts[j] = b.texts[j], b.texts[i]
}

// seek finds the newest rate on or before a day; -1 when there is none. Days mostly follow each other.
func (b *rateBlock) seek(day ledger.Date) int {
	for range 2 {
		if b.at >= 0 && b.at < len(b.list) && b.list[b.at].Date <= day &&
			(b.at+1 == len(b.list) || day < b.list[b.at+1].Date) {
			return b.at
		}
		b.at++
	}
	at, exact := slices.BinarySearchFunc(b.list, day, func(r ExchangeRate,
		day ledger.Date) int {
		return int(r.Date - day)
	})
	if !exact {
		at--
	}
	b.at = at
	return at
}

func (b *rateBlock) read(at int) (decimal.Decimal, error) {
	if b.texts[at] != "" {
		value, err := decimal.NewFromString(b.texts[at])
		if err != nil {
			return value, err
		}
		b.list[at].Rate, b.texts[at] = value, ""
	}
	return b.list[at].Rate, nil
}

// Read gives all rates of a pair that count from a day to another.
func (b *RateBook) Read(ctx context.Context, pair CurrencyPair, first, last ledger.Date) ([]ExchangeRate, error) {
	p := published{CurrencyPair: pair, book: b}
	all := &rateBlock{Span: Span{first, last}}
	if err := p.load(ctx, all); err != nil {
		return nil, err
	}
	for at := range all.list {
		if _, err := all.read(at); err != nil {
			return nil, err
		}
	}
	return all.list, nil
}
