package ledger

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"finsvc/queries"
)

// incomeMaker adds up one income statement. sums are what was gathered.
type incomeMaker struct {
	q           *queries.Queries
	who         Actor
	accounts    string // that count: keys in a JSON list, or null for all
	home        Currency
	first, last int64 // keys
	sums        map[incomeKey]incomeSum
	statement   *IncomeStatement
	tooMuch     bool // a sum does not fit into 64 bits

	book  *rateBook
	rates map[dayCurrency]*rate // nil where none is known
}

// incomeKey is what amounts are added up by; day is 0 for those in the household's currency, which need no rate.
// Without a string in it, it is looked up in half the time.
type incomeKey struct {
	category int64
	currency currencyCode
	day      Date
}

// currencyCode is the three letters of a currency.
type currencyCode [3]byte

func codeOf(text string) currencyCode { return currencyCode{text[0], text[1], text[2]} }

// incomeSum is in minor units; expenses are positive.
type incomeSum struct{ income, expenses, count int64 }

type dayCurrency struct {
	day      Date
	currency currencyCode
}

// gather reads everything that counts.
func (m *incomeMaker) gather(ctx context.Context) error {
	days, err := m.q.PackIncome(ctx, queries.PackIncomeParams{FirstKey: m.first, LastKey: m.last, HouseholdID: m.who.HouseholdID, Accounts: m.accounts})
	if err != nil {
		return err
	}
	for _, d := range days {
		if err := m.unpack(Key(d.Day<<sequenceBits).Day(), d.Packed); err != nil {
			return err
		}
	}
	if err := m.gatherLines(ctx); err != nil {
		return err
	}
	trades, err := m.q.ListIncomeTrades(ctx, queries.ListIncomeTradesParams{HouseholdID: m.who.HouseholdID, FirstKey: m.first, LastKey: m.last, Accounts: m.accounts})
	if err != nil {
		return err
	}
	for _, t := range trades {
		m.add(Date(t.Date), t.Amount, codeOf(t.Currency), t.CategoryID)
	}
	return m.gatherTransfers(ctx)
}

// gatherTransfers counts the transfers and takes in what they cost.
func (m *incomeMaker) gatherTransfers(ctx context.Context) error {
	fees, err := m.q.ListTransferFees(ctx, queries.ListTransferFeesParams{FirstKey: m.first, LastKey: m.last, HouseholdID: m.who.HouseholdID, Accounts: m.accounts})
	if err != nil {
		return err
	}
	for _, fee := range fees {
		m.add(Date(fee.Date), fee.Amount, codeOf(fee.Currency), fee.CategoryID)
	}
	m.statement.TransfersLeftOut, err = m.q.CountTransfersLeftOut(ctx, queries.CountTransfersLeftOutParams{
		FirstKey: m.first, LastKey: m.last, HouseholdID: m.who.HouseholdID, Accounts: m.accounts})
	return err
}

// unpack takes in a day as PackIncome writes it: amount, three letters and a key without anything between.
func (m *incomeMaker) unpack(day Date, packed string) error {
	for packed != "" {
		var one string
		one, packed, _ = strings.Cut(packed, ",")
		at := strings.IndexFunc(one, func(r rune) bool { return r >= 'A' })
		if at < 0 || at+3 > len(one) {
			return fmt.Errorf("income of %s: %q is not amount, currency and category", day, one)
		}
		amount, err := strconv.ParseInt(one[:at], 10, 64)
		if err != nil {
			return err
		}
		category, err := strconv.ParseInt(one[at+3:], 10, 64)
		if err != nil {
			return err
		}
		m.add(day, amount, codeOf(one[at:at+3]), category)
	}
	return nil
}

// add takes in an amount in the ledger's sign.
func (m *incomeMaker) add(day Date, minor int64, currency currencyCode, category int64) {
	key := m.key(day, currency, category)
	sum := m.sums[key]
	sum.count++
	side := &sum.income
	if minor < 0 {
		side, minor = &sum.expenses, -minor
	}
	if !addTo(side, minor) {
		m.tooMuch = true
	}
	m.sums[key] = sum
}

// key is what an amount is added up by.
func (m *incomeMaker) key(day Date, currency currencyCode, category int64) incomeKey {
	if currency == codeOf(m.home.Code) {
		day = 0
	}
	return incomeKey{category, currency, day}
}

// convert gives a sum in the household's currency. Without a rate it is left out, and said to be.
func (m *incomeMaker) convert(ctx context.Context, key incomeKey, sum incomeSum) (income, expenses int64, err error) {
	if key.currency == codeOf(m.home.Code) {
		return sum.income, sum.expenses, nil
	}
	r, err := m.rate(ctx, dayCurrency{key.day, key.currency})
	if err != nil {
		return 0, 0, err
	}
	if r != nil {
		from, _ := LookupCurrency(string(key.currency[:]))
		income, fits := r.convert(sum.income, from, m.home)
		expenses, also := r.convert(sum.expenses, from, m.home)
		if fits && also {
			return income, expenses, nil
		}
	}
	return 0, 0, m.leaveOut(string(key.currency[:]), sum)
}

// rate is the rate of a currency on a day, looked up once.
func (m *incomeMaker) rate(ctx context.Context, key dayCurrency) (*rate, error) {
	if m.book == nil {
		m.book, m.rates = newRateBook(m.q), map[dayCurrency]*rate{}
		m.book.window = span{m.statement.StartDate, m.statement.EndDate}
	}
	if r, seen := m.rates[key]; seen {
		return r, nil
	}
	found, known, err := m.book.find(ctx, string(key.currency[:]), m.home.Code, key.day)
	if err != nil || !known {
		m.rates[key] = nil
		return nil, err
	}
	m.rates[key] = &found
	m.statement.Rates = append(m.statement.Rates, found.parts...)
	return &found, nil
}

func (m *incomeMaker) leaveOut(currency string, sum incomeSum) error {
	s := m.statement
	at := slices.IndexFunc(s.Unconverted, func(g IncomeGap) bool { return g.Currency == currency })
	if at < 0 {
		at = len(s.Unconverted)
		s.Unconverted = append(s.Unconverted, IncomeGap{Currency: currency})
	}
	if gap := &s.Unconverted[at]; !addTo(&gap.Income, sum.income) || !addTo(&gap.Expenses, sum.expenses) {
		return errTotalRange
	}
	return nil
}
