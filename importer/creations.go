package importer

import (
	"context"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/queries"
)

// forgetCreations removes what the import created and nothing uses.
func forgetCreations(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	home, id := imp.HouseholdID, imp.ID
	if err := takeBackStatements(ctx, q, imp); err != nil {
		return err
	}
	for removed := int64(1); removed > 0; { // children first
		var err error
		if removed, err = q.DeleteUnusedImportCategories(ctx, queries.DeleteUnusedImportCategoriesParams{HouseholdID: home, ImportID: id}); err != nil {
			return err
		}
	}
	if err := q.DeleteUnusedImportTags(ctx, queries.DeleteUnusedImportTagsParams{HouseholdID: home, ImportID: id}); err != nil {
		return err
	}
	if err := q.DeleteUnusedImportMerchants(ctx, queries.DeleteUnusedImportMerchantsParams{HouseholdID: home, ImportID: id}); err != nil {
		return err
	}
	if err := q.DeleteUnusedImportSecurities(ctx, queries.DeleteUnusedImportSecuritiesParams{HouseholdID: home, ImportID: id}); err != nil {
		return err
	}
	if err := q.DeleteUnusedImportAccounts(ctx, queries.DeleteUnusedImportAccountsParams{HouseholdID: home, ImportID: id}); err != nil {
		return err
	}
	return q.ForgetImportCreations(ctx, queries.ForgetImportCreationsParams{ImportID: id, HouseholdID: home})
}

// takeBackStatements removes the valuations that an import has stated: nothing uses them, they count by themselves.
func takeBackStatements(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	return q.DeleteImportValuations(ctx, queries.DeleteImportValuationsParams{HouseholdID: imp.HouseholdID, ImportID: imp.ID})
}

// maxStayed is how many of the things that a revert leaves are named.
const maxStayed = 20

// keptCreations names what the import created and something else uses.
func keptCreations(ctx context.Context, q *queries.Queries, imp queries.Import) (names []string, err error) {
	kept, err := q.ListImportCreationsKept(ctx, queries.ListImportCreationsKeptParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID})
	for _, k := range kept {
		names = append(names, k.Entity+" "+ledger.Quote(k.Name))
	}
	return names, err
}

// stayed says what a revert has left: what the import created and something else uses, and the categories that it changed and that could not
// be given back what they were. It is nil when that is nothing.
func stayed(kept, categories []string) *string {
	var parts []string
	if len(kept) > 0 {
		parts = append(parts, "what it had created and something else uses by now has stayed: "+someOf(kept))
	}
	if len(categories) > 0 {
		names := make([]string, len(categories))
		for i, name := range categories {
			names[i] = "category " + ledger.Quote(name)
		}
		parts = append(parts, "what it had changed and was changed again since, or cannot be put back, is left as it is: "+someOf(names))
	}
	if len(parts) == 0 {
		return nil
	}
	return pointer("was reverted; " + strings.Join(parts, "; "))
}

// someOf lists names, not too many.
func someOf(names []string) string {
	if len(names) > maxStayed {
		names = append(slices.Clone(names[:maxStayed]), "and more")
	}
	return strings.Join(names, ", ")
}
