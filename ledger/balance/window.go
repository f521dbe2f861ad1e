package balance

import (
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// window is what happened in some accounts on some days in a row.
type window struct {
	tx       *ledger.Tx
	book     *fx.RateBook
	accounts []int64
	one      int64 // the account when it is the only one, else 0
	fx.Span
	running map[int64]*Running // of the day before; then of day after day
	flows   map[accountDay][]dayFlow
	held    map[accountDay][]Unconverted // where it changes
	values  map[accountDay]int64         // of valuations, in the ledger's sign
}

// dayFlow is what moved on a day in a currency, in its minor units: in all (into the account positive),
// and what came in of it; and the same of what purchases and sales alone moved.
type dayFlow struct {
	currency          string
	net               int64
	in                money.Sum
	tradeNet, tradeIn money.Sum
}

// balanceDays computes rows. They lie on days in a row, the newest first: from the balances before the
// oldest one, day by day to the newest.
func balanceDays(ctx context.Context, tx *ledger.Tx, rows []accountDay) ([]Day, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	// That of rows, the newest of which comes first.
	w := &window{tx: tx, book: fx.NewRateBook(tx.Queries), Span: fx.Span{First: rows[len(rows)-1].day,
		Last: rows[0].day},
		flows: map[accountDay][]dayFlow{}, held: map[accountDay][]Unconverted{}, values: map[accountDay]int64{}}
	for _, r := range rows {
		w.accounts = append(w.accounts, r.account)
	}
	slices.Sort(w.accounts)
	w.accounts = slices.Compact(w.accounts)
	if len(w.accounts) == 1 {
		w.one = w.accounts[0]
	}
	w.book.Window = fx.Span{First: w.First - 1, Last: w.Last}
	if err := w.read(ctx); err != nil {
		return nil, err
	}
	days := make(map[accountDay]Day, len(rows)+len(w.accounts))
	for _, account := range w.accounts {
		if err := w.walk(ctx, account, tx.Refs.Accounts.ByKey[account], days); err != nil {
			return nil, err
		}
	}
	list := make([]Day, len(rows))
	for i, at := range rows {
		list[i] = days[at]
	}
	return list, nil
}

func (w *window) read(ctx context.Context) (err error) {
	w.running, err = ReadRunning(ctx, w.tx, w.book, w.one, w.First-1)
	if err != nil {
		return err
	}
	if err := w.readSums(ctx); err != nil {
		return err
	}
	if err := w.readParts(ctx); err != nil {
		return err
	}
	return w.readLevels(ctx)
}

// ReadLevels reads what is held and what valuations state.
func (w *window) readLevels(ctx context.Context) error {
	levels, err := w.tx.PackHoldingLevels(ctx, queries.PackHoldingLevelsParams{
		HouseholdID: w.tx.HouseholdID, After: int64(w.First - 1), LastDay: int64(w.Last), AccountID: w.one})
	if err != nil {
		return err
	}
	for _, r := range levels {
		days, err := UnpackDays(r.Days)
		if err != nil {
			return err
		}
		for _, d := range days {
			at := accountDay{r.AccountID, d.Day}
			w.held[at] = append(w.held[at], Unconverted{Currency: r.Currency, Minor: d.Minor})
		}
	}
	values, err := w.tx.ListValuationDays(ctx, queries.ListValuationDaysParams{
		HouseholdID: w.tx.HouseholdID, FirstDay: int64(w.First), LastDay: int64(w.Last), AccountID: w.one})
	for _, v := range values {
		w.values[accountDay{v.AccountID, ledger.Date(v.Day)}] = v.Amount
	}
	return err
}

// readSums reads what was booked.
func (w *window) readSums(ctx context.Context) error {
	sums, err := w.tx.ListDaySums(ctx, queries.ListDaySumsParams{
		Accounts: ledger.JSONArray(w.accounts), HouseholdID: w.tx.HouseholdID, FirstDay: int64(w.First),
		LastDay: int64(w.Last)})
	for _, r := range sums {
		at := accountDay{r.AccountID, ledger.Date(r.Date)}
		w.flows[at] = append(w.flows[at], dayFlow{currency: r.Currency, net: r.Amount})
	}
	return err
}

// readParts reads what of it came in, and what purchases and sales moved.
func (w *window) readParts(ctx context.Context) error {
	keys := queries.ListDayIncomesParams{HouseholdID: w.tx.HouseholdID,
		FirstKey: int64(ledger.FirstKey(w.tx.HouseholdID, w.First)),
		LastKey:  int64(ledger.LastKey(w.tx.HouseholdID, w.Last))}
	incomes, err := w.tx.ListDayIncomes(ctx, keys)
	if err != nil {
		return err
	}
	for _, r := range incomes {
		if flow := w.flow(r.AccountID, r.Date, r.Currency); flow != nil {
			flow.in = money.SumOfHalves(r.Upper, r.Lower)
		}
	}
	trades, err := w.tx.ListDayTrades(ctx, queries.ListDayTradesParams(keys))
	for _, r := range trades {
		if flow := w.flow(r.AccountID, r.Date, r.Currency); flow != nil {
			flow.in = flow.in.Plus(money.SumOfHalves(r.IncomesUpper, r.IncomesLower))
			flow.tradeNet, flow.tradeIn = money.SumOfHalves(r.MovedUpper, r.MovedLower),
				money.SumOfHalves(r.SoldUpper, r.SoldLower)
		}
	}
	return err
}

// flow is that of an account in a currency on a day; nil when the account is none of the window's.
func (w *window) flow(account, day int64, currency string) *dayFlow {
	flows := w.flows[accountDay{account, ledger.Date(day)}]
	at := slices.IndexFunc(flows, func(f dayFlow) bool { return f.currency == currency })
	if at < 0 {
		return nil
	}
	return &flows[at]
}

// walk computes an account's rows of all days of the window.
func (w *window) walk(ctx context.Context, account int64, label *ledger.AccountRef, days map[accountDay]Day) error {
	t := w.running[account]
	before, err := t.Balance(ctx, w.book, w.First-1)
	for day := w.First; day <= w.Last && err == nil; day++ {
		row := Day{ID: ledger.DatedID(label.ID, day), Date: day, Account: label, FlowsFactor: label.Sign(),
			Start: before.Minor, StartHoldings: before.Holdings}
		before, err = w.step(ctx, &row, t, accountDay{account, day})
		if err == nil {
			row.write(before)
			days[accountDay{account, day}] = row
		}
	}
	return err
}

// step takes a tally to the end of a day and notes in the row what moved it.
func (w *window) step(ctx context.Context, row *Day, t *Running, at accountDay) (Balance, error) {
	for _, flow := range w.flows[at] {
		if err := t.book(ctx, w.book, flow.currency, flow.net, at.day); err != nil {
			return Balance{}, err
		}
		if err := row.flow(ctx, w.book, flow, t.currency); err != nil {
			return Balance{}, err
		}
	}
	for _, h := range w.held[at] {
		t.Hold(h.Currency, h.Minor)
	}
	if value, stated := w.values[at]; stated {
		cash := t.Cash
		if err := t.State(ctx, w.book, value, at.day); err != nil {
			return Balance{}, err
		}
		row.Adjustment = money.OrNothing(t.Cash.Minus(cash))
	}
	return t.Balance(ctx, w.book, at.day)
}

// flow notes what came in and went out, both of cash and of what was bought and sold. The sum is converted, as
// balances count it, and what came in; what went out is the difference, so that the three agree to the minor
// unit.
func (b *Day) flow(ctx context.Context, book *fx.RateBook, flow dayFlow, to money.Currency) error {
	in, out, known, err := convertParts(book, ctx, flow.currency, money.SumOf(flow.net), flow.in, to, b.Date)
	if err != nil || !known {
		return err
	}
	b.Inflow, b.Outflow = addFlows(b.Inflow, b.Outflow, in, out)
	in, out, _, err = convertParts(book, ctx, flow.currency, flow.tradeNet, flow.tradeIn, to, b.Date)
	b.Sold, b.Bought = addFlows(b.Sold, b.Bought, in, out)
	return err
}

// addFlows adds what came in and what went out to what is there. Where that is no amount, what came in and what went
// out are their difference alone, which is what moves the balance.
func addFlows(in, out, moreIn, moreOut int64) (int64, int64) {
	allIn, fits := money.AddMinor(in, moreIn)
	allOut, also := money.AddMinor(out, moreOut)
	if fits && also {
		return allIn, allOut
	}
	net := money.SumOf(in, moreIn).Minus(money.SumOf(out, moreOut))
	return max(money.OrNothing(net), 0), max(-money.OrNothing(net), 0)
}

// convertParts converts a sum of a day and what came in of it, and gives what came in and what went out. An inflow that
// is no amount is unknown; then what is left of both is their difference.
func convertParts(b *fx.RateBook, ctx context.Context, currency string, net, in money.Sum, to money.Currency,
	day ledger.Date) (inTo, outTo int64, known bool, err error) {
	from, _ := money.LookupCurrency(currency) // what is stored was looked up
	minor, fits := net.Minor()
	if !fits {
		return 0, 0, false, nil
	}
	all, err := b.Convert(ctx, minor, from, to, day)
	if err != nil || !all.Known {
		return 0, 0, false, err
	}
	cameIn, err := b.Convert(ctx, money.OrNothing(in), from, to, day)
	if err != nil {
		return 0, 0, false, err
	}
	inTo = max(cameIn.Minor, all.Minor, 0)
	outTo, fits = money.SubMinor(inTo, all.Minor)
	if !fits {
		inTo = max(all.Minor, 0)
		outTo = inTo - all.Minor
	}
	return inTo, outTo, true, nil
}

// write completes a row with the balance at its end, and turns the amounts into the written sign.
func (b *Day) write(end Balance) {
	sign := b.FlowsFactor
	b.Market = sign * money.OrNothing(money.SumOf(end.Holdings, b.Sold).Minus(money.SumOf(b.StartHoldings, b.Bought)))
	b.Start, b.StartHoldings, b.Adjustment = sign*b.Start, sign*b.StartHoldings, sign*b.Adjustment
	b.End, b.EndHoldings, b.Stale = sign*end.Minor, sign*end.Holdings, end.Stale
	for _, u := range end.Unconverted {
		b.Unconverted = append(b.Unconverted, Unconverted{u.Currency, sign * u.Minor, u.Excess})
	}
}
