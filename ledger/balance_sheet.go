package ledger

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/queries"
)

// BalanceSheet is what a household has and owes at the end of a day, in minor units of its currency.
// Liabilities are what is owed, positive; net worth is assets less liabilities. Disabled accounts do not
// count. Every account is converted and rounded by itself, so the totals are the sums over the accounts.
type BalanceSheet struct {
	Currency                      string
	AsOf                          Date
	NetWorth, Assets, Liabilities int64
	Unconverted                   []SheetGap  // by currency
	Rates                         []UsedRate  // those by which accounts were converted, by currencies
	Stale                         []StaleRate // by which accounts and what is in them were converted, by currencies
	excess                        Sum         // the balances that the net worth leaves out because no amount holds it with them
}

// SheetGap is what is left out of a balance sheet: because there is no exchange rate for it, however old, whole accounts
// in a currency, and entries in it that accounts of other currencies leave out; or, where it is in excess, because what it
// comes to at its rate, or a figure with it, would be beyond 64 bits. Minor is in minor units of the currency and in the ledger's sign: what is owed is
// negative. A currency has several gaps where one amount does not hold all of it.
type SheetGap struct {
	Currency string
	Minor    int64
	Excess   bool
	Accounts []uuid.UUID // by name
}

// Reason says why it is left out, in a word.
func (g *SheetGap) Reason() string { return leftOutReason(g.Excess) }

// BalanceSheet gives the balance sheet at the end of a day; absent, of today.
func (l *Ledger) BalanceSheet(ctx context.Context, who Actor, day Opt[Date]) (sheet BalanceSheet, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		maker, err := l.newSheetMaker(ctx, q, who)
		if err != nil {
			return err
		}
		asOf := day.Or(maker.today)
		if err := maker.begin(ctx, asOf, asOf); err != nil {
			return err
		}
		sheet, err = maker.sheet(ctx, asOf)
		return err
	})
	return sheet, err
}

// sheetMaker makes the balance sheets of days that follow each other.
type sheetMaker struct {
	q        *queries.Queries
	who      Actor
	book     *rateBook
	currency Currency // of the totals
	today    Date
	accounts []*sheetAccount // by name
	plain    bool            // sheets do not say by which rates they were made
}

// sheetAccount is an account with its balance at the end of a day, and what moves it after that.
type sheetAccount struct {
	queries.ListSheetAccountsRow
	currency Currency
	sign     int64
	tally    *tally
	balance  Balance // on the last sheet
	excess   bool    // its balance did not fit into the totals of the last sheet
	ahead    sheetDays
}

func (l *Ledger) newSheetMaker(ctx context.Context, q *queries.Queries, who Actor) (*sheetMaker, error) {
	home, err := q.GetHousehold(ctx, who.HouseholdID)
	if err != nil {
		return nil, Missing(err, "Household")
	}
	m := &sheetMaker{q: q, who: who, book: newRateBook(q), today: l.Today(asHousehold(home))}
	m.currency, _ = LookupCurrency(home.Currency) // what is stored was looked up
	rows, err := q.ListSheetAccounts(ctx, who.HouseholdID)
	for _, row := range rows {
		kind, _ := LookupAccountType(row.AccountType)
		currency, _ := LookupCurrency(row.Currency)
		m.accounts = append(m.accounts, &sheetAccount{ListSheetAccountsRow: row, currency: currency, sign: kind.sign()})
	}
	return m, err
}

// begin reads the balances at the end of the first of some days.
func (m *sheetMaker) begin(ctx context.Context, first, last Date) error {
	m.book.window = span{first, last}
	tallies, err := readTallies(ctx, m.book, m.who, 0, first)
	for _, a := range m.accounts {
		a.tally = tallies[a.ID]
	}
	return err
}

