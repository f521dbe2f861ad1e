package transfer

import (
	"context"
	"encoding/json"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// namedSide is a transaction that an imported file names as a side of a transfer.
type namedSide queries.ListNamedSidesRow

// canJoin reports whether two transactions can be a transfer: money leaves one account and arrives in another.
func (s namedSide) canJoin(o namedSide) bool {
	return s.ID != 0 && o.ID != 0 && s.AccountID != o.AccountID && s.Amount != 0 && o.Amount != 0 &&
		(s.Amount < 0) != (o.Amount < 0) &&
		(s.Currency != o.Currency || s.Amount == -o.Amount)
}

// namedJoin makes transfers of what a file names.
type namedJoin struct {
	s        *Service
	tx       *ledger.Tx
	importID int64
	joined   map[int64]int64 // keys of transfers by those of their sides
	before   []CandidateLeg  // the sides that were there before the import
	left     []CandidateLeg  // what they were in transfers with
}

// JoinNamed makes transfers of the transactions that an imported file names as the two sides of one, given by their
// keys; at least one of the two has been written by the import. Such a transfer is confirmed, since the file speaks
// for a person: nothing that looks alike takes its place. Automatic transfers in the way give way, and what they
// leave is matched anew. Pairs that cannot be, as when both are incomes or one is in a confirmed transfer, stay apart.
func (s *Service) JoinNamed(ctx context.Context, tx *ledger.Tx, importID int64, pairs [][2]int64) error {
	keys := make([]int64, 0, 2*len(pairs))
	for _, pair := range pairs {
		keys = append(keys, pair[:]...)
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	rows, err := tx.ListNamedSides(ctx, queries.ListNamedSidesParams{Ids: string(list), HouseholdID: tx.HouseholdID})
	sides := make(map[int64]namedSide, len(rows))
	for _, row := range rows {
		sides[row.ID] = namedSide(row)
	}
	if err != nil {
		return err
	}
	j := &namedJoin{s: s, tx: tx, importID: importID, joined: map[int64]int64{}}
	for _, pair := range pairs {
		if err := j.join(ctx, sides[pair[0]], sides[pair[1]]); err != nil {
			return err
		}
	}
	// Part the automatic transfers in the way.
	for _, side := range j.before {
		left, err := clearWay(ctx, j.tx, side.ID)
		if err != nil {
			return err
		}
		j.left = append(j.left, left...)
	}
	if err := setTransfers(ctx, tx, j.joined); err != nil {
		return err
	}
	return j.rematch(ctx)
}

// join writes a transfer, whose sides are set for all at once.
func (j *namedJoin) join(ctx context.Context, a, b namedSide) error {
	own, other := a.ImportID == j.importID, b.ImportID == j.importID
	if !a.canJoin(b) || j.joined[a.ID] != 0 || j.joined[b.ID] != 0 || !own && !other {
		return nil
	}
	t := queries.Transfer{Status: TransferConfirmed, Reason: "the imported file names the two as one transfer"}
	if err := insertTransfer(ctx, j.tx, &t); err != nil {
		return err
	}
	j.joined[a.ID], j.joined[b.ID] = t.ID, t.ID
	if own && other {
		return nil
	}
	if own {
		a = b
	}
	j.before = append(j.before, CandidateLeg{ID: a.ID, AccountID: a.AccountID, Amount: a.Amount, Currency: a.Currency})
	return nil
}

// rematch matches anew what has lost its other side, or another candidate. The history has what an import has done as a
// whole; it gets those transfers that it has no other sign of.
func (j *namedJoin) rematch(ctx context.Context) error {
	if len(j.before) == 0 {
		return nil
	}
	refs, err := j.tx.RefsNow(ctx)
	if err != nil {
		return err
	}
	keys := make([]int64, len(j.before))
	for i, side := range j.before {
		keys[i] = j.joined[side.ID]
	}
	for part := range slices.Chunk(keys, SidesAtOnce) {
		if err := recordTransfers(ctx, j.tx, part...); err != nil {
			return err
		}
	}
	gone := j.before
	if len(gone) > FewForeign {
		gone = nil
	}
	return j.s.Rematch(ctx, j.tx.With(refs), j.left, gone)
}
