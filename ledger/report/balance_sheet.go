package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// NetWorths returns the net worth at the ends of days in minor units, which 64 bits need not hold.
func (m *networth) NetWorths(ctx context.Context, days []int64) (map[int64]decimal.Decimal, error) {
	points := make([]ledger.Date, len(days))
	for i, day := range days {
		points[i] = ledger.Date(day)
	}
	series := NetWorthSeries{Currency: m.currency.Code}
	if err := m.series(ctx, &series, points); err != nil {
		return nil, err
	}
	worth := make(map[int64]decimal.Decimal, len(days))
	for _, p := range series.Points {
		whole := p.excess.Plus(money.SumOf(p.NetWorth)) // the accounts that the total has no room for count as well
		worth[int64(p.Date)] = decimal.NewFromBigInt(whole.Big(), 0)
	}
	return worth, nil
}

// BalanceSheet is what a household has and owes at the end of a day, in minor units of its currency.
// Liabilities are what is owed, positive; net worth is assets less liabilities. Disabled accounts do not
// count. Every account is converted and rounded by itself, so the totals are the sums over the accounts.
type BalanceSheet struct {
	Currency                      string
	AsOf                          ledger.Date
	NetWorth, Assets, Liabilities int64
	Unconverted                   []Unconverted  // by currency
	Rates                         []fx.UsedRate  // those by which accounts were converted, by currencies
	Stale                         []fx.StaleRate // by which accounts and what is in them were converted, by currencies
	// the balances that the net worth leaves out because no amount holds it with them
	excess money.Sum
}

// Unconverted is what is left out of a balance sheet: because there is no exchange rate for it, however old, whole
// accounts in a currency, and entries in it that accounts of other currencies leave out; or, where it is in excess,
// because what it comes to at its rate, or a figure with it, would be beyond 64 bits. Minor is in minor units of the
// currency and in the ledger's sign: what is owed is negative. A currency has several gaps where one amount does not
// hold all of it.
type Unconverted struct {
	Currency string
	Minor    int64
	Excess   bool
	Accounts []uuid.UUID // by name
}

// Reason says why it is left out, in a word.
func (g *Unconverted) Reason() string { return balance.LeftOutReason(g.Excess) }

// BalanceSheet gives the balance sheet at the end of a day; absent, of today.
func (s *Service) BalanceSheet(ctx context.Context, who ledger.Actor, day ledger.Opt[ledger.Date]) (sheet BalanceSheet,
	err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		sheets, err := NewSheet(ctx, tx)
		if err != nil {
			return err
		}
		asOf := day.Or(sheets.today)
		if err := sheets.begin(ctx, asOf, asOf); err != nil {
			return err
		}
		sheet, err = sheets.sheet(ctx, asOf)
		return err
	})
	return sheet, err
}

// networth makes the balance sheets of days that follow each other.
type networth struct {
	tx       *ledger.Tx
	book     *fx.RateBook
	currency money.Currency // of the totals
	today    ledger.Date
	accounts []*sheetAccount // by name
	plain    bool            // sheets do not say by which rates they were made
}

// sheetAccount is an account with its balance at the end of a day, and what moves it after that.
type sheetAccount struct {
	queries.ListSheetAccountsRow
	currency money.Currency
	sign     int64
	running  *balance.Running
	balance  balance.Balance // on the last sheet
	excess   bool            // its balance did not fit into the totals of the last sheet
	ahead    sheetDays
}

func NewSheet(ctx context.Context, tx *ledger.Tx) (*networth, error) {
	home, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return nil, ledger.Missing(err, "Household")
	}
	m := &networth{tx: tx, book: fx.NewRateBook(tx.Queries), today: tx.TodayOf(ledger.AsHousehold(home))}
	m.currency, _ = money.LookupCurrency(home.Currency) // what is stored was looked up
	rows, err := tx.ListSheetAccounts(ctx, tx.HouseholdID)
	for _, row := range rows {
		kind, _ := ledger.LookupAccountType(row.AccountType)
		currency, _ := money.LookupCurrency(row.Currency)
		m.accounts = append(m.accounts, &sheetAccount{ListSheetAccountsRow: row, currency: currency, sign: kind.Sign()})
	}
	return m, err
}

