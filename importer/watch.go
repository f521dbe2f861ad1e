package importer

import (
	"context"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// newWatches makes the watches of imports, by inner key.
func newWatches() *db.Watches[int64, queries.Import] {
	return db.NewWatches[int64](func(imp queries.Import) bool { return !Working(&imp) }, nil)
}

// Watch follows an import: what comes out of the channel is its present state, then each newer one, at most five a
// second; who is slow gets the newest. The channel is closed behind a state in which nothing is to be done, and
// when stop is called, which it must be, or [Importer.Run] ends.
func (im *Importer) Watch(ctx context.Context, who ledger.Actor, id uuid.UUID) (states <-chan queries.Import, stop func(), err error) {
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return nil, nil, err
	}
	states, stop = im.watches.Listen(ctx, imp.ID, func(ctx context.Context) (queries.Import, error) { return im.Get(ctx, who, id) })
	return states, stop, nil
}

// kick says that an import got on.
func (im *Importer) kick(key int64) { im.watches.Kick(key) }
