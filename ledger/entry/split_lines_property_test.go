package entry_test

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
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
	"finsvc/queries"
)

// splitModel is a household of one account whose transactions are split, changed and deleted at random.
type splitModel struct {
	*ledgertest.Fixture
	account                     uuid.UUID
	categories, merchants, tags []uuid.UUID // the zero id among them is none
	names                       map[uuid.UUID]string
	entries                     []*ledgertest.ModelSplit
	created                     int
}

func newSplitModel(t *testing.T) *splitModel {
	m := &splitModel{Fixture: ledgertest.New(t), names: map[uuid.UUID]string{}, categories: []uuid.UUID{{}}, merchants: []uuid.UUID{{}}}
	m.account = m.Fixture.Account(m.Who, "Checking", "EUR")
	for i := range 3 {
		m.categories = append(m.categories, m.Category(m.Who, fmt.Sprint("category ", i)))
		m.merchants = append(m.merchants, m.Merchant(m.Who, fmt.Sprint("Händler ", i)))
		m.tags = append(m.tags, m.Tag(m.Who, fmt.Sprint("tag ", i)))
		m.names[m.merchants[i+1]] = fmt.Sprint("Händler ", i)
	}
	return m
}

func (m *splitModel) drawPart(r *rapid.T) (p ledgertest.ModelPart) {
	p.Minor = rapid.Int64Range(-500, 500).Draw(r, "minor")
	p.Name = rapid.SampledFrom(ledgertest.Names).Draw(r, "name")
	p.Category, p.Merchant = rapid.SampledFrom(m.categories).Draw(r, "category"), rapid.SampledFrom(m.merchants).Draw(r, "merchant")
	p.Tags = rapid.SliceOfNDistinct(rapid.SampledFrom(m.tags), 0, 2, rapid.ID).Draw(r, "tags")
	return p
}

// draw is an entry and the input that makes it, new or changed. As written, what comes in is negative.
func (m *splitModel) draw(r *rapid.T) (entry.TransactionInput, ledgertest.ModelSplit) {
	e := ledgertest.ModelSplit{ModelPart: m.drawPart(r), Day: ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "day"))}
	in := entry.TransactionInput{Date: ledger.Some(e.Day), Name: ledger.Some(e.Name), MerchantID: ledgertest.Optional(e.Merchant), TagIDs: ledger.Some(e.Tags),
		SplitLines: ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true}}
	if rapid.Bool().Draw(r, "split") {
		e.Minor, e.Category = 0, uuid.Nil
		var lines []entry.SplitLineInput
		for range rapid.IntRange(2, 4).Draw(r, "lines") {
			p := m.drawPart(r)
			e.Minor += p.Minor
			e.Lines = append(e.Lines, p)
			lines = append(lines, entry.SplitLineInput{Amount: ledger.Some(decimal.New(-p.Minor, -2)), Notes: ledger.Some(p.Name),
				CategoryID: ledgertest.Optional(p.Category), MerchantID: ledgertest.Optional(p.Merchant), TagIDs: ledger.Some(p.Tags)})
		}
		in.SplitLines = ledger.Some(lines)
	}
	in.CategoryID = ledgertest.Optional(e.Category)
	in.Amount = ledger.Some(decimal.New(max(e.Minor, -e.Minor), -2))
	in.Nature = ledger.Some("expense")
	if e.Minor > 0 {
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
		e.ID, e.Order = uuid.UUID(m.Create(in).PublicID), m.created
		m.entries = append(m.entries, &e)
		return
	}
	at := rapid.IntRange(0, len(m.entries)-1).Draw(r, "which")
	if op == 8 && len(m.entries[at].Lines) > 0 {
		m.changePart(r, m.entries[at])
		return
	}
	if op < 9 {
		in, e := m.draw(r)
		e.ID, e.Order = m.entries[at].ID, m.entries[at].Order
		m.Update(e.ID, in)
		*m.entries[at] = e
		return
	}
	if err := m.Entries.DeleteTransaction(m.Ctx(), m.Who, m.entries[at].ID); err != nil {
		r.Fatal(err)
	}
	m.entries = slices.Delete(m.entries, at, at+1)
}

