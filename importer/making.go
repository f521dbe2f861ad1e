package importer

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// maker is a kind or a format with rows that become no transactions: their Entity is not blank.
type maker interface {
	// rank orders the making; rows of one rank are made in the order of the file. Those of a rank below 0 are made
	// before the file's transactions are written, which may need them; all others in the write that makes those count.
	rank(row Row) int
	// make gives what it created, for the revert.
	make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error)
}

// making is what rows are made with. A maker may remember in itself what it made: there is a new one for
// every publishing and every rehearsal.
type making struct {
	ledger *ledger.Ledger
	who    ledger.Actor
	maker  maker
	names  *names
	target ledger.BulkTarget // without an import in a rehearsal
	note   noter
	short  []int64 // rows with sales of more than is held; in a rehearsal only
}

// makerNamed is nil for types whose rows all become transactions.
func makerNamed(name string) maker {
	if m, ok := formatNamed(name).(maker); ok {
		return m
	}
	m, _ := kindNamed(name, Defaults{}).(maker)
	return m
}

// makeAll makes what the rows say, trades last, and has noted what was created.
func (m *making) makeAll(ctx context.Context, q *queries.Queries, rows []Row) error {
	rows, trades := withoutTrades(rows)
	m.inOrder(rows)
	if err := m.makeSome(ctx, q, rows); err != nil {
		return err
	}
	if err := m.bookTrades(ctx, q, trades); err != nil {
		return err
	}
	return ctx.Err()
}

// inOrder sorts the rows that become no trades in the order in which they are made.
func (m *making) inOrder(rows []Row) {
	if o, ok := m.maker.(overlooker); ok {
		o.overlook(rows)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(m.maker.rank(a), m.maker.rank(b)), cmp.Compare(a.Number, b.Number))
	})
}

// makeSome makes what rows say that are in order.
func (m *making) makeSome(ctx context.Context, q *queries.Queries, rows []Row) error {
	for _, row := range rows {
		created, err := m.maker.make(ctx, q, m, row)
		if err != nil {
			return err
		}
		if err := m.noteAll(ctx, q, created); err != nil {
			return err
		}
	}
	return nil
}

func (m *making) noteAll(ctx context.Context, q *queries.Queries, created []ledger.Created) error {
	for _, c := range created {
		if err := m.note(ctx, q, c); err != nil {
			return err
		}
	}
	return nil
}

// overlooker is a maker that needs to know all rows before it makes the first.
type overlooker interface{ overlook(rows []Row) }

// finisher is a maker that at the end makes what it has only gathered from its rows.
type finisher interface {
	finish(ctx context.Context, q *queries.Queries, m *making) ([]ledger.Created, error)
}

// makeLate makes the rows that are left, in the write that makes the file's transactions count.
func (m *making) makeLate(ctx context.Context, q *queries.Queries, rows []Row) error {
	if err := m.makeAll(ctx, q, rows); err != nil {
		return err
	}
	f, ok := m.maker.(finisher)
	if !ok {
		return nil
	}
	created, err := f.finish(ctx, q, m)
	if err != nil {
		return err
	}
	return m.noteAll(ctx, q, created)
}

// early are the rows that must be made before the transactions of the file, late the others.
func (m *making) part(rows []Row) (early, late []Row) {
	for _, row := range rows {
		if row.Entity != entityTrade && m.maker.rank(row) < 0 {
			early = append(early, row)
		} else {
			late = append(late, row)
		}
	}
	return early, late
}

// gather reads the file once more for the rows that become no transactions.
func (p *publisher) gather(ctx context.Context) (made []Row, err error) {
	err = p.eachRow(ctx, func(row Row) error {
		if row.Planned() && row.Entity != "" && p.outlook.isNew(row) {
			row.Occurrence = p.outlook.repeats.of(row.Number)
			made = append(made, row)
		}
		return ctx.Err()
	})
	return made, err
}

// madeAtOnce is how many rows that the transactions may need are made in one write: what a maker remembers of them cannot be
// undone, so a write that others wait for too long fails the import.
const madeAtOnce = 100

// makeEarly makes the rows that the file's transactions may need, and leaves the others for the end.
func (p *publisher) makeEarly(ctx context.Context, m maker) error {
	rows, err := p.gather(ctx)
	if err != nil {
		return err
	}
	p.making = &making{ledger: p.im.ledger, who: p.who, maker: m, names: p.names, target: p.target, note: p.noteCreation}
	early, late := p.making.part(rows)
	p.late = late
	p.making.inOrder(early)
	for some := range slices.Chunk(early, madeAtOnce) {
		err := p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
			if err := p.goesOn(ctx, q); err != nil {
				return err
			}
			if err := p.making.makeSome(ctx, q, some); err != nil {
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

// existing adds to the defaults of a maker what the household has, without what the import itself made.
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
		d.Categories, err = im.ledger.CategoryPlaces(ctx, who, how.importID, own)
		return d, err
	}
	d.Accounts, err = im.ledger.AccountKinds(ctx, who, own)
	return d, err
}
