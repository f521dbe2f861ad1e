package ledger

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/queries"
)

// SplitLine is what a part of a split transaction was for: Minor is in minor units of the transaction's currency,
// into the account positive. Category and Merchant may be nil; a line without a merchant has the transaction's.
type SplitLine struct {
	ID          uuid.UUID
	Minor       int64
	Name, Notes *string
	Category    *CategoryLabel
	Merchant    *MerchantLabel
	Tags        []*TagLabel
}

// knowLines says whether every label of the lines is among these.
func (l *labels) knowLines(lines []queries.SplitLine) bool {
	return !slices.ContainsFunc(lines, func(s queries.SplitLine) bool {
		return s.CategoryID != nil && l.categories.byKey[*s.CategoryID] == nil || s.MerchantID != nil && l.merchants.byKey[*s.MerchantID] == nil ||
			slices.ContainsFunc(s.TagIDs, func(tag int64) bool { return l.tags.byKey[tag] == nil })
	})
}

// lines puts the labels to the lines of a transaction.
func (l *labels) lines(stored []queries.SplitLine) []SplitLine {
	var lines []SplitLine
	for _, s := range stored {
		line := SplitLine{ID: uuid.UUID(s.PublicID), Minor: s.Amount, Name: s.Name, Notes: s.Notes, Tags: l.tagsOf(s.TagIDs)}
		if s.CategoryID != nil {
			line.Category = l.categories.byKey[*s.CategoryID]
		}
		if s.MerchantID != nil {
			line.Merchant = l.merchants.byKey[*s.MerchantID]
		}
		lines = append(lines, line)
	}
	return lines
}

// tagsOf are the tags with the keys by name, without those that were deleted meanwhile.
func (l *labels) tagsOf(keys []int64) []*TagLabel {
	var tags []*TagLabel
	for _, key := range keys {
		if tag := l.tags.byKey[key]; tag != nil {
			tags = append(tags, tag)
		}
	}
	slices.SortFunc(tags, func(a, b *TagLabel) int { return strings.Compare(a.sortKey, b.sortKey) })
	return tags
}

// splitChange is the lines of a transaction before and after a change.
type splitChange struct{ before, after []queries.SplitLine }

// changed says whether the lines are other ones than before.
func (s splitChange) changed() bool {
	return !slices.EqualFunc(s.before, s.after, sameLine)
}

// sameLine says whether two lines say the same, wherever they stand.
func sameLine(a, b queries.SplitLine) bool {
	return a.Amount == b.Amount && same(a.Name, b.Name) && same(a.Notes, b.Notes) && same(a.CategoryID, b.CategoryID) &&
		same(a.MerchantID, b.MerchantID) && slices.Equal(a.TagIDs, b.TagIDs)
}

// store writes the lines of a transaction in the place of those before.
func (s splitChange) store(ctx context.Context, q *queries.Queries, t queries.Transaction) error {
	if !s.changed() {
		return nil
	}
	if err := q.DeleteSplitLines(ctx, queries.DeleteSplitLinesParams{TransactionID: t.ID, HouseholdID: t.HouseholdID}); err != nil {
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
	texts := there(notes)
	for _, s := range lines {
		texts = append(texts, there(s.Name, s.Notes)...)
	}
	return strings.Join(texts, "\n")
}

// merchantKeys are the keys of a transaction's merchant and of those of its lines.
func merchantKeys(merchant *int64, lines []queries.SplitLine) []int64 {
	keys := there(merchant)
	for _, s := range lines {
		keys = append(keys, there(s.MerchantID)...)
	}
	return keys
}

// searchMerchants are their names.
func (l *labels) searchMerchants(keys []int64) string {
	var texts []string
	for _, key := range keys {
		if m := l.merchants.byKey[key]; m != nil {
			texts = append(texts, m.Name)
		}
	}
	return strings.Join(texts, "\n")
}

// there are the values that are there.
func there[T any](values ...*T) (found []T) {
	for _, v := range values {
		if v != nil {
			found = append(found, *v)
		}
	}
	return found
}
