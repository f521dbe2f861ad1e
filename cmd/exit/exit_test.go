package exit

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"finsvc/db"
	"finsvc/ledger"
)

func TestExitStatus(t *testing.T) {
	t.Parallel()
	for want, errs := range map[int][]error{
		0: {nil},
		1: {errors.New("x"), &ledger.Error{Kind: ledger.Internal}},
		2: {Usagef("x"), ledger.NewInvalid("name", "is required"), ledger.NewMalformed("x")},
		3: {fmt.Errorf("3 of 10: %w", ErrRejected)},
		4: {&ledger.Error{Kind: ledger.Forbidden}, &ledger.Error{Kind: ledger.Unauthorized}, fmt.Errorf("x: %w", fs.ErrPermission)},
		5: {ledger.NewNotFound("Account"), fs.ErrNotExist},
		6: {ledger.NewConflict("x"), db.ErrLocked, db.ErrClosed},
	} {
		for _, err := range errs {
			if got := Status(err); got != want {
				t.Errorf("%v: got %d, want %d", err, got, want)
			}
		}
	}
}
