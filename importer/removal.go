package importer

import (
	"context"
	"slices"

	"finsvc/queries"
)

// takeBack removes the import's entries, which are not visible, in short transactions. They go in the order of the
// table: in that of the file, one that is not in order would touch all of the table for every batch.
func (p *publisher) takeBack(ctx context.Context) error {
	var keys []int64
	err := p.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		keys, err = q.ListImportEntryKeys(ctx, queries.ListImportEntryKeysParams{ImportID: &p.imp.ID, HouseholdID: p.who.HouseholdID})
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(keys)
	if p.imp.Status == StatusReverting {
		p.total = new(p.done + int64(len(keys)))
	}
	for batch := range slices.Chunk(keys, batchRows) {
		if err := p.remove(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (p *publisher) remove(ctx context.Context, keys []int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := p.afterRemoving(int64(len(keys)))
	err := p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := p.im.ledger.RemoveDrafts(ctx, q, p.who, keys); err != nil {
			return err
		}
		return p.renew(ctx, q, done)
	})
	if err == nil {
		p.done = done
		p.im.watches.kick(p.imp.ID)
	}
	return err
}

// afterRemoving is how many rows are done when more were removed: that is what a revert does, and what a publication
// undoes.
func (p *publisher) afterRemoving(rows int64) int64 {
	if p.imp.Status == StatusReverting {
		return p.done + rows
	}
	return max(0, p.done-rows)
}
