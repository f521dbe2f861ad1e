package importer

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/queries"
)

// existing adds to the defaults of a list of categories, accounts or rules what the household has, without what the
// import itself made.
func (r *fileReader) existing(ctx context.Context, who ledger.Actor, how reading, d record.Defaults) (record.Defaults,
	error) {
	if how.kind != record.CategoryImport && how.kind != record.AccountImport && how.kind != record.RuleImport {
		return d, nil
	}
	own := map[uuid.UUID]bool{}
	err := r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		ids, err := q.ListImportCreations(ctx, queries.ListImportCreationsParams{ImportID: how.importID,
			HouseholdID: who.HouseholdID})
		for _, id := range ids {
			own[uuid.UUID(id)] = true
		}
		return err
	})
	if err != nil {
		return d, err
	}
	if how.kind == record.CategoryImport {
		d.Categories, err = r.ledger.Intake.CategoryPlaces(ctx, who, how.importID, own)
		return d, err
	}
	d.Accounts, err = r.ledger.Intake.AccountKinds(ctx, who, own)
	return d, err
}

// addTradeIDs finds what became of the rows that were to be trades.
func (r *rowComparer) addTradeIDs(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	return r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportTradeEntries(ctx, queries.ListImportTradeEntriesParams{ImportID: &imp.ID,
			HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		for _, e := range entries {
			numbered(list, *e.ImportRow).EntryID = uuid.UUID(e.PublicID)
		}
		return err
	})
}

// shortWarning says that the file sells more than is held; it is empty when it does not.
func (out *Preflight) shortWarning() []string {
	if len(out.Short) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("row %d sells more than is held (rows that do: %d): purchases before it seem to be missing; allow_short=false refuses such rows",
		out.Short[0], len(out.Short))}
}
