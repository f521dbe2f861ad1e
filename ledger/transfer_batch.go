package ledger

import (
	"cmp"
	"context"
	"slices"

	"finsvc/queries"
)

const (
	// fewSides is up to how many transactions are worked in without a look at all pairs that they can be in.
	fewSides = 20
	// maxPairs bounds how many pairs are held at once; it takes hundreds of equal payments to come here.
	maxPairs = 100_000
)

// settleAll works in transactions that look for a partner. Of many, all pairs are read and joined together.
func (m *matcher) settleAll(ctx context.Context, here []matchSide) error {
	if len(here) <= fewSides {
		return m.settleEach(ctx, here)
	}
	pairs, err := m.pairsOf(ctx, here)
	if err != nil {
		return err
	}
	if len(pairs) > maxPairs {
		return m.settleEach(ctx, here)
	}
	return m.settlePairs(ctx, pairs)
}

// settleEach works them in one after the other, which comes to the same. In the order in which pairs are joined, hardly
// any of them takes the place of another.
func (m *matcher) settleEach(ctx context.Context, here []matchSide) error {
	here = slices.SortedFunc(slices.Values(here), func(a, b matchSide) int { return cmp.Or(compareSides(a, b), cmp.Compare(a.ID, b.ID)) })
	for _, side := range slices.CompactFunc(here, func(a, b matchSide) bool { return a.ID == b.ID }) {
		if err := m.settle(ctx, side); err != nil {
			return err
		}
	}
	return nil
}

// pairsOf are the pairs that transactions can be a side of; if there are more than maxPairs, only some of them.
func (m *matcher) pairsOf(ctx context.Context, here []matchSide) ([]importPair, error) {
	keys := make([]int64, len(here))
	for i, side := range here {
		keys[i] = side.ID
	}
	rows, err := m.q.ListPairsOf(ctx, queries.ListPairsOfParams{Ids: jsonArray(keys), HouseholdID: m.who.HouseholdID, Count: maxPairs + 1})
	pairs := make([]importPair, len(rows))
	for i, r := range rows {
		pairs[i].matchPair = pairOf(matchSide{r.ID, r.AccountID, r.Amount, r.Currency, r.Name, r.TransferID},
			matchSide{r.OtherID, r.OtherAccountID, -r.Amount, r.Currency, r.OtherName, r.OtherTransferID})
	}
	return pairs, err
}
