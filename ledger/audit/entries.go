package audit

import (
	"cmp"
	"maps"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/audit/recount"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// entryAudit holds what is kept beside entries against them while they pass by. In memory is what belongs to a month.
type entryAudit struct {
	*auditor
	until  ledger.Date // the last day that was compared
	month  ledger.Date // the first day of the month that is being added up
	days   map[rollup.DayKey]rollup.DayTotals
	bands  map[rollup.BandKey]int64
	counts map[int64]int64
	newest int64 // creation number
}

// auditEntries reads all entries once: for the rollups, and for the balances that are counted from them.
func (a *auditor) auditEntries() error {
	e := &entryAudit{auditor: a, until: ledger.MinDate - 1, month: ledger.MinDate,
		days: map[rollup.DayKey]rollup.DayTotals{}, bands: map[rollup.BandKey]int64{}, counts: map[int64]int64{}}
	today := a.s.Today(ledger.AsHousehold(a.home))
	counted, err := recount.Count(a.ctx, a.tx.Queries, recount.Options{Decimals: decimalsOf, Today: int64(today),
		Only: a.home.ID, Seen: e.see})
	if err != nil || len(counted.Days(a.home.ID)) == 0 { // none: it is being deleted
		return err
	}
	if err := e.end(ledger.MaxDate); err != nil {
		return err
	}
	// Compare what was counted from rows with what the ledger answers.
	answered, err := a.s.answers(a.ctx, a.tx.Queries, a.home, counted)
	if err != nil {
		return err
	}
	a.Balances += int64(len(counted))
	for _, d := range counted.Differences(answered) {
		where, what, currency := a.home.Name, "net worth", a.home.Currency
		if d.Account != 0 {
			where, what, currency = a.of(d.Account), "balance", a.accounts[d.Account].Currency
		}
		a.defect(CheckBalances, where+", "+ledger.Date(d.Day).String(), "the ledger's %s is %s; the entries come to %s",
			what,
			figureText(d.After, currency), figureText(d.Before, currency))
	}
	return nil
}

// decimalsOf is how many decimals amounts of a currency have.
func decimalsOf(code string) (places int, known bool) {
	currency, known := money.LookupCurrency(code)
	return currency.Exponent, known
}

func (e *entryAudit) see(entry recount.Entry) error {
	key, day := ledger.Key(entry.Key), ledger.Date(entry.Day)
	if key.Day() != day {
		e.defect(CheckKeys, e.at(entry.Account, day), "the key of an entry says that its day is %s", key.Day())
		return nil
	}
	if day.MonthStart() != e.month {
		if err := e.end(day.MonthStart() - 1); err != nil {
			return err
		}
		e.month = day.MonthStart()
	}
	e.newest = max(e.newest, key.Sequence())
	if _, known := money.LookupCurrency(entry.Currency); !known {
		e.defect(CheckCurrencies, e.at(entry.Account, day), "an entry is in %s, which is no currency",
			ledger.Quote(entry.Currency))
	}
	at := rollup.DayKey{Account: entry.Account, Date: ledger.Date(entry.Day), Currency: entry.Currency}
	switch sums := e.days[at]; {
	case entry.Hidden:
	case entry.Trade:
		e.Trades++
		sums.Amount.Add(entry.Minor)
		sums.Trades++
		e.days[at] = sums
	default:
		e.Transactions++
		sums.Amount.Add(entry.Minor)
		sums.Transactions++
		if entry.Minor > 0 {
			sums.Incomes++
		}
		e.days[at] = sums
		e.bands[rollup.BandKey{Currency: entry.Currency, Band: rollup.BandOf(entry.Minor)}]++
		e.counts[entry.Account]++
	}
	return nil
}

// end compares the rollups of the days that were added up, and those of days without entries, up to a day; after the
// last day also what is kept of all.
func (e *entryAudit) end(last ledger.Date) error {
	parts, err := e.tx.ListCountedParts(e.ctx, queries.ListCountedPartsParams{HouseholdID: e.tx.HouseholdID,
		FirstKey: int64(ledger.FirstKey(e.tx.HouseholdID, max(e.until+1, ledger.MinDate))),
		LastKey:  int64(ledger.LastKey(e.tx.HouseholdID, last)), HiddenFrom: e.home.HiddenFrom,
		HiddenTo: e.home.HiddenTo})
	if err != nil {
		return err
	}
	(&rollup.Rollups{Days: e.days, Bands: e.bands, Counts: e.counts}).CountParts(parts, 1)
	kept, err := e.tx.AuditDays(e.ctx, queries.AuditDaysParams{HouseholdID: e.tx.HouseholdID,
		FirstDay: int64(e.until + 1), LastDay: int64(last)})
	if err != nil {
		return err
	}
	for _, k := range kept {
		at := rollup.DayKey{Account: k.AccountID, Date: ledger.Date(k.Date), Currency: k.Currency}
		e.compareDay(at, rollup.DayTotals{Amount: money.SumOf(k.Amount), Transactions: k.Transactions,
			Incomes: k.Incomes, Trades: k.Trades})
		kept := k.OtherCurrency == 1
		other := e.accounts[k.AccountID].Currency != k.Currency
		if kept != other {
			e.defect(CheckDays, e.at(at.Account, at.Date), "that %s is another currency than the account's is said to be %t, and is %t", at.Currency, kept, other)
		}
		delete(e.days, at)
	}
	for _, at := range slices.SortedFunc(maps.Keys(e.days), rollup.CompareDays) {
		e.compareDay(at, rollup.DayTotals{})
	}
	clear(e.days)
	e.until = last
	if last < ledger.MaxDate {
		return nil
	}
	for _, id := range e.order {
		if kept := e.accounts[id].TransactionCount; kept != e.counts[id] {
			e.defect(CheckCounts, e.of(id), "the account says to have %d transactions, there are %d", kept,
				e.counts[id])
		}
	}
	if e.newest > e.home.EntrySequence {
		e.defect(CheckKeys, e.home.Name, "the last creation number is said to be %d, an entry has %d",
			e.home.EntrySequence, e.newest)
	}
	return e.compareBands()
}

func (e *entryAudit) compareDay(at rollup.DayKey, kept rollup.DayTotals) {
	if counted := e.days[at]; counted != kept {
		e.defect(CheckDays, e.at(at.Account, at.Date), "kept is %s with %d transactions, %d incomes and %d trades; the entries come to %s with %d, %d and %d",
			sumText(kept.Amount, at.Currency), kept.Transactions, kept.Incomes, kept.Trades,
			sumText(counted.Amount, at.Currency), counted.Transactions, counted.Incomes, counted.Trades)
	}
}

func (e *entryAudit) compareBands() error {
	kept, err := e.tx.AuditBands(e.ctx, e.tx.HouseholdID)
	for _, k := range kept {
		at := rollup.BandKey{Currency: k.Currency, Band: k.Band}
		e.compareBand(at, k.Transactions)
		delete(e.bands, at)
	}
	for _, at := range slices.SortedFunc(maps.Keys(e.bands), func(a, b rollup.BandKey) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Band, b.Band))
	}) {
		e.compareBand(at, 0)
	}
	return err
}

func (e *entryAudit) compareBand(at rollup.BandKey, kept int64) {
	if counted := e.bands[at]; counted != kept {
		e.defect(CheckBands, e.home.Name, "kept are %d transactions from %s on, below the next hundred minor units; there are %d",
			kept, moneyText(at.Band*rollup.BandWidth, at.Currency), counted)
	}
}
