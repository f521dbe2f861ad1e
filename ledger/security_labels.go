package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// SecurityLabel is how a security is shown beside what is held and traded. Name may be nil.
type SecurityLabel struct {
	ID     uuid.UUID
	Ticker string
	Name   *string
}

// securityLabels are those of the household.
func securityLabels(ctx context.Context, q *queries.Queries, who Actor) (labelSet[SecurityLabel], error) {
	rows, err := q.ListSecurityLabels(ctx, who.HouseholdID)
	labels := newLabelSet[SecurityLabel](len(rows))
	for _, r := range rows {
		labels.put(r.ID, r.PublicID, &SecurityLabel{uuid.UUID(r.PublicID), r.Ticker, r.Name})
	}
	return labels, err
}
