package entry

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
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

// ListSummed is [Service.ListTransactions], or [Service.ListLargestTransactions], with what all that is selected comes to,
// by currency; nothing of more than [MostAdded].
func (s *Service) ListSummed(ctx context.Context, who ledger.Actor, f TransactionFilter, page ledger.Page, largest bool) (
	list []Transaction, total int64, sums []CurrencySum, err error) {
	read := (*Selection).page
	if largest {
		ctx, read = ledger.Heavy(ctx, who), (*Selection).largest
	}
	list, total, err = s.listTransactions(ctx, who, f, page, read, func(selection *Selection, ctx context.Context,
		q *queries.Queries) (total int64, err error) {
		total, sums, err = selection.countAndSum(ctx, q)
		return total, err
	})
	return list, total, sums, err
}

// countAndSum counts what is selected and adds it up: in one look at it, unless there may be too much to add up and counting
// alone is less work.
func (s *Selection) countAndSum(ctx context.Context, q *queries.Queries) (total int64, sums []CurrencySum, err error) {
	most := s.all
	if most > MostAdded && s.last-s.first < 400 { // of more days their sum is not known sooner
		booked, err := q.SumDays(ctx, queries.SumDaysParams{HouseholdID: s.HouseholdID, FirstDay: int64(s.first), LastDay: int64(s.last)})
		if err != nil {
			return 0, nil, err
		}
		most = booked.Transactions
	}
	if most > MostAdded && s.Search == "" { // a text is looked for just as long for either
		total, err = s.count(ctx, q)
		if err != nil || total > MostAdded {
			return total, nil, err
		}
	}
	total = 0
	rows, err := q.SumDirections(ctx, s.TransactionFilter, MostAdded+1)
	for _, r := range rows {
		if len(sums) == 0 || sums[len(sums)-1].Currency != r.Currency {
			sums = append(sums, CurrencySum{Currency: r.Currency})
		}
		of, sum := &sums[len(sums)-1], money.SumOfHalves(r.Upper, r.Lower)
		of.Rows += r.Rows
		total += r.Rows
		if r.Incomes {
			of.In = sum
		} else {
			of.Out = money.Sum{}.Minus(sum)
		}
	}
	if err == nil && total > MostAdded {
		total, err = s.count(ctx, q)
		sums = nil
	}
	return total, sums, err
}
