package importer

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Also is what a caller has done by the very write that changes an import, which it is told of as it is then: all of it is
// kept, or none. It must not wait for anything outside of the database.
type Also func(ctx context.Context, imp queries.Import) error

// getAlso reads an import that was changed, and does what there is to do besides.
func getAlso(ctx context.Context, q *queries.Queries, who ledger.Actor, id uuid.UUID, also []Also) (queries.Import, error) {
	imp, err := getImport(ctx, q, who, id)
	for _, do := range also {
		if err == nil {
			err = do(ctx, imp)
		}
	}
	return imp, err
}
