package entry

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// CountUses says of how many transactions each label of a kind is, which is a category, a merchant or a tag. Lines count
// in the place of split ones, as [Service.ListTransactions] lists them.
func (s *Service) CountUses(ctx context.Context, who ledger.Actor, kind ledger.Entity) (map[uuid.UUID]int64, error) {
	uses := map[uuid.UUID]int64{}
	first, last := int64(ledger.FirstKey(who.HouseholdID, ledger.MinDate)), int64(ledger.LastKey(who.HouseholdID, ledger.MaxDate))
	err := s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		switch kind {
		case ledger.EntityCategory:
			rows, err := tx.CountCategoryUses(ctx, tx.HouseholdID)
			for _, r := range rows {
				uses[uuid.UUID(r.PublicID)] = r.Uses
			}
			return err
		case ledger.EntityMerchant:
			rows, err := tx.CountMerchantUses(ctx, queries.CountMerchantUsesParams{FirstKey: first, LastKey: last, HouseholdID: tx.HouseholdID})
			for _, r := range rows {
				uses[uuid.UUID(r.PublicID)] = r.Uses
			}
			return err
		}
		rows, err := tx.CountTagUses(ctx, queries.CountTagUsesParams{FirstKey: first, LastKey: last, HouseholdID: tx.HouseholdID})
		for _, r := range rows {
			uses[uuid.UUID(r.PublicID)] = r.Uses
		}
		return err
	})
	return uses, err
}
