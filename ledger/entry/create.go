package entry

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/rollup"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// CreateTransaction stores a new transaction. When the client's own id (external_id and source) is known
// on that account, the transaction that has it is given back unchanged and created is false.
func (s *Service) CreateTransaction(ctx context.Context, who ledger.Actor, in TransactionInput) (t Transaction,
	created bool, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, created, err = s.CreateTransactionTx(ctx, tx, in)
		return err
	})
	return t, created, err
}

func (s *Service) CreateTransactionTx(ctx context.Context, tx *ledger.Tx, in TransactionInput) (t Transaction,
	created bool, err error) {
	one, err := prepare(tx.Refs, tx.Actor, in)
	if err != nil {
		return t, false, err
	}
	list, err := s.insertBatch(ctx, tx, []*newEntry{one})
	if err != nil {
		return t, false, err
	}
	return list[0], one.isNew, nil
}

// MaxBulk is how many transactions one batch may have.
const MaxBulk = 10_000

// CreateTransactions stores a batch: all of it or, when one fails, nothing. It comes to the same as storing them one
// by one, but that what rules say about transfers is done when all are there. Problems name the failing one by its
// place, counted from 0.
//
// One transaction is a batch of one. All are checked first. Then rows, tags, lines, rollups and history are written
// in statements of up to 200 rows, transfers are matched over all of them, and the index for search comes last. What
// rules say about transfers is done when the whole batch is there, so its order does not matter.
func (s *Service) CreateTransactions(ctx context.Context, who ledger.Actor,
	inputs []TransactionInput) (out []Transaction, err error) {
	if len(inputs) > MaxBulk {
		return nil, ledger.NewInvalid("transactions", "must have at most %d members, has %d", MaxBulk, len(inputs))
	}
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		// Check a batch.
		refs := tx.Refs
		var problems ledger.Problems
		list := make([]*newEntry, len(inputs))
		for i, in := range inputs {
			var err error
			list[i], err = prepare(refs, tx.Actor, in)
			if err == nil {
				continue
			}
			if err := problems.Gather(fmt.Sprintf("transactions[%d].", i), err); err != nil {
				return err
			}
		}
		err := problems.Err()
		if err != nil {
			return err
		}
		out, err = s.insertBatch(ctx, tx, list)
		return err
	})
	return out, err
}

// newEntry is a transaction on its way into the books.
type newEntry struct {
	queries.Transaction
	isNew   bool // nobody has its external id
	tags    []int64
	lines   []queries.SplitLine
	named   string            // as the client did, whatever rules call it
	effects []rule.RuleEffect // of rules
	wish    transferTarget
}

// prepare checks what a client says about a new transaction.
func prepare(refs *ledger.Refs, who ledger.Actor, in TransactionInput) (*newEntry, error) {
	accountKey, known := refs.Accounts.Keys[in.AccountID.Value]
	switch {
	case in.AccountID.Has() && !known:
		return nil, ledger.NewNotFound("Account")
	case !in.AccountID.Has() && !in.Problems.Has("account_id"):
		in.Problems.Add("account_id", "is required")
	}
	c := checker{refs, &in}
	a := &newEntry{Transaction: c.newTransaction(who, accountKey), tags: c.tags()}
	a.lines = splitChange{after: c.splitLines((&a.Transaction), nil)}.after
	if err := in.Problems.Err(); err != nil {
		return nil, err
	}
	a.named, a.UserFields, a.NameHash = a.Name, in.saidFields(who), ledger.NameHashColumn(a.Name)
	return a, nil
}

// insertBatch writes transactions that were checked, as the household's rules have them, and gives all of them. One
// whose external id somebody has already, be it another one of them, is not written; who has it takes its place.
func (s *Service) insertBatch(ctx context.Context, tx *ledger.Tx, list []*newEntry) ([]Transaction, error) {
	fresh, err := dropKnown(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	if len(fresh) > 0 {
		applyRules(s.Rules.EngineOf(tx.HouseholdID, tx.Refs), fresh)
		if err := insertAll(ctx, tx, fresh); err != nil {
			return nil, err
		}
		if err := s.matchAll(ctx, tx, fresh); err != nil {
			return nil, err
		}
		if err := MakeFindable(ctx, tx.Queries, searchTextsOf(tx.Refs, fresh)); err != nil {
			return nil, err
		}
	}
	// Read what has become of transactions.
	keys := make([]int64, len(list))
	for i, a := range list {
		keys[i] = a.ID
	}
	slices.Sort(keys)
	stored := make(map[int64]*Transaction, len(list))
	for part := range slices.Chunk(slices.Compact(keys), readBatch) {
		if err := readPart(ctx, tx, part, stored); err != nil {
			return nil, err
		}
	}
	out := make([]Transaction, len(list))
	for i, a := range list {
		out[i] = *stored[a.ID]
	}
	return out, nil
}

// externalID is a client's own id.
type externalID struct {
	account    int64
	source, id string
}

func (e externalID) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{e.account, e.source, e.id})
}

