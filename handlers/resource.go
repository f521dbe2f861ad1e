package handlers

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// shows answers GET of a resource by its id: what get finds is written by tell.
func shows[T any](resource string, get func(context.Context, ledger.Actor, uuid.UUID) (T, error), tell func(*answer, *request, *T) error) handler {
	return func(a *answer, r *request) error {
		id, err := r.pathID("id", resource)
		if err != nil {
			return err
		}
		found, err := get(r.Context(), r.who(), id)
		if err != nil {
			return err
		}
		return tell(a, r, &found)
	}
}

// one writes one resource, its amounts written out as the household or the request wants them.
func one[T any](formats *formatters, write func(*jsonWriter, *T, *money.Formatter)) func(*answer, *request, *T) error {
	return func(a *answer, r *request, found *T) error {
		format, err := formats.of(r)
		if err != nil {
			return err
		}
		write(a.json, found, format)
		return nil
	}
}

// deletes answers DELETE of a resource by its id with a message.
func deletes(resource string, remove func(context.Context, ledger.Actor, uuid.UUID) error) handler {
	return func(a *answer, r *request) error {
		id, err := r.pathID("id", resource)
		if err != nil {
			return err
		}
		if err := remove(r.Context(), r.who(), id); err != nil {
			return err
		}
		a.message(resource + " deleted successfully")
		return nil
	}
}
