package ledger

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// published has the published rates of a pair of currencies, as far as they were read: blocks of days.
type published struct {
	currencyPair
	book     *rateBook
	expected []span // days that are going to be asked about
	blocks   []*rateBlock
	last     *rateBlock
}

// blockDays is how many days are read at once where it is not known what is going to be asked.
const blockDays = 256

// rateBlock answers any of its days: it has the rates of those, and the newest before.
type rateBlock struct {
	span
	days  []Date         // when it answers only these
	list  []ExchangeRate // by day, rising; the rate is read when it is needed
	texts []string       // rates that are not read yet
	at    int            // where the last answer was
}

// expect says which days are going to be asked about.
func (p *published) expect(days span) {
	if p != nil {
		p.expected = append(p.expected, days)
	}
}

// newest is the newest published rate on or before the day, however old.
func (p *published) newest(ctx context.Context, day Date) (rate, bool, error) {
	if p == nil {
		return rate{}, false, nil
	}
	b, err := p.block(ctx, day)
	if err != nil {
		return rate{}, false, err
	}
	at := b.seek(day)
	if at < 0 {
		return rate{}, false, nil
	}
	value, err := b.read(at)
	return rate{value, p.book.one, b.list[at].Date, b.list[at : at+1]}, value.IsPositive(), err
}

func (b *rateBlock) has(day Date) bool {
	return b.span.has(day) && (b.days == nil || among(b.days, day))
}

func among(days []Date, day Date) bool {
	_, found := slices.BinarySearch(days, day)
	return found
}

// block is the one that answers a day.
func (p *published) block(ctx context.Context, day Date) (*rateBlock, error) {
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
func (p *published) around(day Date) *rateBlock {
	for _, days := range p.expected {
		if days.has(day) {
			return &rateBlock{span: days}
		}
	}
	switch {
	case among(p.book.days, day):
		return &rateBlock{span: span{p.book.days[0], p.book.days[len(p.book.days)-1]}, days: p.book.days}
	case p.book.window.has(day):
		return &rateBlock{span: p.book.window}
	}
	first := MinDate + (day-MinDate)/blockDays*blockDays
	return &rateBlock{span: span{first, first + blockDays - 1}}
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
		b.list = append(b.list, ExchangeRate{From: p.from, To: p.to, Date: Date(day)})
		b.texts = append(b.texts, text)
	}
	if !sort.IsSorted(b) { // SQLite promises no order
		sort.Sort(b)
	}
	return nil
}

func (p *published) pack(ctx context.Context, b *rateBlock) (string, error) {
	if b.days == nil {
		return p.book.q.PackRates(ctx, queries.PackRatesParams{
			FromCurrency: p.from, ToCurrency: p.to, FirstDay: int64(b.first), LastDay: int64(b.last)})
	}
	return p.book.q.PackRatesOn(ctx, queries.PackRatesOnParams{FromCurrency: p.from, ToCurrency: p.to, Days: jsonArray(b.days)})
}

// Len, Less and Swap sort a block by day.
func (b *rateBlock) Len() int           { return len(b.list) }
func (b *rateBlock) Less(i, j int) bool { return b.list[i].Date < b.list[j].Date }
func (b *rateBlock) Swap(i, j int) {
	b.list[i], b.list[j] = b.list[j], b.list[i]
	b.texts[i], b.texts[j] = b.texts[j], b.texts[i]
}

// seek finds the newest rate on or before a day; -1 when there is none. Days mostly follow each other.
func (b *rateBlock) seek(day Date) int {
	for range 2 {
		if b.at >= 0 && b.at < len(b.list) && b.list[b.at].Date <= day && (b.at+1 == len(b.list) || day < b.list[b.at+1].Date) {
			return b.at
		}
		b.at++
	}
	at, exact := slices.BinarySearchFunc(b.list, day, func(r ExchangeRate, day Date) int { return int(r.Date - day) })
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

// read gives all rates of a pair that count from a day to another.
func (b *rateBook) read(ctx context.Context, pair currencyPair, first, last Date) ([]ExchangeRate, error) {
	p := published{currencyPair: pair, book: b}
	all := &rateBlock{span: span{first, last}}
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
