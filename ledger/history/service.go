// Package history is what was done to the books, operation by operation, and how it is taken back. An operation is what
// one request, command or run did, in one write or in several; either way it is done wholly or not at all. To take one
// back, each kind of thing restores what it was from what the history keeps of it, or says what has changed since; that
// is an operation as well, and can be taken back likewise. How a thing is restored is known by its own package, see
// [Restorers]; what an import did is taken back by its revert.
package history

import (
	"context"

	"finsvc/ledger"
)

// Restore takes back one change, in the write that it is given. What is not as that change left it is a conflict, see
// [ledger.ChangedSince].
type Restore func(ctx context.Context, tx *ledger.Tx, change ledger.Change) error

// Restorers are how the changes of each kind of thing are taken back. What is not among them cannot be.
type Restorers map[ledger.Entity]Restorer

// Restorer is how changes of a kind of thing are taken back: all of them, or those of one action only.
type Restorer struct {
	Restore Restore
	Only    string
}

// of is how changes of a kind and action are taken back; nil when they cannot be.
func (r Restorers) of(entity ledger.Entity, action string) Restore {
	one := r[entity]
	if one.Only != "" && one.Only != action {
		return nil
	}
	return one.Restore
}

// Service lists operations and takes them back.
type Service struct {
	*ledger.Store

	restorers Restorers
}

// New gives the service of the books' database. The restorers may be filled until it is used.
func New(store *ledger.Store, restorers Restorers) *Service { return &Service{store, restorers} }
