package ledgertest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// modelEntry is what a transaction should be, kept beside the ledger in plain Go.
type modelEntry struct {
	id                          uuid.UUID
	order                       int
	day                         ledger.Date
	minor                       int64
	currency                    string
	name                        string
	account, category, merchant uuid.UUID
	tags                        []uuid.UUID
}

// model is a household as it should be after any sequence of operations.
type model struct {
	*Fixture
	entries                               []*modelEntry
	accounts, categories, merchants, tags []uuid.UUID
	merchantNames                         map[uuid.UUID]string
	created                               int
}

func NewModel(t *testing.T) *model {
	m := &model{Fixture: New(t), merchantNames: map[uuid.UUID]string{}}
	for i, currency := range []string{"EUR", "JPY", "KWD"} {
		m.accounts = append(m.accounts, m.Account(m.Who, fmt.Sprint("account ", i), currency))
		m.categories = append(m.categories, m.Category(m.Who, fmt.Sprint("category ", i)))
		m.tags = append(m.tags, m.Tag(m.Who, fmt.Sprint("tag ", i)))
		id := m.Merchant(m.Who, fmt.Sprint("Händler ", i))
		m.merchants = append(m.merchants, id)
		m.merchantNames[id] = fmt.Sprint("Händler ", i)
	}
	return m
}

var Names = []string{"Bäckerei Müller", "RENT 50%", "under_score", "a", "Ölwechsel", "rent", "Aaaaa ÄÄÄÄ 0001000",
	"aaaa"}

func (m *model) draw(r *rapid.T) (entry.TransactionInput, *modelEntry) {
	e := &modelEntry{day: ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 20).Draw(r, "day")),
		name: rapid.SampledFrom(Names).Draw(r, "name")}
	at := rapid.IntRange(0, 2).Draw(r, "account")
	e.account, e.currency = m.accounts[at], []string{"EUR", "JPY", "KWD"}[at]
	major := rapid.Int64Range(-300, 300).Draw(r, "amount")
	e.minor = -major * []int64{100, 1, 1000}[at]
	in := entry.TransactionInput{AccountID: ledger.Some(e.account), Date: ledger.Some(e.day), Name: ledger.Some(e.name),
		Amount: ledger.Some(decimal.NewFromInt(major))}
	if rapid.Bool().Draw(r, "labelled") {
		e.category, e.merchant = rapid.SampledFrom(m.categories).Draw(r, "category"),
			rapid.SampledFrom(m.merchants).Draw(r, "merchant")
		e.tags = rapid.SliceOfNDistinct(rapid.SampledFrom(m.tags), 0, 2, rapid.ID).Draw(r, "tags")
		in.CategoryID, in.MerchantID, in.TagIDs = ledger.Some(e.category), ledger.Some(e.merchant), ledger.Some(e.tags)
	}
	return in, e
}

func (m *model) Step(r *rapid.T) {
	switch op := rapid.IntRange(0, 9).Draw(r, "operation"); {
	case op < 6 || len(m.entries) == 0:
		in, e := m.draw(r)
		e.id = uuid.UUID(m.Create(in).PublicID)
		m.created++
		e.order = m.created
		m.entries = append(m.entries, e)
	case op < 8:
		m.change(r)
	default:
		i := rapid.IntRange(0, len(m.entries)-1).Draw(r, "victim")
		if err := m.Entries.DeleteTransaction(m.Ctx(), m.Who, m.entries[i].id); err != nil {
			r.Fatal(err)
		}
		m.entries = slices.Delete(m.entries, i, i+1)
	}
}

func (m *model) change(r *rapid.T) {
	e := rapid.SampledFrom(m.entries).Draw(r, "changed")
	major := rapid.Int64Range(1, 300).Draw(r, "new amount")
	day := e.day + ledger.Date(rapid.IntRange(-3, 3).Draw(r, "moved by"))
	name := rapid.SampledFrom(Names).Draw(r, "new name")
	in := entry.TransactionInput{Amount: ledger.Some(decimal.NewFromInt(major)), Nature: ledger.Some("income"),
		Date: ledger.Some(day), Name: ledger.Some(name)}
	m.Update(e.id, in)
	e.minor, e.day, e.name = major*map[string]int64{"EUR": 100, "JPY": 1, "KWD": 1000}[e.currency], day, name
}

