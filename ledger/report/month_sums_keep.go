package report

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/queries"
)

// LargeMonth is how many transactions a month has whose sums are worth keeping: fewer are added up in a few
// milliseconds.
//
// Sums of a month are kept once it is over: by category and day, and besides by account, merchant or tags, before any
// rate and without transfers, split lines and trades, which are few and read anew. Triggers remove them with whatever
// they are made of, so they are true or absent, and no figure depends on them.
const LargeMonth = 1000

// keptParts are what the sums of a month are told apart by, each by itself.
func keptParts() []queries.Part {
	return []queries.Part{queries.PartNone, queries.PartAccount, queries.PartMerchant, queries.PartTags}
}

// KeepSums keeps the sums of the months that are over and have at least so many transactions, where they are not kept
// yet: a short write for each. A household into which an import is being written has to wait.
func (s *Service) KeepSums(ctx context.Context, least int64) error {
	months := map[int64][]ledger.Date{}
	err := s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		homes, err := q.ListHouseholds(ctx)
		for _, home := range homes {
			if err == nil && home.HiddenTo < home.HiddenFrom {
				months[home.ID], err = s.unkeptMonths(ctx, q, home, least)
			}
		}
		return err
	})
	for id, firsts := range months {
		for _, first := range firsts {
			if err == nil {
				err = s.keepMonth(ctx, id, first)
			}
		}
	}
	return err
}

// unkeptMonths are the first days of months whose sums are to be kept, the newest first.
func (s *Service) unkeptMonths(ctx context.Context, q *queries.Queries, home queries.Household,
	least int64) (firsts []ledger.Date, err error) {
	kept, err := q.ListKeptMonths(ctx, home.ID)
	if err != nil {
		return nil, err
	}
	known := map[ledger.Date]bool{}
	for _, key := range kept {
		known[ledger.Key(key).Day()] = true
	}
	days, err := q.ListDayCounts(ctx, queries.ListDayCountsParams{HouseholdID: home.ID, FirstDay: int64(ledger.MinDate),
		LastDay: int64(s.Today(ledger.AsHousehold(home)).MonthStart() - 1)})
	counts := map[ledger.Date]int64{}
	for _, d := range days {
		first := ledger.Date(d.Date).MonthStart()
		before := counts[first]
		counts[first] += d.Transactions
		if before < least && counts[first] >= least && !known[first] {
			firsts = append(firsts, first)
		}
	}
	return firsts, err
}

// keepMonth adds a month up within the write that keeps its sums, so that nothing comes between. Sums that no number
// holds are not kept.
func (s *Service) keepMonth(ctx context.Context, householdID int64, first ledger.Date) error {
	return s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		home, err := q.GetHousehold(ctx, householdID)
		if err != nil || home.HiddenTo >= home.HiddenFrom {
			return err
		}
		tallies, err := TallyMonth(ctx, q, home, first)
		if errors.Is(err, errTotalRange) {
			return nil
		}
		r := MonthRange(householdID, first)
		for _, t := range tallies {
			if err == nil {
				err = q.KeepMonthSums(ctx, queries.KeepMonthSumsParams{HouseholdID: householdID, FirstKey: r.First,
					LastKey: r.Last, Part: int64(t.Part), Sums: t.Bytes()})
			}
		}
		return err
	})
}

// MonthRange is the keys of a month.
func MonthRange(householdID int64, first ledger.Date) keyRange {
	return keyRange{int64(ledger.FirstKey(householdID, first)), int64(ledger.LastKey(householdID, first.MonthEnd()))}
}

// TallyMonth adds up the transactions of a month for each of the kept parts, from one reading.
func TallyMonth(ctx context.Context, q *queries.Queries, home queries.Household,
	first ledger.Date) (tallies []*monthTally, err error) {
	for _, part := range keptParts() {
		tallies = append(tallies, newMonthTally(first, part, codeOf(home.Currency)))
	}
	r := MonthRange(home.ID, first)
	tags, err := unpackTags(ctx, q, home.ID, r)
	if err != nil {
		return nil, err
	}
	days := queries.DayRange{HouseholdID: home.ID, FirstKey: r.First, LastKey: r.Last, HiddenFrom: home.HiddenFrom,
		HiddenTo: home.HiddenTo}
	return tallies, eachBooked(ctx, q, days, queries.PartAll, func(b *booking, parts string) error {
		if err := b.belongToAll(parts, tags); err != nil {
			return err
		}
		for _, t := range tallies {
			if err := t.take(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// belongToAll takes in account, merchant and tags, in the manner of [booking.belong].
func (b *booking) belongToAll(parts string, tags map[string]string) (err error) {
	account, rest, _ := strings.Cut(parts, " ")
	merchant, key, _ := strings.Cut(rest, " ")
	b.account, err = strconv.ParseInt(account, 10, 64)
	if err == nil {
		b.merchant, err = strconv.ParseInt(merchant, 10, 64)
	}
	b.tags = tags[key]
	return err
}
