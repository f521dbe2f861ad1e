package ledger_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
)

// modelPart is what a transaction or a line of it is labelled with, kept beside the ledger in plain Go.
type modelPart struct {
	minor              int64
	name               string
	category, merchant uuid.UUID
	tags               []uuid.UUID
}

// modelSplit is a transaction that may be split; its lines are none when it is not.
type modelSplit struct {
	modelPart
	id    uuid.UUID
	order int
	day   ledger.Date
	lines []modelPart
}

// splitModel is a household of one account whose transactions are split, changed and deleted at random.
type splitModel struct {
	*books
	account                     uuid.UUID
	categories, merchants, tags []uuid.UUID // the zero id among them is none
	names                       map[uuid.UUID]string
	entries                     []*modelSplit
	created                     int
}

func newSplitModel(t *testing.T) *splitModel {
	m := &splitModel{books: newBooks(t), names: map[uuid.UUID]string{}, categories: []uuid.UUID{{}}, merchants: []uuid.UUID{{}}}
	m.account = m.books.account(m.who, "Checking", "EUR")
	for i := range 3 {
		m.categories = append(m.categories, m.category(m.who, fmt.Sprint("category ", i)))
		m.merchants = append(m.merchants, m.merchant(m.who, fmt.Sprint("Händler ", i)))
		m.tags = append(m.tags, m.tag(m.who, fmt.Sprint("tag ", i)))
		m.names[m.merchants[i+1]] = fmt.Sprint("Händler ", i)
	}
	return m
}

func (m *splitModel) drawPart(r *rapid.T) (p modelPart) {
	p.minor = rapid.Int64Range(-500, 500).Draw(r, "minor")
	p.name = rapid.SampledFrom(names).Draw(r, "name")
	p.category, p.merchant = rapid.SampledFrom(m.categories).Draw(r, "category"), rapid.SampledFrom(m.merchants).Draw(r, "merchant")
	p.tags = rapid.SliceOfNDistinct(rapid.SampledFrom(m.tags), 0, 2, rapid.ID).Draw(r, "tags")
	return p
}

func optional(id uuid.UUID) ledger.Opt[uuid.UUID] {
	return ledger.Opt[uuid.UUID]{Set: true, Null: id == uuid.Nil, Value: id}
}

// draw is an entry and the input that makes it, new or changed. As written, what comes in is negative.
func (m *splitModel) draw(r *rapid.T) (ledger.TransactionInput, modelSplit) {
	e := modelSplit{modelPart: m.drawPart(r), day: ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "day"))}
	in := ledger.TransactionInput{Date: ledger.Some(e.day), Name: ledger.Some(e.name), MerchantID: optional(e.merchant), TagIDs: ledger.Some(e.tags),
		SplitLines: ledger.Opt[[]ledger.SplitLineInput]{Set: true, Null: true}}
	if rapid.Bool().Draw(r, "split") {
		e.minor, e.category = 0, uuid.Nil
		var lines []ledger.SplitLineInput
		for range rapid.IntRange(2, 4).Draw(r, "lines") {
			p := m.drawPart(r)
			e.minor += p.minor
			e.lines = append(e.lines, p)
			lines = append(lines, ledger.SplitLineInput{Amount: ledger.Some(decimal.New(-p.minor, -2)), Notes: ledger.Some(p.name),
				CategoryID: optional(p.category), MerchantID: optional(p.merchant), TagIDs: ledger.Some(p.tags)})
		}
		in.SplitLines = ledger.Some(lines)
	}
	in.CategoryID = optional(e.category)
	in.Amount = ledger.Some(decimal.New(max(e.minor, -e.minor), -2))
	in.Nature = ledger.Some("expense")
	if e.minor > 0 {
		in.Nature = ledger.Some("income")
	}
	return in, e
}

func (m *splitModel) step(r *rapid.T) {
	op := rapid.IntRange(0, 9).Draw(r, "operation")
	if op < 6 || len(m.entries) == 0 {
		in, e := m.draw(r)
		in.AccountID = ledger.Some(m.account)
		m.created++
		e.id, e.order = uuid.UUID(m.create(in).PublicID), m.created
		m.entries = append(m.entries, &e)
		return
	}
	at := rapid.IntRange(0, len(m.entries)-1).Draw(r, "which")
	if op < 9 {
		in, e := m.draw(r)
		e.id, e.order = m.entries[at].id, m.entries[at].order
		m.update(e.id, in)
		*m.entries[at] = e
		return
	}
	if err := m.DeleteTransaction(m.ctx(), m.who, m.entries[at].id); err != nil {
		r.Fatal(err)
	}
	m.entries = slices.Delete(m.entries, at, at+1)
}

// counted are the parts that count: the lines, or the transaction that has none.
func (e *modelSplit) counted() []modelPart {
	if len(e.lines) > 0 {
		return e.lines
	}
	return []modelPart{e.modelPart}
}

