package entry

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// MaxManyChange is how many transactions one change may be of.
const MaxManyChange = 50_000

// shownChanges is how many changed transactions a dry run shows.
const shownChanges = 100

// ManyChange is what is to become of many transactions at once. They are those of IDs, parts of split ones among them,
// or where that is nil those of the Filter. Fields are as of an update, but for split lines and a client's own ids.
// Expected is how many were seen before: where it is another number now, nothing is changed.
type ManyChange struct {
	IDs                     []uuid.UUID
	Filter                  TransactionFilter
	Fields                  TransactionInput
	AddTagIDs, RemoveTagIDs []uuid.UUID
	Expected                ledger.Opt[int64]
	Problems                ledger.Problems
}

// ManyOutcome is how many transactions were selected, how many of them change, and of a dry run the first of these.
// OperationID is by which it is taken back, see package history; it is zero where nothing was changed.
type ManyOutcome struct {
	Matched, Changed int64
	Rows             []ChangedRow
	OperationID      uuid.UUID
}

// ChangedRow is a transaction as it is, with what would change of it.
type ChangedRow struct {
	ID      uuid.UUID
	Date    ledger.Date
	Account string
	Name    string
	Minor   int64 // into the account positive, in Currency

	Currency      string
	Field         string
	Before, After *string // in words; nil is nothing
}

// ChangeTransactions changes many transactions wholly or not at all. A dry run says what would change.
func (s *Service) ChangeTransactions(ctx context.Context, who ledger.Actor, c ManyChange, dryRun bool) (ManyOutcome,
	error) {
	var out ManyOutcome
	if err := c.check(); err != nil {
		return out, err
	}
	ids, err := s.selected(ctx, who, &c)
	out.Matched = int64(len(ids))
	if err != nil {
		return out, err
	}
	if c.Expected.Has() && c.Expected.Value != out.Matched {
		return out, ledger.NewConflict("%d transactions are selected by now, and not %d as were seen before: look again", out.Matched,
			c.Expected.Value)
	}
	if dryRun {
		return out, s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
			for part := range slices.Chunk(ids, readBatch) {
				if err := c.preview(ctx, tx, part, &out); err != nil {
					return err
				}
			}
			return nil
		})
	}
	changed := make([]int64, len(ids)) // by the first of each part: a part may be written a second time
	operation, err := s.History.Run(ctx, who, len(ids), func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		clear(changed[first:])
		return s.changePart(ctx, tx, &c, ids[first:last], &changed[first])
	})
	if err != nil {
		return ManyOutcome{Matched: out.Matched}, err
	}
	for _, n := range changed {
		out.Changed += n
	}
	if out.Changed > 0 {
		out.OperationID = uuid.UUID(operation)
	}
	return out, nil
}

// check refuses what cannot be meant, before anything is looked up.
func (c *ManyChange) check() error {
	p, in := &c.Problems, &c.Fields
	*p = append(*p, in.Problems...)
	in.Problems = nil
	if in.SplitLines.Set {
		p.Add("split_lines", "cannot be given to many transactions at once: split them one by one")
	}
	if in.ExternalID.Set || in.Source.Set {
		p.Add("external_id", "cannot be given to many transactions at once: it is of one alone")
	}
	if in.TagIDs.Set && (c.AddTagIDs != nil || c.RemoveTagIDs != nil) {
		p.Add("tag_ids", "must not be given together with add_tag_ids or remove_tag_ids: it is the tags that they have afterwards")
	}
	if given := in.AccountID; given.Has() {
		p.Add("account_id", "cannot be changed")
	}
	for _, id := range c.AddTagIDs {
		if slices.Contains(c.RemoveTagIDs, id) {
			p.Add("remove_tag_ids", "must not have a tag of add_tag_ids: %s", id)
		}
	}
	if len(c.IDs) > MaxManyChange {
		p.Add("ids", "must be at most %d, got %d", MaxManyChange, len(c.IDs))
	}
	says := in.Date.Has() || in.Amount.Has() || in.Nature.Has() || in.Name.Has() || in.Description.Has() || in.Notes.Set ||
		in.Currency.Has() || in.CategoryID.Set || in.MerchantID.Set || in.TagIDs.Set || len(c.AddTagIDs)+len(c.RemoveTagIDs) > 0
	if !says && len(*p) == 0 {
		p.Add("transaction", "must have a field to change, such as category_id")
	}
	return p.Err()
}