// sheet adds up the accounts as they stand.
func (m *sheetMaker) sheet(ctx context.Context, day Date) (BalanceSheet, error) {
	sheet := BalanceSheet{Currency: m.currency.Code, AsOf: day}
	for _, a := range m.accounts {
		var err error
		if a.balance, err = a.tally.balance(ctx, m.book, day); err != nil {
			return sheet, err
		}
		for _, u := range a.balance.Unconverted {
			sheet.leaveOut(SheetGap{Currency: u.Currency, Minor: u.Minor, Excess: u.Excess}, a)
		}
		sheet.Stale = staleRates(sheet.Stale).and(a.balance.Stale...)
		a.excess = false
		if a.balance.Minor == 0 {
			continue // it is nothing in every currency
		}
		if err := m.count(ctx, &sheet, a); err != nil {
			return sheet, err
		}
	}
	slices.SortFunc(sheet.Rates, func(a, b UsedRate) int { return compareRates(a.ExchangeRate, b.ExchangeRate) })
	slices.SortStableFunc(sheet.Unconverted, func(a, b SheetGap) int { return cmp.Compare(a.Currency, b.Currency) })
	return sheet, nil
}

// count converts an account's balance and adds it to the totals, as long as these are amounts.
func (m *sheetMaker) count(ctx context.Context, sheet *BalanceSheet, a *sheetAccount) error {
	minor := a.balance.Minor
	if a.currency != m.currency {
		rate, known, err := m.book.find(ctx, a.Currency, m.currency.Code, sheet.AsOf)
		if err != nil {
			return err
		}
		fits := false
		if known {
			minor, fits = rate.convert(minor, a.currency, m.currency)
		}
		if !fits {
			sheet.leaveOut(SheetGap{Currency: a.Currency, Minor: a.balance.Minor, Excess: known}, a)
			return nil
		}
		sheet.Stale = staleRates(sheet.Stale).with(a.Currency, m.currency.Code, sheet.AsOf, conversion{minor: minor, known: true, rated: rate.day})
		if !m.plain {
			sheet.use(rate)
		}
	}
	if a.excess = !sheet.add(minor, a.sign); a.excess {
		sheet.excess.Add(minor)
		sheet.leaveOut(SheetGap{Currency: sheet.Currency, Minor: minor, Excess: true}, a)
	}
	return nil
}

// add counts an amount in the ledger's sign; the sign is that of the account's type. It is false, and nothing is counted,
// when a total would be no amount.
func (s *BalanceSheet) add(minor, sign int64) bool {
	side := &s.Assets
	if sign < 0 {
		side = &s.Liabilities
	}
	net, fits := AddMinor(s.NetWorth, minor)
	total, also := AddMinor(*side, sign*minor)
	if !fits || !also {
		return false
	}
	s.NetWorth, *side = net, total
	return true
}

// leaveOut notes what is left out of an account, in the place of its kind that has room for it.
func (s *BalanceSheet) leaveOut(left SheetGap, a *sheetAccount) {
	at, sum := len(s.Unconverted), left.Minor
	for i, g := range s.Unconverted {
		more, fits := AddMinor(g.Minor, left.Minor)
		if g.Currency == left.Currency && g.Excess == left.Excess && fits {
			at, sum = i, more
			break
		}
	}
	if at == len(s.Unconverted) {
		s.Unconverted = append(s.Unconverted, left)
	}
	gap := &s.Unconverted[at]
	gap.Minor = sum
	if id := uuid.UUID(a.PublicID); !slices.Contains(gap.Accounts, id) {
		gap.Accounts = append(gap.Accounts, id)
	}
}

// use notes the published rates that a rate is made of.
func (s *BalanceSheet) use(r rate) {
	for _, part := range r.used(s.AsOf) {
		if !slices.ContainsFunc(s.Rates, func(other UsedRate) bool { return compareRates(part.ExchangeRate, other.ExchangeRate) == 0 }) {
			s.Rates = append(s.Rates, part)
		}
	}
}

func compareRates(a, b ExchangeRate) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Date, b.Date))
}