// begin reads the balances at the end of the first of some days.
func (m *networth) begin(ctx context.Context, first, last ledger.Date) error {
	m.book.Window = fx.Span{First: first, Last: last}
	tallies, err := balance.ReadRunning(ctx, m.tx, m.book, 0, first)
	for _, a := range m.accounts {
		a.running = tallies[a.ID]
	}
	return err
}

// sheet adds up the accounts as they stand.
func (m *networth) sheet(ctx context.Context, day ledger.Date) (BalanceSheet, error) {
	sheet := BalanceSheet{Currency: m.currency.Code, AsOf: day}
	for _, a := range m.accounts {
		var err error
		a.balance, err = a.running.Balance(ctx, m.book, day)
		if err != nil {
			return sheet, err
		}
		for _, u := range a.balance.Unconverted {
			sheet.leaveOut(Unconverted{Currency: u.Currency, Minor: u.Minor, Excess: u.Excess}, a)
		}
		sheet.Stale = fx.StaleRates(sheet.Stale).And(a.balance.Stale...)
		a.excess = false
		if a.balance.Minor == 0 {
			continue // it is nothing in every currency
		}
		if err := m.count(ctx, &sheet, a); err != nil {
			return sheet, err
		}
	}
	slices.SortFunc(sheet.Rates, func(a, b fx.UsedRate) int { return fx.CompareRates(a.ExchangeRate, b.ExchangeRate) })
	slices.SortStableFunc(sheet.Unconverted, func(a, b Unconverted) int { return cmp.Compare(a.Currency, b.Currency) })
	return sheet, nil
}

// count converts an account's balance and adds it to the totals, as long as these are amounts.
func (m *networth) count(ctx context.Context, sheet *BalanceSheet, a *sheetAccount) error {
	minor := a.balance.Minor
	if a.currency != m.currency {
		rate, known, err := m.book.Find(ctx, a.Currency, m.currency.Code, sheet.AsOf)
		if err != nil {
			return err
		}
		fits := false
		if known {
			minor, fits = rate.Convert(minor, a.currency, m.currency)
		}
		if !fits {
			sheet.leaveOut(Unconverted{Currency: a.Currency, Minor: a.balance.Minor, Excess: known}, a)
			return nil
		}
		sheet.Stale = fx.StaleRates(sheet.Stale).With(a.Currency, m.currency.Code, sheet.AsOf,
			fx.Conversion{Minor: minor, Known: true, Rated: rate.Day})
		if !m.plain {
			sheet.use(rate)
		}
	}
	a.excess = !sheet.add(minor, a.sign)
	if a.excess {
		sheet.excess.Add(minor)
		sheet.leaveOut(Unconverted{Currency: sheet.Currency, Minor: minor, Excess: true}, a)
	}
	return nil
}

// add counts an amount in the ledger's sign; the sign is that of the account's type. It is false, and nothing is
// counted, when a total would be no amount.
func (s *BalanceSheet) add(minor, sign int64) bool {
	side := &s.Assets
	if sign < 0 {
		side = &s.Liabilities
	}
	net, fits := money.AddMinor(s.NetWorth, minor)
	total, also := money.AddMinor(*side, sign*minor)
	if !fits || !also {
		return false
	}
	s.NetWorth, *side = net, total
	return true
}

// leaveOut notes what is left out of an account, in the place of its kind that has room for it.
func (s *BalanceSheet) leaveOut(left Unconverted, a *sheetAccount) {
	at, sum := len(s.Unconverted), left.Minor
	for i, g := range s.Unconverted {
		more, fits := money.AddMinor(g.Minor, left.Minor)
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
func (s *BalanceSheet) use(r fx.Rate) {
	for _, part := range r.Used(s.AsOf) {
		if !slices.ContainsFunc(s.Rates, func(other fx.UsedRate) bool {
			return fx.CompareRates(part.ExchangeRate,
				other.ExchangeRate) == 0
		}) {
			s.Rates = append(s.Rates, part)
		}
	}
}