// changePart gives a part other labels, some of them none. Those of all other parts stay what they were.
func (m *splitModel) changePart(r *rapid.T, e *ledgertest.ModelSplit) {
	place, drawn := rapid.IntRange(0, len(e.Lines)-1).Draw(r, "part"), m.drawPart(r)
	whole, err := m.Entries.GetTransaction(m.Ctx(), m.Who, e.ID)
	if err != nil {
		r.Fatal(err)
	}
	for i := range e.Lines { // what they have of the whole is theirs
		p := &e.Lines[i]
		p.Tags = slices.Concat(e.Tags, p.Tags)
		if p.Merchant == uuid.Nil {
			p.Merchant = e.Merchant
		}
	}
	e.Tags, e.Merchant = nil, uuid.Nil
	e.Lines[place].Category, e.Lines[place].Merchant, e.Lines[place].Tags = drawn.Category, drawn.Merchant, drawn.Tags
	m.Update(whole.Split[place].ID, entry.TransactionInput{CategoryID: ledgertest.Optional(drawn.Category), MerchantID: ledgertest.Optional(drawn.Merchant), TagIDs: ledger.Some(drawn.Tags)})
}

// checkIncome adds up rows and lines by category, and the rows alone.
func (m *splitModel) checkIncome(r *rapid.T) {
	type tally struct{ income, expenses, count int64 }
	want, got := map[uuid.UUID]tally{}, map[uuid.UUID]tally{}
	var rows, net int64
	for _, e := range m.entries {
		rows += e.Minor
		for _, p := range e.Counted() {
			sum := want[p.Category]
			want[p.Category] = tally{sum.income + max(p.Minor, 0), sum.expenses + max(-p.Minor, 0), sum.count + 1}
		}
	}
	s := m.Earned("2026-01-01", "2026-01-31")
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
	list, _, err := m.Entries.ListTransactions(m.Ctx(), m.Who, entry.TransactionFilter{AccountIDs: []uuid.UUID{m.account}}, ledger.Page{Number: 1, Size: 100})
	var sum int64
	for _, t := range list {
		sum += t.Amount
	}
	if err != nil {
		r.Fatal(err)
	}
	balances, err := m.Balances.Balances(m.Ctx(), m.Who, ledger.NewDate(2026, 1, 31))
	if got := balances[m.Key(m.account)].Minor; err != nil || got != sum {
		r.Fatalf("the rows come to %d, the balance is %d, %v", sum, got, err)
	}
}

func (m *splitModel) drawFilter(r *rapid.T) (f entry.TransactionFilter) {
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
		f.BelowMax = rapid.Bool().Draw(r, "below")
	}
	if rapid.Bool().Draw(r, "narrowed?") {
		f.Narrowing = m.drawNarrowing(r, ids)
	}
	f.Search = rapid.SampledFrom([]string{"", "", "", "MÜLLER", "öl", "ändler 1", "r 1", "aaaa", "AAAAA Ä", "ääää", "aaaaaa"}).Draw(r, "search")
	if rapid.IntRange(0, 2).Draw(r, "from?") == 0 {
		f.StartDate = ledger.Some(ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "from")))
	}
	return f
}

func (m *splitModel) drawNarrowing(r *rapid.T, ids func(string, []uuid.UUID) []uuid.UUID) (n entry.Narrowing) {
	n.NotCategoryIDs, n.NotMerchantIDs, n.NotTagIDs = ids("no categories", m.categories[1:]), ids("no merchants", m.merchants[1:]),
		ids("no tags", m.tags)
	if rapid.IntRange(0, 7).Draw(r, "another account?") == 0 {
		n.NotAccountIDs = []uuid.UUID{uuid.New()}
	}
	has := rapid.SampledFrom([]*bool{nil, nil, nil, new(true), new(false)})
	n.HasCategory, n.HasMerchant, n.HasTag = has.Draw(r, "has a category"), has.Draw(r, "has a merchant"), has.Draw(r, "has a tag")
	texts := rapid.SliceOfN(rapid.SampledFrom([]string{"MÜLLER", "öl", "r 1", "a", "aaaa"}), 0, 2)
	if rapid.IntRange(0, 2).Draw(r, "texts?") == 0 {
		n.Texts, n.NotTexts = texts.Draw(r, "texts"), texts.Draw(r, "no texts")
	}
	return n
}

