package rollup

import (
	"context"

	"finsvc/ledger"
	"finsvc/queries"
)

// reindexPart is how many transactions are read at once to be made findable anew.
const reindexPart = 500

// ReindexMerchant makes a merchant's transactions, and those with a line of it, findable by another name of it; by
// none when it is empty. It reads them by the merchant's key, so it comes before they are given away.
func ReindexMerchant(ctx context.Context, tx *ledger.Tx, merchant int64, name string) error {
	for after := int64(0); ; {
		part, err := tx.ListMerchantTexts(ctx, queries.ListMerchantTextsParams{
			MerchantID: merchant, NewName: name, HouseholdID: tx.HouseholdID, AfterID: after, RowLimit: reindexPart})
		if err != nil {
			return err
		}
		for _, t := range part {
			if err := tx.PutSearchText(ctx, t.ID, ledger.SearchText{Name: t.Name, Notes: t.Notes, Merchant: t.Merchant}); err != nil {
				return err
			}
			after = max(after, t.ID)
		}
		if len(part) < reindexPart {
			return nil
		}
	}
}
