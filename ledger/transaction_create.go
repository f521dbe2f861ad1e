package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"finsvc/queries"
)

// CreateTransaction stores a new transaction. When the client's own id (external_id and source) is known
// on that account, the transaction that has it is given back unchanged and created is false.
func (l *Ledger) CreateTransaction(ctx context.Context, who Actor, in TransactionInput) (t Transaction, created bool, err error) {
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		t, created, err = l.createTransaction(ctx, q, who, names, in)
		return err
	})
	return t, created, err
}

func (l *Ledger) createTransaction(ctx context.Context, q *queries.Queries, who Actor, names *labels, in TransactionInput) (t Transaction, created bool, err error) {
	one, err := names.arrival(who, in)
	if err != nil {
		return t, false, err
	}
	list, err := l.book(ctx, q, who, names, []*arrival{one})
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
func (l *Ledger) CreateTransactions(ctx context.Context, who Actor, inputs []TransactionInput) (out []Transaction, err error) {
	if len(inputs) > MaxBulk {
		return nil, NewInvalid("transactions", "must have at most %d members, has %d", MaxBulk, len(inputs))
	}
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		list, err := names.arrivals(who, inputs)
		if err != nil {
			return err
		}
		out, err = l.book(ctx, q, who, names, list)
		return err
	})
	return out, err
}

// arrival is a transaction on its way into the books.
type arrival struct {
	queries.Transaction
	isNew   bool // nobody has its external id
	tags    []int64
	lines   []queries.SplitLine
	named   string       // as the client did, whatever rules call it
	effects []RuleEffect // of rules
	wish    transferWish
}

// arrivals checks a batch.
func (l *labels) arrivals(who Actor, inputs []TransactionInput) ([]*arrival, error) {
	var problems Problems
	list := make([]*arrival, len(inputs))
	for i, in := range inputs {
		var err error
		list[i], err = l.arrival(who, in)
		if err == nil {
			continue
		}
		if err := problems.gather(fmt.Sprintf("transactions[%d].", i), err); err != nil {
			return nil, err
		}
	}
	return list, problems.Err()
}

// gather takes the problems of a part of the input into those of the whole. A part that does not exist
// is a problem of the field that names it; other errors pass.
func (p *Problems) gather(prefix string, err error) error {
	switch e := AsError(err); {
	case err == nil:
		return nil
	case e != nil && e.Kind == Invalid:
		for _, f := range e.Fields {
			p.Add(prefix+f.Field, "%s", f.Message)
		}
		return nil
	case e != nil && e.Kind == NotFound:
		p.Add(prefix+"account_id", "is not the id of one of the household's own accounts")
		return nil
	}
	return err
}

// arrival checks what a client says about a new transaction.
func (l *labels) arrival(who Actor, in TransactionInput) (*arrival, error) {
	accountKey, known := l.accounts.keys[in.AccountID.Value]
	switch {
	case in.AccountID.Has() && !known:
		return nil, NewNotFound("Account")
	case !in.AccountID.Has() && !in.Problems.Has("account_id"):
		in.Problems.Add("account_id", "is required")
	}
	c := checker{l, &in}
	a := &arrival{Transaction: c.newTransaction(who, accountKey), tags: c.tags()}
	a.lines = c.newParts(&a.Transaction).after
	if err := in.Problems.Err(); err != nil {
		return nil, err
	}
	a.named, a.UserFields, a.NameHash = a.Name, in.saidFields(who), nameHash(a.Name)
	return a, nil
}

// book writes transactions that were checked, as the household's rules have them, and gives all of them. One whose
// external id somebody has already, be it another one of them, is not written; who has it takes its place.
func (l *Ledger) book(ctx context.Context, q *queries.Queries, who Actor, names *labels, list []*arrival) ([]Transaction, error) {
	fresh, err := unknown(ctx, q, who, list)
	if err != nil {
		return nil, err
	}
	if len(fresh) > 0 {
		l.ruleBook(who.HouseholdID, names).receive(fresh)
		if err := l.insertAll(ctx, q, who, fresh); err != nil {
			return nil, err
		}
		if err := l.matchAll(ctx, q, who, names, fresh); err != nil {
			return nil, err
		}
		if err := l.MakeFindable(ctx, q, names.searchTexts(fresh)); err != nil {
			return nil, err
		}
	}
	return l.readAll(ctx, q, who, names, list)
}

// externalID is a client's own id.
type externalID struct {
	account    int64
	source, id string
}

func (e externalID) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{e.account, e.source, e.id})
}

