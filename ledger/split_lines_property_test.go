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
	"finsvc/queries"
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
	if op == 8 && len(m.entries[at].lines) > 0 {
		m.changePart(r, m.entries[at])
		return
	}
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

// changePart gives a part other labels, some of them none. Those of all other parts stay what they were.
func (m *splitModel) changePart(r *rapid.T, e *modelSplit) {
	place, drawn := rapid.IntRange(0, len(e.lines)-1).Draw(r, "part"), m.drawPart(r)
	whole, err := m.GetTransaction(m.ctx(), m.who, e.id)
	if err != nil {
		r.Fatal(err)
	}
	for i := range e.lines { // what they have of the whole is theirs
		p := &e.lines[i]
		p.tags = slices.Concat(e.tags, p.tags)
		if p.merchant == uuid.Nil {
			p.merchant = e.merchant
		}
	}
	e.tags, e.merchant = nil, uuid.Nil
	e.lines[place].category, e.lines[place].merchant, e.lines[place].tags = drawn.category, drawn.merchant, drawn.tags
	m.update(whole.Split[place].ID, ledger.TransactionInput{CategoryID: optional(drawn.category), MerchantID: optional(drawn.merchant), TagIDs: ledger.Some(drawn.tags)})
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

// checkBalance: all rows of the account come to its balance.
func (m *splitModel) checkBalance(r *rapid.T) {
	list, _, err := m.ListTransactions(m.ctx(), m.who, ledger.TransactionFilter{AccountIDs: []uuid.UUID{m.account}}, ledger.Page{Number: 1, Size: 100})
	var sum int64
	for _, t := range list {
		sum += t.Amount
	}
	if err != nil {
		r.Fatal(err)
	}
	balances, err := m.Balances(m.ctx(), m.who, ledger.NewDate(2026, 1, 31))
	if got := balances[m.key(m.account)].Minor; err != nil || got != sum {
		r.Fatalf("the rows come to %d, the balance is %d, %v", sum, got, err)
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
	if rapid.IntRange(0, 3).Draw(r, "most?") == 0 {
		f.MaxAmount, f.Absolute = ledger.Some(decimal.New(rapid.Int64Range(0, 500).Draw(r, "most"), -2)), true
	}
	f.Search = rapid.SampledFrom([]string{"", "", "", "MÜLLER", "öl", "ändler 1", "r 1", "aaaa", "AAAAA Ä", "ääää", "aaaaaa"}).Draw(r, "search")
	if rapid.IntRange(0, 2).Draw(r, "from?") == 0 {
		f.StartDate = ledger.Some(ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "from")))
	}
	return f
}

// modelRow is a row as lists show it: a transaction that is not split, or a part of one with what it has of the whole.
type modelRow struct {
	modelPart
	texts []string
	of    *modelSplit
	place int
}

func (m *splitModel) rows() (rows []modelRow) {
	entries := slices.SortedFunc(slices.Values(m.entries), func(a, b *modelSplit) int { return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(b.order, a.order)) })
	for _, e := range entries {
		for i, p := range e.counted() {
			row := modelRow{p, []string{e.name}, e, i}
			if len(e.lines) > 0 {
				row.texts = append(row.texts, p.name)
				row.tags = slices.Concat(e.tags, p.tags)
				if p.merchant == uuid.Nil {
					row.merchant = e.merchant
				}
			}
			row.texts = append(row.texts, m.names[row.merchant])
			rows = append(rows, row)
		}
	}
	return rows
}

// matches says by plain reading whether a filter selects a row, by what the row has itself.
func (row *modelRow) matches(f ledger.TransactionFilter) bool {
	anyOf := func(ids []uuid.UUID, has ...uuid.UUID) bool {
		return ids == nil || slices.ContainsFunc(has, func(id uuid.UUID) bool { return slices.Contains(ids, id) })
	}
	return anyOf(f.CategoryIDs, row.category) && anyOf(f.MerchantIDs, row.merchant) && anyOf(f.TagIDs, row.tags...) &&
		slices.ContainsFunc(row.texts, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(f.Search)) }) &&
		row.of.day >= f.StartDate.Or(ledger.MinDate) && (f.Type == "" || (f.Type == "income") == (row.minor > 0)) &&
		(!f.MaxAmount.Has() || decimal.New(max(row.minor, -row.minor), -2).LessThanOrEqual(f.MaxAmount.Value))
}

