package ledger

import (
	"context"
	"slices"

	"finsvc/queries"
)

// balanceWindow is what happened in some accounts on some days in a row.
type balanceWindow struct {
	q        *queries.Queries
	who      Actor
	book     *rateBook
	accounts []int64
	one      int64 // the account when it is the only one, else 0
	span
	tallies map[int64]*tally // of the day before; then of day after day
	flows   map[accountDay][]dayFlow
	held    map[accountDay][]Unconverted // where it changes
	values  map[accountDay]int64         // of valuations, in the ledger's sign
}

// dayFlow is what moved on a day in a currency, in its minor units: in all (into the account positive),
// and what came in of it; and the same of what purchases and sales alone moved.
type dayFlow struct {
	currency          string
	net, in           int64
	tradeNet, tradeIn int64
}

// balanceDays computes rows. They lie on days in a row, the newest first: from the balances before the
// oldest one, day by day to the newest.
func (l *Ledger) balanceDays(ctx context.Context, q *queries.Queries, who Actor, names *labels, rows []accountDay) ([]BalanceDay, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	w := newWindow(q, who, rows)
	if err := w.read(ctx); err != nil {
		return nil, err
	}
	days := make(map[accountDay]BalanceDay, len(rows)+len(w.accounts))
	for _, account := range w.accounts {
		if err := w.walk(ctx, account, names.accounts.byKey[account], days); err != nil {
			return nil, err
		}
	}
	list := make([]BalanceDay, len(rows))
	for i, at := range rows {
		list[i] = days[at]
	}
	return list, nil
}

// newWindow is that of rows, the newest of which comes first.
func newWindow(q *queries.Queries, who Actor, rows []accountDay) *balanceWindow {
	w := &balanceWindow{q: q, who: who, book: newRateBook(q), span: span{rows[len(rows)-1].day, rows[0].day},
		flows: map[accountDay][]dayFlow{}, held: map[accountDay][]Unconverted{}, values: map[accountDay]int64{}}
	for _, r := range rows {
		w.accounts = append(w.accounts, r.account)
	}
	slices.Sort(w.accounts)
	w.accounts = slices.Compact(w.accounts)
	if len(w.accounts) == 1 {
		w.one = w.accounts[0]
	}
	w.book.window = span{w.first - 1, w.last}
	return w
}

func (w *balanceWindow) read(ctx context.Context) (err error) {
	if w.tallies, err = readTallies(ctx, w.book, w.who, w.one, w.first-1); err != nil {
		return err
	}
	if err := w.readFlows(ctx); err != nil {
		return err
	}
	levels, err := w.q.PackHoldingLevels(ctx, queries.PackHoldingLevelsParams{
		HouseholdID: w.who.HouseholdID, After: int64(w.first - 1), LastDay: int64(w.last), AccountID: w.one})
	if err != nil {
		return err
	}
	for _, r := range levels {
		days, err := unpackDays(r.Days)
		if err != nil {
			return err
		}
		for _, d := range days {
			at := accountDay{r.AccountID, d.day}
			w.held[at] = append(w.held[at], Unconverted{r.Currency, d.minor})
		}
	}
	values, err := w.q.ListValuationDays(ctx, queries.ListValuationDaysParams{
		HouseholdID: w.who.HouseholdID, FirstDay: int64(w.first), LastDay: int64(w.last), AccountID: w.one})
	for _, v := range values {
		w.values[accountDay{v.AccountID, Date(v.Day)}] = v.Amount
	}
	return err
}

