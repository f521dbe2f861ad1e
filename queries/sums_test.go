package queries_test

import (
	"fmt"
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
	checkPlan(t, r, "the largest of "+p.name, strings.ReplaceAll(p.many, byAmount, "SEARCH t USING INDEX transactions_by_amount (household_id=? AND <expr>=? AND amount<?)"))
}

// TestLabelSumsNeedNoRows: rows of a label lie far apart; its index has all that a sum over many years needs.
func TestLabelSumsNeedNoRows(t *testing.T) {
	t.Parallel()
	inRolledBack(t, openRaw(t, filledPath(t)), func(r *recorder) {
		for _, f := range []queries.TransactionFilter{
			{CategoryIDs: []int64{1}}, {CategoryIDs: []int64{1}, AccountIDs: []int64{1}}, {CategoryIDs: []int64{1}, MerchantIDs: []int64{1, 2}},
			{MerchantIDs: []int64{1}}, {MerchantIDs: []int64{1}, AccountIDs: []int64{1, 2}}, {MerchantIDs: []int64{1}, CategoryIDs: []int64{1}},
		} {
			f.HouseholdID, f.LastKey, f.Transfers = 1, 1<<44, new(false)
			for _, part := range []queries.Part{queries.PartNone, queries.PartAccount, queries.PartMerchant, queries.PartTags} {
				if _, err := queries.New(r).PackTransactions(t.Context(), f, part, true); err != nil {
					t.Error(err)
				}
				if plan := strings.Join(r.plan(t), "\n"); !strings.Contains(plan, "SEARCH t USING COVERING INDEX") {
					t.Errorf("%v by %d looks at rows:\n%s", f, part, plan)
				}
			}
		}
	})
}

// TestDayPlans: whole days are read where they lie, whatever they are told apart by.
func TestDayPlans(t *testing.T) {
	t.Parallel()
	inRolledBack(t, openRaw(t, filledPath(t)), func(r *recorder) {
		for _, part := range []queries.Part{queries.PartNone, queries.PartAccount, queries.PartMerchant, queries.PartTags, queries.PartAll} {
			for _, days := range []queries.DayRange{{}, {Accounts: []int64{1, 2}}, {HiddenTo: -1}, {Accounts: []int64{}, HiddenFrom: 3, HiddenTo: 3}} {
				days.HouseholdID, days.FirstKey, days.LastKey = 1, 1<<43, 1<<43+1
				if _, err := queries.New(r).PackDays(t.Context(), days, part); err != nil {
					t.Error(err)
				}
				checkPlan(t, r, fmt.Sprintf("days %v", days), byKey)
			}
		}
	})
}