// selected are the ids of the transactions and parts that the change is of, each once, newest first where they come
// from the filter.
func (s *Service) selected(ctx context.Context, who ledger.Actor, c *ManyChange) ([]uuid.UUID, error) {
	if c.IDs != nil {
		return distinct(c.IDs), nil
	}
	list, total, err := s.ListTransactions(ctx, who, c.Filter, ledger.Page{Number: 1, Size: MaxManyChange})
	if err != nil {
		return nil, err
	}
	if total > MaxManyChange {
		return nil, ledger.NewInvalid("filter", "selects %d transactions; at most %d are changed at once: narrow it, by days for instance",
			total, MaxManyChange)
	}
	ids := make([]uuid.UUID, len(list))
	for i, t := range list {
		ids[i] = uuid.UUID(t.PublicID)
	}
	return ids, nil
}

// distinct are ids without those that come again.
func distinct(ids []uuid.UUID) (once []uuid.UUID) {
	seen := map[uuid.UUID]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			once = append(once, id)
		}
	}
	return once
}

// chosen is a transaction that a change is of, or a part of one: position is 0 of what is no part.
type chosen struct {
	before, after stored
	position      int64
}

// each gives every one of the ids to use, with what the change makes of it.
func (c *ManyChange) each(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID, use func(chosen) error) error {
	rows, err := readByIDs(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		one := chosen{}
		if row, whole := rows[id]; whole {
			one.before = row
		} else if one, err = findChosenPart(ctx, tx, id); err != nil {
			return err
		}
		in := c.Fields
		in.Problems = nil
		c.retag(tx.Refs, one, &in)
		if one.position > 0 {
			one.after, err = in.applyToPart(tx, one.before, one.position)
		} else {
			one.after, err = in.applyTo(tx, one.before)
		}
		if err != nil {
			return about(one.before, err)
		}
		if err := use(one); err != nil {
			return about(one.before, err)
		}
	}
	return nil
}

// about says which of many transactions a problem is of.
func about(t stored, err error) error {
	e := ledger.AsError(err)
	if e == nil || e.Kind != ledger.Invalid {
		return err
	}
	var p ledger.Problems
	for _, f := range e.Fields {
		p.Add(f.Field, "%s (%s, %s)", f.Message, inWords(t.Transaction), uuid.UUID(t.PublicID))
	}
	return p.Err()
}

