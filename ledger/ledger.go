// Package ledger owns every rule of a household's books: who may do what, what an entry is, how it is
// labelled, what an account is worth. HTTP, importer, assistant and command line call the same functions.
//
// What a household has follows from its entries, and is right in the next request: sums that pages and totals need
// are kept beside the entries by the same write (rollups.go, positions.go), never by a job. Money is whole minor
// units, added up exactly (Sum). What has no exchange rate or price is left out and said, never invented.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// Ledger is the books of all households in one database file.
type Ledger struct {
	db     *db.DB
	now    func() time.Time
	ran    func() time.Duration
	labels labelCache
	keys   keyRing
	books  ruleBooks
	zones  sync.Map // of *time.Location by name

	answersBegin atomic.Int64 // see answerTime; 0: not known yet
	keptAnswers  answerCounts
}

// New makes a ledger on an open database; now is the clock, time.Now outside of tests.
func New(database *db.DB, now func() time.Time) *Ledger {
	begun := now()
	// Between two answers of time.Now is the time that has passed, though the clock was set anew meanwhile.
	return NewTimed(database, now, func() time.Duration { return now().Sub(begun) })
}

// NewTimed is New for tests that set the clock anew: ran is for how long the ledger has been in use, which that does not
// change.
func NewTimed(database *db.DB, now func() time.Time, ran func() time.Duration) *Ledger {
	return &Ledger{db: database, now: now, ran: ran}
}

// Origin says through which door a change came.
type Origin string

// The doors.
const (
	OriginAPI       Origin = "api"
	OriginCLI       Origin = "cli"
	OriginImport    Origin = "import"
	OriginRule      Origin = "rule"
	OriginAssistant Origin = "assistant"
)

// Actor is who acts: the household whose data it is, and the person and key if there are any (else 0).
// It is passed explicitly to everything that reaches a household's rows.
type Actor struct {
	HouseholdID int64
	UserID      int64
	KeyID       int64
	Origin      Origin
}

// Page is a part of a list: Number counts from 1, Size is how many rows it has at most.
type Page struct {
	Number, Size int
}

// Offset is how many rows come before the page.
func (p Page) Offset() int64 { return int64(p.Number-1) * int64(p.Size) }

// everything is the page that holds the whole of a list.
func everything() Page { return Page{1, math.MaxInt32} }

// stamp is the present instant as the database keeps it: milliseconds since 1970, UTC.
func (l *Ledger) stamp() int64 { return l.now().UnixMilli() }

// Instant is the time of a stored stamp.
func Instant(stamp int64) time.Time { return time.UnixMilli(stamp).UTC() }

// newID is a fresh UUIDv7.
func newID() (queries.PublicID, error) {
	id, err := uuid.NewV7()
	return queries.PublicID(id), err
}

// entity names a kind of thing in the record of changes.
type entity string

const (
	entityHousehold   entity = "household"
	entityUser        entity = "user"
	entityKey         entity = "api_key"
	entityAccount     entity = "account"
	entityCategory    entity = "category"
	entityTag         entity = "tag"
	entityMerchant    entity = "merchant"
	entityTransaction entity = "transaction"
	entityTransfer    entity = "transfer"
	entityRejection   entity = "rejected_transfer"
	entityValuation   entity = "valuation"
	entityTrade       entity = "trade"
	entitySecurity    entity = "security"
	entityPrices      entity = "security_prices" // of one security, which the id is of
	entitySplit       entity = "security_split"
	entityRule        entity = "rule"
)

// record appends to the household's history what was changed: before is nil for what was created,
// after is nil for what was deleted.
func (l *Ledger) record(ctx context.Context, q *queries.Queries, who Actor, what entity, id queries.PublicID, before, after any) error {
	change, err := l.changeOf(who, what, id, before, after)
	if err != nil {
		return err
	}
	return q.InsertChange(ctx, change)
}

// changeOf is the entry in the history.
func (l *Ledger) changeOf(who Actor, what entity, id queries.PublicID, before, after any) (c queries.InsertChangeParams, err error) {
	action := "update"
	switch {
	case before == nil:
		action = "create"
	case after == nil:
		action = "delete"
	}
	c = queries.InsertChangeParams{
		HouseholdID: who.HouseholdID, At: l.stamp(), UserID: optionalKey(who.UserID), ApiKeyID: optionalKey(who.KeyID),
		Origin: string(who.Origin), Entity: string(what), EntityID: id, Action: action,
	}
	if c.Before, err = asJSON(before); err != nil {
		return c, err
	}
	c.After, err = asJSON(after)
	return c, err
}

func asJSON(v any) (*string, error) {
	if v == nil {
		return nil, nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	s := string(text)
	return &s, nil
}

func optionalKey(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// Missing turns the database's "no row" into a not-found error of the thing; other errors pass.
func Missing(err error, what string) error {
	if errors.Is(err, db.ErrNotFound) {
		return NewNotFound(what)
	}
	return err
}

// taken turns a broken uniqueness into a validation error of the field; other errors pass.
func taken(err error, field, format string, args ...any) error {
	if db.IsTaken(err) {
		return NewInvalid(field, format, args...)
	}
	return err
}
