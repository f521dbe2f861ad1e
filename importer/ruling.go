package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// What becomes of the rows of an import that may be booked already, as long as nobody has said what they are.
const (
	DuplicatesHold = "hold" // they are held back, until a person decides; so it is when nothing is said
	DuplicatesNew  = "new"  // they are booked
	DuplicatesSame = "same" // they are what was found for them
)

// checkDuplicates checks what is to become of rows that may be booked already.
func checkDuplicates(p *ledger.Problems, what string) {
	if what != "" && what != DuplicatesHold && what != DuplicatesNew && what != DuplicatesSame {
		p.Add("possible_duplicates", "must be %s, %s or %s, got %s", DuplicatesHold, DuplicatesNew, DuplicatesSame, ledger.Quote(what))
	}
}

// Rule keeps what a person says of a row of an import: [RulingSame], that it is the entry which was found for it, [RulingNew], that it is
// none that is booked, or blank, to take back what was said of a row that is not published yet. It holds for every file that has the row,
// whenever it comes. A row that was held back when its import was published is booked, or is the entry, at once.
func (im *Importer) Rule(ctx context.Context, who ledger.Actor, id uuid.UUID, number int64, ruling string) (Result, error) {
	if ruling != "" && ruling != RulingSame && ruling != RulingNew {
		return Result{}, ledger.NewInvalid("ruling", "must be %s or %s, or null to take it back, got %s", RulingSame, RulingNew, ledger.Quote(ruling))
	}
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return Result{}, err
	}
	row, err := im.rowOf(ctx, who, imp, number)
	if err != nil {
		return Result{}, err
	}
	switch imp.Status {
	case StatusPending, StatusFailed:
		err = im.keepRuling(ctx, who, imp, row, ruling)
	case StatusComplete:
		if !row.Held || ruling == "" {
			return Result{}, ledger.NewConflict("row %d of an import that is complete takes a ruling, %s or %s, only while it is held back; it is: %s", number, RulingSame, RulingNew, row.Fate(imp.Status))
		}
		_, err = im.decideHeld(ctx, who, imp, ruling, int(number))
	default:
		return Result{}, ledger.NewConflict("an import that is %s takes no rulings", imp.Status)
	}
	if err != nil {
		return Result{}, err
	}
	return im.rowOf(ctx, who, imp, number)
}

// RuleAll says the same of all rows of an import that may be booked already, and gives how many that were. Of an import that is complete
// these are the rows that were held back. It may be cut short: what was decided by then stays, and the others are decided next time.
func (im *Importer) RuleAll(ctx context.Context, who ledger.Actor, id uuid.UUID, ruling string) (int64, error) {
	if ruling != RulingSame && ruling != RulingNew {
		return 0, ledger.NewInvalid("ruling", "must be %s or %s, got %s", RulingSame, RulingNew, ledger.Quote(ruling))
	}
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return 0, err
	}
	switch imp.Status {
	case StatusComplete:
		return im.decideHeld(ctx, who, imp, ruling, 0)
	case StatusPending, StatusFailed:
		o, err := im.lookAtStored(ctx, who, imp)
		if err != nil {
			return 0, unreadable(err)
		}
		n := int64(len(o.doubts))
		if err := im.keepRulings(ctx, who, imp, o, o.doubts, ruling); err != nil {
			return 0, err
		}
		return n, im.lookAgain(ctx, who, imp)
	}
	return 0, ledger.NewConflict("an import that is %s takes no rulings", imp.Status)
}

// unreadable makes a conflict of what keeps a file from being read.
func unreadable(err error) error {
	if open, ok := errors.AsType[*OpenQuestion](err); ok {
		return ledger.NewConflict("the import waits for an answer: %s", open)
	}
	if broken, ok := errors.AsType[*FileError](err); ok {
		return ledger.NewConflict("the import cannot be read: %s", broken)
	}
	return err
}

// lookAgain notes what publishing would do now.
func (im *Importer) lookAgain(ctx context.Context, who ledger.Actor, imp queries.Import) error {
	o, err := im.lookAtStored(ctx, who, imp)
	if err != nil {
		return err
	}
	return im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error { return notePlan(ctx, q, imp, o, o.doubts) })
}

// rowOf reads one row of an import.
func (im *Importer) rowOf(ctx context.Context, who ledger.Actor, imp queries.Import, number int64) (Result, error) {
	_, list, err := im.Results(ctx, who, uuid.UUID(imp.PublicID), ledger.Page{Number: int(number), Size: 1})
	if err == nil && len(list) == 0 {
		err = ledger.NewNotFound("Row")
	}
	if err != nil {
		return Result{}, err
	}
	return list[0], nil
}

func (im *Importer) keepRuling(ctx context.Context, who ledger.Actor, imp queries.Import, row Result, ruling string) error {
	o, err := im.lookAtStored(ctx, who, imp)
	if err != nil {
		return err
	}
	account := o.account(row.Row)
	if !row.Planned() || account == 0 {
		return ledger.NewConflict("row %d cannot be booked already: it is not valid, or its account is yet to be created", row.Number)
	}
	occurrence := o.repeats.of(row.Number)
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if ruling == "" {
			return q.DeleteRuling(ctx, queries.DeleteRulingParams{AccountID: account, SourceHash: row.Key, Occurrence: occurrence, HouseholdID: who.HouseholdID})
		}
		return q.PutRuling(ctx, queries.PutRulingParams{AccountID: account, SourceHash: row.Key, Occurrence: occurrence, HouseholdID: who.HouseholdID,
			Ruling: ruling, CreatedAt: im.now().UnixMilli()})
	})
	return cmp.Or(err, im.lookAgain(ctx, who, imp))
}

// rulingBatch is of how many rows the rulings are kept in one write.
const rulingBatch = 5_000

// keepRulings keeps a ruling of some rows of a file.
func (im *Importer) keepRulings(ctx context.Context, who ledger.Actor, imp queries.Import, o *outlook, of matches, ruling string) error {
	if len(of) == 0 {
		return nil
	}
	rows, err := im.stored(ctx, who, imp)
	if err != nil {
		return err
	}
	var batch [][3]int64
	keep := func() error {
		if len(batch) == 0 {
			return nil
		}
		list, err := json.Marshal(batch)
		if err != nil {
			return err
		}
		batch = batch[:0]
		return im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			return q.PutRulings(ctx, queries.PutRulingsParams{Rows: string(list), Ruling: ruling, CreatedAt: im.now().UnixMilli(), HouseholdID: who.HouseholdID})
		})
	}
	err = each(rows, func(row Row) error {
		if _, doubtful := of.find(row.Number); !doubtful {
			return ctx.Err()
		}
		if batch = append(batch, [3]int64{o.account(row), row.Key, o.repeats.of(row.Number)}); len(batch) < rulingBatch {
			return nil
		}
		return keep()
	})
	return cmp.Or(err, keep())
}