// retag gives the input the tags that a transaction has with those that are added and without those that are removed.
func (c *ManyChange) retag(refs *ledger.Refs, one chosen, in *TransactionInput) {
	if len(c.AddTagIDs)+len(c.RemoveTagIDs) == 0 {
		return
	}
	tags := one.before.tags
	if one.position > 0 {
		_, tags = one.before.part(one.place())
	}
	ids := slices.DeleteFunc(tagIDs(refs, tags), func(id uuid.UUID) bool { return slices.Contains(c.RemoveTagIDs, id) })
	for _, id := range c.AddTagIDs {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	in.TagIDs = ledger.Some(ids)
}

// place is where among the lines the part stands.
func (o chosen) place() int {
	return slices.IndexFunc(o.before.lines, func(line queries.SplitLine) bool { return line.Position == o.position })
}

// findChosenPart finds the split transaction that has a part.
func findChosenPart(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (one chosen, err error) {
	part, found, err := ledger.FindPart(ctx, tx, id)
	if err != nil {
		return one, err
	}
	if !found {
		return one, ledger.NewNotFound("Transaction " + id.String())
	}
	t, err := ledger.GetTransaction(ctx, tx, uuid.UUID(part.PublicID))
	if err != nil {
		return one, err
	}
	one.before, err = readStored(ctx, tx, t)
	one.position = part.Position
	return one, err
}

// readByIDs reads many transactions with what hangs on them.
func readByIDs(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID) (map[uuid.UUID]stored, error) {
	digits := make([]string, len(ids))
	for i, id := range ids {
		digits[i] = hex.EncodeToString(id[:])
	}
	text, err := json.Marshal(digits)
	if err != nil {
		return nil, err
	}
	rows, err := tx.ListStored(ctx, queries.ListStoredParams{Ids: string(text), HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	keys := make([]int64, len(rows))
	for i, row := range rows {
		keys[i] = row.Transaction.ID
	}
	notes, err := readNotes(ctx, tx, keys)
	if err != nil {
		return nil, err
	}
	all := make(map[uuid.UUID]stored, len(rows))
	for _, row := range rows {
		t := stored{Transaction: row.Transaction, tags: ruleTags(row.TagKeys), notes: notes[row.Transaction.ID]}
		if row.IsSplit == 1 {
			t.lines, err = tx.GetSplitLines(ctx, t.ID)
			if err != nil {
				return nil, err
			}
		}
		all[uuid.UUID(t.PublicID)] = t
	}
	return all, nil
}

// changePart writes what the change makes of some transactions, and counts those that it changes.
func (s *Service) changePart(ctx context.Context, tx *ledger.Tx, c *ManyChange, ids []uuid.UUID, changed *int64) error {
	// Two parts of one transaction are changed one after the other: the second is of what the first has left.
	rest := ids
	for len(rest) > 0 {
		var again []uuid.UUID
		var list []change
		done := map[int64]bool{}
		err := c.each(ctx, tx, rest, func(one chosen) error {
			if done[one.before.ID] {
				again = append(again, lineID(one))
				return nil
			}
			done[one.before.ID] = true
			if one.same() {
				return nil
			}
			*changed++
			list = append(list, change{one.before, &one.after})
			return nil
		})
		if err != nil {
			return err
		}
		if err := s.storeChanges(ctx, tx, list); err != nil {
			return err
		}
		rest = again
	}
	return nil
}

func lineID(o chosen) uuid.UUID { return uuid.UUID(o.before.lines[o.place()].PublicID) }

// same reports whether nothing that people see changes.
func (o chosen) same() bool {
	return sameToPeople(o.before.Transaction, o.after.Transaction) && slices.Equal(o.before.tags, o.after.tags) &&
		!splitChange{o.before.lines, o.after.lines}.changed()
}

// preview counts what would change, and shows the first.
func (c *ManyChange) preview(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID, out *ManyOutcome) error {
	shown := ShownOf(out.Rows)
	return c.each(ctx, tx, ids, func(one chosen) error {
		if one.same() {
			return nil
		}
		out.Changed++
		if shown < shownChanges {
			out.Rows = append(out.Rows, one.rows(tx.Refs)...)
			shown++
		}
		return nil
	})
}

// rows says of each field that changes what it is and would be.
func (o chosen) rows(refs *ledger.Refs) (rows []ChangedRow) {
	id, was, is := uuid.UUID(o.before.PublicID), o.before.Transaction, o.after.Transaction
	wasTags, isTags := o.before.tags, o.after.tags
	if o.position > 0 {
		id = lineID(o)
		was, wasTags = o.before.part(o.place())
		is, isTags = o.after.part(o.place())
	}
	head := changedRow(refs, was)
	head.ID = id
	add := func(field string, before, after *string) {
		if !ledger.Same(before, after) {
			row := head
			row.Field, row.Before, row.After = field, before, after
			rows = append(rows, row)
		}
	}
	add("date", new(ledger.Date(was.Date).String()), new(ledger.Date(is.Date).String()))
	add("amount", amountInWords(was), amountInWords(is))
	add("name", &was.Name, &is.Name)
	add("notes", was.Notes, is.Notes)
	add("category", categoryName(refs, was.CategoryID), categoryName(refs, is.CategoryID))
	add("merchant", merchantName(refs, was.MerchantID), merchantName(refs, is.MerchantID))
	add("tags", tagsInWords(refs, wasTags), tagsInWords(refs, isTags))
	return rows
}

// changedRow is a transaction before anything is said of a change.
func changedRow(refs *ledger.Refs, t queries.Transaction) ChangedRow {
	return ChangedRow{ID: uuid.UUID(t.PublicID), Date: ledger.Date(t.Date), Account: refs.Accounts.ByKey[t.AccountID].Name,
		Name: t.Name, Minor: t.Amount, Currency: t.Currency}
}

// ShownOf is of how many transactions rows are.
func ShownOf(rows []ChangedRow) (n int64) {
	seen := map[uuid.UUID]bool{}
	for _, row := range rows {
		if !seen[row.ID] {
			seen[row.ID] = true
			n++
		}
	}
	return n
}

func amountInWords(t queries.Transaction) *string {
	currency, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
	return new(strings.TrimSpace(currency.Plain(t.Amount) + " " + t.Currency))
}
