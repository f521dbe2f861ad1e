package entry

import (
	"context"
	"fmt"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// checkParents reports whether the household has all that drafts refer to. On a [db.Bulk] nobody else does.
func checkParents(ctx context.Context, tx *ledger.Tx, drafts []Draft, rows []queries.InsertTransactionParams,
	labels []draftLabels) error {
	var p parents
	for i := range drafts {
		p.add(&rows[i], drafts[i].Lines, &labels[i])
	}
	want := 0
	distinct := func(keys []int64) string {
		slices.Sort(keys)
		keys = slices.DeleteFunc(slices.Compact(keys), func(key int64) bool { return key == 0 }) // none
		want += len(keys)
		return ledger.JSONArray(append([]int64{}, keys...))
	}
	there, err := tx.CountParents(ctx, queries.CountParentsParams{HouseholdID: tx.HouseholdID,
		Accounts:   distinct(p.accounts),
		Categories: distinct(p.categories), Merchants: distinct(p.merchants), Tags: distinct(p.tags),
		Rules: distinct(p.rules)})
	if err == nil && there != int64(want) {
		err = fmt.Errorf("%w: of %d accounts, categories, merchants, tags and rules of transactions %d are there",
			db.ErrReferenced, want, there)
	}
	return err
}

// parents are the keys of what drafts refer to.
type parents struct{ accounts, categories, merchants, tags, rules []int64 }

func (p *parents) add(row *queries.InsertTransactionParams, lines []DraftLine, labels *draftLabels) {
	p.accounts = append(p.accounts, row.AccountID)
	if row.CategoryID != nil {
		p.categories = append(p.categories, *row.CategoryID)
	}
	if row.MerchantID != nil {
		p.merchants = append(p.merchants, *row.MerchantID)
	}
	p.tags = append(p.tags, labels.tags...)
	for _, e := range labels.effects {
		p.rules = append(p.rules, e.Rule)
	}
	for _, line := range lines {
		p.categories, p.merchants = append(p.categories, line.CategoryID), append(p.merchants, line.MerchantID)
		p.tags = append(p.tags, line.TagIDs...)
	}
}
