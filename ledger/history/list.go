package history

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// Operation is what was done at once.
type Operation struct {
	ID       uuid.UUID
	At       time.Time
	Origin   ledger.Origin
	User     string // address; blank when no person is known
	Key      string // name of the API key; blank when none was used
	Counts   []Count
	Undoes   uuid.UUID // the operation that this one took back; zero: none
	UndoneBy uuid.UUID // the one that took this one back and is in force; zero: none
	Fixed    string    // why it cannot be taken back; blank when it can
}

// Count is how many things of a kind an operation created, changed or deleted.
type Count struct {
	Entity  ledger.Entity
	Action  string
	Changed int64
}

// Summary says what an operation did, such as "changed 12 transactions".
func (o Operation) Summary() string {
	done := map[string]string{ledger.ActionCreate: "added", ledger.ActionUpdate: "changed", ledger.ActionDelete: "deleted"}
	var parts []string
	for _, c := range o.Counts {
		name := strings.ReplaceAll(string(c.Entity), "_", " ")
		if c.Changed != 1 {
			name = plural(name)
		}
		parts = append(parts, fmt.Sprintf("%s %d %s", done[c.Action], c.Changed, name))
	}
	text := strings.Join(parts, ", ")
	if o.Undoes != uuid.Nil {
		text = "took back an operation: " + text
	}
	return text
}

func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "s"):
		return name
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

// List gives a page of the household's operations, newest first. More reports whether others follow: they are not
// counted, as there is one for nearly each change that ever was.
func (s *Service) List(ctx context.Context, who ledger.Actor, page ledger.Page) (list []Operation, more bool, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListOperationIDs(ctx, queries.ListOperationIDsParams{HouseholdID: who.HouseholdID,
			BeforeID: newest(), RowLimit: int64(page.Size) + 1, RowOffset: page.Offset()})
		if err != nil {
			return err
		}
		more = len(rows) > page.Size
		for _, id := range rows[:min(len(rows), page.Size)] {
			o, err := s.read(ctx, tx, queries.PublicID(id))
			if err != nil {
				return err
			}
			list = append(list, o)
		}
		return nil
	})
	return list, more, err
}

// Get gives one operation.
func (s *Service) Get(ctx context.Context, who ledger.Actor, id uuid.UUID) (o Operation, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) (err error) {
		o, err = s.read(ctx, tx, queries.PublicID(id))
		return err
	})
	return o, err
}

// Changes gives a page of what an operation did, kind by kind.
func (s *Service) Changes(ctx context.Context, who ledger.Actor, id uuid.UUID, page ledger.Page) (list []ledger.Change,
	err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListOperationChanges(ctx, queries.ListOperationChangesParams{HouseholdID: who.HouseholdID,
			OperationID: queries.PublicID(id), RowLimit: int64(page.Size), RowOffset: page.Offset()})
		for _, row := range rows {
			list = append(list, ledger.AsChange(row))
		}
		return err
	})
	return list, err
}

func (s *Service) read(ctx context.Context, tx *ledger.Tx, id queries.PublicID) (o Operation, err error) {
	head, err := tx.GetOperation(ctx, queries.GetOperationParams{HouseholdID: tx.HouseholdID, OperationID: id})
	if errors.Is(err, db.ErrNotFound) {
		return o, ledger.NewNotFound("Change")
	}
	if err != nil {
		return o, err
	}
	o = Operation{ID: uuid.UUID(id), At: ledger.Instant(head.At), Origin: ledger.Origin(head.Origin),
		User: ledger.OrBlank(head.Email), Key: ledger.OrBlank(head.KeyName)}
	if head.Undoes != nil {
		o.Undoes = uuid.UUID(*head.Undoes)
	}
	counts, err := tx.SummarizeOperation(ctx, queries.SummarizeOperationParams{HouseholdID: tx.HouseholdID,
		OperationID: id})
	if err != nil {
		return o, err
	}
	for _, c := range counts {
		o.Counts = append(o.Counts, Count{ledger.Entity(c.Entity), c.Action, c.Changed})
	}
	by, err := undoneBy(ctx, tx, id)
	if by != nil {
		o.UndoneBy = uuid.UUID(*by)
	}
	o.Fixed = s.fixed(&o)
	return o, err
}
