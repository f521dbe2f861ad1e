package handlers

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// merges answers POST .../{id}/merge of a label with {"target_id": ...}: what remains, the target. It reads the body itself
// so that an Idempotency-Key does not make one write of the merge, which may take several.
func merges[T any](label string, merge func(ctx context.Context, who ledger.Actor, id, target uuid.UUID) (T, error),
	write func(*wire.Writer, *T)) middleware.Handler {
	return func(a *wire.Answer, r *wire.Request) error {
		id, err := r.PathID("id", label)
		if err != nil {
			return err
		}
		if err := r.DecodeBody(); err != nil {
			return err
		}
		f, err := r.Fields()
		if err != nil {
			return err
		}
		target := f.Id("target_id")
		if !target.Has() && len(*f.Problems) == 0 {
			f.Problems.Add("target_id", "is required: the id of the %s that remains", strings.ToLower(label))
		}
		if err := f.Err(); err != nil {
			return err
		}
		remains, err := merge(r.Context(), r.Who(), id, target.Value)
		if err != nil {
			return err
		}
		write(a.Json, &remains)
		return nil
	}
}
