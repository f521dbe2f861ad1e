package queries_test

import (
	"cmp"
	"database/sql"
	"strings"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/queries"
)

// pagePlan is a filter and the step that must drive the page query, with few expected matches and with
// many; an empty step means the table itself, in list order.
type pagePlan struct {
	name      string
	filter    queries.TransactionFilter
	few, many string
}

const (
	byKey          = "SEARCH t USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
	byAccount      = "SEARCH t USING INDEX transactions_by_account (account_id=?"
	byCategory     = "SEARCH t USING INDEX transactions_by_category (category_id=?"
	byMerchant     = "SEARCH t USING INDEX transactions_by_merchant (merchant_id=?"
	byAmount       = "SEARCH t USING INDEX transactions_by_amount (household_id=? AND <expr>=? AND amount>? AND amount<?)"
	byNothing      = "SEARCH t USING INDEX transactions_without_category (household_id=?"
	byIncome       = "SEARCH t USING INDEX transactions_of_income (household_id=?"
	byTag          = "SEARCH x USING COVERING INDEX transaction_tags_by_tag (tag_id=?"
	bySomeTags     = "SEARCH x USING COVERING INDEX transaction_tags_by_tag (tag_id=?"
	byText         = ":M3><" // of the full-text table: a match within a range of keys
	byLineCategory = "SEARCH l USING COVERING INDEX transaction_lines_by_category (category_id=?"
	byLineMerchant = "SEARCH l USING COVERING INDEX transaction_lines_by_merchant (merchant_id=?"
	byLineTag      = "SEARCH g USING COVERING INDEX transaction_line_tags_by_tag (tag_id=?"
	byLineAmount   = "SEARCH l USING COVERING INDEX transaction_lines_by_amount (<expr>=? AND amount>? AND amount<?)"
	byLineIncome   = "SEARCH l USING INDEX transaction_lines_of_income (transaction_id>? AND transaction_id<?)"
	eachPart       = "SEARCH l USING PRIMARY KEY (transaction_id=?) LEFT-JOIN" // in the place of the whole
)