func (m *splitModel) checkList(r *rapid.T) {
	f, page := m.drawFilter(r), ledger.Page{Number: rapid.IntRange(1, 2).Draw(r, "page"), Size: rapid.IntRange(1, 9).Draw(r, "size")}
	var want []modelRow
	for _, row := range m.rows() {
		if row.matches(f) {
			want = append(want, row)
		}
	}
	list, total, err := m.ListTransactions(m.ctx(), m.who, f, page)
	if err != nil || total != int64(len(want)) {
		r.Fatalf("filter %+v: total %d, want %d, error %v", f, total, len(want), err)
	}
	m.checkSums(r, f, want)
	m.checkLargest(r, f, want)
	from := min(int(page.Offset()), len(want))
	want = want[from:min(from+page.Size, len(want))]
	if len(list) != len(want) {
		r.Fatalf("filter %+v, page %+v: got %d rows, want %d", f, page, len(list), len(want))
	}
	for i := range list {
		m.checkRow(r, list[i], want[i])
	}
}

// checkRow compares a row, and reads it by its id.
func (m *splitModel) checkRow(r *rapid.T, t ledger.Transaction, want modelRow) {
	whole := uuid.Nil
	if len(want.of.lines) > 0 {
		whole = want.of.id
	}
	var merchant, category uuid.UUID
	if t.Merchant != nil {
		merchant = t.Merchant.ID
	}
	if t.Category != nil {
		category = t.Category.ID
	}
	if t.Amount != want.minor || t.SplitOf != queries.PublicID(whole) || merchant != want.merchant || category != want.category || t.Name != want.of.name || t.Split != nil {
		r.Fatalf("got %+v, want %+v of %s", t, want, whole)
	}
	if again, err := m.GetTransaction(m.ctx(), m.who, uuid.UUID(t.PublicID)); err != nil || fmt.Sprint(again.Amount, again.SplitOf, again.Tags) != fmt.Sprint(t.Amount, t.SplitOf, t.Tags) {
		r.Fatalf("by its id it is %+v, %v; in the list %+v", again, err, t)
	}
	all, err := m.GetTransaction(m.ctx(), m.who, want.of.id)
	if err != nil || len(all.Split) != len(want.of.lines) || len(all.Split) > 0 && queries.PublicID(all.Split[want.place].ID) != t.PublicID {
		r.Fatalf("the whole is %+v, %v, want part %d to be %v", all.Split, err, want.place, t.PublicID)
	}
}

// checkSums: the rows of all pages come to what the breakdown by the same filter says.
func (m *splitModel) checkSums(r *rapid.T, f ledger.TransactionFilter, rows []modelRow) {
	var income, expenses int64
	for _, row := range rows {
		income, expenses = income+max(row.minor, 0), expenses+max(-row.minor, 0)
	}
	d := m.broken(ledger.BreakdownInput{TransactionFilter: f, TransactionsOnly: true})
	if d.Income != income || d.Expenses != expenses || d.Count != int64(len(rows)) {
		r.Fatalf("filter %+v: the breakdown is %s of %d, the rows come to %d-%d of %d", f, brokenDown(d), d.Count, income, expenses, len(rows))
	}
}

// checkLargest: the largest are the same rows, those of a larger amount first.
func (m *splitModel) checkLargest(r *rapid.T, f ledger.TransactionFilter, rows []modelRow) {
	list, total, err := m.ListLargestTransactions(m.ctx(), m.who, f, ledger.Page{Number: 1, Size: 100})
	if err != nil || int(total) != len(rows) || len(list) != len(rows) {
		r.Fatalf("filter %+v: %d of %d largest, want %d, %v", f, len(list), total, len(rows), err)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b modelRow) int { return cmp.Compare(max(b.minor, -b.minor), max(a.minor, -a.minor)) })
	for i := range list {
		if list[i].Amount != rows[i].minor {
			r.Fatalf("filter %+v: the largest at %d is %d, want %d", f, i, list[i].Amount, rows[i].minor)
		}
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
		m.checkBalance(r)
		for range 8 {
			m.checkList(r)
		}
		m.checkRollups(r.Fatal)
		if err := m.db.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