func (w *balanceWindow) readFlows(ctx context.Context) error {
	sums, err := w.q.ListDaySums(ctx, queries.ListDaySumsParams{
		Accounts: jsonArray(w.accounts), HouseholdID: w.who.HouseholdID, FirstDay: int64(w.first), LastDay: int64(w.last)})
	if err != nil {
		return err
	}
	keys := queries.ListDayIncomesParams{HouseholdID: w.who.HouseholdID,
		FirstKey: int64(FirstKey(w.who.HouseholdID, w.first)), LastKey: int64(LastKey(w.who.HouseholdID, w.last))}
	incomes, err := w.q.ListDayIncomes(ctx, keys)
	if err != nil {
		return err
	}
	trades, err := w.q.ListDayTrades(ctx, queries.ListDayTradesParams(keys))
	parts := make(map[dayKey]dayFlow, len(incomes)+len(trades))
	for _, r := range incomes {
		parts[dayKey{r.AccountID, Date(r.Date), r.Currency}] = dayFlow{in: r.Amount}
	}
	for _, r := range trades {
		key := dayKey{r.AccountID, Date(r.Date), r.Currency}
		parts[key] = dayFlow{in: parts[key].in + r.Incomes, tradeNet: r.Moved, tradeIn: r.Sold}
	}
	for _, r := range sums {
		flow := parts[dayKey{r.AccountID, Date(r.Date), r.Currency}]
		flow.currency, flow.net = r.Currency, r.Amount
		at := accountDay{r.AccountID, Date(r.Date)}
		w.flows[at] = append(w.flows[at], flow)
	}
	return err
}

// walk computes an account's rows of all days of the window.
func (w *balanceWindow) walk(ctx context.Context, account int64, label *AccountLabel, days map[accountDay]BalanceDay) error {
	t := w.tallies[account]
	before, err := t.balance(ctx, w.book, w.first-1)
	for day := w.first; day <= w.last && err == nil; day++ {
		row := BalanceDay{ID: datedID(label.ID, day), Date: day, Account: label, FlowsFactor: label.sign(),
			Start: before.Minor, StartHoldings: before.Holdings}
		if before, err = w.step(ctx, &row, t, accountDay{account, day}); err == nil {
			row.write(before)
			days[accountDay{account, day}] = row
		}
	}
	return err
}

// step takes a tally to the end of a day and notes in the row what moved it.
func (w *balanceWindow) step(ctx context.Context, row *BalanceDay, t *tally, at accountDay) (Balance, error) {
	for _, flow := range w.flows[at] {
		if err := t.book(ctx, w.book, flow.currency, flow.net, at.day); err != nil {
			return Balance{}, err
		}
		if err := row.flow(ctx, w.book, flow, t.currency); err != nil {
			return Balance{}, err
		}
	}
	for _, h := range w.held[at] {
		t.hold(h.Currency, h.Minor)
	}
	if value, stated := w.values[at]; stated {
		cash := t.cash
		if err := t.state(ctx, w.book, value, at.day); err != nil {
			return Balance{}, err
		}
		row.Adjustment = t.cash - cash
	}
	return t.balance(ctx, w.book, at.day)
}

// flow notes what came in and went out, both of cash and of what was bought and sold. The sum is converted, as
// balances count it, and what came in; what went out is the difference, so that the three agree to the minor
// unit.
func (b *BalanceDay) flow(ctx context.Context, book *rateBook, flow dayFlow, to Currency) error {
	net, in, known, err := book.convertParts(ctx, flow.currency, flow.net, flow.in, to, b.Date)
	if err != nil || !known {
		return err
	}
	b.Inflow += in
	b.Outflow += in - net
	net, in, _, err = book.convertParts(ctx, flow.currency, flow.tradeNet, flow.tradeIn, to, b.Date)
	b.Sold += in
	b.Bought += in - net
	return err
}

// convertParts converts a sum of a day and what came in of it.
func (b *rateBook) convertParts(ctx context.Context, currency string, net, in int64, to Currency, day Date) (netTo, inTo int64, known bool, err error) {
	from, _ := LookupCurrency(currency) // what is stored was looked up
	netTo, known, err = b.convert(ctx, net, from, to, day)
	if err != nil || !known {
		return 0, 0, false, err
	}
	inTo, _, err = b.convert(ctx, in, from, to, day)
	return netTo, max(inTo, netTo, 0), true, err // an inflow beyond all amounts is unknown, and 0
}

// write completes a row with the balance at its end, and turns the amounts into the written sign.
func (b *BalanceDay) write(end Balance) {
	sign := b.FlowsFactor
	b.Market = sign * (end.Holdings - b.StartHoldings - b.Bought + b.Sold)
	b.Start, b.StartHoldings, b.Adjustment = sign*b.Start, sign*b.StartHoldings, sign*b.Adjustment
	b.End, b.EndHoldings = sign*end.Minor, sign*end.Holdings
	for _, u := range end.Unconverted {
		b.Unconverted = append(b.Unconverted, Unconverted{u.Currency, sign * u.Minor})
	}
}
