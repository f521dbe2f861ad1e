package answer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/model"
	"finsvc/ledger"
)

// figures is what a tool gave, as far as answers need it; of each tool some members are there.
type figures struct {
	Error, Hint string
	Date        string
	Currency    string
	Cut         string // which lists were cut

	// Of get_income_statement.
	Income, Expenses, Net decimal.Decimal
	ByCategory            []sumPart `json:"by_category"`
	ByMerchant            []sumPart `json:"by_merchant"`
	ByTag                 []sumPart `json:"by_tag"`
	ByAccount             []sumPart `json:"by_account"`
	ByMonth               []sumPart `json:"by_month"`

	TransfersLeftOut int64 `json:"transfers_left_out"`

	// Of get_transactions. Totals says why there are none.
	Transactions  []listedEntry
	TotalResults  int64           `json:"total_results"`
	Payments      int64           // how many payments these are, where some are parts of one; 0 when none is
	TotalIncome   decimal.Decimal `json:"total_income"`
	TotalExpenses decimal.Decimal `json:"total_expenses"`
	Totals        string

	// Of get_balance_sheet; the newest point first.
	NetWorth            decimal.Decimal `json:"net_worth"`
	Assets, Liabilities decimal.Decimal
	Series              []worthPoint
	Change              struct {
		NetWorth decimal.Decimal `json:"net_worth"`
		Since    string
	}

	Account string          // of explain_figure
	Total   decimal.Decimal // of explain_figure

	Accounts   []listedAccount
	Holdings   []listedHolding
	TotalValue []listedHolding `json:"total_value"`
	Categories []namedRow
	Tags       []namedRow
	Merchants  []namedRow

	LeftOut        []gap     `json:"left_out_without_exchange_rate"`
	SeriesLeftOut  []gap     `json:"series_left_out_without_exchange_rate"`
	TooLarge       []gap     `json:"left_out_too_large_to_add"`
	SeriesTooLarge []gap     `json:"series_left_out_too_large_to_add"`
	Stale          []oldRate `json:"stale_rates"`
}

// sumPart is a part of an income statement.
type sumPart struct {
	Name, Month, Parent string
	Income, Expenses    decimal.Decimal
	Count               int64
}

// listedEntry is a transaction. The amount has no sign; Type says which way it went, of a transfer Direction.
type listedEntry struct {
	Date, Name, Currency, Type, Direction, Account string
	Amount                                         decimal.Decimal
}

// worthPoint is the net worth at the end of a day.
type worthPoint struct {
	Date     string
	NetWorth decimal.Decimal `json:"net_worth"`
}

// listedAccount is an account with its balance; of a liability what is owed is positive.
type listedAccount struct {
	Name, Currency, Classification string
	Balance                        decimal.Decimal
	NotConverted                   string `json:"not_converted"`
}

// listedHolding is what an account has of a security.
type listedHolding struct {
	Ticker, Name, Account, Currency string
	Quantity, Price, Value          decimal.Decimal
	PriceDate                       string `json:"price_date"`
}

// namedRow is a category, tag or merchant.
type namedRow struct{ Name, Parent string }

// oldRate is a rate by which figures were converted though it was more than seven days old on the day it was used for.
type oldRate struct {
	From, To string
	Date     string `json:"rate_date"`
	DaysOld  int64  `json:"days_old"`
	UsedFor  string `json:"used_for"`
}

// gap is what is left out; of a series of how many points, and which.
type gap struct {
	Currency, From, To       string
	Income, Expenses, Amount decimal.Decimal
	Points                   int64
}

// readResults decodes what tools gave.
func readResults(calls []model.Call) (list []figures, err error) {
	for _, c := range calls {
		var r figures
		if err := json.Unmarshal(c.Result, &r); err != nil {
			return nil, err
		}
		if r.hasNothing() {
			return nil, errNoFigures
		}
		list = append(list, r)
	}
	return list, nil
}

// errNoFigures is for results that are objects and have nothing to answer from: what is missing is not zero.
var errNoFigures = errors.New("the result has no figures")

