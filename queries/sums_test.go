package queries_test

import (
	"strings"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/queries"
)

// TestSumPlans: what sums are made of is found by the index that finds a page, and the largest of many transactions by
// that of amounts.
func TestSumPlans(t *testing.T) {
	t.Parallel()
	one, some := []int64{1}, []int64{1, 2, 3}
	for _, path := range []string{dbtest.Path(t), filledPath(t)} {
		inRolledBack(t, openRaw(t, path), func(r *recorder) {
			for _, p := range []pagePlan{
				{"nothing", queries.TransactionFilter{}, byKey, byAmount},
				{"an account", queries.TransactionFilter{AccountIDs: one}, byAccount, byAmount},
				{"a category", queries.TransactionFilter{CategoryIDs: one}, byCategory, byCategory},
				{"some categories", queries.TransactionFilter{CategoryIDs: some}, byCategory, byKey},
				{"a merchant", queries.TransactionFilter{MerchantIDs: one}, byMerchant, byMerchant},
				{"a tag", queries.TransactionFilter{TagIDs: one}, byTag, byTag},
				{"some tags", queries.TransactionFilter{TagIDs: some}, bySomeTags, byKey},
				{"a text", queries.TransactionFilter{Search: "coffee"}, byText, byText},
			} {
				checkSums(t, r, p)
			}
		})
	}
}

func checkSums(t *testing.T, r *recorder, p pagePlan) {
	t.Helper()
	f := p.filter
	f.HouseholdID, f.LastKey, f.Transfers = 1, 1<<44, new(false)
	for _, part := range []queries.Part{queries.PartNone, queries.PartAccount, queries.PartMerchant, queries.PartTags} {
		if _, err := queries.New(r).PackTransactions(t.Context(), f, part, true); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		checkPlan(t, r, p.name, p.few)
	}
	if _, err := queries.New(r).ListLargest(t.Context(), f, false, queries.PageOf{Limit: 5}); err != nil {
		t.Errorf("%s: %v", p.name, err)
	}
	checkPlan(t, r, "the largest of "+p.name, strings.ReplaceAll(p.many, byAmount, "SEARCH t USING INDEX transactions_by_amount (household_id=? AND amount<?)"))
}
