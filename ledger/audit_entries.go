package ledger

import (
	"cmp"
	"maps"
	"slices"

	"finsvc/db"
	"finsvc/queries"
)

// entryAudit holds what is kept beside entries against them while they pass by. In memory is what belongs to a month.
type entryAudit struct {
	*audit
	until  Date // the last day that was compared
	month  Date // the first day of the month that is being added up
	days   map[dayKey]dayTotals
	bands  map[bandKey]int64
	counts map[int64]int64
	newest int64 // creation number
}

// auditEntries reads all entries once: for the rollups, and for the balances that are counted from them.
func (a *audit) auditEntries() error {
	e := &entryAudit{audit: a, until: MinDate - 1, month: MinDate, days: map[dayKey]dayTotals{}, bands: map[bandKey]int64{}, counts: map[int64]int64{}}
	today := a.l.Today(asHousehold(a.home))
	counted, err := db.CountFigures(a.ctx, a.q, db.Counting{Decimals: decimalsOf, Today: int64(today), Only: a.home.ID, Seen: e.see})
	if err != nil || len(counted.Days(a.home.ID)) == 0 { // none: it is being deleted
		return err
	}
	if err := e.end(MaxDate); err != nil {
		return err
	}
	return a.auditBalances(counted)
}

// decimalsOf is how many decimals amounts of a currency have.
func decimalsOf(code string) (places int, known bool) {
	currency, known := LookupCurrency(code)
	return currency.Exponent, known
}

func (e *entryAudit) see(entry db.Entry) error {
	key, day := Key(entry.Key), Date(entry.Day)
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
	if _, known := LookupCurrency(entry.Currency); !known {
		e.defect(CheckCurrencies, e.at(entry.Account, day), "an entry is in %s, which is no currency", Quote(entry.Currency))
	}
	e.add(entry)
	return nil
}

func (e *entryAudit) add(entry db.Entry) {
	at := dayKey{entry.Account, Date(entry.Day), entry.Currency}
	switch sums := e.days[at]; {
	case entry.Hidden:
	case entry.Trade:
		e.Trades++
		sums.amount.Add(entry.Minor)
		sums.trades++
		e.days[at] = sums
	default:
		e.Transactions++
		sums.amount.Add(entry.Minor)
		sums.transactions++
		if entry.Minor > 0 {
			sums.incomes++
		}
		e.days[at] = sums
		e.bands[bandKey{entry.Currency, bandOf(entry.Minor)}]++
		e.counts[entry.Account]++
	}
}

// end compares the rollups of the days that were added up, and those of days without entries, up to a day; after the
// last day also what is kept of all.
func (e *entryAudit) end(last Date) error {
	parts, err := e.q.ListCountedParts(e.ctx, queries.ListCountedPartsParams{HouseholdID: e.who.HouseholdID,
		FirstKey: int64(FirstKey(e.who.HouseholdID, max(e.until+1, MinDate))), LastKey: int64(LastKey(e.who.HouseholdID, last)), HiddenFrom: e.home.HiddenFrom, HiddenTo: e.home.HiddenTo})
	if err != nil {
		return err
	}
	(&Rollups{days: e.days, bands: e.bands, counts: e.counts}).countParts(parts, 1)
	kept, err := e.q.AuditDays(e.ctx, queries.AuditDaysParams{HouseholdID: e.who.HouseholdID, FirstDay: int64(e.until + 1), LastDay: int64(last)})
	if err != nil {
		return err
	}
	for _, k := range kept {
		at := dayKey{k.AccountID, Date(k.Date), k.Currency}
		e.compareDay(at, dayTotals{SumOf(k.Amount), k.Transactions, k.Incomes, k.Trades})
		e.compareFlag(at, k.OtherCurrency == 1, e.accounts[k.AccountID].Currency != k.Currency)
		delete(e.days, at)
	}
	for _, at := range slices.SortedFunc(maps.Keys(e.days), compareDays) {
		e.compareDay(at, dayTotals{})
	}
	clear(e.days)
	e.until = last
	if last < MaxDate {
		return nil
	}
	e.compareCounts()
	return e.compareBands()
}

func (e *entryAudit) compareDay(at dayKey, kept dayTotals) {
	if counted := e.days[at]; counted != kept {
		e.defect(CheckDays, e.at(at.account, at.date), "kept is %s with %d transactions, %d incomes and %d trades; the entries come to %s with %d, %d and %d",
			sumText(kept.amount, at.currency), kept.transactions, kept.incomes, kept.trades,
			sumText(counted.amount, at.currency), counted.transactions, counted.incomes, counted.trades)
	}
}

func (e *entryAudit) compareFlag(at dayKey, kept, other bool) {
	if kept != other {
		e.defect(CheckDays, e.at(at.account, at.date), "that %s is another currency than the account's is said to be %t, and is %t", at.currency, kept, other)
	}
}

func (e *entryAudit) compareCounts() {
	for _, id := range e.order {
		if kept := e.accounts[id].TransactionCount; kept != e.counts[id] {
			e.defect(CheckCounts, e.of(id), "the account says to have %d transactions, there are %d", kept, e.counts[id])
		}
	}
	if e.newest > e.home.EntrySequence {
		e.defect(CheckKeys, e.home.Name, "the last creation number is said to be %d, an entry has %d", e.home.EntrySequence, e.newest)
	}
}

func (e *entryAudit) compareBands() error {
	kept, err := e.q.AuditBands(e.ctx, e.who.HouseholdID)
	for _, k := range kept {
		at := bandKey{k.Currency, k.Band}
		e.compareBand(at, k.Transactions)
		delete(e.bands, at)
	}
	for _, at := range slices.SortedFunc(maps.Keys(e.bands), func(a, b bandKey) int {
		return cmp.Or(cmp.Compare(a.currency, b.currency), cmp.Compare(a.band, b.band))
	}) {
		e.compareBand(at, 0)
	}
	return err
}

func (e *entryAudit) compareBand(at bandKey, kept int64) {
	if counted := e.bands[at]; counted != kept {
		e.defect(CheckBands, e.home.Name, "kept are %d transactions from %s on, below the next hundred minor units; there are %d",
			kept, money(at.band*bandWidth, at.currency), counted)
	}
}
