package report_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/report"
)

// TestBreakdown is worked out by hand, in cents.
//
//	Giro     3 March  30.00 out, Food, Aldi, tags a and b
//	Giro     4 March  12.00 out, split: 10.00 Food, tag b; 5.00 Home, Baker; 3.00 in, nothing else. The whole: Aldi, tag a
//	Giro     2 April  2,000.00 in, Work
//	Dollars  5 March  0.03 USD out, Food, Aldi, and 0.03 USD out, Food, Baker: 0.06 USD are 0.03 EUR at 0.50, of which
//	                  the first merchant gets 0.02 (0.015 rounded) and the second what is left, 0.01
//	Dollars  9 April  7.00 CHF out, for which there is no rate at all
//	Giro     6 March  50.00 to Savings: a transfer
func TestBreakdown(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings, dollars := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0"), b.OpenWith("Dollars", "depository", "USD", "0")
	b.Rate("USD", "EUR", "2026-03-04", "0.5")
	food, home, work := b.Category(b.Who, "Food"), b.Category(b.Who, "Home"), b.Category(b.Who, "Work")
	aldi, baker := b.Merchant(b.Who, "Aldi"), b.Merchant(b.Who, "Baker")
	tagA, tagB := b.Tag(b.Who, "a"), b.Tag(b.Who, "b")
	in := ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-03", "30", "market")
	in.CategoryID, in.MerchantID, in.TagIDs = ledger.Some(food), ledger.Some(aldi), ledger.Some([]uuid.UUID{tagA, tagB})
	b.Create(in)
	in = ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-04", "12", "hall")
	in.MerchantID, in.TagIDs = ledger.Some(aldi), ledger.Some([]uuid.UUID{tagA})
	in.SplitLines = ledger.Some([]entry.SplitLineInput{
		{Amount: ledgertest.AmountOf("10"), CategoryID: ledger.Some(food), TagIDs: ledger.Some([]uuid.UUID{tagB})},
		{Amount: ledgertest.AmountOf("5"), CategoryID: ledger.Some(home), MerchantID: ledger.Some(baker)},
		{Amount: ledgertest.AmountOf("-3")}})
	b.Create(in)
	in = ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-04-02", "-2000", "pay")
	in.CategoryID = ledger.Some(work)
	b.Create(in)
	for _, merchant := range []uuid.UUID{aldi, baker} {
		in = ledgertest.Entry(uuid.UUID(dollars.PublicID), "2026-03-05", "0.03", "gum")
		in.Currency, in.CategoryID, in.MerchantID = ledger.Some("USD"), ledger.Some(food), ledger.Some(merchant)
		b.Create(in)
	}
	b.Book(dollars, "2026-04-09", "7", "CHF", "late")
	b.Book(giro, "2026-03-06", "50", "EUR", "saved")
	b.Book(savings, "2026-03-06", "-50", "EUR", "saving")
	only := func(f entry.TransactionFilter, by string) report.BreakdownInput {
		return report.BreakdownInput{TransactionFilter: f, GroupBy: by}
	}
	table := map[string]struct {
		in   report.BreakdownInput
		want string
	}{
		"nothing":  {only(entry.TransactionFilter{}, ""), "200300-4503=195797 of 8; no rate for CHF 0-700"},
		"category": {only(entry.TransactionFilter{}, report.ByCategory), "200300-4503=195797 of 8; Food 0-4003 of 4; Home 0-500 of 1; Work 200000-0 of 1; none 300-0 of 2; no rate for CHF 0-700"},
		"merchant": {only(entry.TransactionFilter{}, report.ByMerchant), "200300-4503=195797 of 8; Aldi 300-4002 of 4; Baker 0-501 of 2; none 200000-0 of 2; no rate for CHF 0-700"},
		"tag":      {only(entry.TransactionFilter{}, report.ByTag), "200300-4503=195797 of 8; a 300-4500 of 4; b 0-4000 of 2; none 200000-3 of 4; no rate for CHF 0-700"},
		"account":  {only(entry.TransactionFilter{}, report.ByAccount), "200300-4503=195797 of 8; Dollars 0-3 of 3; Giro 200300-4500 of 5; no rate for CHF 0-700"},
		"month":    {only(entry.TransactionFilter{}, report.ByMonth), "200300-4503=195797 of 8; 2026-03-01 300-4503 of 6; 2026-04-01 200000-0 of 2; no rate for CHF 0-700"},
		"food":     {only(entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}}, report.ByMonth), "0-4003=-4003 of 4; 2026-03-01 0-4003 of 4"},
		"aldi":     {only(entry.TransactionFilter{MerchantIDs: []uuid.UUID{aldi}}, report.ByCategory), "300-4002=-3702 of 4; Food 0-4002 of 3; none 300-0 of 1"},
		"baker":    {only(entry.TransactionFilter{MerchantIDs: []uuid.UUID{baker}}, ""), "0-502=-502 of 2"},
		"tag b":    {only(entry.TransactionFilter{TagIDs: []uuid.UUID{tagB}}, report.ByTag), "0-4000=-4000 of 2; a 0-4000 of 2; b 0-4000 of 2"},
		"april":    {only(entry.TransactionFilter{StartDate: ledgertest.DayOf("2026-04-01"), EndDate: ledgertest.DayOf("2026-04-30"), AccountIDs: []uuid.UUID{uuid.UUID(giro.PublicID)}}, ""), "200000-0=200000 of 1"},
		"text":     {only(entry.TransactionFilter{Search: "hall"}, report.ByCategory), "300-1500=-1200 of 3; Food 0-1000 of 1; Home 0-500 of 1; none 300-0 of 1"},
		"amount":   {only(entry.TransactionFilter{MinAmount: ledger.Some(decimal.New(20, 0)), Type: "expense"}, report.ByMerchant), "0-3000=-3000 of 1; Aldi 0-3000 of 1"},
		"unknown":  {only(entry.TransactionFilter{TagIDs: []uuid.UUID{uuid.New()}}, report.ByTag), "0-0=0 of 0"},
	}
	for _, kept := range []int64{0, 2} { // sums of months
		if kept > 0 {
			b.Tick = b.Tick.AddDate(0, 3, 0)
			if n := b.Keep(); n != kept {
				t.Errorf("the sums of %d months are kept, want %d", n, kept)
			}
		}
		for name, c := range table {
			if got := ledgertest.BrokenDown(b.Broken(c.in)); got != c.want {
				t.Errorf("%s, with the sums of %d months: got %s\nwant %s", name, kept, got, c.want)
			}
		}
	}
}

