package entry

import (
	"cmp"
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// Written are transactions that an import has written and nobody sees, by their keys in the order of the table. In
// that of the file, one that is not in order would have all of the table touched by every part that is removed.
type Written struct {
	Keys     []int64
	Referred []int64 // those that something refers to
	Silent   bool    // nothing finds them any more
}

// ListWritten finds what an import has written. Nothing may refer to more of it afterwards, so it must be hidden.
func ListWritten(ctx context.Context, tx *ledger.Tx, importID int64) (w Written, err error) {
	w.Keys, err = tx.ListImportEntryKeys(ctx, queries.ListImportEntryKeysParams{ImportID: &importID,
		HouseholdID: tx.HouseholdID})
	if err != nil || len(w.Keys) == 0 {
		return w, err
	}
	slices.Sort(w.Keys)
	span := queries.ListReferredTransactionsParams{HouseholdID: tx.HouseholdID, FirstKey: w.Keys[0],
		LastKey:       w.Keys[len(w.Keys)-1],
		FirstSequence: ledger.MaxSequence}
	for _, key := range w.Keys { // no other entry has a creation number between those of an import
		span.FirstSequence, span.LastSequence = min(span.FirstSequence, ledger.Key(key).Sequence()),
			max(span.LastSequence, ledger.Key(key).Sequence())
	}
	w.Referred, err = tx.ListReferredTransactions(ctx, span)
	slices.Sort(w.Referred)
	w.Referred = slices.Compact(w.Referred)
	return w, err
}

// Cut gives the first n, or all when there are fewer, and the others.
func (w Written) Cut(n int) (part, rest Written) {
	if n >= len(w.Keys) {
		return w, Written{}
	}
	at, _ := slices.BinarySearch(w.Referred, w.Keys[n])
	return Written{w.Keys[:n], w.Referred[:at], w.Silent}, Written{w.Keys[n:], w.Referred[at:], w.Silent}
}

// Unindex makes all of it no longer findable, if that can be done at once: when nobody has any other transaction. That
// is so when somebody takes back a first import, and two thirds of the work.
func Unindex(ctx context.Context, q *queries.Queries, importID int64, w *Written) error {
	alone, err := q.IsImportAllThereIs(ctx, importID)
	if err != nil || alone == 0 {
		return err
	}
	w.Silent = true
	return q.DeleteAllSearchTexts(ctx)
}

// RemoveDrafts takes back transactions that never became visible, or are not any more: their rollups do not exist. It
// removes itself what refers to them, for on a [db.Bulk] nothing else would.
func RemoveDrafts(ctx context.Context, tx *ledger.Tx, w Written) error {
	if len(w.Referred) > 0 {
		if err := removeReferring(ctx, tx.Queries, tx.HouseholdID, ledger.JSONArray(w.Referred)); err != nil {
			return err
		}
	}
	ids := ledger.JSONArray(w.Keys)
	if !w.Silent {
		if err := tx.DeleteSearchTextsOf(ctx, ids); err != nil {
			return err
		}
	}
	return tx.DeleteTransactions(ctx, queries.DeleteTransactionsParams{HouseholdID: tx.HouseholdID, Ids: ids})
}

// removeReferring empties every table with a reference to transactions of what refers to these. An error does not keep
// the others from being tried, for it undoes them all.
func removeReferring(ctx context.Context, q *queries.Queries, home int64, ids string) error {
	return cmp.Or(
		q.DeleteLineTagsOf(ctx, queries.DeleteLineTagsOfParams{HouseholdID: home, Ids: ids}),
		q.DeleteLinesOf(ctx, queries.DeleteLinesOfParams{HouseholdID: home, Ids: ids}),
		q.DeleteTagsOf(ctx, queries.DeleteTagsOfParams{HouseholdID: home, Ids: ids}),
		q.DeleteRuleNotesOf(ctx, queries.DeleteRuleNotesOfParams{HouseholdID: home, Ids: ids}),
		q.DeleteMatchesOf(ctx, queries.DeleteMatchesOfParams{HouseholdID: home, Ids: ids}),
		q.DeleteUnsettledOf(ctx, queries.DeleteUnsettledOfParams{HouseholdID: home, Ids: ids}),
		q.ForgetHeldOf(ctx, queries.ForgetHeldOfParams{HouseholdID: home, Ids: ids}),
		q.DeleteRejectionsOf(ctx, queries.DeleteRejectionsOfParams{HouseholdID: home, Ids: ids}))
}
