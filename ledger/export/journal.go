package export

import (
	"bufio"
	"context"
	"io"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// JournalCounts is how many entries a journal has.
type JournalCounts struct {
	Transactions, Trades, Valuations, Splits int64
}

// WriteJournal writes the whole household as a plain-text journal that hledger reads, from version 1.25 on,
// so that hledger's balances are those of [balance.Service.Balances]. All is read in one view of the data, and a part
// at a time, however long the books are.
//
//   - An account is assets:NAME or liabilities:NAME; what it holds of a security is an account below it with the
//     security as commodity, at cost. Debts are negative.
//   - The other side of a transaction is its category, below income or expenses; of one side of a transfer it
//     is equity:transfers. A split transaction has one for each of its lines.
//   - What was booked in another currency than the account's counts at the rate of its day; without a rate it
//     lies in an account of its own, NAME:unconverted.
//   - A valuation corrects the account's cash at the end of its day against equity:valuations and asserts the
//     outcome. An opening balance without a date lies on the day before the first entry, be that the first day there
//
// is.
//   - Market prices and, where the household has more than one currency, exchange rates are P directives.
func (s *Service) WriteJournal(ctx context.Context, who ledger.Actor, w io.Writer) (counts JournalCounts, err error) {
	err = s.Snapshot(ctx, who, func(ctx context.Context, snapshot *Snapshot) error {
		counts, err = snapshot.Journal(ctx, w)
		return err
	})
	return counts, err
}

func (s *Snapshot) writeJournal(ctx context.Context, w io.Writer, form journalForm) (JournalCounts, error) {
	j, err := s.s.newJournal(ctx, s.tx, w, form)
	if err != nil {
		return JournalCounts{}, err
	}
	if err := form.head(ctx, j); err != nil {
		return j.counts, err
	}
	if err := j.writeEntries(ctx); err != nil {
		return j.counts, err
	}
	form.tail(j)
	return j.counts, j.w.Flush()
}

// journal is a journal as far as it is written.
type journal struct {
	tx         *ledger.Tx
	w          *bufio.Writer
	form       journalForm
	home       queries.Household
	lives      []balance.Lifetime
	book       *fx.RateBook
	accounts   map[int64]*journalAccount
	categories map[int64]string                        // accounts of categories
	symbols    map[int64]string                        // of securities, quoted
	declared   map[string]bool                         // commodities
	day        ledger.Date                             // where the journal is
	converted  map[rollup.DayKey]dayMoney              // of the day
	beyond     map[rollup.DayKey]bool                  // what was booked comes to no amount at the rate of the day
	lines      map[int64][]queries.ListJournalLinesRow // of the split transactions among those read ahead
	counts     JournalCounts
	entry      journalEntry // that is being made
	err        error        // of writing
}

// journalAccount is an account as it stands where the journal is.
type journalAccount struct {
	key  int64
	name string
	id   string
	// unconvertedName is the account of what has no rate.
	unconvertedName string
	currency        money.Currency
	cash            money.Sum            // in its currency
	unconverted     map[string]money.Sum // minor units by currency
	holdings        map[int64]*journalHolding
	valued          []string // the currencies in which its holdings are valued
	foreign         []string // the other currencies in which something was booked
}

// journalHolding is what an account holds of a security.
type journalHolding struct {
	name     string
	quantity decimal.Decimal
}

// dayMoney is what was booked in an account on a day in another currency than its own, in minor units, and what
// that is in its own.
type dayMoney struct{ booked, counted int64 }

// The accounts of a journal that are no account and no category of the household.
const (
	journalTransfers  = "equity:transfers"
	journalValuations = "equity:valuations"
	journalSplits     = "equity:splits"
	journalDividends  = "income:dividends"
	journalInterest   = "income:interest"
	journalFees       = "expenses:fees"
	journalIncome     = "income:uncategorised"
	journalExpense    = "expenses:uncategorised"
)

// journalBuffer is how much of a journal is written at once, in bytes.
const journalBuffer = 1 << 16

func (s *Service) newJournal(ctx context.Context, tx *ledger.Tx, w io.Writer, form journalForm) (*journal, error) {
	j := &journal{tx: tx, w: bufio.NewWriterSize(w, journalBuffer), form: form, book: fx.NewRateBook(tx.Queries),
		day: ledger.MinDate - 1, accounts: map[int64]*journalAccount{},
		categories: map[int64]string{}, symbols: map[int64]string{}, declared: map[string]bool{},
		converted: map[rollup.DayKey]dayMoney{}, beyond: map[rollup.DayKey]bool{}}
	var err error
	j.home, err = tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return nil, ledger.Missing(err, "Household")
	}
	j.tx.Refs, err = tx.RefsNow(ctx)
	if err != nil {
		return nil, err
	}
	j.lives, _, err = balance.Lifetimes(ctx, tx)
	if err != nil {
		return nil, err
	}
	for i := range j.lives {
		if life := &j.lives[i]; life.Floating != 0 && life.Entry == ledger.MinDate {
			life.First = ledger.MinDate - 1 // on that day itself the balance would count what is booked then twice
		}
	}
	for _, name := range []func(context.Context) error{j.nameAccounts, j.findBeyond, j.nameCategories,
		j.nameSecurities} {
		if err := name(ctx); err != nil {
			return nil, err
		}
	}
	return j, nil
}
