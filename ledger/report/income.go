package report

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
)

// IncomeInput says what an income statement is to be of. Absent days are this month to date; a list of accounts
// that is nil is all of them.
type IncomeInput struct {
	StartDate, EndDate ledger.Opt[ledger.Date]
	AccountIDs         []uuid.UUID
}

// IncomeStatement is what a household earned and spent in a range of days, both included, in minor units of its
// currency; Expenses are positive, Net is Income less Expenses. Money that moves between accounts is neither:
// transfers are left out on both sides, pending ones too, but for the fee, which is an expense; and so are
// purchases and sales of securities. Dividends, interest and fees of trades count. Disabled accounts do not. Of a
// split transaction its lines count, each in its own category and direction.
//
// What is booked in another currency is added up per day, category and direction and converted once at the rate
// of that day; so the totals are the sums over the categories.
type IncomeStatement struct {
	Currency              string
	StartDate, EndDate    ledger.Date
	Income, Expenses, Net int64
	ByCategory            []CategoryIncome // by the category's name, those without one last
	TransfersLeftOut      int64
	Unconverted           []UnconvertedFlow // by currency
	Rates                 []fx.UsedRate     // those by which amounts were converted, by currencies and day
	Stale                 []fx.StaleRate    // by currencies
}

// CategoryIncome is the part of one category; Category is nil for what has none. Count is how many transactions,
// lines of split ones, trades and fees of transfers it is made of, those that were left out for want of a rate
// included.
type CategoryIncome struct {
	Category         *ledger.CategoryRef
	Income, Expenses int64
	Count            int64
}

// UnconvertedFlow is what is left out, in minor units of the currency: because there is no exchange rate for it, however
// old, or, where it is in excess, because what it comes to at its rate, or a total with it, would be beyond 64 bits. A
// currency has several gaps where one does not hold all that is left out, or for each reason.
type UnconvertedFlow struct {
	Currency         string
	Income, Expenses int64
	Excess           bool
}

// Reason says why it is left out, in a word.
func (g *UnconvertedFlow) Reason() string { return balance.LeftOutReason(g.Excess) }

// IncomeStatement adds up what was earned and spent.
func (s *Service) IncomeStatement(ctx context.Context, who ledger.Actor, in IncomeInput) (statement IncomeStatement,
	err error) {
	err = s.WithRefs(ledger.Heavy(ctx, who), s.DB.ReadTxParallel, who, func(ctx context.Context, tx *ledger.Tx) error {
		home, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		start, end, err := in.days(tx.TodayOf(ledger.AsHousehold(home)))
		if err != nil {
			return err
		}
		filter := entry.TransactionFilter{AccountIDs: in.AccountIDs, StartDate: ledger.Some(start),
			EndDate: ledger.Some(end)}
		sums, err := breakdown(ctx, tx, home, BreakdownInput{TransactionFilter: filter, GroupBy: ByCategory,
			WithRates: true})
		s := IncomeStatement{Currency: sums.Currency, StartDate: sums.StartDate, EndDate: sums.EndDate,
			Income:   sums.Income,
			Expenses: sums.Expenses, Net: sums.Net,
			TransfersLeftOut: sums.TransfersLeftOut, Unconverted: sums.Unconverted, Rates: sums.Rates,
			Stale: sums.Stale}
		for _, p := range sums.Parts {
			s.ByCategory = append(s.ByCategory, CategoryIncome{p.Category, p.Income, p.Expenses, p.Count})
		}
		statement = s
		return err
	})
	return statement, err
}

// days are those of the statement.
func (in IncomeInput) days(today ledger.Date) (start, end ledger.Date, err error) {
	end = in.EndDate.Or(max(today, in.StartDate.Or(today)))
	start = in.StartDate.Or(end.AddDays(1 - end.Time().Day()))
	if start > end {
		return 0, 0, ledger.NewInvalid("start_date", "must not be after end_date, which is %s, got %s", end, start)
	}
	return start, end, nil
}
