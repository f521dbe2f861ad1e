package ledger

import (
	"context"

	"github.com/google/uuid"
)

// SecurityRef is how a security is shown beside what is held and traded. Name may be nil.
type SecurityRef struct {
	ID     uuid.UUID
	Ticker string
	Name   *string
}

// SecurityRefs are those of the household.
func SecurityRefs(ctx context.Context, tx *Tx) (RefSet[SecurityRef], error) {
	rows, err := tx.ListSecurityLabels(ctx, tx.HouseholdID)
	labels := NewRefSet[SecurityRef](len(rows))
	for _, r := range rows {
		labels.put(r.ID, r.PublicID, &SecurityRef{uuid.UUID(r.PublicID), r.Ticker, r.Name})
	}
	return labels, err
}

// TickerName is "" where there is no security.
func (s *SecurityRef) TickerName() string {
	if s == nil {
		return ""
	}
	return s.Ticker
}
