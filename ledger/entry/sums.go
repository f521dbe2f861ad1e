package entry

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// MostAdded is up to how many transactions a list says what they come to.
const MostAdded = 50_000

// CurrencySum is what the transactions of a list come to in a currency, in minor units: In is what came into accounts
// and Out what left them, both positive. Sides of transfers count, as the list shows them.
type CurrencySum struct {
	Currency string
	In, Out  money.Sum
	Rows     int64
}

// SumTransactions gives what the transactions come to that a filter selects, by currency. Total is how many there are, as
// a list of them has told: of more than [MostAdded] the sums are nil.
func (s *Service) SumTransactions(ctx context.Context, who ledger.Actor, f TransactionFilter, total int64) (sums []CurrencySum,
	err error) {
	if total > MostAdded {
		return nil, nil
	}
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		state, err := tx.GetListState(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		selection, err := f.Resolve(ctx, tx)
		if err != nil || selection.Nothing {
			return err
		}
		selection.see(state)
		rows, err := tx.SumDirections(ctx, selection.TransactionFilter)
		for _, r := range rows {
			if len(sums) == 0 || sums[len(sums)-1].Currency != r.Currency {
				sums = append(sums, CurrencySum{Currency: r.Currency})
			}
			of, sum := &sums[len(sums)-1], money.SumOfHalves(r.Upper, r.Lower)
			of.Rows += r.Rows
			if r.Incomes {
				of.In = sum
			} else {
				of.Out = money.Sum{}.Minus(sum)
			}
		}
		return err
	})
	return sums, err
}