func (m *model) drawFilter(r *rapid.T) entry.TransactionFilter {
	var f entry.TransactionFilter
	some := func(name string) bool { return rapid.IntRange(0, 3).Draw(r, name) == 0 }
	if some("by account") {
		f.AccountIDs = rapid.SliceOfNDistinct(rapid.SampledFrom(m.accounts), 1, 2, rapid.ID).Draw(r, "accounts")
	}
	if some("by category") {
		f.CategoryIDs = rapid.SliceOfNDistinct(rapid.SampledFrom(m.categories), 1, 2, rapid.ID).Draw(r, "categories")
	}
	if some("by merchant") {
		f.MerchantIDs = rapid.SliceOfNDistinct(rapid.SampledFrom(m.merchants), 1, 2, rapid.ID).Draw(r, "merchants")
	}
	if some("by tag") {
		f.TagIDs = rapid.SliceOfNDistinct(rapid.SampledFrom(m.tags), 1, 2, rapid.ID).Draw(r, "tags")
	}
	if some("from") {
		f.StartDate = ledger.Some(ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 20).Draw(r, "start")))
	}
	if some("until") {
		f.EndDate = ledger.Some(ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 20).Draw(r, "end")))
	}
	if some("at least") {
		f.MinAmount = ledger.Some(decimal.New(rapid.Int64Range(-3000, 3000).Draw(r, "min"), -1))
	}
	if some("at most") {
		f.MaxAmount = ledger.Some(decimal.New(rapid.Int64Range(-3000, 3000).Draw(r, "max"), -1))
	}
	f.Type = rapid.SampledFrom([]string{"", "", "", "income", "expense"}).Draw(r, "type")
	f.Search = rapid.SampledFrom([]string{"", "", "", "MÜLLER", "rent", "%", "r_s", "öl", "ändler 1", "zzz", "aaaa",
		"AAAAA", "ääää", "0001000", "aaaaaa"}).Draw(r, "search")
	return f
}

// matches says by plain reading of the decisions, section 5, whether a filter selects an entry.
func (m *model) matches(f entry.TransactionFilter, e *modelEntry) bool {
	written := decimal.New(-e.minor, -map[string]int32{"EUR": 2, "JPY": 0, "KWD": 3}[e.currency])
	if f.Type != "" && (f.Type != "income" || f.MaxAmount.Or(decimal.Zero).Sign() >= 0) {
		written = written.Abs()
	}
	anyOf := func(ids []uuid.UUID, has ...uuid.UUID) bool {
		return ids == nil || slices.ContainsFunc(has, func(id uuid.UUID) bool { return slices.Contains(ids, id) })
	}
	text := strings.ToLower(f.Search)
	found := strings.Contains(strings.ToLower(e.name), text) ||
		strings.Contains(strings.ToLower(m.merchantNames[e.merchant]), text)
	return anyOf(f.AccountIDs, e.account) && anyOf(f.CategoryIDs, e.category) && anyOf(f.MerchantIDs, e.merchant) &&
		anyOf(f.TagIDs, e.tags...) &&
		e.day >= f.StartDate.Or(ledger.MinDate) && e.day <= f.EndDate.Or(ledger.MaxDate) &&
		(!f.MinAmount.Has() || written.Cmp(f.MinAmount.Value) >= 0) &&
		(!f.MaxAmount.Has() || written.Cmp(f.MaxAmount.Value) <= 0) &&
		(f.Type == "" || (f.Type == "income") == (e.minor > 0)) && found
}