func pagePlans() []pagePlan {
	one, some := []int64{1}, []int64{1, 2, 3}
	incomes, expenses := true, false
	amounts := []queries.AmountRange{{Least: 100, Most: 200}}
	perCurrency := []queries.AmountRange{{Currencies: []string{"EUR"}, Least: 100, Most: 200}, {Currencies: []string{"JPY"}, Least: 1, Most: 2}}
	narrowing := queries.Narrowing{NotAccountIDs: one, NotCategoryIDs: some, NotMerchantIDs: one, NotTagIDs: some, HasCategory: &incomes,
		HasMerchant: &incomes, HasTag: &expenses, Texts: []string{"ab", "tea"}, NotTexts: []string{"coffee"}}
	return []pagePlan{
		{"nothing", queries.TransactionFilter{}, byKey, byKey},
		{"one account", queries.TransactionFilter{AccountIDs: one}, byAccount, byAccount},
		{"some accounts", queries.TransactionFilter{AccountIDs: some}, byAccount, byKey},
		{"one category", queries.TransactionFilter{CategoryIDs: one}, byCategory, byCategory},
		{"some categories", queries.TransactionFilter{CategoryIDs: some}, byCategory, byKey},
		{"one merchant", queries.TransactionFilter{MerchantIDs: one}, byMerchant, byMerchant},
		{"some merchants", queries.TransactionFilter{MerchantIDs: some}, byMerchant, byKey},
		{"one tag", queries.TransactionFilter{TagIDs: one}, byTag, byTag},
		{"some tags", queries.TransactionFilter{TagIDs: some}, bySomeTags, byKey},
		{"incomes", queries.TransactionFilter{Incomes: &incomes}, byIncome, byIncome},
		{"expenses", queries.TransactionFilter{Incomes: &expenses}, byKey, byKey},
		{"amounts", queries.TransactionFilter{Amounts: amounts}, byAmount, byKey},
		{"amounts of a few days", queries.TransactionFilter{Amounts: amounts, FirstKey: 1<<43 + 1<<40, LastKey: 1<<43 + 1<<40 + 31<<26}, byKey, byKey},
		{"amounts of a currency", queries.TransactionFilter{Amounts: perCurrency[:1]}, byAmount, byKey},
		{"amounts per currency", queries.TransactionFilter{Amounts: perCurrency}, byAmount, byKey},
		{"text", queries.TransactionFilter{Search: "coffee"}, byText, byText},
		{"short text", queries.TransactionFilter{Search: "ab"}, byKey, byKey},
		{"account and category", queries.TransactionFilter{AccountIDs: one, CategoryIDs: one}, byCategory, byCategory},
		{"account and incomes", queries.TransactionFilter{AccountIDs: one, Incomes: &incomes}, byIncome, byIncome},
		{"accounts and merchants", queries.TransactionFilter{AccountIDs: some, MerchantIDs: some}, byMerchant, byKey},
		{"tag and account", queries.TransactionFilter{TagIDs: one, AccountIDs: one}, byTag, byTag},
		{"tags and amounts", queries.TransactionFilter{TagIDs: some, Amounts: amounts}, bySomeTags, byKey},
		{"text and everything", queries.TransactionFilter{Search: "coffee", AccountIDs: one, CategoryIDs: some, TagIDs: some, Incomes: &incomes, Amounts: amounts}, byText, byText},
		{"no category", queries.TransactionFilter{Narrowing: queries.Narrowing{HasCategory: &expenses}}, byNothing, byNothing},
		{"no category, with splits", queries.TransactionFilter{Splits: true, Narrowing: queries.Narrowing{HasCategory: &expenses}}, byNothing, byNothing},
		{"no category, an account", queries.TransactionFilter{AccountIDs: one, Narrowing: queries.Narrowing{HasCategory: &expenses}}, byNothing, byNothing},
		{"narrowed in every way", queries.TransactionFilter{Narrowing: narrowing}, byKey, byKey},
		{"narrowed in every way, with splits", queries.TransactionFilter{Splits: true, Narrowing: narrowing}, byKey, byKey},
		{"one tag, narrowed in every way", queries.TransactionFilter{TagIDs: one, Narrowing: narrowing}, byTag, byTag},
		{"text, narrowed in every way, with splits", queries.TransactionFilter{Splits: true, Search: "coffee", Narrowing: narrowing}, byText, byText},
		{"short text and merchant", queries.TransactionFilter{Search: "ab", MerchantIDs: one}, byMerchant, byMerchant},
		{"nothing, with splits", queries.TransactionFilter{Splits: true}, byKey, byKey},
		{"parts of nothing", queries.TransactionFilter{Splits: true}, eachPart, eachPart},
		{"one account, with splits", queries.TransactionFilter{Splits: true, AccountIDs: one}, byAccount, byAccount},
		{"parts of one account", queries.TransactionFilter{Splits: true, AccountIDs: one}, eachPart, eachPart},
		{"expenses, with splits", queries.TransactionFilter{Splits: true, Incomes: &expenses}, byKey, byKey},
		{"short text, with splits", queries.TransactionFilter{Splits: true, Search: "ab"}, byKey, byKey},
		{"text and category, with splits", queries.TransactionFilter{Splits: true, Search: "coffee", CategoryIDs: one}, byText, byText},
	}
}

// splitPlans are those that ask for parts apart: the step that must drive the query of these, in many.
func splitPlans() []pagePlan {
	one, some := []int64{1}, []int64{1, 2, 3}
	incomes := true
	amounts := []queries.AmountRange{{Least: 100, Most: 200}}
	perCurrency := []queries.AmountRange{{Currencies: []string{"EUR"}, Least: 100, Most: 200}, {Currencies: []string{"JPY"}, Least: 1, Most: 2}}
	return []pagePlan{
		{"one category", queries.TransactionFilter{CategoryIDs: one}, byCategory, byLineCategory},
		{"some categories", queries.TransactionFilter{CategoryIDs: some}, byCategory, byLineCategory},
		{"one merchant", queries.TransactionFilter{MerchantIDs: one}, byMerchant, byLineMerchant},
		{"one tag", queries.TransactionFilter{TagIDs: one}, byTag, byLineTag},
		{"category, merchant and tag", queries.TransactionFilter{CategoryIDs: some, MerchantIDs: one, TagIDs: one}, byTag, byLineTag},
		{"merchant and tags", queries.TransactionFilter{MerchantIDs: one, TagIDs: some}, bySomeTags, byLineTag},
		{"one category and an account", queries.TransactionFilter{CategoryIDs: one, AccountIDs: some}, byCategory, byLineCategory},
		{"one type, income", queries.TransactionFilter{Incomes: &incomes}, byIncome, byLineIncome},
		{"amounts", queries.TransactionFilter{Amounts: amounts}, byAmount, byLineAmount},
		{"amounts per currency", queries.TransactionFilter{Amounts: perCurrency}, byAmount, byLineAmount},
	}
}

