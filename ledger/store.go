package ledger

import (
	"sync"
	"time"

	"finsvc/db"
)

// Store is what every service of the ledger stands on: the database file, the clocks, and the references of the
// households that were asked for last.
type Store struct {
	DB  *db.DB
	Now func() time.Time
	Ran func() time.Duration // for how long the books have been in use

	refs  refCache
	zones sync.Map // of *time.Location by name
}

// NewStore gives the store of an open database; now is the clock, time.Now outside of tests.
func NewStore(database *db.DB, now func() time.Time) *Store {
	begun := now()
	// Between two answers of time.Now is the time that has passed, though the clock was set anew meanwhile.
	return NewTimedStore(database, now, func() time.Duration { return now().Sub(begun) })
}

// NewTimedStore is [NewStore] for tests that set the clock anew: ran is for how long the books have been in use, which
// that does not change.
func NewTimedStore(database *db.DB, now func() time.Time, ran func() time.Duration) *Store {
	return &Store{DB: database, Now: now, Ran: ran}
}
