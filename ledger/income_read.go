package ledger

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"finsvc/db"
	"finsvc/queries"
)

// packedDays is how many days are packed into one text.
const packedDays = 366

// keyRange is a range of keys of transactions, both included.
type keyRange struct{ first, last int64 }

// halves parts a range in the middle of its days; late is empty where it has but one.
func (r keyRange) halves(householdID int64) (early, late keyRange) {
	from, to := Key(r.first).Day(), Key(r.last).Day()
	middle := from + (to-from)/2
	early = keyRange{r.first, min(r.last, int64(LastKey(householdID, middle)))}
	return early, keyRange{early.last + 1, r.last}
}

// inHalves reads a range of transactions. Where the view has a second reader that reads the later half meanwhile.
func (m *incomeMaker) inHalves(ctx context.Context, all keyRange, read func(context.Context, *queries.Queries, *incomeSums, keyRange) error) error {
	early, late := all.halves(m.who.HouseholdID)
	second := db.Beside(ctx)
	if second == nil || late.first > late.last {
		return read(ctx, m.q, &m.incomeSums, all)
	}
	later, done := newIncomeSums(m.by, m.own), make(chan error, 1)
	go func() {
		done <- db.Contained("panic beside", func() error { return read(ctx, second, &later, late) })
	}()
	err := read(ctx, m.q, &m.incomeSums, early)
	if err = errors.Join(err, <-done); err == nil {
		m.merge(&later)
	}
	return err
}

// readPacked reads transactions with what they are told apart by.
func (m *incomeMaker) readPacked(ctx context.Context, q *queries.Queries, into *incomeSums, r keyRange) error {
	f := m.filter.TransactionFilter
	for day := Key(r.first).Day(); day <= Key(r.last).Day(); day += packedDays {
		f.FirstKey, f.LastKey = max(r.first, int64(FirstKey(f.HouseholdID, day))), min(r.last, int64(LastKey(f.HouseholdID, day+packedDays-1)))
		packed, err := q.PackTransactions(ctx, f, m.part(), m.labelled())
		if err == nil {
			err = into.unpack(packed, func(b *booking, rest string) error { return b.unpack(rest, m.by) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDays reads whole days, of which nothing but the category of each booking is asked.
func (m *incomeMaker) readDays(ctx context.Context, q *queries.Queries, into *incomeSums, r keyRange) error {
	days, err := q.PackIncome(ctx, queries.PackIncomeParams{FirstKey: r.first, LastKey: r.last, HouseholdID: m.who.HouseholdID, Accounts: m.accounts()})
	if err != nil {
		return err
	}
	for _, d := range days {
		day := Key(d.Day << sequenceBits).Day()
		if err := into.unpack(d.Packed, func(b *booking, _ string) error { b.day = day; return nil }); err != nil {
			return err
		}
	}
	return nil
}

// unpack takes in transactions as PackIncome and PackTransactions write them: amount, three letters and a key without
// anything between, then what is left to more.
func (s *incomeSums) unpack(packed string, more func(b *booking, rest string) error) error {
	var b booking // one for all of them: more makes it escape
	for packed != "" {
		amount, rest, ok := leadingInt(packed)
		if !ok || len(rest) < 3 {
			return fmt.Errorf("income: %.40q does not begin with amount and currency", packed)
		}
		b = booking{minor: amount, currency: codeOf(rest)}
		if b.category, rest, ok = leadingInt(rest[3:]); !ok {
			return fmt.Errorf("income: %.40q does not begin with amount, currency and category", packed)
		}
		rest, packed, _ = strings.Cut(rest, ",")
		if err := more(&b, strings.TrimPrefix(rest, " ")); err != nil {
			return err
		}
		s.add(&b)
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

// unpack reads a day and what the bookings are told apart by.
func (b *booking) unpack(text, by string) error {
	day, part, _ := strings.Cut(text, " ")
	number, err := strconv.ParseInt(day, 10, 32)
	if b.day = Date(number); err != nil {
		return err
	}
	switch by {
	case ByTag:
		b.tags = part
	case ByMerchant:
		b.merchant, err = strconv.ParseInt(part, 10, 64)
	case ByAccount:
		b.account, err = strconv.ParseInt(part, 10, 64)
	}
	return err
}
