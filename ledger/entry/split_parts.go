package entry

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

func readPartRow(ctx context.Context, tx *ledger.Tx, at queries.FindPartRow) (Transaction, error) {
	row, err := tx.GetPartRow(ctx, at.TransactionID, at.Position)
	if err != nil {
		return Transaction{}, err
	}
	return labelledOne(ctx, tx, row)
}

// part is what the part at a place is, as a transaction with its tags.
func (w stored) part(at int) (queries.Transaction, []int64) {
	t, line := w.Transaction, w.lines[at]
	t.Amount, t.CategoryID = line.Amount, line.CategoryID
	if line.Name != nil {
		t.Name = *line.Name
	}
	if line.Notes != nil {
		t.Notes = line.Notes
	}
	if line.MerchantID != nil {
		t.MerchantID = line.MerchantID
	}
	tags := slices.Concat(w.tags, line.TagIDs)
	slices.Sort(tags)
	return t, slices.Compact(tags)
}

// updatePart changes what is given of a part.
func (s *Service) updatePart(ctx context.Context, tx *ledger.Tx, at queries.FindPartRow,
	in *TransactionInput) (Transaction, error) {
	row, err := ledger.GetTransaction(ctx, tx, uuid.UUID(at.PublicID))
	if err != nil {
		return Transaction{}, err
	}
	before, err := readStored(ctx, tx, row)
	if err != nil {
		return Transaction{}, err
	}
	after, err := in.applyToPart(tx, before, at.Position)
	if err != nil {
		return Transaction{}, err
	}
	at.TransactionID, err = s.storeChange(ctx, tx, before, after)
	if err != nil {
		return Transaction{}, err
	}
	return readPartRow(ctx, tx, at)
}

// applyToPart is what the input makes of a transaction by what it says of the part at a position; amount, date and
// currency can be repeated but not changed, since the parts add up to the whole and lie on its day.
func (in *TransactionInput) applyToPart(tx *ledger.Tx, before stored, position int64) (stored, error) {
	place := slices.IndexFunc(before.lines, func(line queries.SplitLine) bool { return line.Position == position })
	c := checker{tx.Refs, in}
	part, tags := before.part(place)
	changed, wanted := c.change(part), c.tags()
	// Say what cannot be changed of a part by itself, and where it is changed. A client that sends a whole row
	// back repeats it.
	whole := before.Transaction
	problems, id := &c.in.Problems, uuid.UUID(whole.PublicID)
	currency, _ := money.LookupCurrency(whole.Currency) // what is stored was looked up
	switch {
	case changed.Currency == "" || problems.Has("amount") || problems.Has("nature"):
	case changed.Currency != part.Currency:
		problems.Add("currency", "cannot change for a part of a split transaction, got %s for %s: change that of the whole, transaction %s, with its split_lines",
			changed.Currency, part.Currency, id)
	case changed.Amount != part.Amount:
		problems.Add(c.amountField(), "cannot change for one part alone, which is %s %s: the parts add up to the whole; give transaction %s other split_lines",
			currency.Plain(max(part.Amount, -part.Amount)), currency.Code, id)
	}
	if changed.Date != part.Date {
		problems.Add("date", "cannot change for a part of a split transaction, which is of %s: change that of the whole, transaction %s", ledger.Date(part.Date), id)
	}
	if len(c.in.SplitLines.Or(nil)) > 0 {
		problems.Add("split_lines", "cannot be given to a part of a split transaction: give the whole, transaction %s, other ones", id)
	}
	if err := in.Problems.Err(); err != nil {
		return before, err
	}
	w := before
	w.tags, w.lines = slices.Clone(w.tags), slices.Clone(w.lines)
	for i := range w.lines {
		w.lines[i].TagIDs = slices.Clone(w.lines[i].TagIDs)
	}
	after := w
	var given int64 // bits of the fields of the whole that a person has decided about
	had := part.Name
	name := changed.Name
	if name != had {
		after.lines[place].Name = &name
	}
	after.lines[place].CategoryID = changed.CategoryID
	if !ledger.Same(writtenText(part.Notes), writtenText(changed.Notes)) {
		given |= after.setNotes(place, writtenText(changed.Notes))
	}
	if !ledger.Same(part.MerchantID, changed.MerchantID) {
		given |= after.setMerchant(place, changed.MerchantID)
	}
	slices.Sort(wanted)
	if in.TagIDs.Set && !slices.Equal(tags, wanted) {
		given |= after.setTags(place, wanted)
	}
	if tx.IsPerson() {
		after.claim(given)
	}
	return after, nil
}

// writtenText is nil for a text that is empty.
func writtenText(text *string) *string {
	if text == nil || *text == "" {
		return nil
	}
	return text
}

// setNotes gives a part its notes, or none. The bits are of what the whole has given up.
func (w *stored) setNotes(at int, notes *string) int64 {
	w.lines[at].Notes = notes
	if notes != nil {
		return 0
	}
	for i := range w.lines {
		if i != at && w.lines[i].Notes == nil {
			w.lines[i].Notes = w.Notes
		}
	}
	w.Notes = nil
	return rule.RuleNotes.Bit()
}

// setMerchant is the like for the merchant.
func (w *stored) setMerchant(at int, merchant *int64) int64 {
	w.lines[at].MerchantID = merchant
	if merchant != nil {
		return 0
	}
	for i := range w.lines {
		if i != at && w.lines[i].MerchantID == nil {
			w.lines[i].MerchantID = w.MerchantID
		}
	}
	w.MerchantID = nil
	return rule.RuleMerchant.Bit()
}

// setTags gives a part its tags. Those of the whole that are not among them become the other parts' own.
func (w *stored) setTags(at int, tags []int64) int64 {
	var kept []int64
	for _, tag := range w.tags {
		if slices.Contains(tags, tag) {
			kept = append(kept, tag)
			continue
		}
		for i := range w.lines {
			if i != at && !slices.Contains(w.lines[i].TagIDs, tag) {
				w.lines[i].TagIDs = append(w.lines[i].TagIDs, tag)
				slices.Sort(w.lines[i].TagIDs)
			}
		}
	}
	own := []int64{}
	for _, tag := range tags {
		if !slices.Contains(kept, tag) {
			own = append(own, tag)
		}
	}
	w.tags, w.lines[at].TagIDs = kept, own
	return rule.RuleTags.Bit()
}