// TestBreakdownWithoutHiddenRows has 10.00 for food, and 5.00 for food, 4.00 in two lines and 2.00 of interest that an
// import is still writing.
func TestBreakdownWithoutHiddenRows(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	depot := b.OpenWith("Depot", "investment", "EUR", "0")
	food, aldi, tag := b.Category(b.Who, "Food"), b.Merchant(b.Who, "Aldi"), b.Tag(b.Who, "a")
	in := ledgertest.Entry(uuid.UUID(depot.PublicID), "2026-03-03", "10", "market")
	in.CategoryID, in.MerchantID, in.TagIDs = ledger.Some(food), ledger.Some(aldi), ledger.Some([]uuid.UUID{tag})
	b.Create(in)
	seen := b.Number("SELECT entry_sequence FROM households WHERE id = ?", depot.HouseholdID)
	in.Amount = ledgertest.AmountOf("5")
	b.Create(in)
	in.Amount, in.CategoryID = ledgertest.AmountOf("4"), ledger.Opt[uuid.UUID]{}
	in.SplitLines = ledger.Some([]entry.SplitLineInput{{Amount: ledgertest.AmountOf("3"), CategoryID: ledger.Some(food)}, {Amount: ledgertest.AmountOf("1")}})
	b.Create(in)
	b.Deal(depot, "interest", "2026-03-03", "ABC", "", "2", "0")
	b.Exec("UPDATE households SET hidden_from = ?, hidden_to = entry_sequence WHERE id = ?", seen+1, depot.HouseholdID)
	for _, f := range []entry.TransactionFilter{{}, {CategoryIDs: []uuid.UUID{food}}, {MerchantIDs: []uuid.UUID{aldi}}, {TagIDs: []uuid.UUID{tag}}, {Search: "market"}} {
		for _, by := range []string{report.ByNothing, report.ByCategory, report.ByMerchant, report.ByTag, report.ByAccount, report.ByMonth} {
			d := b.Broken(report.BreakdownInput{TransactionFilter: f, GroupBy: by})
			if d.Income != 0 || d.Expenses != 1000 || d.Count != 1 || by != report.ByNothing && len(d.Parts) != 1 {
				t.Errorf("%+v by %q: got %s", f, by, ledgertest.BrokenDown(d))
			}
		}
	}
}

