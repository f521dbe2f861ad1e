package report

import (
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// What the parts of a [Breakdown] can be told apart by.
const (
	ByNothing  = ""
	ByCategory = "category"
	ByMerchant = "merchant"
	ByTag      = "tag"
	ByAccount  = "account"
	ByMonth    = "month"
)

// BreakdownInput says what a breakdown is to be of. Absent days are no bounds.
type BreakdownInput struct {
	entry.TransactionFilter
	GroupBy          string // one of the constants
	TransactionsOnly bool   // without what trades bring in and cost, and without fees of transfers
	WithRates        bool   // say by which rates amounts were converted
}

// Breakdown is what a household earned and spent by the transactions that a filter selects, under the rules of an
// [IncomeStatement], and in parts. A filter by category, merchant or tag counts the lines of split transactions that
// have them; a line has the tags of its transaction, too. Dividends, interest and fees count unless a text, an amount
// or a type is asked for.
//
// The parts add up to the totals; but of tags, a transaction with several is in the part of each. Where a sum of
// another currency that is converted as one belongs to several parts, each gets what the sum grows by when it is added.
//
// It is the one piece of code that adds up income and spending, for the income statement and for the assistant,
// whatever the parts and the filter. A sum that is converted as one is shared out to the parts, so that they add up
// to the minor unit.
type Breakdown struct {
	Currency              string
	StartDate, EndDate    ledger.Date
	Income, Expenses, Net int64
	Count                 int64 // as in a part
	Parts                 []BreakdownPart
	TransfersLeftOut      int64             // in these accounts and days; 0 when labels are asked for
	Unconverted           []UnconvertedFlow // by currency
	Rates                 []fx.UsedRate     // by currencies and day
	Stale                 []fx.StaleRate    // by currencies
}

// BreakdownPart is one part; of the labels there is the one that the parts are told apart by, or none where a
// transaction has none. Parts come by name, that without a label last, or by month. Count is as in [CategoryIncome].
type BreakdownPart struct {
	Category         *ledger.CategoryRef
	Merchant         *ledger.MerchantRef
	Tag              *ledger.TagRef
	Account          *ledger.AccountRef
	Month            ledger.Opt[ledger.Date] // its first day
	Income, Expenses int64
	Count            int64
}

// Breakdown adds up what was earned and spent.
func (s *Service) Breakdown(ctx context.Context, who ledger.Actor, in BreakdownInput) (out Breakdown, err error) {
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTxParallel, who, func(ctx context.Context, tx *ledger.Tx) error {
		home, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		out, err = breakdown(ctx, tx, home, in)
		return err
	})
	return out, err
}

func breakdown(ctx context.Context, tx *ledger.Tx, home queries.Household, in BreakdownInput) (out Breakdown,
	err error) {
	currency, _ := money.LookupCurrency(home.Currency) // what is stored was looked up
	out = Breakdown{Currency: currency.Code, StartDate: in.StartDate.Or(ledger.MinDate),
		EndDate: in.EndDate.Or(ledger.MaxDate)}
	m := &incomeMaker{tx: tx, by: in.GroupBy, only: in.TransactionsOnly, home: currency, says: in.WithRates, out: &out}
	m.filter, err = in.Resolve(ctx, tx)
	if err != nil || m.filter.Nothing {
		return out, err
	}
	if err := m.chooseAccounts(ctx, tx.Refs); err != nil {
		return out, err
	}
	return out, m.make(ctx, tx.Refs)
}

// chooseAccounts leaves out those that are disabled.
func (m *incomeMaker) chooseAccounts(ctx context.Context, refs *ledger.Refs) error {
	rows, err := m.tx.ListSheetAccounts(ctx, m.tx.HouseholdID)
	wanted := m.filter.AccountIDs
	if err != nil || wanted == nil && len(rows) == len(refs.Accounts.ByKey) {
		return err
	}
	m.filter.AccountIDs = []int64{}
	for _, row := range rows {
		if wanted == nil || slices.Contains(wanted, row.ID) {
			m.filter.AccountIDs = append(m.filter.AccountIDs, row.ID)
		}
	}
	return nil
}
