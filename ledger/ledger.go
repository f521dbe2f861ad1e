// Package ledger owns every rule of a household's books. HTTP, importer, assistant and command line call the same
// functions. The root is the vocabulary that all of it shares: who acts, what went wrong, days, pages, optional
// fields, the references of a household (the accounts and labels that its entries name), and the [Tx] that carries
// them with the queries and the clock. Below it each package is a subject with one service, or functions that take a
// Tx, in the order in which they stand on one another:
//
//	money     amounts: currencies, checked sums, rounding, how they are written
//	fx        exchange rates
//	rule      the rule engine
//	balance   what an account has on a day, and day by day
//	rollup    sums and texts that are kept beside entries by the same write
//	position  what is held of securities, since when, at what cost and value
//	transfer  two entries that are one movement
//	market    securities, prices, splits
//	catalog   accounts, valuations, categories, tags, merchants
//	entry     transactions and their split lines; runs of rules
//	trade     purchases, sales and income of securities
//	closing   accounts that are deleted or go into another one
//	intake    what an import may do to the books, and how it is taken back
//	tenant    households, people, keys, answers kept for repeats, deletion
//	signin    how a person is let in by a browser
//	report    balance sheet, net worth, income, breakdowns, explanations
//	export    hledger, Beancount, CSV, NDJSON
//	audit     proves the books; finds what they lack
//	books     wires the services
//
// What a household has follows from its entries, and is right in the next request: sums that pages and totals need are
// kept beside the entries by the same write, never by a job. Money is whole minor units, added up exactly. What has no
// exchange rate or price is left out and said, never invented.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// Origin says through which door a change came.
type Origin string

// The doors.
const (
	OriginAPI       Origin = "api"
	OriginCLI       Origin = "cli"
	OriginWeb       Origin = "web" // a page in a browser
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
	Operation   queries.PublicID // by which the history knows what is done now; zero: each write has an id of its own
}

// Page is a part of a list: Number counts from 1, Size is how many rows it has at most.
type Page struct {
	Number, Size int
}

// Offset is how many rows come before the page.
func (p Page) Offset() int64 { return int64(p.Number-1) * int64(p.Size) }

// Everything is the page that holds the whole of a list.
func Everything() Page { return Page{1, math.MaxInt32} }

// Stamp is the present instant as the database keeps it: milliseconds since 1970, UTC.
func (s *Store) Stamp() int64 { return s.Now().UnixMilli() }

// Instant is the time of a stored stamp.
func Instant(stamp int64) time.Time { return time.UnixMilli(stamp).UTC() }

// NewID is a fresh UUIDv7.
func NewID() (queries.PublicID, error) {
	id, err := uuid.NewV7()
	return queries.PublicID(id), err
}

// Entity names a kind of thing in the record of changes.
type Entity string

const (
	EntityHousehold   Entity = "household"
	EntityUser        Entity = "user"
	EntityKey         Entity = "api_key"
	EntityAccount     Entity = "account"
	EntityCategory    Entity = "category"
	EntityTag         Entity = "tag"
	EntityMerchant    Entity = "merchant"
	EntityTransaction Entity = "transaction"
	EntityTransfer    Entity = "transfer"
	EntityRejection   Entity = "rejected_transfer"
	EntityValuation   Entity = "valuation"
	EntityTrade       Entity = "trade"
	EntitySecurity    Entity = "security"
	EntityPrices      Entity = "security_prices" // of one security, which the id is of
	EntitySplit       Entity = "security_split"
	EntityRule        Entity = "rule"
)

// IsReferred reports whether things of the kind are among the references of a household, see [Refs].
func (e Entity) IsReferred() bool {
	switch e {
	case EntityAccount, EntityCategory, EntityTag, EntityMerchant, EntityRule:
		return true
	}
	return false
}

// Record appends to the household's history what was changed: before is nil for what was created,
// after is nil for what was deleted.
func (tx *Tx) Record(ctx context.Context, what Entity, id queries.PublicID, before, after any) error {
	change, err := tx.ChangeOf(what, id, before, after)
	if err != nil {
		return err
	}
	return tx.InsertChange(ctx, change)
}

// ChangeOf is the entry in the history.
func (tx *Tx) ChangeOf(what Entity, id queries.PublicID, before, after any) (c queries.InsertChangeParams, err error) {
	action := ActionUpdate
	switch {
	case before == nil:
		action = ActionCreate
		// What was created says itself what it is, or the next change of it does. An import keeps what it has created
		// beside what it finds when it is reverted, and prices are put by the thousand: neither is told by a row.
		if tx.Origin != OriginImport && what != EntityPrices {
			after = nil
		}
	case after == nil:
		action = ActionDelete
	}
	c = queries.InsertChangeParams{
		HouseholdID: tx.HouseholdID, At: tx.Stamp(), UserID: OptionalKey(tx.UserID), ApiKeyID: OptionalKey(tx.KeyID),
		Origin: string(tx.Origin), Entity: string(what), EntityID: id, Action: action, Undoes: tx.op.undoes,
	}
	c.OperationID, err = tx.OperationID()
	if err != nil {
		return c, err
	}
	c.Before, err = asJSON(before)
	if err != nil {
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

func OptionalKey(id int64) *int64 {
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

// Taken turns a broken uniqueness into a validation error of the field; other errors pass.
func Taken(err error, field, format string, args ...any) error {
	if db.IsTaken(err) {
		return NewInvalid(field, format, args...)
	}
	return err
}

// IsPerson reports whether a person acts, rather than a file or a rule.
func (who Actor) IsPerson() bool { return who.Origin != OriginImport && who.Origin != OriginRule }