// TestLargestTransactions: of equal amounts the newest comes first.
func TestLargestTransactions(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	for i, amount := range []string{"5", "-70", "30", "5", "-1"} {
		b.Book(giro, fmt.Sprintf("2026-03-%02d", i+1), amount, "EUR", fmt.Sprint("n", i+1))
	}
	b.Book(giro, "2026-03-20", "500", "EUR", "saved")
	b.Book(savings, "2026-03-20", "-500", "EUR", "saving")
	without, with := new(false), new(true)
	for _, c := range []struct {
		filter entry.TransactionFilter
		page   ledger.Page
		want   string
	}{
		{entry.TransactionFilter{Transfers: without}, ledger.Page{Number: 1, Size: 9}, "5: n2 n3 n4 n1 n5"},
		{entry.TransactionFilter{Transfers: without}, ledger.Page{Number: 2, Size: 2}, "5: n4 n1"},
		{entry.TransactionFilter{Transfers: without}, ledger.Page{Number: 4, Size: 2}, "5:"},
		{entry.TransactionFilter{Transfers: without, Type: "expense"}, ledger.Page{Number: 1, Size: 2}, "3: n3 n4"},
		{entry.TransactionFilter{Type: "income"}, ledger.Page{Number: 1, Size: 9}, "3: saving n2 n5"},
		{entry.TransactionFilter{Transfers: with}, ledger.Page{Number: 1, Size: 9}, "2: saving saved"},
		{entry.TransactionFilter{Transfers: with, Type: "expense"}, ledger.Page{Number: 1, Size: 9}, "1: saved"},
		{entry.TransactionFilter{Transfers: without, MaxAmount: ledger.Some(decimal.New(5, 0)), Type: "expense"}, ledger.Page{Number: 1, Size: 9}, "2: n4 n1"},
		{entry.TransactionFilter{Search: "n3"}, ledger.Page{Number: 1, Size: 9}, "1: n3"},
		{entry.TransactionFilter{EndDate: ledgertest.DayOf("2026-03-02")}, ledger.Page{Number: 1, Size: 9}, "2: n2 n1"},
	} {
		b.LargestAre(c.filter, c.page, c.want)
	}
}

// TestLargestOfLabels: of a split transaction the parts that have the label count, each by its own amount.
func TestLargestOfLabels(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	food, aldi, tag := b.Labelled(b.OpenWith("Giro", "depository", "EUR", "0"))
	without := new(false)
	for _, c := range []struct {
		filter entry.TransactionFilter
		page   ledger.Page
		want   string
	}{
		{entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}}, ledger.Page{Number: 1, Size: 9}, "3: big small lines"},
		{entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}, Type: "expense"}, ledger.Page{Number: 1, Size: 1}, "2: small"},
		{entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}, Type: "income"}, ledger.Page{Number: 1, Size: 9}, "1: big"},
		{entry.TransactionFilter{MerchantIDs: []uuid.UUID{aldi}, Transfers: without}, ledger.Page{Number: 1, Size: 9}, "2: small lines"},
		{entry.TransactionFilter{TagIDs: []uuid.UUID{tag}}, ledger.Page{Number: 1, Size: 9}, "2: small lines"},
		{entry.TransactionFilter{CategoryIDs: []uuid.UUID{food}, MerchantIDs: []uuid.UUID{aldi}, TagIDs: []uuid.UUID{tag}}, ledger.Page{Number: 1, Size: 9}, "2: small lines"},
	} {
		b.LargestAre(c.filter, c.page, c.want)
	}
}