// narrows says by plain reading whether a narrowing leaves a row.
func (row *modelRow) narrows(n entry.Narrowing) bool {
	has := func(text string) bool {
		return slices.ContainsFunc(row.texts, func(t string) bool { return strings.Contains(strings.ToLower(t), strings.ToLower(text)) })
	}
	none := func(ids []uuid.UUID, of ...uuid.UUID) bool {
		return !slices.ContainsFunc(of, func(id uuid.UUID) bool { return slices.Contains(ids, id) })
	}
	is := func(want *bool, has bool) bool { return want == nil || *want == has }
	return none(n.NotCategoryIDs, row.Category) && none(n.NotMerchantIDs, row.Merchant) && none(n.NotTagIDs, row.Tags...) &&
		is(n.HasCategory, row.Category != uuid.Nil) && is(n.HasMerchant, row.Merchant != uuid.Nil) && is(n.HasTag, len(row.Tags) > 0) &&
		!slices.ContainsFunc(n.Texts, func(text string) bool { return !has(text) }) && !slices.ContainsFunc(n.NotTexts, has)
}

// modelRow is a row as lists show it: a transaction that is not split, or a part of one with what it has of the whole.
type modelRow struct {
	ledgertest.ModelPart
	texts []string
	of    *ledgertest.ModelSplit
	place int
}

func (m *splitModel) rows() (rows []modelRow) {
	entries := slices.SortedFunc(slices.Values(m.entries), func(a, b *ledgertest.ModelSplit) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(b.Order, a.Order))
	})
	for _, e := range entries {
		for i, p := range e.Counted() {
			row := modelRow{p, []string{e.Name}, e, i}
			if len(e.Lines) > 0 {
				row.texts = append(row.texts, p.Name)
				row.Tags = slices.Concat(e.Tags, p.Tags)
				if p.Merchant == uuid.Nil {
					row.Merchant = e.Merchant
				}
			}
			row.texts = append(row.texts, m.names[row.Merchant])
			rows = append(rows, row)
		}
	}
	return rows
}

// matches says by plain reading whether a filter selects a row, by what the row has itself.
func (row *modelRow) matches(f entry.TransactionFilter) bool {
	anyOf := func(ids []uuid.UUID, has ...uuid.UUID) bool {
		return ids == nil || slices.ContainsFunc(has, func(id uuid.UUID) bool { return slices.Contains(ids, id) })
	}
	return anyOf(f.CategoryIDs, row.Category) && anyOf(f.MerchantIDs, row.Merchant) && anyOf(f.TagIDs, row.Tags...) &&
		slices.ContainsFunc(row.texts, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(f.Search)) }) &&
		row.of.Day >= f.StartDate.Or(ledger.MinDate) && (f.Type == "" || (f.Type == "income") == (row.Minor > 0)) &&
		(!f.MaxAmount.Has() || decimal.New(max(row.Minor, -row.Minor), -2).LessThanOrEqual(f.MaxAmount.Value)) &&
		!(f.BelowMax && f.MaxAmount.Has() && decimal.New(max(row.Minor, -row.Minor), -2).Equal(f.MaxAmount.Value)) && row.narrows(f.Narrowing)
}

