package importer

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// makeAll makes what the rows of a maker say, and has noted what was created.
func makeAll(ctx context.Context, q *queries.Queries, l *ledger.Ledger, who ledger.Actor, m maker, rows []Row, note noter) error {
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(m.rank(a), m.rank(b)), cmp.Compare(a.Number, b.Number)) })
	for _, row := range rows {
		created, err := m.make(ctx, q, l, who, row)
		if err != nil {
			return err
		}
		for _, c := range created {
			if err := note(ctx, q, c); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// makeRows publishes a file of a maker in one write. What a row may say depends on what the household has,
// which may have changed since the file was looked at: so it is looked at again.
func (p *publisher) makeRows(ctx context.Context, m maker) error {
	var rows []Row
	var found survey
	err := p.eachRow(ctx, func(row Row) error {
		found.add(row)
		if row.Planned() {
			rows = append(rows, row)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if obstacle := found.obstacle(p.imp.SkipInvalidRows == 1); obstacle != nil {
		return ledger.NewInvalid("file", "%s", *obstacle)
	}
	p.done = int64(len(rows))
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := makeAll(ctx, q, p.im.ledger, p.who, m, rows, p.noteCreation); err != nil {
			return err
		}
		return p.settle(ctx, q, StatusComplete, nil)
	})
}

// existing adds to the defaults of a maker what the household has, without what the import itself made.
func (im *Importer) existing(ctx context.Context, who ledger.Actor, how reading, d Defaults) (Defaults, error) {
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
		d.Categories, err = im.ledger.CategoryPlaces(ctx, who, own)
		return d, err
	}
	d.Accounts, err = im.ledger.AccountNames(ctx, who, own)
	return d, err
}
