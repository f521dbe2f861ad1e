package report_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/report"
)

// TestSumsAreKept: of months that are over, have enough transactions and no import that is being written.
func TestSumsAreKept(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro := b.OpenWith("Giro", "depository", "EUR", "0")
	for _, day := range []string{"2025-12-31", "2026-01-01", "2026-01-31", "2026-03-01", "2026-04-01"} {
		b.Book(giro, day, "5", "EUR", "bread")
	}
	b.Exec("UPDATE households SET hidden_from = 90, hidden_to = 91")
	if n := b.Keep(); n != 0 {
		t.Errorf("sums of %d months are kept beside an import", n)
	}
	b.Exec("UPDATE households SET hidden_from = 1, hidden_to = 0")
	if err := b.Reports.KeepSums(t.Context(), 2); err != nil || b.Number("SELECT count(*) FROM month_sums") != 4 {
		t.Errorf("%d rows are kept of January, want 4 (%v)", b.Number("SELECT count(*) FROM month_sums"), err)
	}
	if n := b.Keep(); n != 2 { // it is the first of March
		t.Errorf("sums of %d months are kept, want 2", n)
	}
}

// TestSumsGoWithWhatTheyAreOf: no way of changing what counts leaves sums of what was before. Each begins with January and
// February kept, and names how many of these months are still kept.
func TestSumsGoWithWhatTheyAreOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(h *keptHouse) error
		left   int64
	}{
		"nothing":      {func(*keptHouse) error { return nil }, 2},
		"another name": {func(h *keptHouse) error { return h.changed(entry.TransactionInput{Notes: ledger.Some("n")}) }, 1},
		"a new one":    {func(h *keptHouse) error { h.Book(h.giro, "2026-02-01", "1", "EUR", "n"); return nil }, 1},
		"elsewhere":    {func(h *keptHouse) error { h.Book(h.giro, "2026-03-01", "1", "EUR", "n"); return nil }, 2},
		"first of all": {func(h *keptHouse) error { h.Book(h.giro, "2025-12-31", "1", "EUR", "n"); return nil }, 2},
		"amount":       {func(h *keptHouse) error { return h.changed(entry.TransactionInput{Amount: ledgertest.AmountOf("7")}) }, 1},
		"another month": {func(h *keptHouse) error {
			return h.changed(entry.TransactionInput{Date: ledgertest.DayOf("2026-02-28")})
		}, 0},
		"no category": {func(h *keptHouse) error { return h.Labels.DeleteCategory(h.Ctx(), h.Who, h.food) }, 1},
		"no merchant": {func(h *keptHouse) error { return h.Labels.DeleteMerchant(h.Ctx(), h.Who, h.aldi) }, 1},
		"merchants merged": {func(h *keptHouse) error {
			_, err := h.Labels.MergeMerchant(h.Ctx(), h.Who, h.aldi, h.baker)
			return err
		}, 1},
		"no tag": {func(h *keptHouse) error { return h.Labels.DeleteTag(h.Ctx(), h.Who, h.fun) }, 1},
		"another tag": {func(h *keptHouse) error {
			return h.changed(entry.TransactionInput{TagIDs: ledger.Some([]uuid.UUID{})})
		}, 1},
		"deleted":    {func(h *keptHouse) error { return h.Entries.DeleteTransaction(h.Ctx(), h.Who, h.one) }, 1},
		"a transfer": {func(h *keptHouse) error { h.Book(h.savings, "2026-02-03", "-20", "EUR", "in"); return nil }, 1},
		"split": {func(h *keptHouse) error {
			return h.changed(entry.TransactionInput{SplitLines: ledger.Some([]entry.SplitLineInput{{Amount: ledgertest.AmountOf("3")}, {Amount: ledgertest.AmountOf("2")}})})
		}, 1},
		"currency": {func(h *keptHouse) error { h.Exec("UPDATE households SET currency = 'USD'"); return nil }, 0},
		"an import": {func(h *keptHouse) error {
			h.Exec("UPDATE households SET hidden_from = entry_sequence + 1, hidden_to = entry_sequence + 9")
			return nil
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newKeptHouse(t)
			if err := c.change(h); err != nil {
				t.Fatal(err)
			}
			if left := h.Number("SELECT count(DISTINCT first_key) FROM month_sums"); left != c.left {
				t.Errorf("sums of %d months are kept, want %d", left, c.left)
			}
		})
	}
}

// keptHouse spent 5.00 at Aldi for food, with the tag fun, in January, and 20.00 in February; the sums of both are kept.
type keptHouse struct {
	*ledgertest.Fixture
	giro, savings               catalog.Account
	food, aldi, baker, fun, one uuid.UUID
}