func (r figures) hasNothing() bool {
	if r.Transactions != nil && r.Currency == "" && r.Totals == "" {
		return true
	}
	return r.Error == "" && r.Currency == "" && r.Date == "" && r.Transactions == nil && r.Accounts == nil &&
		r.Categories == nil && r.Tags == nil && r.Merchants == nil
}

// isPartial reports whether figures leave anything out.
func (r figures) isPartial() bool { return len(r.LeftOut)+len(r.TooLarge) > 0 }

// howMany is how many transactions there are. The parts of a split one are one.
func (r figures) howMany() int64 {
	if r.Payments > 0 {
		return r.Payments
	}
	return r.TotalResults
}

// sums are the totals, wherever a tool has put them.
func (r figures) sums() figures {
	if r.Transactions != nil {
		r.Income, r.Expenses = r.TotalIncome, r.TotalExpenses
	}
	r.Net = r.Income.Sub(r.Expenses)
	return r
}

// total is the whole as a part.
func (r figures) total() sumPart { return sumPart{Income: r.Income, Expenses: r.Expenses} }

// parts are those of an income statement, whatever tells them apart.
func (r figures) parts() []sumPart {
	return slices.Concat(r.ByCategory, r.ByMerchant, r.ByTag, r.ByAccount, r.ByMonth)
}

// month is what one month has; nothing when it is not there.
func (r figures) month(month string) sumPart {
	at := slices.IndexFunc(r.ByMonth, func(p sumPart) bool { return p.Month == month })
	if at < 0 {
		return sumPart{Month: month}
	}
	return r.ByMonth[at]
}

// partOf adds up what parts a subject has; the sub-categories of a category are parts of it.
func (r figures) partOf(s intent.Subject) figures {
	of := figures{Currency: r.Currency}
	for _, p := range r.parts() {
		if slices.ContainsFunc(s.Items, func(k household.Item) bool {
			name := ledger.Fold(ledger.ClipText(k.Name, 100))
			return ledger.Fold(p.Name) == name || k.Kind == household.CategoryKind && p.Parent != "" &&
				ledger.Fold(p.Parent) == name
		}) {
			of.Income, of.Expenses = of.Income.Add(p.Income), of.Expenses.Add(p.Expenses)
		}
	}
	return of.sums()
}

// sideOnly leaves out what went the other way.
func (r figures) sideOnly(side string) figures {
	if side == household.Income {
		r.Expenses = decimal.Zero
	} else {
		r.Income = decimal.Zero
	}
	r.Net = r.Income.Sub(r.Expenses)
	return r
}

// inAll is how many rows a list had before it was cut.
func (r figures) inAll(list string, shown int) int64 {
	total := int64(shown)
	_, note, cut := strings.Cut(r.Cut, list+": ")
	if cut {
		_, _ = fmt.Sscanf(note, "%d of %d shown", new(int64), &total) // what does not fit leaves the number as it was
	}
	return total
}

// names are those of a list.
func (r figures) names(k household.Kind) (list []string) {
	for _, row := range [][]namedRow{r.Categories, r.Merchants, r.Tags}[k] {
		list = append(list, row.Name)
	}
	return list
}

// of gives the amount of a side; of both what is left.
func (p sumPart) of(side string) decimal.Decimal {
	switch side {
	case household.Expense:
		return p.Expenses
	case household.Income:
		return p.Income
	}
	return p.Income.Sub(p.Expenses)
}

// largestFirst puts parts in order; those of nothing go.
func largestFirst(parts []sumPart, side string) []sumPart {
	parts = slices.DeleteFunc(slices.Clone(parts),
		func(p sumPart) bool { return p.of(side).IsZero() && (side != "" || p.Income.IsZero()) })
	slices.SortStableFunc(parts, func(a, b sumPart) int {
		return cmp.Or(b.of(side).Abs().Cmp(a.of(side).Abs()), cmp.Compare(a.Name, b.Name))
	})
	return parts
}
