package handlers

import (
	"context"

	"github.com/google/uuid"

	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// shows answers GET of a resource by its id: what get finds is written by tell.
func shows[T any](resource string, get func(context.Context, ledger.Actor, uuid.UUID) (T, error),
	tell func(*wire.Answer, *wire.Request, *T) error) middleware.Handler {
	return func(a *wire.Answer, r *wire.Request) error {
		id, err := r.PathID("id", resource)
		if err != nil {
			return err
		}
		found, err := get(r.Context(), r.Who(), id)
		if err != nil {
			return err
		}
		return tell(a, r, &found)
	}
}

// one writes one resource, its amounts written out as the household or the request wants them.
func one[T any](formats *wire.Formatters, write func(*wire.Writer, *T, *money.Formatter)) func(*wire.Answer,
	*wire.Request, *T) error {
	return func(a *wire.Answer, r *wire.Request, found *T) error {
		format, err := formats.Of(r)
		if err != nil {
			return err
		}
		write(a.Json, found, format)
		return nil
	}
}

// deletes answers DELETE of a resource by its id with a message.
func deletes(resource string, remove func(context.Context, ledger.Actor, uuid.UUID) error) middleware.Handler {
	return func(a *wire.Answer, r *wire.Request) error {
		id, err := r.PathID("id", resource)
		if err != nil {
			return err
		}
		if err := remove(r.Context(), r.Who(), id); err != nil {
			return err
		}
		a.Message(resource + " deleted successfully")
		return nil
	}
}
