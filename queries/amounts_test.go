package queries_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// TestAmountsOfAllSpans: whatever days and spans of the index are asked for, the amounts are those that a look at every
// row finds.
func TestAmountsOfAllSpans(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	filled := dbtest.Fill(t, d, dbtest.Shape{Transactions: 3000, Accounts: 3, Categories: 5, Merchants: 5, Tags: 3, Days: 3652, Currencies: 3})
	err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		first, last := number(t, q, "SELECT min(id) FROM transactions"), number(t, q, "SELECT max(id) FROM transactions")
		const day, span = int64(1 << 26), int64(1 << 34)
		for _, keys := range [][2]int64{
			{0, 1 << 62}, {first, last}, {first + 1, last - 1}, {first + 30*day, first + 40*day}, {first + span, first + 2*span - 1},
			{first/span*span + span, first/span*span + 3*span - 1}, {last, last}, {last + 1, last + span}, {first - span, first - 1},
		} {
			f := queries.TransactionFilter{HouseholdID: filled.HouseholdID, FirstKey: keys[0], LastKey: keys[1]}
			checkLargest(ctx, t, q, f)
			checkAmounts(ctx, t, q, f)
			checkRanges(ctx, t, q, f)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkSpansAreCrossed(t, d)
}

func number(t *testing.T, q *queries.Queries, text string, args ...any) int64 {
	t.Helper()
	n, err := q.Number(t.Context(), text, args...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkLargest compares pages of the largest with those for which all rows are sorted.
func checkLargest(ctx context.Context, t *testing.T, q *queries.Queries, f queries.TransactionFilter) {
	t.Helper()
	for _, incomes := range []bool{true, false} {
		for _, p := range []queries.PageOf{{Limit: 5}, {Limit: 7, Offset: 3}, {Limit: 10, Offset: 2990}} {
			got, err := q.ListLargest(ctx, f, incomes, p)
			if err != nil {
				t.Fatal(err)
			}
			p.Few = true
			want, err := q.ListLargest(ctx, f, incomes, p)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("largest from %d to %d, incomes %v, %+v: %v (-sorted +by span)\n%s", f.FirstKey, f.LastKey, incomes, p, err, diff)
			}
		}
	}
}

// checkAmounts compares what the index finds with a count of the rows.
func checkAmounts(ctx context.Context, t *testing.T, q *queries.Queries, f queries.TransactionFilter) {
	t.Helper()
	for _, r := range []queries.AmountRange{{Least: -5000, Most: -100}, {Least: -100, Most: 5000}, {Currencies: []string{"USD"}, Least: -2000, Most: 2000}, {Currencies: []string{"SEK"}, Most: 1}} {
		f.Amounts = []queries.AmountRange{r}
		got, err := q.CountTransactionKeys(ctx, f)
		currency := "%"
		if r.Currencies != nil {
			currency = r.Currencies[0]
		}
		want := number(t, q, "SELECT count(*) FROM transactions t NOT INDEXED WHERE id BETWEEN ? AND ? AND household_id = ? AND amount BETWEEN ? AND ? AND currency LIKE ?",
			f.FirstKey, f.LastKey, f.HouseholdID, r.Least, r.Most, currency)
		if got != want || err != nil {
			t.Errorf("amounts %+v from %d to %d: %d, %v, want %d", r, f.FirstKey, f.LastKey, got, err, want)
		}
	}
}

// checkRanges compares the few of several ranges with the many, for which each row is looked at.
func checkRanges(ctx context.Context, t *testing.T, q *queries.Queries, f queries.TransactionFilter) {
	t.Helper()
	f.Amounts = []queries.AmountRange{{Currencies: []string{"USD"}, Least: -5000, Most: -1000}, {Currencies: []string{"EUR", "CHF"}, Least: 100, Most: 4000}, {Currencies: []string{"JPY"}, Most: 9}}
	for _, p := range []queries.PageOf{{Limit: 5}, {Limit: 9, Offset: 20}} {
		want, err := q.ListTransactions(ctx, f, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Few = true
		got, err := q.ListTransactions(ctx, f, p)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("ranges from %d to %d, %+v: %v (-row by row +by range)\n%s", f.FirstKey, f.LastKey, p, err, diff)
		}
	}
}

// checkSpansAreCrossed holds that the comparison was worth it.
func checkSpansAreCrossed(t *testing.T, d *db.DB) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		if n := number(t, q, "SELECT count(DISTINCT id >> 34) FROM transactions"); n < 14 {
			t.Errorf("the transactions lie in %d spans", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
