package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// The figures that can be explained.
const (
	FigureBalance  = "balance"
	FigureNetWorth = "net_worth"
	FigureHolding  = "holding"
)

// Explanation is a figure with the parts that add up to it; with From, to what it changed by since that day.
// Amounts are in minor units of Currency. Those of an account are in its written sign (see [catalog.Account]), those
// of a net worth in the ledger's.
type Explanation struct {
	Figure      string
	Account     *ledger.AccountRef  // nil for a net worth
	Security    *ledger.SecurityRef // of a holding
	Date        ledger.Date
	Currency    string
	Minor       int64
	From        *FigureOfDay
	Parts       []Part
	Entries     []Part // a page of the entries that one of the parts sums up, oldest first
	EntryCount  int64  // how many its pages have together
	Unconverted []Unconverted
	Stale       []fx.StaleRate // by which the figure was converted, that of From included
}

// FigureOfDay is the figure on the day that a change is told from.
type FigureOfDay struct {
	Date  ledger.Date
	Minor int64
}

// The kinds of parts and entries, beside those of trades.
const (
	PartTransaction = "transaction"
	PartSplit       = "split"

	PartValuation  = "valuation"  // what the account was worth by statement
	PartOpening    = "opening"    // the same by its opening balance
	PartEntries    = "entries"    // all that was booked since, see Entries
	PartHolding    = "holding"    // what is held of a security
	PartHeldThen   = "held_then"  // what of the statement was held in a security on its day
	PartAdjustment = "adjustment" // what a statement added to the sum of entries
	PartTrades     = "trades"     // what purchases and sales put into a security and took out of it
	PartMarket     = "market"     // what its price did
	PartRates      = "rates"      // what exchange rates did
	PartAccount    = "account"    // an account's balance
)

// Part is something that adds to a figure. Only what applies to its kind is set.
type Part struct {
	Kind     string
	Minor    int64 // what it adds, in the figure's currency
	Date     ledger.Opt[ledger.Date]
	ID       uuid.UUID // of the entry, valuation or split
	Name     string
	Account  *ledger.AccountRef
	Security *ledger.SecurityRef
	Original *Original // where it is in another currency
	Cash     *Original // what an event of a holding moved in cash, into the account positive
	Count    int64     // of entries or trades
	Units    *position.Units
}

// Original is an amount before it was converted. Without a rate it adds nothing, and Rates is nil.
type Original struct {
	Currency string
	Minor    int64
	Rates    []fx.UsedRate // two where there is a currency between
}

// ExplainDays are the day of a figure, absent today, and one before it that a change is told from.
type ExplainDays struct{ Date, From ledger.Opt[ledger.Date] }

// errUnexplained is for parts that do not add up to the figure, which would be a bug: better no answer than
// a wrong one.
type errUnexplained struct {
	figure         string
	day            ledger.Date
	figured, added int64
}

// Error says what the figure is and what the parts come to.
func (e errUnexplained) Error() string {
	return fmt.Sprintf("the parts of the %s on %s come to %d, not to %d", e.figure, e.day, e.added, e.figured)
}

// Sum is what the parts come to.
func (e *Explanation) Sum() int64 {
	sum, _ := e.sum().Minor() // is an amount, or check has refused
	return sum
}

func (e *Explanation) sum() (sum money.Sum) {
	for _, p := range e.Parts {
		sum.Add(p.Minor)
	}
	return sum
}

// Explained is what the parts have to come to: the figure, or with From what it changed by.
func (e *Explanation) Explained() int64 {
	if e.From != nil {
		return e.Minor - e.From.Minor // is an amount, or check has refused
	}
	return e.Minor
}

// partOfSum is a sum as an amount of a part.
func partOfSum(s money.Sum, currency money.Currency) (int64, error) {
	minor, fits := s.Minor()
	if !fits {
		return 0, ledger.ErrBeyond(s, currency.Code)
	}
	return minor, nil
}

// explainer explains figures of a household.
type explainer struct {
	s          *Service
	tx         *ledger.Tx
	securities ledger.RefSet[ledger.SecurityRef]
	book       *fx.RateBook
	today      ledger.Date
}

// explain runs an explanation and checks what comes of it.
func (s *Service) explain(ctx context.Context, who ledger.Actor, days ExplainDays,
	work func(context.Context, *explainer, *Explanation) error) (e Explanation, err error) {
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		home, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		x := &explainer{s: s, tx: tx, book: fx.NewRateBook(tx.Queries), today: tx.TodayOf(ledger.AsHousehold(home))}
		e = Explanation{Date: days.Date.Or(x.today), Currency: home.Currency}
		if days.From.Has() {
			e.From = &FigureOfDay{Date: days.From.Value}
		}
		if e.From != nil && e.From.Date > e.Date {
			return ledger.NewInvalid("from", "must not be after date, which is %s, got %s", e.Date, e.From.Date)
		}
		x.securities, err = ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		if err := work(ctx, x, &e); err != nil {
			return err
		}
		// Add up the parts. A change that is no amount cannot be told.
		sum, fits := e.sum().Minor()
		if e.From != nil && fits {
			_, fits = money.SubMinor(e.Minor, e.From.Minor)
		}
		beyond := slices.ContainsFunc(e.Unconverted, func(g Unconverted) bool {
			return g.Excess &&
				g.Currency == e.Currency
		})
		switch {
		case !fits, beyond && e.Figure == FigureBalance:
			return ledger.ErrBeyond(e.sum(), e.Currency)
		case sum != e.Explained():
			return errUnexplained{e.Figure, e.Date, e.Explained(), sum}
		}
		return nil
	})
	return e, err
}

// choose names the account, and its currency, that an explanation is of.
func (x *explainer) choose(e *Explanation, id uuid.UUID) (account int64, currency money.Currency, err error) {
	account, known := x.tx.Refs.Accounts.Keys[id]
	if !known {
		return 0, currency, ledger.NewNotFound("Account")
	}
	e.Account = x.tx.Refs.Accounts.ByKey[account]
	currency, _ = money.LookupCurrency(e.Account.Currency) // what is stored was looked up
	e.Currency = currency.Code
	return account, currency, nil
}