// breakdownModel is a household whose bookings are labelled, split and moved at random.
type breakdownModel struct {
	*ledgertest.Fixture
	accounts                    []catalog.Account
	categories, merchants, tags []uuid.UUID
}

func newBreakdownModel(t *testing.T) *breakdownModel {
	m := &breakdownModel{Fixture: ledgertest.New(t)}
	for i := range 2 {
		m.accounts = append(m.accounts, m.OpenWith(fmt.Sprint("account ", i), "depository", "EUR", "0"))
		m.categories = append(m.categories, m.Category(m.Who, fmt.Sprint("category ", i)))
		m.merchants = append(m.merchants, m.Merchant(m.Who, fmt.Sprint("merchant ", i)))
		m.tags = append(m.tags, m.Tag(m.Who, fmt.Sprint("tag ", i)))
	}
	m.Rate("EUR", "USD", "2026-01-01", "3")
	return m
}

// label draws one of some labels, or none.
func label(r *rapid.T, name string, ids []uuid.UUID) ledger.Opt[uuid.UUID] {
	return ledgertest.Optional(rapid.SampledFrom(append(ids, uuid.Nil)).Draw(r, name))
}

// book draws a booking; unit is what all its amounts are multiples of.
func (m *breakdownModel) draw(r *rapid.T, unit int64) entry.Transaction {
	in := ledgertest.Entry(uuid.UUID(rapid.SampledFrom(m.accounts).Draw(r, "account").PublicID), fmt.Sprintf("2026-01-%02d", rapid.IntRange(1, 9).Draw(r, "day")), "0", "x")
	in.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "USD"}).Draw(r, "currency"))
	in.MerchantID, in.TagIDs = label(r, "merchant", m.merchants), ledger.Some(rapid.SliceOfDistinct(rapid.SampledFrom(m.tags), rapid.ID).Draw(r, "tags"))
	sum := unit * rapid.Int64Range(-3, 3).Draw(r, "amount")
	if rapid.IntRange(0, 2).Draw(r, "split") == 0 {
		sum = 0
		var lines []entry.SplitLineInput
		for range rapid.IntRange(2, 3).Draw(r, "lines") {
			minor := unit * rapid.Int64Range(-3, 3).Draw(r, "amount")
			sum += minor
			lines = append(lines, entry.SplitLineInput{Amount: ledger.Some(decimal.New(minor, -2)), CategoryID: label(r, "category", m.categories),
				MerchantID: label(r, "merchant", m.merchants), TagIDs: ledger.Some(rapid.SliceOfDistinct(rapid.SampledFrom(m.tags), rapid.ID).Draw(r, "tags"))})
		}
		in.SplitLines = ledger.Some(lines)
	} else {
		in.CategoryID = label(r, "category", m.categories)
	}
	in.Amount = ledger.Some(decimal.New(sum, -2))
	return m.Create(in)
}