// TestSplitPlans: where a household has split transactions, a page is a merge of two queries, each driven by the
// index that the filter is meant to use; one value of a filter needs no sorting in either, but of parts of one whole.
func TestSplitPlans(t *testing.T) {
	t.Parallel()
	for _, path := range []string{dbtest.Path(t), filledPath(t)} {
		inRolledBack(t, openRaw(t, path), func(r *recorder) {
			for _, p := range splitPlans() {
				p.filter.Splits = true
				checkPage(t, r, p, queries.PageOf{Limit: 50, Few: true}, p.few)
				checkPlan(t, r, p.name, p.many)
				if plan := strings.Join(r.plan(t), "\n"); !strings.Contains(plan, "MERGE (UNION ALL)") ||
					strings.HasPrefix(p.name, "one") && strings.Contains(plan, "TEMP B-TREE FOR ORDER BY") {
					t.Errorf("%s:\n%s", p.name, plan)
				}
			}
		})
	}
}

// TestPagePlans checks, without and with statistics, that a page and its count are driven by the index
// that the filter is meant to use, and that no large table is read as a whole.
func TestPagePlans(t *testing.T) {
	t.Parallel()
	for _, path := range []string{dbtest.Path(t), filledPath(t)} {
		inRolledBack(t, openRaw(t, path), func(r *recorder) {
			for _, p := range pagePlans() {
				checkPage(t, r, p, queries.PageOf{Limit: 50, Few: true}, p.few)
				checkPage(t, r, p, queries.PageOf{Limit: 50, Offset: 5000}, p.many)
				p.filter.HouseholdID, p.filter.LastKey = 1, cmp.Or(p.filter.LastKey, 1<<44)
				if _, err := queries.New(r).CountTransactionKeys(t.Context(), p.filter); err != nil {
					t.Errorf("count of %s: %v", p.name, err)
				}
				checkPlan(t, r, "count of "+p.name, p.few)
			}
		})
	}
}

func checkPage(t *testing.T, r *recorder, p pagePlan, page queries.PageOf, want string) {
	t.Helper()
	p.filter.HouseholdID, p.filter.LastKey = 1, cmp.Or(p.filter.LastKey, 1<<44)
	if _, err := queries.New(r).ListTransactions(t.Context(), p.filter, page); err != nil {
		t.Errorf("%s: %v", p.name, err)
	}
	name := p.name
	if page.Few {
		name += " (few)"
	}
	checkPlan(t, r, name, want)
}

// checkPlan looks for the step that drives the query. Whether an index covers the query does not matter.
func checkPlan(t *testing.T, r *recorder, name, want string) {
	t.Helper()
	plan := strings.Join(r.plan(t), "\n")
	if !strings.Contains(strings.ReplaceAll(plan, "COVERING ", ""), strings.ReplaceAll(want, "COVERING ", "")) {
		t.Errorf("%s is not driven by %s:\n%s", name, want, plan)
	}
	for _, step := range slow(r.text, strings.Split(plan, "\n")) {
		if strings.HasPrefix(step, "SCAN") {
			t.Errorf("%s: %s:\n%s", name, step, plan)
		}
	}
}

// pagesText is the plans of all pages.
func pagesText(t *testing.T, pool *sql.DB) (text string) {
	t.Helper()
	inRolledBack(t, pool, func(r *recorder) {
		splits := splitPlans()
		for i := range splits {
			splits[i].filter.Splits = true
		}
		for _, p := range append(pagePlans(), splits...) {
			for _, few := range []bool{false, true} {
				p.filter.LastKey = cmp.Or(p.filter.LastKey, 1<<44)
				if _, err := queries.New(r).ListTransactions(t.Context(), p.filter, queries.PageOf{Few: few}); err != nil {
					t.Error(err)
				}
				text += strings.Join(r.plan(t), "\n") + "\n"
			}
		}
	})
	return text
}
