package handlers

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// shows answers GET of a resource by its id: what get finds is written by one.
func shows[T any](resource string, get func(context.Context, ledger.Actor, uuid.UUID) (T, error), one func(*answer, *request, *T) error) handler {
	return func(a *answer, r *request) error {
		id, err := r.pathID("id", resource)
		if err != nil {
			return err
		}
		found, err := get(r.Context(), r.who(), id)
		if err != nil {
			return err
		}
		return one(a, r, &found)
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
