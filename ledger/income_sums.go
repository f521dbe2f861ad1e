package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"finsvc/db"
	"finsvc/queries"
)

// incomeMaker adds up one breakdown. sums are what was gathered, in the order in which it came; places say where each is.
type incomeMaker struct {
	q       *queries.Queries
	who     Actor
	filter  *selection
	by      string
	only    bool // transactions
	home    Currency
	own     currencyCode // of the household
	sums    []keyedSum
	places  map[incomeKey]int
	sets    tagSets
	out     *Breakdown
	tooMuch bool // a sum does not fit into 64 bits

	book   *rateBook
	rates  map[dayCurrency]*rate // nil where none is known
	says   bool                  // by which rates amounts were converted
	shared map[incomeKey]sharedIncome
}

// booking is what is added up, in the ledger's sign. Tags are keys with a plus between.
type booking struct {
	day                         Date
	minor                       int64
	currency                    currencyCode
	category, merchant, account int64
	tags                        string
}

// incomeKey is what amounts are added up by: group is what the parts are told apart by; amounts of a category, a
// currency and a day are converted as one sum. Those in the household's currency need no rate: their day is 0.
// Without a string in it and without padding, it is looked up in a third of the time.
type incomeKey struct {
	group, category int64
	currency        currencyCode
	day             Date
}

// currencyCode is the three letters of a currency, and nothing.
type currencyCode [4]byte

func codeOf(text string) currencyCode { return currencyCode{text[0], text[1], text[2]} }

func (c currencyCode) String() string { return string(c[:3]) }

// incomeSum is in minor units; expenses are positive.
type incomeSum struct{ income, expenses, count int64 }

type keyedSum struct {
	incomeKey
	incomeSum
}

// sharedIncome is what of a sum that belongs to several parts was shared out.
type sharedIncome struct{ original, converted incomeSum }

type dayCurrency struct {
	day      Date
	currency currencyCode
}

