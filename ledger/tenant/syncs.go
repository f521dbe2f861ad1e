package tenant

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// keptSyncs is how many requests for a synchronisation are kept of a household.
const keptSyncs = 100

// Sync notes that somebody asked for a synchronisation. Every figure is computed from what is booked whenever it is
// asked for, so it is complete at once. The newest hundred are kept.
func (s *Service) Sync(ctx context.Context, who ledger.Actor) (sync queries.Sync, err error) {
	id, err := ledger.NewID()
	if err != nil {
		return sync, err
	}
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		sync, err = tx.InsertSync(ctx, queries.InsertSyncParams{PublicID: id, HouseholdID: tx.HouseholdID,
			CreatedAt: tx.Stamp()})
		if err != nil {
			return err
		}
		return tx.DeleteOldSyncs(ctx, queries.DeleteOldSyncsParams{HouseholdID: tx.HouseholdID, Kept: keptSyncs})
	})
	return sync, err
}

// ListSyncs gives a page of the household's requests for a synchronisation, newest first, and how many there are.
func (s *Service) ListSyncs(ctx context.Context, who ledger.Actor, page ledger.Page) (list []queries.Sync, total int64,
	err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		total, err = tx.CountSyncs(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		list, err = tx.ListSyncs(ctx, queries.ListSyncsParams{HouseholdID: tx.HouseholdID, Count: int64(page.Size),
			Skip: page.Offset()})
		return err
	})
	return list, total, err
}

// LatestSync gives the newest request for a synchronisation; nil when there is none.
func (s *Service) LatestSync(ctx context.Context, who ledger.Actor) (*queries.Sync, error) {
	list, _, err := s.ListSyncs(ctx, who, ledger.Page{Number: 1, Size: 1})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// GetSync gives one request for a synchronisation.
func (s *Service) GetSync(ctx context.Context, who ledger.Actor, id uuid.UUID) (sync queries.Sync, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		sync, err = tx.GetSync(ctx, queries.GetSyncParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
		return ledger.Missing(err, "Sync")
	})
	return sync, err
}