// checkIncome adds up rows and lines by category, and the rows alone.
func (m *splitModel) checkIncome(r *rapid.T) {
	type tally struct{ income, expenses, count int64 }
	want, got := map[uuid.UUID]tally{}, map[uuid.UUID]tally{}
	var rows, net int64
	for _, e := range m.entries {
		rows += e.minor
		for _, p := range e.counted() {
			sum := want[p.category]
			want[p.category] = tally{sum.income + max(p.minor, 0), sum.expenses + max(-p.minor, 0), sum.count + 1}
		}
	}
	s := m.earned("2026-01-01", "2026-01-31")
	for _, c := range s.ByCategory {
		var id uuid.UUID
		if c.Category != nil {
			id = c.Category.ID
		}
		got[id] = tally{c.Income, c.Expenses, c.Count}
		net += c.Income - c.Expenses
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || net != rows || s.Net != rows {
		r.Fatalf("got %v, want %v; the categories come to %d, the rows to %d, the statement to %d", got, want, net, rows, s.Net)
	}
}

func (m *splitModel) drawFilter(r *rapid.T) (f ledger.TransactionFilter) {
	ids := func(name string, of []uuid.UUID) []uuid.UUID {
		if rapid.IntRange(0, 2).Draw(r, name+"?") > 0 {
			return nil
		}
		return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 1, 2, rapid.ID).Draw(r, name)
	}
	f.CategoryIDs, f.MerchantIDs, f.TagIDs = ids("categories", m.categories[1:]), ids("merchants", m.merchants[1:]), ids("tags", m.tags)
	f.Type = rapid.SampledFrom([]string{"", "", "income", "expense"}).Draw(r, "type")
	f.Search = rapid.SampledFrom([]string{"", "", "", "MÜLLER", "öl", "ändler 1", "r 1"}).Draw(r, "search")
	if rapid.IntRange(0, 2).Draw(r, "from?") == 0 {
		f.StartDate = ledger.Some(ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "from")))
	}
	return f
}

// matches says by plain reading whether a filter selects an entry: it, or any line of it, must have the label; so
// with the text.
func (m *splitModel) matches(f ledger.TransactionFilter, e *modelSplit) bool {
	all := append([]modelPart{e.modelPart}, e.lines...)
	anyOf := func(ids []uuid.UUID, has func(modelPart, uuid.UUID) bool) bool {
		return ids == nil || slices.ContainsFunc(ids, func(id uuid.UUID) bool {
			return slices.ContainsFunc(all, func(p modelPart) bool { return has(p, id) })
		})
	}
	text := strings.ToLower(f.Search)
	return anyOf(f.CategoryIDs, func(p modelPart, id uuid.UUID) bool { return p.category == id }) &&
		anyOf(f.MerchantIDs, func(p modelPart, id uuid.UUID) bool { return p.merchant == id }) &&
		anyOf(f.TagIDs, func(p modelPart, id uuid.UUID) bool { return slices.Contains(p.tags, id) }) &&
		slices.ContainsFunc(all, func(p modelPart) bool {
			return strings.Contains(strings.ToLower(p.name), text) || strings.Contains(strings.ToLower(m.names[p.merchant]), text)
		}) && e.day >= f.StartDate.Or(ledger.MinDate) && (f.Type == "" || (f.Type == "income") == (e.minor > 0))
}

func (m *splitModel) checkList(r *rapid.T) {
	f, page := m.drawFilter(r), ledger.Page{Number: rapid.IntRange(1, 2).Draw(r, "page"), Size: rapid.IntRange(1, 9).Draw(r, "size")}
	var want, got []uuid.UUID
	for _, e := range slices.SortedFunc(slices.Values(m.entries), func(a, b *modelSplit) int { return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(b.order, a.order)) }) {
		if m.matches(f, e) {
			want = append(want, e.id)
		}
	}
	list, total, err := m.ListTransactions(m.ctx(), m.who, f, page)
	if err != nil || total != int64(len(want)) {
		r.Fatalf("filter %+v: total %d, want %d, error %v", f, total, len(want), err)
	}
	from := min(int(page.Offset()), len(want))
	for _, t := range list {
		got = append(got, uuid.UUID(t.PublicID))
		m.checkLines(r, t)
	}
	if want = want[from:min(from+page.Size, len(want))]; !slices.Equal(got, want) {
		r.Fatalf("filter %+v, page %+v: got %v, want %v", f, page, got, want)
	}
}

// checkLines compares the lines of a transaction, which must add up to it.
func (m *splitModel) checkLines(r *rapid.T, t ledger.Transaction) {
	at := slices.IndexFunc(m.entries, func(e *modelSplit) bool { return e.id == uuid.UUID(t.PublicID) })
	var sum int64
	var want []int64
	for _, p := range m.entries[at].lines {
		want = append(want, p.minor)
	}
	for _, s := range t.Split {
		sum += s.Minor
	}
	if minors(t) != fmt.Sprint(want) || len(t.Split) > 0 && sum != t.Amount {
		r.Fatalf("%d is split into %s, want %v", t.Amount, minors(t), want)
	}
}

func TestSplitsAgreeWithPlainReading(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newSplitModel(t)
		for range rapid.IntRange(1, 15).Draw(r, "steps") {
			m.step(r)
		}
		m.checkIncome(r)
		for range 8 {
			m.checkList(r)
		}
		m.checkRollups(r.Fatal)
		if err := m.db.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
