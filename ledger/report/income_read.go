package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/queries"
)

// packedDays is how many days are read at once: few, so that their text stays small, yet enough for what it costs to
// ask.
const packedDays = 92

// keyRange is a range of keys of transactions, both included.
type keyRange struct{ First, Last int64 }

// halves parts a range in the middle of its days, at the end of a month where it has several; late is empty where it
// has but one day.
func (r keyRange) halves(householdID int64) (early, late keyRange) {
	from, to := ledger.Key(r.First).Day(), ledger.Key(r.Last).Day()
	middle := from + (to-from)/2
	if end := middle.MonthEnd(); end < to {
		middle = end
	}
	early = keyRange{r.First, min(r.Last, int64(ledger.LastKey(householdID, middle)))}
	return early, keyRange{early.Last + 1, r.Last}
}

func (r keyRange) isEmpty() bool { return r.First > r.Last }

// addRange adds up a range of transactions and what there is besides them.
func addRange(ctx context.Context, m *incomeMaker, q *queries.Queries, r keyRange, extras []extraBooking) (*incomeDays,
	error) {
	days := m.newDays(q, fx.Span{First: ledger.Key(r.First).Day(), Last: ledger.Key(r.Last).Day()}, extras)
	r, err := m.addMonths(ctx, q, days, r)
	if err == nil {
		err = addBooked(ctx, m, q, days, r)
	}
	if err != nil {
		return nil, err
	}
	return days, days.advance(ctx, ledger.MaxDate+1)
}

// addBooked reads transactions.
func addBooked(ctx context.Context, m *incomeMaker, q *queries.Queries, into *incomeDays, r keyRange) error {
	read := m.readSelected
	if !m.labelled() && !m.searched() {
		read = m.readDays
	}
	for !r.isEmpty() {
		var some keyRange
		householdID := m.tx.HouseholdID
		last := int64(ledger.LastKey(householdID, ledger.Key(r.First).Day()+packedDays-1))
		some, r = keyRange{r.First, min(r.Last, last)}, keyRange{last + 1, r.Last}
		tags, err := readTags(ctx, m, q, some)
		if err == nil {
			err = read(ctx, q, into, some, tags)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDays reads all of some days.
func (m *incomeMaker) readDays(ctx context.Context, q *queries.Queries, into *incomeDays, r keyRange,
	tags map[string]string) error {
	days := queries.DayRange{HouseholdID: m.tx.HouseholdID, FirstKey: r.First, LastKey: r.Last,
		Accounts: m.filter.AccountIDs, HiddenFrom: m.state.HiddenFrom, HiddenTo: m.state.HiddenTo}
	return eachBooked(ctx, q, days, m.part(), func(b *booking, part string) error {
		if err := b.belong(part, m.by, tags); err != nil {
			return err
		}
		return into.take(ctx, b)
	})
}

// eachBooked gives the transactions of some days as [unpack] does.
func eachBooked(ctx context.Context, q *queries.Queries, r queries.DayRange, part queries.Part,
	take func(b *booking, part string) error) error {
	days, err := q.PackDays(ctx, r, part)
	for _, d := range days {
		day := ledger.Key(d.Day << ledger.SequenceBits).Day()
		if err == nil {
			err = unpack(d.Packed, func(b *booking, part string) error {
				b.day = day
				return take(b, part)
			})
		}
	}
	return err
}

// readSelected reads those transactions of some days that the filter selects, and puts them in order: an index of
// labels gives them label by label.
func (m *incomeMaker) readSelected(ctx context.Context, q *queries.Queries, into *incomeDays, r keyRange,
	tags map[string]string) error {
	f := m.filter.TransactionFilter
	f.FirstKey, f.LastKey = r.First, r.Last
	packed, err := q.PackTransactions(ctx, f, m.part(), m.labelled())
	if err != nil {
		return err
	}
	var list []booking
	err = unpack(packed, func(b *booking, rest string) error {
		day, part, _ := strings.Cut(rest, " ")
		number, err := strconv.ParseInt(day, 10, 64)
		if err == nil {
			err = b.belong(part, m.by, tags)
		}
		b.day = ledger.Key(number << ledger.SequenceBits).Day()
		list = append(list, *b)
		return err
	})
	slices.SortStableFunc(list, func(a, b booking) int { return int(a.day - b.day) })
	for i := range list {
		if err == nil {
			err = into.take(ctx, &list[i])
		}
	}
	return err
}

// readTags are those of the transactions of a range by their keys, where they matter.
func readTags(ctx context.Context, m *incomeMaker, q *queries.Queries, r keyRange) (map[string]string, error) {
	if m.by != ByTag {
		return nil, nil
	}
	return unpackTags(ctx, q, m.tx.HouseholdID, r)
}

// unpackTags are the tags of the transactions of a range by their keys.
func unpackTags(ctx context.Context, q *queries.Queries, householdID int64, r keyRange) (map[string]string, error) {
	packed, err := q.PackTags(ctx, queries.PackTagsParams{FirstKey: r.First, LastKey: r.Last, HouseholdID: householdID})
	tags := make(map[string]string, strings.Count(packed, ","))
	for one := range strings.SplitSeq(packed, ",") {
		key, list, _ := strings.Cut(one, " ")
		tags[key] = list
	}
	return tags, err
}

// unpack gives the transactions that PackDays and PackTransactions write: amount, three letters and a key without
// anything between, then what is left to the taker, who must not keep the booking.
func unpack(packed string, take func(b *booking, rest string) error) error {
	var b booking // one for all of them: take makes it escape
	for packed != "" {
		amount, rest, ok := leadingInt(packed)
		if !ok || len(rest) < 3 {
			return fmt.Errorf("income: %.40q does not begin with amount and currency", packed)
		}
		b = booking{minor: amount, currency: codeOf(rest)}
		b.category, rest, ok = leadingInt(rest[3:])
		if !ok {
			return fmt.Errorf("income: %.40q does not begin with amount, currency and category", packed)
		}
		rest, packed, _ = strings.Cut(rest, ",")
		if err := take(&b, strings.TrimPrefix(rest, " ")); err != nil {
			return err
		}
	}
	return nil
}

// leadingInt reads the whole number that a text begins with, as SQLite writes it.
func leadingInt(text string) (n int64, rest string, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	i := 0
	for ; i < len(digits) && '0' <= digits[i] && digits[i] <= '9'; i++ {
		n = n*10 + int64(digits[i]-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, digits[i:], i > 0
}

// belong takes in what the bookings are told apart by; of tags, part is the key that they are found by.
func (b *booking) belong(part, by string, tags map[string]string) (err error) {
	switch by {
	case ByTag:
		b.tags = tags[part]
	case ByMerchant:
		b.merchant, err = strconv.ParseInt(part, 10, 64)
	case ByAccount:
		b.account, err = strconv.ParseInt(part, 10, 64)
	}
	return err
}