// gather reads everything that counts.
func (m *incomeMaker) gather(ctx context.Context) error {
	state, err := m.q.GetListState(ctx, m.who.HouseholdID)
	if err != nil {
		return err
	}
	m.filter.Transfers, m.filter.Splits = new(false), state.HasSplits != 0
	steps := []func(context.Context) error{m.gatherTransactions}
	if m.filter.Splits {
		steps = append(steps, m.gatherLines)
	}
	if f := m.filter; !m.only && f.Search == "" && f.Amounts == nil && f.Incomes == nil {
		steps = append(steps, m.gatherTrades, m.gatherTransfers)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// gatherTransactions reads those between the first and the last of the days that are asked for.
func (m *incomeMaker) gatherTransactions(ctx context.Context) error {
	f := m.filter.TransactionFilter
	first, err := m.q.GetFirstBooked(ctx, queries.GetFirstBookedParams{HouseholdID: f.HouseholdID, FirstKey: f.FirstKey, LastKey: f.LastKey})
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	last, err := m.q.GetLastBooked(ctx, queries.GetLastBookedParams{HouseholdID: f.HouseholdID, FirstKey: f.FirstKey, LastKey: f.LastKey})
	if err != nil {
		return err
	}
	if m.plain() {
		return m.gatherDays(ctx, first, last)
	}
	for day := Key(first).Day(); day <= Key(last).Day(); day += packedDays {
		f.FirstKey, f.LastKey = int64(FirstKey(f.HouseholdID, day)), min(last, int64(LastKey(f.HouseholdID, day+packedDays-1)))
		packed, err := m.q.PackTransactions(ctx, f, m.part(), m.labelled())
		if err == nil {
			err = m.unpack(packed, func(b *booking, rest string) error { return b.unpack(rest, m.by) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packedDays is how many days are packed into one text.
const packedDays = 366

// plain says that day and category are all that matters of a transaction.
func (m *incomeMaker) plain() bool {
	f := &m.filter.TransactionFilter
	return m.part() == queries.PartNone && !m.labelled() && f.Search == "" && f.Amounts == nil && f.Incomes == nil
}

// labelled says whether an index of labels finds the transactions.
func (m *incomeMaker) labelled() bool {
	return m.filter.CategoryIDs != nil || m.filter.MerchantIDs != nil || m.filter.TagIDs != nil
}

// part is what the database has to tell of a transaction besides day and category.
func (m *incomeMaker) part() queries.Part {
	switch m.by {
	case ByAccount:
		return queries.PartAccount
	case ByMerchant:
		return queries.PartMerchant
	case ByTag:
		return queries.PartTags
	}
	return queries.PartNone
}

// gatherDays reads whole days, of which nothing but the category of each booking is asked.
func (m *incomeMaker) gatherDays(ctx context.Context, first, last int64) error {
	days, err := m.q.PackIncome(ctx, queries.PackIncomeParams{FirstKey: first, LastKey: last, HouseholdID: m.who.HouseholdID, Accounts: m.accounts()})
	if err != nil {
		return err
	}
	for _, d := range days {
		day := Key(d.Day << sequenceBits).Day()
		if err := m.unpack(d.Packed, func(b *booking, _ string) error { b.day = day; return nil }); err != nil {
			return err
		}
	}
	return nil
}

// unpack takes in transactions as PackIncome and PackTransactions write them: amount, three letters and a key without
// anything between, then what is left to more.
func (m *incomeMaker) unpack(packed string, more func(b *booking, rest string) error) error {
	var b booking // one for all of them: more makes it escape
	for packed != "" {
		var one string
		one, packed, _ = strings.Cut(packed, ",")
		one, rest, _ := strings.Cut(one, " ")
		at := strings.IndexFunc(one, func(r rune) bool { return r >= 'A' })
		if at < 0 || at+3 > len(one) {
			return fmt.Errorf("income: %q is not amount, currency and category", one)
		}
		amount, errAmount := strconv.ParseInt(one[:at], 10, 64)
		category, errCategory := strconv.ParseInt(one[at+3:], 10, 64)
		b = booking{minor: amount, currency: codeOf(one[at : at+3]), category: category}
		if err := cmp.Or(errAmount, errCategory, more(&b, rest)); err != nil {
			return err
		}
		m.add(&b)
	}
	return nil
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

func (m *incomeMaker) add(b *booking) {
	sum := m.sum(b)
	sum.count++
	side, minor := &sum.income, b.minor
	if minor < 0 {
		side, minor = &sum.expenses, -minor
	}
	if !addTo(side, minor) {
		m.tooMuch = true
	}
}

// sum is the one that a booking belongs to.
func (m *incomeMaker) sum(b *booking) *incomeSum {
	key := m.key(b)
	place, known := m.places[key]
	if !known {
		place = len(m.sums)
		m.places[key] = place
		m.sums = append(m.sums, keyedSum{incomeKey: key})
	}
	return &m.sums[place].incomeSum
}

// key is what an amount is added up by.
func (m *incomeMaker) key(b *booking) incomeKey {
	key := incomeKey{category: b.category, currency: b.currency, day: b.day}
	switch m.by {
	case ByCategory:
		key.group = b.category
	case ByMerchant:
		key.group = b.merchant
	case ByTag:
		key.group = m.sets.number(b.tags)
	case ByAccount:
		key.group = b.account
	case ByMonth:
		key.group = b.day.Month()
	}
	if b.currency == m.own {
		key.category, key.day = 0, 0
	}
	return key
}

// addUp converts the sums and makes the breakdown of them.
func (m *incomeMaker) addUp(ctx context.Context, names *labels) error {
	if m.tooMuch {
		return errTotalRange
	}
	if m.part() != queries.PartNone {
		m.shared = map[incomeKey]sharedIncome{}
	}
	list := &parts{by: m.by, names: names, sets: &m.sets, byName: map[int64]*BreakdownPart{}}
	for _, sum := range m.sums {
		if sum.count == 0 {
			continue // all of it was split
		}
		converted, err := m.convert(ctx, sum.incomeKey, sum.incomeSum)
		if err != nil {
			return err
		}
		if !m.count(converted, list.of(sum.group)) {
			return errTotalRange
		}
	}
	return m.finish(list)
}

// count adds a converted sum to the totals and to its parts; false when one of them does not fit.
func (m *incomeMaker) count(sum incomeSum, among []*BreakdownPart) bool {
	m.out.Count += sum.count
	fits := addTo(&m.out.Income, sum.income) && addTo(&m.out.Expenses, sum.expenses)
	for _, part := range among {
		part.Count += sum.count
		fits = fits && addTo(&part.Income, sum.income) && addTo(&part.Expenses, sum.expenses)
	}
	return fits
}

func (m *incomeMaker) finish(list *parts) error {
	m.out.Net = m.out.Income - m.out.Expenses
	m.out.Parts = list.sorted()
	slices.SortFunc(m.out.Unconverted, func(a, b IncomeGap) int { return cmp.Compare(a.Currency, b.Currency) })
	slices.SortFunc(m.out.Rates, compareRates)
	m.out.Rates = slices.CompactFunc(m.out.Rates, func(a, b ExchangeRate) bool { return compareRates(a, b) == 0 })
	return nil
}

// addTo adds an amount that is not negative; false when the sum does not fit into 64 bits.
func addTo(sum *int64, minor int64) bool {
	*sum += minor
	return *sum >= 0
}
