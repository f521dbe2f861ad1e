package ledger

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"finsvc/queries"
)

// balanceWindow is what happened in some accounts on some days in a row.
type balanceWindow struct {
	accounts    []int64
	first, last Date
	flows       map[accountDay][]dayFlow
	values      map[accountDay]int64 // of valuations, in the ledger's sign
}

// dayFlow is what moved on a day in a currency, in its minor units: in all (into the account positive),
// and what came in of it.
type dayFlow struct {
	currency string
	net, in  int64
}

// balanceDays computes rows. They lie on days in a row, the newest first: from the balances before the
// oldest one, day by day to the newest.
func (l *Ledger) balanceDays(ctx context.Context, q *queries.Queries, who Actor, names *labels, rows []accountDay) ([]BalanceDay, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	w, err := readWindow(ctx, q, who, rows)
	if err != nil {
		return nil, err
	}
	balances, err := l.balancesBefore(ctx, q, who, w)
	if err != nil {
		return nil, err
	}
	days := make(map[accountDay]BalanceDay, len(rows)+len(w.accounts))
	book := newRateBook(q)
	for _, account := range w.accounts {
		balance := balances[account]
		for day := w.first; day <= w.last; day++ {
			at := accountDay{account, day}
			if days[at], balance, err = w.step(ctx, book, at, names.accounts.byKey[account], balance); err != nil {
				return nil, err
			}
		}
	}
	list := make([]BalanceDay, len(rows))
	for i, at := range rows {
		list[i] = days[at]
	}
	return list, nil
}

// balancesBefore are the balances at the end of the day before the window.
func (l *Ledger) balancesBefore(ctx context.Context, q *queries.Queries, who Actor, w *balanceWindow) (map[int64]Balance, error) {
	if len(w.accounts) > 1 {
		return l.balances(ctx, q, who, w.first-1)
	}
	one, err := l.balance(ctx, q, who, w.accounts[0], w.first-1)
	return map[int64]Balance{w.accounts[0]: one}, err
}

// readWindow reads what happened in the accounts and on the days of the rows, the newest of which comes
// first.
func readWindow(ctx context.Context, q *queries.Queries, who Actor, rows []accountDay) (*balanceWindow, error) {
	w := &balanceWindow{first: rows[len(rows)-1].day, last: rows[0].day, flows: map[accountDay][]dayFlow{}, values: map[accountDay]int64{}}
	for _, r := range rows {
		w.accounts = append(w.accounts, r.account)
	}
	slices.Sort(w.accounts)
	w.accounts = slices.Compact(w.accounts)
	if err := w.readFlows(ctx, q, who); err != nil {
		return nil, err
	}
	one := int64(0)
	if len(w.accounts) == 1 {
		one = w.accounts[0]
	}
	values, err := q.ListValuationDays(ctx, queries.ListValuationDaysParams{
		HouseholdID: who.HouseholdID, FirstDay: int64(w.first), LastDay: int64(w.last), AccountID: one})
	for _, v := range values {
		w.values[accountDay{v.AccountID, Date(v.Day)}] = v.Amount
	}
	return w, err
}

func (w *balanceWindow) readFlows(ctx context.Context, q *queries.Queries, who Actor) error {
	accounts, err := json.Marshal(w.accounts)
	if err != nil {
		return err
	}
	sums, err := q.ListDaySums(ctx, queries.ListDaySumsParams{
		Accounts: string(accounts), HouseholdID: who.HouseholdID, FirstDay: int64(w.first), LastDay: int64(w.last)})
	if err != nil {
		return err
	}
	incomes, err := q.ListDayIncomes(ctx, queries.ListDayIncomesParams{HouseholdID: who.HouseholdID,
		FirstKey: int64(FirstKey(who.HouseholdID, w.first)), LastKey: int64(LastKey(who.HouseholdID, w.last))})
	in := make(map[dayKey]int64, len(incomes))
	for _, r := range incomes {
		in[dayKey{r.AccountID, Date(r.Date), r.Currency}] = r.Amount
	}
	for _, r := range sums {
		at := accountDay{r.AccountID, Date(r.Date)}
		w.flows[at] = append(w.flows[at], dayFlow{r.Currency, r.Amount, in[dayKey{r.AccountID, at.day, r.Currency}]})
	}
	return err
}

// step goes from the balance at the end of one day to that of the next, as balances.go does: a
// valuation counts whatever moved on its day, and what has no rate is left out.
func (w *balanceWindow) step(ctx context.Context, book *rateBook, at accountDay, account *AccountLabel, before Balance) (BalanceDay, Balance, error) {
	row := BalanceDay{ID: balanceID(account.ID, at.day), Date: at.day, Account: account}
	after := before
	for _, flow := range w.flows[at] {
		net, in, known, err := book.convertFlow(ctx, flow, account.Currency, at.day)
		if err != nil {
			return row, after, err
		}
		if !known {
			after.Unconverted = withLeftOut(after.Unconverted, flow.currency, flow.net)
			continue
		}
		row.Inflow += in
		row.Outflow += in - net
		after.Minor += net
	}
	if value, stated := w.values[at]; stated {
		row.Adjustment = value - after.Minor
		after = Balance{Minor: value}
	}
	row.Start, row.End = before.Minor, after.Minor
	row.write(account.sign(), after.Unconverted)
	return row, after, nil
}

// write turns the amounts into the written sign.
func (b *BalanceDay) write(sign int64, unconverted []Unconverted) {
	b.FlowsFactor = sign
	b.Start, b.Adjustment, b.End = sign*b.Start, sign*b.Adjustment, sign*b.End
	for _, u := range unconverted {
		b.Unconverted = append(b.Unconverted, Unconverted{u.Currency, sign * u.Minor})
	}
}

// convertFlow converts the sum of a day, which is what balances count, and what came in. What went out is
// the difference, so that the three agree to the minor unit.
func (b *rateBook) convertFlow(ctx context.Context, flow dayFlow, currency string, day Date) (net, in int64, known bool, err error) {
	from, _ := LookupCurrency(flow.currency) // what is stored was looked up
	to, _ := LookupCurrency(currency)
	net, known, err = b.convert(ctx, flow.net, from, to, day)
	if err != nil || !known {
		return 0, 0, false, err
	}
	in, _, err = b.convert(ctx, flow.in, from, to, day)
	return net, max(in, net, 0), true, err // an inflow beyond all amounts is unknown, and 0
}

// withLeftOut is a copy of the list, by currency, with more left out.
func withLeftOut(list []Unconverted, currency string, minor int64) []Unconverted {
	list = slices.Clone(list)
	at, found := slices.BinarySearchFunc(list, currency, func(u Unconverted, code string) int { return strings.Compare(u.Currency, code) })
	if !found {
		list = slices.Insert(list, at, Unconverted{Currency: currency})
	}
	list[at].Minor += minor
	return list
}
