package importer

import (
	"context"

	"finsvc/ledger/entry"
	"finsvc/queries"
)

// takeBack removes the import's entries, which are not visible, in short transactions, and what its rows were
// recognised as.
func (p *publisher) takeBack(ctx context.Context) (err error) {
	var written entry.Written
	err = p.im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		written, err = p.im.ledger.Entries.ListWritten(ctx, q, p.who, p.imp.ID)
		return err
	})
	if err != nil {
		return err
	}
	if p.imp.Status == StatusReverting {
		p.total = new(p.done + int64(len(written.Keys)))
	}
	if err := p.silence(ctx, &written); err != nil {
		return err
	}
	for len(written.Keys) > 0 {
		if written, err = p.remove(ctx, written); err != nil {
			return err
		}
	}
	return p.dropMatches(ctx)
}

// silence makes the entries no longer findable at once if possible. Whoever has lost the import must not: there may
// be others of it already.
func (p *publisher) silence(ctx context.Context, written *entry.Written) error {
	if len(written.Keys) == 0 {
		return nil
	}
	return p.write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := p.im.ledger.Entries.Unindex(ctx, q, p.imp.ID, written); err != nil {
			return err
		}
		return p.renew(ctx, q, p.done)
	})
}

// dropMatches forgets what the rows were recognised as, when they are too many for one write; see forgetMatches.
func (p *publisher) dropMatches(ctx context.Context) error {
	if p.imp.MatchedRowsCount < bigImport {
		return nil
	}
	for after := int64(0); after < p.imp.RowsCount; {
		next := after
		err := p.piece(ctx, func(ctx context.Context, q *queries.Queries) error {
			n, err := p.steps(int(p.imp.RowsCount-after), func(from, to int) error {
				return q.DeleteImportMatchesBetween(ctx, queries.DeleteImportMatchesBetweenParams{ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID,
					AfterRow: after + int64(from), LastRow: after + int64(to)})
			})
			if err != nil {
				return err
			}
			next = after + int64(n)
			return p.renew(ctx, q, p.done)
		})
		if err != nil {
			return err
		}
		after = next
	}
	return nil
}

// remove removes the first of some entries in one transaction, and gives the others.
func (p *publisher) remove(ctx context.Context, written entry.Written) (rest entry.Written, err error) {
	if err := ctx.Err(); err != nil {
		return written, err
	}
	var done int64
	err = p.piece(ctx, func(ctx context.Context, q *queries.Queries) error {
		rest = written
		n, err := p.steps(len(written.Keys), func(from, to int) (err error) {
			var part entry.Written
			part, rest = rest.Cut(to - from)
			return p.im.ledger.Entries.RemoveDrafts(ctx, q, p.who, part)
		})
		if err != nil {
			return err
		}
		done = p.afterRemoving(int64(n))
		return p.renew(ctx, q, done)
	})
	if err == nil {
		p.done = done
		p.im.kick(p.imp.ID)
	}
	return rest, err
}

// afterRemoving is how many rows are done when more were removed: that is what a revert does, and what a publication
// undoes.
func (p *publisher) afterRemoving(rows int64) int64 {
	if p.imp.Status == StatusReverting {
		return p.done + rows
	}
	return max(0, p.done-rows)
}
