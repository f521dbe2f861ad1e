package importer

import (
	"context"
	"errors"
	"log/slog"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// errCancelled ends the work on an import that somebody has cancelled.
var errCancelled = errors.New("the import was cancelled")

// Cancel gives up an import that is being published: it is pending again with nothing booked. One that only waits
// is so at once; the worker of one that has begun takes its rows back first, and until then it is importing.
// Anything else is a conflict.
func (im *Importer) Cancel(ctx context.Context, who ledger.Actor, id uuid.UUID) (imp queries.Import, err error) {
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if imp, err = getImport(ctx, q, who, id); err != nil {
			return err
		}
		if imp.Status != StatusImporting {
			return ledger.NewConflict("an import that is %s cannot be cancelled; only one that is importing can", imp.Status)
		}
		if err := im.giveUp(ctx, q, imp); err != nil {
			return err
		}
		imp, err = getImport(ctx, q, who, id)
		return err
	})
	if err == nil {
		im.notify()
		im.kick(imp.ID)
	}
	return imp, err
}

func (im *Importer) giveUp(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	now := im.now().UnixMilli()
	n, err := q.DequeueImport(ctx, queries.DequeueImportParams{UpdatedAt: now, ID: imp.ID, HouseholdID: imp.HouseholdID, Now: now})
	if err != nil || n > 0 {
		return err
	}
	return q.CancelImport(ctx, queries.CancelImportParams{UpdatedAt: now, ID: imp.ID, HouseholdID: imp.HouseholdID})
}

// goesOn is errCancelled when the import was cancelled since it was last asked.
func (p *publisher) goesOn(ctx context.Context, q *queries.Queries) error {
	cancelled, err := q.IsImportCancelled(ctx, queries.IsImportCancelledParams{ID: p.imp.ID, HouseholdID: p.who.HouseholdID})
	if err == nil && cancelled != 0 {
		return errCancelled
	}
	return err
}

// failure is the state of an import whose publication ended with the error, what a client is told of it, and
// what is logged.
func (p *publisher) failure(ctx context.Context, cause error) (status string, reason *string) {
	attr := slog.Int64("import", p.imp.ID)
	if errors.Is(cause, errCancelled) {
		p.im.log.LogAttrs(ctx, slog.LevelInfo, "import cancelled", attr)
		return StatusPending, nil
	}
	if errors.Is(cause, errChanged) {
		return StatusPending, pointer(errChanged.Error())
	}
	p.im.log.LogAttrs(ctx, slog.LevelWarn, "import failed", attr, slog.String("error", cause.Error()))
	return StatusFailed, pointer(reasonFor(cause))
}