func (m *splitModel) checkList(r *rapid.T) {
	f, page := m.drawFilter(r), ledger.Page{Number: rapid.IntRange(1, 2).Draw(r, "page"), Size: rapid.IntRange(1, 9).Draw(r, "size")}
	var want []modelRow
	for _, row := range m.rows() {
		if row.matches(f) {
			want = append(want, row)
		}
	}
	list, total, err := m.Entries.ListTransactions(m.Ctx(), m.Who, f, page)
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
func (m *splitModel) checkRow(r *rapid.T, t entry.Transaction, want modelRow) {
	whole := uuid.Nil
	if len(want.of.Lines) > 0 {
		whole = want.of.ID
	}
	var merchant, category uuid.UUID
	if t.Merchant != nil {
		merchant = t.Merchant.ID
	}
	if t.Category != nil {
		category = t.Category.ID
	}
	if t.Amount != want.Minor || t.SplitOf != queries.PublicID(whole) || merchant != want.Merchant || category != want.Category || t.Name != want.of.Name || t.Split != nil {
		r.Fatalf("got %+v, want %+v of %s", t, want, whole)
	}
	if again, err := m.Entries.GetTransaction(m.Ctx(), m.Who, uuid.UUID(t.PublicID)); err != nil || fmt.Sprint(again.Amount, again.SplitOf, again.Tags) != fmt.Sprint(t.Amount, t.SplitOf, t.Tags) {
		r.Fatalf("by its id it is %+v, %v; in the list %+v", again, err, t)
	}
	all, err := m.Entries.GetTransaction(m.Ctx(), m.Who, want.of.ID)
	if err != nil || len(all.Split) != len(want.of.Lines) || len(all.Split) > 0 && queries.PublicID(all.Split[want.place].ID) != t.PublicID {
		r.Fatalf("the whole is %+v, %v, want part %d to be %v", all.Split, err, want.place, t.PublicID)
	}
}

// checkSums: the rows of all pages come to what the breakdown by the same filter says.
func (m *splitModel) checkSums(r *rapid.T, f entry.TransactionFilter, rows []modelRow) {
	var income, expenses int64
	for _, row := range rows {
		income, expenses = income+max(row.Minor, 0), expenses+max(-row.Minor, 0)
	}
	_, total, sums, err := m.Entries.ListSummed(m.Ctx(), m.Who, f, ledger.Page{Number: 1, Size: 1}, false)
	if err != nil || total != int64(len(rows)) || (len(sums) == 1) != (len(rows) > 0) {
		r.Fatalf("filter %+v: sums %+v of %d, %v", f, sums, total, err)
	}
	if len(sums) == 1 && (sums[0] != entry.CurrencySum{Currency: "EUR", In: money.SumOf(income), Out: money.SumOf(expenses), Rows: total}) {
		r.Fatalf("filter %+v: %+v, want %d-%d", f, sums[0], income, expenses)
	}
	d := m.Broken(report.BreakdownInput{TransactionFilter: f, TransactionsOnly: true})
	if d.Income != income || d.Expenses != expenses || d.Count != int64(len(rows)) {
		r.Fatalf("filter %+v: the breakdown is %s of %d, the rows come to %d-%d of %d", f, ledgertest.BrokenDown(d), d.Count, income, expenses, len(rows))
	}
}

// checkLargest: the largest are the same rows, those of a larger amount first.
func (m *splitModel) checkLargest(r *rapid.T, f entry.TransactionFilter, rows []modelRow) {
	list, total, err := m.Entries.ListLargestTransactions(m.Ctx(), m.Who, f, ledger.Page{Number: 1, Size: 100})
	if err != nil || int(total) != len(rows) || len(list) != len(rows) {
		r.Fatalf("filter %+v: %d of %d largest, want %d, %v", f, len(list), total, len(rows), err)
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b modelRow) int { return cmp.Compare(max(b.Minor, -b.Minor), max(a.Minor, -a.Minor)) })
	for i := range list {
		if list[i].Amount != rows[i].Minor {
			r.Fatalf("filter %+v: the largest at %d is %d, want %d", f, i, list[i].Amount, rows[i].Minor)
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
		m.CheckRollups(r.Fatal)
		if err := m.DB.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
