package ledger

import (
	"context"

	"finsvc/queries"
)

// reindexPart is how many transactions are read at once to be made findable anew.
const reindexPart = 500

// reindexMerchant makes a merchant's transactions findable by another name of it; by none when it is
// empty. It reads them by the merchant's key, so it comes before they are given away.
func (l *Ledger) reindexMerchant(ctx context.Context, q *queries.Queries, who Actor, merchant int64, name string) error {
	for after := int64(0); ; {
		part, err := q.ListMerchantTexts(ctx, queries.ListMerchantTextsParams{
			MerchantID: &merchant, HouseholdID: who.HouseholdID, AfterID: after, RowLimit: reindexPart})
		if err != nil {
			return err
		}
		for _, t := range part {
			if err := reindexText(ctx, q, t, name); err != nil {
				return err
			}
			after = t.ID
		}
		if len(part) < reindexPart {
			return nil
		}
	}
}

func reindexText(ctx context.Context, q *queries.Queries, t queries.ListMerchantTextsRow, merchant string) error {
	if err := q.DeleteSearchText(ctx, t.ID); err != nil {
		return err
	}
	var notes string
	if t.Notes != nil {
		notes = *t.Notes
	}
	return q.InsertSearchText(ctx, t.ID, t.Name, notes, merchant)
}
