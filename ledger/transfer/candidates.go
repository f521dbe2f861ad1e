package transfer

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Candidate is a transaction that may be the other side of one. It is matched when it is a side of another automatic
// transfer, which gives way when the two are linked.
type Candidate struct {
	ID       uuid.UUID
	Day      ledger.Date
	Account  *ledger.AccountRef
	Amount   int64
	Currency string
	Name     string
	Matched  bool
}

// mostCandidates is how many candidates in the transaction's own currency are read.
const mostCandidates = 20

// Candidates are the transactions that one may be linked with, the nearest day first: of the opposite amount, as far away
// as a person may link them, and in other currencies what the matching takes for the same movement. Pairs that were
// rejected are not among them, nor is anything for a side of a transfer that was confirmed.
func (s *Service) Candidates(ctx context.Context, who ledger.Actor, id uuid.UUID) (list []Candidate, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err := ledger.GetTransaction(ctx, tx, id)
		if err != nil {
			return err
		}
		m := s.NewMatcher(tx)
		side, err := m.Side(ctx, t.ID)
		if err != nil || side.ID == 0 {
			return err
		}
		first, last := keysOfDays(tx.HouseholdID, side.day()-linkDays, side.day()+linkDays)
		rows, err := tx.ListTransferCandidates(ctx, queries.ListTransferCandidatesParams{HouseholdID: tx.HouseholdID,
			Amount: -side.Amount, Currency: side.Currency, FirstKey: first, LastKey: last,
			AccountID: side.AccountID, ID: side.ID, Count: mostCandidates})
		if err != nil {
			return err
		}
		legs, err := m.foreignCandidates(ctx, side)
		if err != nil {
			return err
		}
		for _, row := range rows {
			legs = append(legs, CandidateLeg(row))
		}
		legs = slices.DeleteFunc(legs, func(l CandidateLeg) bool { // its own partner
			return side.TransferID != 0 && l.TransferID == side.TransferID
		})
		slices.SortFunc(legs, func(a, b CandidateLeg) int {
			return cmp.Or(cmp.Compare(PairOf(side, a).days(), PairOf(side, b).days()), cmp.Compare(a.ID, b.ID))
		})
		list, err = candidatesOf(ctx, tx, legs)
		return err
	})
	return list, err
}

// candidatesOf puts their ids and accounts to legs.
func candidatesOf(ctx context.Context, tx *ledger.Tx, legs []CandidateLeg) (list []Candidate, err error) {
	keys := make([]int64, len(legs))
	for i, l := range legs {
		keys[i] = l.ID
	}
	rows, err := tx.ListEntryTransactions(ctx, queries.ListEntryTransactionsParams{Ids: ledger.JSONArray(keys),
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return nil, err
	}
	ids := make(map[int64]uuid.UUID, len(rows))
	for _, row := range rows {
		ids[row.ID] = uuid.UUID(row.PublicID)
	}
	for _, l := range legs {
		list = append(list, Candidate{ID: ids[l.ID], Day: l.day(), Account: tx.Refs.Accounts.ByKey[l.AccountID],
			Amount: l.Amount, Currency: l.Currency, Name: l.Name, Matched: l.TransferID != 0})
	}
	return list, nil
}