// unknown are those that nobody has the external id of. In the list each of the others gives way to who has it.
func unknown(ctx context.Context, q *queries.Queries, who Actor, list []*arrival) (fresh []*arrival, err error) {
	have, err := knownIDs(ctx, q, who, list)
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

func (a *arrival) externalID() externalID { return externalID{a.AccountID, *a.Source, *a.ExternalID} }

// knownIDs are the external ids that were sent before, each with the key of the transaction that has it.
func knownIDs(ctx context.Context, q *queries.Queries, who Actor, list []*arrival) (map[externalID]*arrival, error) {
	var sent []externalID
	for _, a := range list {
		if a.ExternalID != nil {
			sent = append(sent, a.externalID())
		}
	}
	have := make(map[externalID]*arrival, len(sent))
	if len(sent) == 0 {
		return have, nil
	}
	text, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	rows, err := q.ListExternalIDs(ctx, queries.ListExternalIDsParams{Sent: string(text), HouseholdID: who.HouseholdID})
	for _, row := range rows {
		have[externalID{row.AccountID, row.Source, row.ExternalID}] = &arrival{Transaction: queries.Transaction{ID: row.ID}}
	}
	return have, err
}

// receive shows new transactions to the rules, one after the other.
func (b *RuleBook) receive(fresh []*arrival) {
	if b == nil {
		return
	}
	var f RuleFacts
	for _, a := range fresh {
		f.see(&a.Transaction, a.tags)
		a.effects = slices.Clone(b.Apply(&f))
		a.tags, a.wish = f.write(&a.Transaction), f.wish()
	}
}

// insertAll gives the rows their keys and ids and writes them with all that hangs on them, but for what they are found
// by and their transfers.
func (l *Ledger) insertAll(ctx context.Context, q *queries.Queries, who Actor, fresh []*arrival) error {
	if err := l.number(ctx, q, who, fresh); err != nil {
		return err
	}
	var beside attachments
	sums, rows := NewRollups(), make([]queries.InsertTransactionParams, len(fresh))
	for i, a := range fresh {
		rows[i] = insertParams(a.Transaction)
		sums.Add(postingOf(a.Transaction, a.lines))
		beside.tag(a.ID, a.tags)
		if err := beside.split(a.ID, who.HouseholdID, a.lines); err != nil {
			return err
		}
		beside.note(a.ID, a.effects, a.named)
	}
	if _, err := q.InsertTransactions(ctx, rows); err != nil {
		return err
	}
	if err := beside.store(ctx, q); err != nil {
		return err
	}
	if err := sums.apply(ctx, q, who); err != nil {
		return err
	}
	return l.recordAll(ctx, q, who, fresh)
}

// number gives new transactions their keys, in their order, their ids and their stamp.
func (l *Ledger) number(ctx context.Context, q *queries.Queries, who Actor, fresh []*arrival) error {
	first, err := l.ReserveSequences(ctx, q, who, int64(len(fresh)))
	if err != nil {
		return err
	}
	stamp := l.stamp()
	for i, a := range fresh {
		a.ID = int64(NewKey(who.HouseholdID, Date(a.Date), first+int64(i)))
		if a.PublicID, err = newID(); err != nil {
			return err
		}
		a.CreatedAt, a.UpdatedAt = stamp, stamp
	}
	return nil
}

// recordAll appends them to the history, each by itself.
func (l *Ledger) recordAll(ctx context.Context, q *queries.Queries, who Actor, fresh []*arrival) (err error) {
	changes := make([]queries.InsertChangeParams, len(fresh))
	for i, a := range fresh {
		if changes[i], err = l.changeOf(who, entityTransaction, a.PublicID, nil, tagged{a.Transaction, a.tags, a.lines}); err != nil {
			return err
		}
	}
	return q.InsertChanges(ctx, changes)
}

// matchAll finds the other sides of transfers: automatically, and then as rules say.
func (l *Ledger) matchAll(ctx context.Context, q *queries.Queries, who Actor, names *labels, fresh []*arrival) error {
	sides := make([]matchSide, len(fresh))
	for i, a := range fresh {
		sides[i] = sideOf(a.Transaction)
	}
	if err := l.rematch(ctx, q, who, names, sides, nil); err != nil {
		return err
	}
	for _, a := range fresh {
		if a.wish.account == 0 {
			continue
		}
		if err := l.joinUnlessConfirmed(ctx, q, who, names, a.ID, a.wish); err != nil {
			return err
		}
	}
	return nil
}

func (l *labels) searchTexts(fresh []*arrival) Texts {
	texts := make(Texts, len(fresh))
	for i, a := range fresh {
		texts[i] = l.searchText(a.Transaction, a.lines)
	}
	return texts
}

// readPart is how many transactions are read back at once.
const readPart = 500

// readAll reads what has become of transactions.
func (l *Ledger) readAll(ctx context.Context, q *queries.Queries, who Actor, names *labels, list []*arrival) ([]Transaction, error) {
	keys := make([]int64, len(list))
	for i, a := range list {
		keys[i] = a.ID
	}
	slices.Sort(keys)
	stored := make(map[int64]*Transaction, len(list))
	for part := range slices.Chunk(slices.Compact(keys), readPart) {
		if err := l.readPart(ctx, q, who, names, part, stored); err != nil {
			return nil, err
		}
	}
	out := make([]Transaction, len(list))
	for i, a := range list {
		out[i] = *stored[a.ID]
	}
	return out, nil
}

// readPart reads the transactions with some keys.
func (l *Ledger) readPart(ctx context.Context, q *queries.Queries, who Actor, names *labels, keys []int64, stored map[int64]*Transaction) error {
	rows, err := q.GetTransactionRows(ctx, jsonArray(keys))
	if err != nil {
		return err
	}
	list, err := l.labelled(ctx, q, who.HouseholdID, names, rows)
	for i := range list {
		stored[list[i].ID] = &list[i]
	}
	return err
}
