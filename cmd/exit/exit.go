// Package exit is how a command ends: the statuses on which scripts rely, and what a person is told of an error.
//
// It knows the kinds of errors of the ledger and of the database, and nothing of commands. A mistake in how the
// program was called is made with [Usagef] wherever it is found.
package exit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"finsvc/db"
	"finsvc/ledger"
)

// The exit statuses. They are part of the interface: scripts rely on them.
const (
	Done     = 0
	Failed   = 1 // anything that has no status of its own
	Usage    = 2 // called in a wrong way, or with a value that cannot be
	Rejected = 3 // finished, but some rows were rejected
	Denied   = 4 // not allowed
	Missing  = 5 // not found
	Conflict = 6 // the present state does not allow it, or something is in use
)

// usageError is a mistake in how the program was called.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// Usagef says what is wrong with how the program was called.
func Usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// ErrRejected ends a command that did its work but for some rows, which it has listed.
var ErrRejected = errors.New("some rows were rejected")

// Status is the status of an outcome.
func Status(err error) int {
	if e := ledger.AsError(err); e != nil {
		return statusOf(e.Kind)
	}
	_, usage := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return Done
	case usage:
		return Usage
	case errors.Is(err, ErrRejected):
		return Rejected
	case errors.Is(err, fs.ErrPermission):
		return Denied
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.Is(err, db.ErrLocked), errors.Is(err, db.ErrUnavailable), errors.Is(err, db.ErrNewer):
		return Conflict
	}
	return Failed
}

func statusOf(kind ledger.Kind) int {
	switch kind {
	case ledger.Malformed, ledger.Invalid:
		return Usage
	case ledger.Unauthorized, ledger.Forbidden:
		return Denied
	case ledger.NotFound:
		return Missing
	case ledger.Conflict, ledger.Unavailable:
		return Conflict
	}
	return Failed
}

// Message is what a person is told of an error.
func Message(err error) string {
	if e := ledger.AsError(err); e != nil && e.Message != "" {
		return e.Message
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, db.ErrOverBudget):
		return "this took too long: other writes waited for it, so it was given up and undone. Try again when less is written, or with less at a time"
	case errors.Is(err, db.ErrUnavailable):
		return "the database cannot be written at present, and nothing was: " + err.Error()
	}
	return err.Error()
}
