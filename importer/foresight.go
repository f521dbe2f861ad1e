package importer

import (
	"context"
	"sync"

	"finsvc/ledger"
	"finsvc/queries"
)

// foresight keeps the outlook of the import that was put into the queue last: the worker would make the same one
// again. It holds while nothing has changed that decides it.
type foresight struct {
	mu       sync.Mutex
	importID int64
	basis    queries.GetImportBasisRow
	outlook  *outlook
}

// basis is what an outlook depends on besides the file.
func (im *Importer) basis(ctx context.Context, who ledger.Actor, importID int64) (b queries.GetImportBasisRow, err error) {
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		b, err = q.GetImportBasis(ctx, queries.GetImportBasisParams{ImportID: importID, HouseholdID: who.HouseholdID})
		return err
	})
	return b, err
}

func (f *foresight) keep(importID int64, basis queries.GetImportBasisRow, o *outlook) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.importID, f.basis, f.outlook = importID, basis, o
}

// take gives the outlook of an import away; nil when there is none, or none that holds. The plan says that the file is
// still read in the same way.
func (f *foresight) take(imp queries.Import, basis queries.GetImportBasisRow) *outlook {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.importID != imp.ID {
		return nil
	}
	o := f.outlook
	f.importID, f.outlook = 0, nil
	if f.basis != basis || o.plan != imp.Plan {
		return nil
	}
	return o
}

// foreseen is [Importer.lookAtStored] for who is about to publish.
func (im *Importer) foreseen(ctx context.Context, who ledger.Actor, imp queries.Import) (*outlook, error) {
	basis, err := im.basis(ctx, who, imp.ID)
	if err != nil {
		return nil, err
	}
	if o := im.foresight.take(imp, basis); o != nil {
		return o, nil
	}
	return im.lookAtStored(ctx, who, imp)
}
