package report

import (
	"context"

	"finsvc/ledger"
	"finsvc/queries"
)

// rarest is how many transactions there are to one that has a tag, when reading these by themselves, which lie far
// apart, takes as long as reading the sums that are kept of all months.
const rarest = 64

// keptPart is what the sums that are kept of months must tell apart to be of use; false where none do. An index knows
// all that counts of a category or a merchant.
func (m *incomeMaker) keptPart(ctx context.Context) (part queries.Part, useful bool, err error) {
	f := &m.filter.TransactionFilter
	byTags := m.by == ByTag || f.TagIDs != nil
	switch {
	case m.searched() || f.CategoryIDs != nil || f.MerchantIDs != nil ||
		f.AccountIDs != nil && (byTags || m.by == ByMerchant):
		return 0, false, nil
	case f.TagIDs != nil:
		useful, err = m.tagsMany(ctx)
		return queries.PartTags, useful, err
	case f.AccountIDs != nil:
		return queries.PartAccount, true, nil
	}
	return m.part(), true, nil
}

// tagsMany reports whether the tags that are asked for are those of many transactions. Where parts share what was
// converted, the order of the transactions counts, and they must be read.
func (m *incomeMaker) tagsMany(ctx context.Context) (bool, error) {
	if m.part() != queries.PartNone {
		return false, nil
	}
	many := m.state.Transactions/rarest + 1
	n, err := m.tx.CountTagged(ctx, queries.CountTaggedParams{HouseholdID: m.tx.HouseholdID,
		Tags:     ledger.JSONArray(m.filter.TagIDs),
		FirstKey: m.filter.FirstKey, LastKey: m.filter.LastKey, Many: many})
	return n == many, err
}

// addMonths adds up what is kept of the months of a range, and reads what lies before and between them. It gives back
// the range that is left.
func (m *incomeMaker) addMonths(ctx context.Context, q *queries.Queries, into *incomeDays, r keyRange) (keyRange,
	error) {
	for m.months && !r.isEmpty() {
		months, err := q.ListMonthSums(ctx, queries.ListMonthSumsParams{HouseholdID: m.tx.HouseholdID,
			FirstKey: r.First, Until: r.Last, Part: int64(m.kept)})
		for _, month := range months {
			if err == nil {
				err = addBooked(ctx, m, q, into, keyRange{r.First, month.FirstKey - 1})
			}
			if err == nil {
				err = m.addMonth(ctx, into, month)
			}
			r.First = month.LastKey + 1
		}
		if err != nil || len(months) == 0 {
			return r, err
		}
	}
	return r, nil
}

func (m *incomeMaker) addMonth(ctx context.Context, into *incomeDays, month queries.ListMonthSumsRow) error {
	reader := monthReader{first: ledger.Key(month.FirstKey).Day(), part: m.kept, kept: month.Sums}
	wanted := map[string]bool{}
	into.distinct = m.kept == m.part()
	defer func() { into.distinct = false }()
	return reader.each(func(b *booking, sum incomeSum) error {
		if !isAmong(m.filter.AccountIDs, b.account) || m.filter.TagIDs != nil && !m.wantsTags(b, wanted) {
			return nil
		}
		return into.takeSum(ctx, b, sum)
	})
}

// wantsTags reports whether the tags of a booking are asked for, and remembers it by their combination.
func (m *incomeMaker) wantsTags(b *booking, wanted map[string]bool) bool {
	wants, known := wanted[b.tags]
	if !known {
		wants = m.wants(b)
		wanted[b.tags] = wants
	}
	return wants
}
