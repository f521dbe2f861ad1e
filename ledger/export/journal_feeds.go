package export

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// journalEvent is something that happens on a day.
type journalEvent struct {
	day   ledger.Date
	write func(context.Context) error
}

// journalFeed gives the events of a kind by day, a part at a time.
type journalFeed struct {
	fetch func(context.Context) ([]journalEvent, error) // the next part; nothing at the end
	ahead []journalEvent
	ended bool
}

// peek is the day of the next event.
func (f *journalFeed) peek(ctx context.Context) (day ledger.Date, more bool, err error) {
	for len(f.ahead) == 0 && !f.ended {
		f.ahead, err = f.fetch(ctx)
		if err != nil {
			return 0, false, err
		}
		f.ended = len(f.ahead) == 0
	}
	if f.ended {
		return 0, false, nil
	}
	return f.ahead[0].day, true, nil
}

// writeEntries merges all that happens by day. Within a day openings come first, then splits, as they multiply
// what was held before the day, then what was booked; valuations say what is there at the day's end.
func (j *journal) writeEntries(ctx context.Context) error {
	feeds := []*journalFeed{j.openings(), j.splits(), j.transactions(), j.trades(), j.valuations()}
	for {
		var next *journalFeed
		var day ledger.Date
		for _, f := range feeds {
			d, more, err := f.peek(ctx)
			if err != nil {
				return err
			}
			if more && (next == nil || d < day) {
				next, day = f, d
			}
		}
		if next == nil {
			return nil
		}
		if err := j.writeEvent(ctx, next); err != nil {
			return err
		}
	}
}

func (j *journal) writeEvent(ctx context.Context, f *journalFeed) error {
	event := f.ahead[0]
	f.ahead = f.ahead[1:]
	if event.day != j.day {
		j.day = event.day
		clear(j.converted)
	}
	return event.write(ctx)
}

// onceFeed is a feed of all events at once.
func onceFeed(read func(context.Context) ([]journalEvent, error)) *journalFeed {
	return &journalFeed{fetch: func(ctx context.Context) ([]journalEvent, error) {
		events, err := read(ctx)
		slices.SortStableFunc(events, func(a, b journalEvent) int { return cmp.Compare(a.day, b.day) })
		read = func(context.Context) ([]journalEvent, error) { return nil, nil }
		return events, err
	}}
}

// openings are the opening balances that have no date: they lie on the day before the first entry.
func (j *journal) openings() *journalFeed {
	return onceFeed(func(ctx context.Context) (events []journalEvent, err error) {
		rows, err := j.tx.ListJournalOpenings(ctx, j.tx.HouseholdID)
		amounts := map[int64]int64{}
		for _, r := range rows {
			amounts[r.AccountID] = r.Amount
		}
		for _, life := range j.lives {
			if amount := amounts[life.Account]; life.Floating != 0 && amount != 0 {
				events = append(events, journalEvent{life.First, func(ctx context.Context) error {
					return j.writeValuation(ctx, "Opening balance", j.accounts[life.Account], amount)
				}})
			}
		}
		return events, err
	})
}

func (j *journal) splits() *journalFeed {
	return onceFeed(func(ctx context.Context) (events []journalEvent, err error) {
		rows, err := j.tx.ListJournalSplits(ctx, j.tx.HouseholdID)
		for _, r := range rows {
			events = append(events, journalEvent{ledger.Date(r.Date),
				func(context.Context) error {
					// Change the quantities of all accounts as positions do.
					by := position.NewSplit(r.Date, r.Numerator, r.Denominator)
					symbol := j.symbols[r.SecurityID]
					j.begin("", "Split "+by.Num.String()+":"+by.Den.String()+" of "+strings.Trim(symbol, `"`), nil)
					for _, key := range slices.Sorted(maps.Keys(j.accounts)) {
						holding := j.accounts[key].holdings[r.SecurityID]
						if holding == nil || holding.quantity.IsZero() {
							continue
						}
						after := position.Position{Quantity: holding.quantity}
						after.Add(&by, nil)
						more := after.Quantity.Sub(holding.quantity)
						holding.quantity = after.Quantity
						j.post(holding.name, more.String()+" "+symbol)
						j.post(j.form.own(journalSplits), more.Neg().String()+" "+symbol)
					}
					if len(j.entry.postings) == 0 {
						return nil
					}
					j.counts.Splits++
					return j.end()
				}})
		}
		return events, err
	})
}

func (j *journal) transactions() *journalFeed {
	return keyedFeed(j, j.listTransactions, j.writeTransaction,
		func(t queries.ListJournalTransactionsRow) int64 { return t.ID })
}

func (j *journal) trades() *journalFeed {
	list := func(ctx context.Context, part queries.ListJournalTransactionsParams) ([]queries.ListJournalTradesRow,
		error) {
		return j.tx.ListJournalTrades(ctx, queries.ListJournalTradesParams(part))
	}
	return keyedFeed(j, list, j.writeTrade, func(t queries.ListJournalTradesRow) int64 { return t.ID })
}

// journalPart is how many rows are read at once.
const journalPart = 2000

// keyedFeed is a feed of rows in the order of their keys, which is that of their days.
func keyedFeed[T any](j *journal, list func(context.Context, queries.ListJournalTransactionsParams) ([]T, error),
	write func(context.Context, T) error, key func(T) int64) *journalFeed {
	part := queries.ListJournalTransactionsParams{
		After:       int64(ledger.FirstKey(j.tx.HouseholdID, ledger.MinDate)),
		LastKey:     int64(ledger.LastKey(j.tx.HouseholdID, ledger.MaxDate)),
		HouseholdID: j.tx.HouseholdID, HiddenFrom: j.home.HiddenFrom, HiddenTo: j.home.HiddenTo, Size: journalPart}
	return &journalFeed{fetch: func(ctx context.Context) ([]journalEvent, error) {
		rows, err := list(ctx, part)
		events := make([]journalEvent, len(rows))
		for i, row := range rows {
			part.After = key(row)
			events[i] = journalEvent{ledger.Key(part.After).Day(),
				func(ctx context.Context) error { return write(ctx, row) }}
		}
		return events, err
	}}
}

// valuationDays is how many days of valuations are read at once.
const valuationDays = 366

func (j *journal) valuations() *journalFeed {
	first := ledger.MinDate
	return &journalFeed{fetch: func(ctx context.Context) (events []journalEvent, err error) {
		for ; first <= ledger.MaxDate && len(events) == 0 && err == nil; first += valuationDays {
			events, err = j.valuationsOf(ctx, first, first+valuationDays-1)
		}
		return events, err
	}}
}

func (j *journal) valuationsOf(ctx context.Context, first, last ledger.Date) ([]journalEvent, error) {
	rows, err := j.tx.ListValuationDays(ctx, queries.ListValuationDaysParams{HouseholdID: j.tx.HouseholdID,
		FirstDay: int64(first), LastDay: int64(last)})
	slices.SortFunc(rows, func(a, b queries.ListValuationDaysRow) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.ID, b.ID))
	})
	events := make([]journalEvent, len(rows))
	for i, r := range rows {
		events[i] = journalEvent{ledger.Date(r.Day), func(ctx context.Context) error {
			return j.writeValuation(ctx, "Valuation", j.accounts[r.AccountID], r.Amount)
		}}
	}
	return events, err
}