// TestBreakdownsAddUp: whatever the parts are told apart by, the totals are those of the income statement, and but for
// tags the parts add up to them.
func TestBreakdownsAddUp(t *testing.T) {
	t.Parallel()
	m := newBreakdownModel(t)
	rapid.Check(t, func(r *rapid.T) {
		var rows []entry.Transaction
		for range rapid.IntRange(0, 10).Draw(r, "rows") {
			rows = append(rows, m.draw(r, 1))
		}
		s := m.Earned("2026-01-01", "2026-01-31")
		for _, by := range []string{"", report.ByCategory, report.ByMerchant, report.ByTag, report.ByAccount, report.ByMonth} {
			d := m.Broken(report.BreakdownInput{TransactionFilter: entry.TransactionFilter{StartDate: ledgertest.DayOf("2026-01-01"), EndDate: ledgertest.DayOf("2026-01-31")}, GroupBy: by})
			if d.Income != s.Income || d.Expenses != s.Expenses || d.Net != s.Net || fmt.Sprint(d.Unconverted) != fmt.Sprint(s.Unconverted) {
				r.Fatalf("by %q: got %s, want %s", by, ledgertest.BrokenDown(d), ledgertest.Sums(s))
			}
			var income, expenses int64
			for _, p := range d.Parts {
				income, expenses = income+p.Income, expenses+p.Expenses
				if p.Income < 0 || p.Expenses < 0 {
					r.Fatalf("by %q a part is negative: %s", by, ledgertest.BrokenDown(d))
				}
			}
			if by != "" && by != report.ByTag && (income != s.Income || expenses != s.Expenses) {
				r.Fatalf("by %q the parts do not add up: %s", by, ledgertest.BrokenDown(d))
			}
		}
		for _, row := range rows {
			m.Remove(row)
		}
	})
}

// TestBreakdownsSelect compares a filtered breakdown with a walk over the transactions and their lines. Amounts are
// such that every conversion is exact.
func TestBreakdownsSelect(t *testing.T) {
	t.Parallel()
	m := newBreakdownModel(t)
	rapid.Check(t, func(r *rapid.T) {
		var rows []entry.Transaction
		for range rapid.IntRange(0, 10).Draw(r, "rows") {
			rows = append(rows, m.draw(r, 3))
		}
		some := func(name string, ids []uuid.UUID) []uuid.UUID {
			if rapid.Bool().Draw(r, name) {
				return nil
			}
			return rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, 2, rapid.ID).Draw(r, name)
		}
		f := entry.TransactionFilter{CategoryIDs: some("categories", m.categories), MerchantIDs: some("merchants", m.merchants), TagIDs: some("wanted tags", m.tags),
			StartDate: ledgertest.DayOf("2026-01-03"), EndDate: ledgertest.DayOf("2026-01-08")}
		var income, expenses int64
		for _, row := range rows {
			if row = m.Get(row); row.Transfer != nil || ledger.Date(row.Date) < f.StartDate.Value || ledger.Date(row.Date) > f.EndDate.Value {
				continue
			}
			for _, p := range partsOf(row) {
				if minor := p.Minor; isWanted(f, p) {
					if row.Currency == "USD" {
						minor /= 3
					}
					income, expenses = income+max(minor, 0), expenses+max(-minor, 0)
				}
			}
		}
		for _, by := range []string{"", report.ByTag, report.ByMonth} {
			if d := m.Broken(report.BreakdownInput{TransactionFilter: f, GroupBy: by}); d.Income != income || d.Expenses != expenses {
				r.Fatalf("%+v by %q: got %s, want %d-%d", f, by, ledgertest.BrokenDown(d), income, expenses)
			}
		}
		for _, row := range rows {
			m.Remove(row)
		}
	})
}

// partsOf are a transaction's lines, or the whole where it has none, each with what it has of the whole.
func partsOf(row entry.Transaction) []entry.SplitLine {
	if row.Split == nil {
		return []entry.SplitLine{{Minor: row.Amount, Category: row.Category, Merchant: row.Merchant, Tags: row.Tags}}
	}
	lines := slices.Clone(row.Split)
	for i := range lines {
		lines[i].Tags = slices.Concat(lines[i].Tags, row.Tags)
		if lines[i].Merchant == nil {
			lines[i].Merchant = row.Merchant
		}
	}
	return lines
}

func isWanted(f entry.TransactionFilter, p entry.SplitLine) bool {
	tagged := func(tag *ledger.TagRef) bool { return slices.Contains(f.TagIDs, tag.ID) }
	return (f.CategoryIDs == nil || p.Category != nil && slices.Contains(f.CategoryIDs, p.Category.ID)) &&
		(f.MerchantIDs == nil || p.Merchant != nil && slices.Contains(f.MerchantIDs, p.Merchant.ID)) &&
		(f.TagIDs == nil || slices.ContainsFunc(p.Tags, tagged))
}
