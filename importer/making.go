package importer

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// gather reads the file once more for the rows that become no transactions.
func (p *publisher) gather(ctx context.Context) (made []Row, err error) {
	err = p.eachRow(ctx, func(row Row) error {
		if row.Planned() && row.Entity() != "" && p.outlook.isNew(row) {
			row.Occurrence = p.outlook.repeats.of(row.Number)
			made = append(made, row)
		}
		return ctx.Err()
	})
	return made, err
}

// madeAtOnce is how many rows that the transactions may need are made in one write: what is remembered of them cannot be
// undone, so a write that others wait for too long fails the import.
const madeAtOnce = 100

// makeEarly makes the rows that the file's transactions may need, and leaves the others for the end.
func (p *publisher) makeEarly(ctx context.Context) error {
	rows, err := p.gather(ctx)
	if err != nil {
		return err
	}
	p.applier = newApplier(p.im.ledger, p.who, p.names, p.target, p.noteCreation)
	early, late := parted(rows)
	p.late = late
	p.applier.inOrder(early)
	for some := range slices.Chunk(early, madeAtOnce) {
		err := p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
			if err := p.goesOn(ctx, q); err != nil {
				return err
			}
			if err := p.applier.applySome(ctx, q, some); err != nil {
				return err
			}
			return p.renew(ctx, q, p.done)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// existing adds to the defaults of a list of categories, accounts or rules what the household has, without what the import itself made.
func (im *Importer) existing(ctx context.Context, who ledger.Actor, how reading, d Defaults) (Defaults, error) {
	if how.kind != CategoryImport && how.kind != AccountImport && how.kind != RuleImport {
		return d, nil
	}
	own := map[uuid.UUID]bool{}
	err := im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		ids, err := q.ListImportCreations(ctx, queries.ListImportCreationsParams{ImportID: how.importID, HouseholdID: who.HouseholdID})
		for _, id := range ids {
			own[uuid.UUID(id)] = true
		}
		return err
	})
	if err != nil {
		return d, err
	}
	if how.kind == CategoryImport {
		d.Categories, err = im.ledger.Intake.CategoryPlaces(ctx, who, how.importID, own)
		return d, err
	}
	d.Accounts, err = im.ledger.Intake.AccountKinds(ctx, who, own)
	return d, err
}