// dropKnown are those that nobody has the external id of. In the list each of the others gives way to who has it.
func dropKnown(ctx context.Context, tx *ledger.Tx, list []*newEntry) (fresh []*newEntry, err error) {
	have, err := knownIDs(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	for i, a := range list {
		if a.ExternalID != nil {
			id := a.externalID()
			if other := have[id]; other != nil {
				list[i] = other
				continue
			}
			have[id] = a
		}
		a.isNew = true
		fresh = append(fresh, a)
	}
	return fresh, nil
}

func (a *newEntry) externalID() externalID { return externalID{a.AccountID, *a.Source, *a.ExternalID} }

// knownIDs are the external ids that were sent before, each with the key of the transaction that has it.
func knownIDs(ctx context.Context, tx *ledger.Tx, list []*newEntry) (map[externalID]*newEntry, error) {
	var sent []externalID
	for _, a := range list {
		if a.ExternalID != nil {
			sent = append(sent, a.externalID())
		}
	}
	have := make(map[externalID]*newEntry, len(sent))
	if len(sent) == 0 {
		return have, nil
	}
	text, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	rows, err := tx.ListExternalIDs(ctx, queries.ListExternalIDsParams{Sent: string(text), HouseholdID: tx.HouseholdID})
	for _, row := range rows {
		have[externalID{row.AccountID, row.Source, row.ExternalID}] = &newEntry{Transaction: queries.Transaction{ID: row.ID}}
	}
	return have, err
}

// applyRules shows new transactions to the rules, one after the other.
func applyRules(b *rule.Engine, fresh []*newEntry) {
	if b == nil {
		return
	}
	var f rule.Subject
	for _, a := range fresh {
		f.See(&a.Transaction, a.tags)
		a.effects = slices.Clone(b.Apply(&f))
		a.tags, a.wish = f.Write(&a.Transaction), transferTargetOf(&f)
	}
}

// insertAll gives the rows their keys and ids and writes them with all that hangs on them, but for what they are found
// by and their transfers.
func insertAll(ctx context.Context, tx *ledger.Tx, fresh []*newEntry) error {
	if err := number(ctx, tx, fresh); err != nil {
		return err
	}
	var beside attachments
	sums, rows := rollup.NewRollups(), make([]queries.InsertTransactionParams, len(fresh))
	for i, a := range fresh {
		rows[i] = insertParams(a.Transaction)
		sums.Add(rollup.PostingOf(a.Transaction, a.lines))
		beside.tag(a.ID, a.tags)
		if err := beside.split(a.ID, tx.HouseholdID, a.lines); err != nil {
			return err
		}
		beside.note(a.ID, a.effects, a.named)
	}
	if _, err := tx.InsertTransactions(ctx, rows); err != nil {
		return err
	}
	if err := beside.store(ctx, tx.Queries); err != nil {
		return err
	}
	if err := sums.Apply(ctx, tx); err != nil {
		return err
	}
	return recordAll(ctx, tx, fresh)
}

// number gives new transactions their keys, in their order, their ids and their stamp.
func number(ctx context.Context, tx *ledger.Tx, fresh []*newEntry) error {
	first, err := ReserveSequences(ctx, tx, int64(len(fresh)))
	if err != nil {
		return err
	}
	stamp := tx.Stamp()
	for i, a := range fresh {
		a.ID = int64(ledger.NewKey(tx.HouseholdID, ledger.Date(a.Date), first+int64(i)))
		a.PublicID, err = ledger.NewID()
		if err != nil {
			return err
		}
		a.CreatedAt, a.UpdatedAt = stamp, stamp
	}
	return nil
}

// recordAll appends them to the history, each by itself.
func recordAll(ctx context.Context, tx *ledger.Tx, fresh []*newEntry) (err error) {
	changes := make([]queries.InsertChangeParams, len(fresh))
	for i, a := range fresh {
		changes[i], err = tx.ChangeOf(ledger.EntityTransaction, a.PublicID, nil, nil)
		if err != nil {
			return err
		}
	}
	return tx.InsertChanges(ctx, changes)
}

// matchAll finds the other sides of transfers: automatically, and then as rules say.
func (s *Service) matchAll(ctx context.Context, tx *ledger.Tx, fresh []*newEntry) error {
	sides := make([]transfer.CandidateLeg, len(fresh))
	for i, a := range fresh {
		sides[i] = transfer.SideOf(a.Transaction)
	}
	if err := s.Transfers.Rematch(ctx, tx, sides, nil); err != nil {
		return err
	}
	for _, a := range fresh {
		if a.wish.account == 0 {
			continue
		}
		if err := s.joinUnlessConfirmed(ctx, tx, a.ID, a.wish); err != nil {
			return err
		}
	}
	return nil
}

func searchTextsOf(refs *ledger.Refs, fresh []*newEntry) Texts {
	texts := make(Texts, len(fresh))
	for i, a := range fresh {
		texts[i] = searchTextOf(refs, a.Transaction, a.lines)
	}
	return texts
}

// readBatch is how many transactions are read back at once.
const readBatch = 500

// readPart reads the transactions with some keys.
func readPart(ctx context.Context, tx *ledger.Tx, keys []int64, stored map[int64]*Transaction) error {
	rows, err := tx.GetTransactionRows(ctx, ledger.JSONArray(keys))
	if err != nil {
		return err
	}
	list, err := labelled(ctx, tx, tx.HouseholdID, rows)
	for i := range list {
		stored[list[i].ID] = &list[i]
	}
	return err
}
