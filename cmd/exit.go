package cmd

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
	exitDone     = 0
	exitFailed   = 1 // anything that has no status of its own
	exitUsage    = 2 // called in a wrong way, or with a value that cannot be
	exitRejected = 3 // finished, but some rows were rejected
	exitDenied   = 4 // not allowed
	exitMissing  = 5 // not found
	exitConflict = 6 // the present state does not allow it, or something is in use
)

// usageError is a mistake in how the program was called.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errRejected ends a command that did its work but for some rows, which it has listed.
var errRejected = errors.New("some rows were rejected")

// exitStatus is the status of an outcome.
func exitStatus(err error) int {
	if e := ledger.AsError(err); e != nil {
		return kindStatus(e.Kind)
	}
	_, usage := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return exitDone
	case usage:
		return exitUsage
	case errors.Is(err, errRejected):
		return exitRejected
	case errors.Is(err, fs.ErrPermission):
		return exitDenied
	case errors.Is(err, fs.ErrNotExist):
		return exitMissing
	case errors.Is(err, db.ErrLocked), errors.Is(err, db.ErrUnavailable), errors.Is(err, db.ErrNewer):
		return exitConflict
	}
	return exitFailed
}

func kindStatus(kind ledger.Kind) int {
	switch kind {
	case ledger.Malformed, ledger.Invalid:
		return exitUsage
	case ledger.Unauthorized, ledger.Forbidden:
		return exitDenied
	case ledger.NotFound:
		return exitMissing
	case ledger.Conflict, ledger.Unavailable:
		return exitConflict
	}
	return exitFailed
}

// message is what a person is told of an error.
func message(err error) string {
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
