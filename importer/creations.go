package importer

import (
	"context"
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

// keptCreations says what the import created and something else uses; nil when nothing is left.
func keptCreations(ctx context.Context, q *queries.Queries, imp queries.Import) (*string, error) {
	const most = 20
	kept, err := q.ListImportCreationsKept(ctx, queries.ListImportCreationsKeptParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID})
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	var names []string
	for i, k := range kept {
		if i == most {
			names = append(names, "and more")
			break
		}
		names = append(names, k.Entity+" "+ledger.Quote(k.Name))
	}
	return text("was reverted; what it had created and something else uses by now has stayed: " + strings.Join(names, ", ")), nil
}
