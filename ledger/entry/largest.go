package entry

import (
	"cmp"
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/queries"
)

// ListLargestTransactions is [Service.ListTransactions] with the largest amounts first, be they income or expense, and
// of equal ones the newest. Amounts of several currencies are compared by their minor units, without a rate.
func (s *Service) ListLargestTransactions(ctx context.Context, who ledger.Actor, f TransactionFilter,
	page ledger.Page) (list []Transaction, total int64, err error) {
	return s.listTransactions(ledger.Heavy(ctx, who), who, f, page, (*Selection).largest, (*Selection).count)
}

// largest reads a page. Incomes and expenses lie at the two ends of an index.
func (s *Selection) largest(ctx context.Context, q *queries.Queries, page ledger.Page,
	total int64) ([]queries.TransactionRow, error) {
	filter, at := s.ofPage(), queries.PageOf{Limit: int64(page.Size), Offset: page.Offset(), Few: total <= few}
	if filter.Incomes != nil {
		return q.ListLargest(ctx, filter, *filter.Incomes, at)
	}
	at.Limit, at.Offset = at.Limit+at.Offset, 0
	var rows []queries.TransactionRow
	for _, incomes := range []bool{true, false} {
		side, err := q.ListLargest(ctx, filter, incomes, at)
		if err != nil {
			return nil, err
		}
		rows = append(rows, side...)
	}
	slices.SortFunc(rows, func(a, b queries.TransactionRow) int {
		return cmp.Or(cmp.Compare(max(b.Amount, -b.Amount), max(a.Amount, -a.Amount)), cmp.Compare(b.ID, a.ID),
			cmp.Compare(a.Position, b.Position))
	})
	first := min(page.Offset(), int64(len(rows)))
	return rows[first:min(first+int64(page.Size), int64(len(rows)))], nil
}

// countWithoutTransfers is quick where rollups know how many there are with them: transfers are few.
func (s *Selection) countWithoutTransfers(ctx context.Context, q *queries.Queries) (int64, error) {
	with, moved := *s, *s
	with.Transfers, moved.Transfers = nil, new(true)
	if !with.onlyDays() && !with.onlyAmounts() {
		return q.CountTransactionKeys(ctx, s.TransactionFilter)
	}
	all, err := with.count(ctx, q)
	if err != nil {
		return 0, err
	}
	transfers, err := moved.count(ctx, q)
	return all - transfers, err
}