func (m *model) CheckList(r *rapid.T) {
	f, page := m.drawFilter(r), ledger.Page{Number: rapid.IntRange(1, 3).Draw(r, "page"),
		Size: rapid.IntRange(1, 7).Draw(r, "size")}
	var want []uuid.UUID
	sorted := slices.SortedFunc(slices.Values(m.entries), func(a,
		b *modelEntry) int {
		return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(b.order, a.order))
	})
	for _, e := range sorted {
		if m.matches(f, e) {
			want = append(want, e.id)
		}
	}
	list, total, err := m.Entries.ListTransactions(m.Ctx(), m.Who, f, page)
	if err != nil || total != int64(len(want)) {
		r.Fatalf("filter %+v: total %d, want %d, error %v", f, total, len(want), err)
	}
	from := min(int(page.Offset()), len(want))
	want = want[from:min(from+page.Size, len(want))]
	var got []uuid.UUID
	for _, t := range list {
		got = append(got, uuid.UUID(t.PublicID))
	}
	if !slices.Equal(got, want) {
		r.Fatalf("filter %+v, page %+v: got %v, want %v", f, page, got, want)
	}
}

// listed is the rows that lists show.
const listed = `(SELECT t.account_id, t.date, t.currency, coalesce(l.amount, t.amount) AS amount FROM transactions t LEFT JOIN transaction_lines l ON l.transaction_id = t.id)`

// differences finds rollups that are not what the rows add up to.
const differences = `
SELECT (SELECT count(*) FROM (SELECT account_id, date, currency, amount, transactions, incomes FROM account_days EXCEPT
		SELECT account_id, date, currency, sum(amount), count(*), sum(amount > 0) FROM ` + listed + ` GROUP BY 1, 2, 3))
	+ (SELECT count(*) FROM (SELECT account_id, date, currency, sum(amount), count(*), sum(amount > 0) FROM ` + listed + ` GROUP BY 1, 2, 3 EXCEPT
		SELECT account_id, date, currency, amount, transactions, incomes FROM account_days))
	+ (SELECT count(*) FROM (SELECT account_id, month, upper, lower, days FROM account_months EXCEPT
		SELECT account_id, CAST(strftime('%Y%m', date * 86400, 'unixepoch') AS INTEGER), sum(amount >> 32), sum(amount & 4294967295), count(*) FROM account_days WHERE other_currency = 0 GROUP BY 1, 2))
	+ (SELECT count(*) FROM (SELECT account_id, CAST(strftime('%Y%m', date * 86400, 'unixepoch') AS INTEGER), sum(amount >> 32), sum(amount & 4294967295), count(*) FROM account_days WHERE other_currency = 0
		GROUP BY 1, 2 EXCEPT SELECT account_id, month, upper, lower, days FROM account_months))
	+ (SELECT count(*) FROM (SELECT currency, band, transactions FROM amount_bands EXCEPT
		SELECT currency, amount / 100 - (amount < 0 AND amount % 100 <> 0), count(*) FROM ` + listed + ` GROUP BY 1, 2))
	+ (SELECT count(*) FROM (SELECT currency, amount / 100 - (amount < 0 AND amount % 100 <> 0), count(*) FROM ` + listed + ` GROUP BY 1, 2 EXCEPT
		SELECT currency, band, transactions FROM amount_bands))
	+ (SELECT count(*) FROM accounts a WHERE transaction_count <> (SELECT count(*) FROM ` + listed + ` t WHERE t.account_id = a.id))
	+ (SELECT count(*) FROM transactions t WHERE NOT EXISTS (SELECT 1 FROM transactions_fts f WHERE f.rowid = t.id))
	+ (SELECT count(*) FROM transactions_fts) - (SELECT count(*) FROM transactions)`

func (b *Fixture) CheckRollups(fatal func(...any)) {
	var wrong int64
	err := b.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) (err error) {
		wrong, err = q.Number(ctx, differences)
		return err
	})
	if err != nil || wrong != 0 {
		fatal("rollups that differ from the rows:", wrong, err)
	}
}