func newKeptHouse(t *testing.T) *keptHouse {
	h := &keptHouse{Fixture: ledgertest.New(t)}
	h.giro, h.savings = h.OpenWith("Giro", "depository", "EUR", "0"), h.OpenWith("Savings", "depository", "EUR", "0")
	h.food, h.aldi, h.baker, h.fun = h.Category(h.Who, "Food"), h.Merchant(h.Who, "Aldi"), h.Merchant(h.Who, "Baker"), h.Tag(h.Who, "fun")
	in := ledgertest.Entry(uuid.UUID(h.giro.PublicID), "2026-01-31", "5", "bread")
	in.CategoryID, in.MerchantID, in.TagIDs = ledger.Some(h.food), ledger.Some(h.aldi), ledger.Some([]uuid.UUID{h.fun})
	h.one = uuid.UUID(h.Create(in).PublicID)
	h.Book(h.giro, "2026-02-01", "20", "EUR", "out")
	if n := h.Keep(); n != 2 {
		t.Fatalf("sums of %d months are kept", n)
	}
	return h
}

func (h *keptHouse) changed(in entry.TransactionInput) error {
	_, err := h.Entries.UpdateTransaction(h.Ctx(), h.Who, h.one, in)
	return err
}

// TestSumsThatAreKeptChangeNoFigure: whatever is asked, the answer is the same with sums of all months, of some and of none.
func TestSumsThatAreKeptChangeNoFigure(t *testing.T) {
	t.Parallel()
	m := newBreakdownModel(t)
	rapid.Check(t, func(r *rapid.T) {
		var rows []entry.Transaction
		for range rapid.IntRange(0, 14).Draw(r, "rows") {
			row := m.draw(r, 1)
			day := ledger.NewDate(2025, 12, 20) + ledger.Date(rapid.IntRange(0, 71).Draw(r, "day"))
			rows = append(rows, m.Update(uuid.UUID(row.PublicID), entry.TransactionInput{Date: ledger.Some(day)}))
		}
		m.Keep()
		if len(rows) > 0 && rapid.Bool().Draw(r, "not all") {
			m.Update(uuid.UUID(rapid.SampledFrom(rows).Draw(r, "changed").PublicID), entry.TransactionInput{Name: ledger.Some("y")})
		}
		asked := m.drawBreakdowns(r)
		with := m.answers(asked)
		m.Sound(r)
		m.Exec("DELETE FROM month_sums")
		for i, without := range m.answers(asked) {
			if with[i] != without {
				r.Fatalf("%+v: got %s\nwithout sums %s", asked[i], with[i], without)
			}
		}
		for _, row := range rows {
			m.Remove(row)
		}
	})
}

// drawBreakdowns asks for all parts of some days, of all accounts or of one.
func (m *breakdownModel) drawBreakdowns(r *rapid.T) (list []report.BreakdownInput) {
	start := ledger.NewDate(2025, 12, 1) + ledger.Date(rapid.SampledFrom([]int{0, 20, 31, 40}).Draw(r, "start"))
	f := entry.TransactionFilter{StartDate: ledger.Some(start), EndDate: ledger.Some(start + ledger.Date(rapid.SampledFrom([]int{30, 45, 100}).Draw(r, "days")))}
	if rapid.Bool().Draw(r, "no bounds") {
		f = entry.TransactionFilter{}
	}
	if rapid.Bool().Draw(r, "one account") {
		f.AccountIDs = []uuid.UUID{uuid.UUID(m.accounts[0].PublicID)}
	}
	if rapid.Bool().Draw(r, "tagged") {
		f.TagIDs = rapid.SliceOfNDistinct(rapid.SampledFrom(m.tags), 1, 2, rapid.ID).Draw(r, "tags")
	}
	for _, by := range []string{report.ByNothing, report.ByCategory, report.ByMerchant, report.ByTag, report.ByAccount, report.ByMonth} {
		list = append(list, report.BreakdownInput{TransactionFilter: f, GroupBy: by, WithRates: true})
	}
	return list
}

func (m *breakdownModel) answers(asked []report.BreakdownInput) (texts []string) {
	for _, in := range asked {
		d := m.Broken(in)
		texts = append(texts, fmt.Sprint(ledgertest.BrokenDown(d), d.TransfersLeftOut, d.Rates))
	}
	return texts
}

// TestSumsThatCannotBeRead are told, not taken for nothing.
func TestSumsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	h := newKeptHouse(t)
	h.Exec("UPDATE month_sums SET sums = x'00FF'")
	if _, err := h.Reports.Breakdown(context.Background(), h.Who, report.BreakdownInput{}); err == nil {
		t.Error("got no error")
	}
}
