package entry

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// SplitLine is what a part of a split transaction was for: Minor is in minor units of the transaction's currency,
// into the account positive. Category and Merchant may be nil; a line without a merchant has the transaction's.
type SplitLine struct {
	ID          uuid.UUID
	Minor       int64
	Name, Notes *string
	Category    *ledger.CategoryRef
	Merchant    *ledger.MerchantRef
	Tags        []*ledger.TagRef
}

// linesOf puts the labels to the lines of a transaction.
func linesOf(refs *ledger.Refs, stored []queries.SplitLine) []SplitLine {
	var lines []SplitLine
	for _, s := range stored {
		line := SplitLine{ID: uuid.UUID(s.PublicID), Minor: s.Amount, Name: s.Name, Notes: s.Notes,
			Tags: refs.TagsOf(s.TagIDs)}
		if s.CategoryID != nil {
			line.Category = refs.Categories.ByKey[*s.CategoryID]
		}
		if s.MerchantID != nil {
			line.Merchant = refs.Merchants.ByKey[*s.MerchantID]
		}
		lines = append(lines, line)
	}
	return lines
}

// splitChange is the lines of a transaction before and after a change.
type splitChange struct{ before, after []queries.SplitLine }

// changed reports whether the lines are other ones than before.
func (s splitChange) changed() bool {
	return !slices.EqualFunc(s.before, s.after, sameLine)
}

// sameLine reports whether two lines say the same, wherever they stand.
func sameLine(a, b queries.SplitLine) bool {
	return a.Amount == b.Amount && ledger.Same(a.Name, b.Name) && ledger.Same(a.Notes, b.Notes) &&
		ledger.Same(a.CategoryID, b.CategoryID) &&
		ledger.Same(a.MerchantID, b.MerchantID) && slices.Equal(a.TagIDs, b.TagIDs)
}

// store writes the lines of a transaction in the place of those before.
func (s splitChange) store(ctx context.Context, q *queries.Queries, t queries.Transaction) error {
	if !s.changed() {
		return nil
	}
	if err := q.DeleteSplitLines(ctx, queries.DeleteSplitLinesParams{TransactionID: t.ID,
		HouseholdID: t.HouseholdID}); err != nil {
		return err
	}
	var a attachments
	if err := a.split(t.ID, t.HouseholdID, s.after); err != nil {
		return err
	}
	return a.store(ctx, q)
}

// searchNotes is what a transaction is found by besides its name and merchants: its notes, and the names and notes
// of its lines.
func searchNotes(notes *string, lines []queries.SplitLine) string {
	texts := given(notes)
	for _, s := range lines {
		texts = append(texts, given(s.Name, s.Notes)...)
	}
	return strings.Join(texts, "\n")
}

// merchantKeys are the keys of a transaction's merchant and of those of its lines.
func merchantKeys(merchant *int64, lines []queries.SplitLine) []int64 {
	keys := given(merchant)
	for _, s := range lines {
		keys = append(keys, given(s.MerchantID)...)
	}
	return keys
}

// given are the values that are there.
func given[T any](values ...*T) (found []T) {
	for _, v := range values {
		if v != nil {
			found = append(found, *v)
		}
	}
	return found
}
