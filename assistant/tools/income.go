package tools

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

func incomeTool() tool {
	params := append([]toolParam{dayParam("start_date", true), dayParam("end_date", true),
		{name: "group_by", kind: argText, enum: []string{report.ByCategory, report.ByMerchant, report.ByTag,
			report.ByAccount, report.ByMonth, "none"}, about: "default category"}},
		filterParams()...)
	params = append(params, toolParam{name: "compare_previous_period", kind: argFlag,
		about: "whole months are compared with the months before"})
	const about = "What was earned and spent in a period, in the household's currency, added up exactly; use it for every sum. " +
		"Transfers are left out. Expenses are positive."
	return tool{"get_income_statement", about, params, getIncomeStatement}
}

// incomeResult is a breakdown with, if it is wanted, that of the period before.
type incomeResult struct {
	now, before report.Breakdown
	compared    bool
	by          string
	parents     map[uuid.UUID]string // of sub-categories
	begin       jsonObject           // when the books begin, where the days begin before them
}

func getIncomeStatement(ctx context.Context, c *toolCall) (*toolResult, error) {
	f, err := c.filter(ctx)
	if err != nil || len(c.problems) > 0 {
		return nil, err
	}
	in := report.BreakdownInput{TransactionFilter: f, GroupBy: cmp.Or(c.text("group_by"), report.ByCategory)}
	s := &incomeResult{by: in.GroupBy, compared: c.flags["compare_previous_period"]}
	if in.GroupBy == "none" {
		in.GroupBy = report.ByNothing
	}
	s.now, err = c.ledger.Reports.Breakdown(ctx, c.who, in)
	if err != nil {
		return nil, err
	}
	if s.compared {
		start, end := periodBefore(f.StartDate.Value, f.EndDate.Value)
		in.StartDate, in.EndDate = ledger.Some(start), ledger.Some(end)
		s.before, err = c.ledger.Reports.Breakdown(ctx, c.who, in)
		if err != nil {
			return nil, err
		}
	}
	s.parents, err = c.parents(ctx, s.by)
	if err != nil {
		return nil, err
	}
	first := f.StartDate
	if s.compared {
		first = in.StartDate
	}
	s.begin, err = c.begin(ctx, uuid.Nil, first)
	return s.result(), err
}

// parents are the names of the parents of sub-categories.
func (c *toolCall) parents(ctx context.Context, by string) (map[uuid.UUID]string, error) {
	if by != report.ByCategory {
		return nil, nil
	}
	all, _, err := c.ledger.Labels.ListCategories(ctx, c.who, catalog.CategoryFilter{}, wholeList())
	parents := map[uuid.UUID]string{}
	for _, category := range all {
		if category.Parent != nil {
			parents[uuid.UUID(category.PublicID)] = category.Parent.Name
		}
	}
	return parents, err
}

// periodBefore is what a period is compared with. One that begins with a month is compared with as many months before
// it, to the same day of the month if it does not end with one; any other with as many days before it.
func periodBefore(start, end ledger.Date) (ledger.Date, ledger.Date) {
	if start != start.MonthStart() {
		return max(start-(end-start)-1, ledger.MinDate), max(start-1, ledger.MinDate)
	}
	months := int(monthsOf(start, end))
	first := monthsLater(start, -months)
	if end+1 == (end + 1).MonthStart() {
		return max(first, ledger.MinDate), max(start-1, ledger.MinDate)
	}
	last := monthsLater(end.MonthStart(), -months)
	sameDay := min(last+ledger.Date(end.Time().Day())-1, monthsLater(last, 1)-1)
	return max(first, ledger.MinDate), max(sameDay, ledger.MinDate)
}

// monthsOf is how many months of the calendar a period touches.
func monthsOf(start, end ledger.Date) int64 {
	a, b := start.Time(), end.Time()
	return int64((b.Year()-a.Year())*12+int(b.Month())-int(a.Month())) + 1
}

// monthsLater is the first day of the month so many months after that of a day.
func monthsLater(day ledger.Date, months int) ledger.Date {
	t := day.Time()
	return ledger.NewDate(t.Year(), t.Month()+time.Month(months), 1)
}

func (s *incomeResult) result() *toolResult {
	figures := jsonObject{{"currency", s.now.Currency}, {"start_date", s.now.StartDate.String()},
		{"end_date", s.now.EndDate.String()}}
	found := &toolResult{figures: append(s.totals(figures, s.now), s.begin...)}
	if s.compared {
		before := s.totals(jsonObject{{"start_date", s.before.StartDate.String()},
			{"end_date", s.before.EndDate.String()}}, s.before)
		found.figures = found.figures.with("previous", before)
		found.extras = jsonObject{{"change", s.change()}}
	}
	found.extras = append(found.extras, s.averages()...)
	if s.now.TransfersLeftOut > 0 {
		found.extras = append(found.extras, jsonMember{"transfers_left_out", s.now.TransfersLeftOut})
	}
	found.lists = append(found.lists, incomeGaps("", s.now)...)
	found.lists = append(found.lists, incomeGaps("previous_", s.before)...)
	found.lists = append(found.lists, staleRates(slices.Concat(s.now.Stale, s.before.Stale))...)
	if s.by != "none" {
		found.lists = append(found.lists, toolList{name: "by_" + s.by, rows: s.rows()})
	}
	return found
}

func (s *incomeResult) totals(o jsonObject, of report.Breakdown) jsonObject {
	return append(o, jsonMember{"income", plainAmount(of.Income, of.Currency)},
		jsonMember{"expenses", plainAmount(of.Expenses, of.Currency)},
		jsonMember{"net", plainAmount(of.Net, of.Currency)})
}

// change is what the totals grew by.
func (s *incomeResult) change() jsonObject {
	o := jsonObject{{"income", plainDifference(s.now.Income, s.before.Income, s.now.Currency)},
		{"expenses", plainDifference(s.now.Expenses, s.before.Expenses, s.now.Currency)},
		{"net", plainDifference(s.now.Net, s.before.Net, s.now.Currency)}}
	if s.begin != nil { // no growth is told from what is not whole
		return o
	}
	o = o.withText("income_percent", percentOf(s.now.Income-s.before.Income, s.before.Income))
	return o.withText("expenses_percent", percentOf(s.now.Expenses-s.before.Expenses, s.before.Expenses))
}

// percentOf is a part of a whole in percent to one decimal; empty when there is no whole.
func percentOf(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return decimal.NewFromInt(part).Mul(decimal.NewFromInt(100)).DivRound(decimal.NewFromInt(whole), 1).StringFixed(1)
}

// averages are per month, of periods of two or more whole months.
func (s *incomeResult) averages() jsonObject {
	start, end := s.now.StartDate, s.now.EndDate
	months := monthsOf(start, end)
	if months < 2 || start != start.MonthStart() || end+1 != (end+1).MonthStart() {
		return nil
	}
	average := func(minor int64) string {
		c, _ := money.LookupCurrency(s.now.Currency) // what is stored was looked up
		return c.Decimal(minor).DivRound(decimal.NewFromInt(months), int32(c.Exponent)).StringFixed(int32(c.Exponent))
	}
	return jsonObject{{"months", months}, {"average_income_per_month", average(s.now.Income)},
		{"average_expenses_per_month", average(s.now.Expenses)}}
}

// partPair is a part of the two periods; either may be nil.
type partPair struct{ now, before *report.BreakdownPart }

// rows are the parts of the two periods: months in their order, all others the largest first.
func (s *incomeResult) rows() (rows []jsonObject) {
	pairs := s.pairs()
	slices.SortStableFunc(pairs, func(a, b partPair) int {
		if s.by == report.ByMonth {
			return cmp.Compare(a.now.Month.Value, b.now.Month.Value)
		}
		return cmp.Compare(b.size(), a.size())
	})
	for _, p := range pairs {
		rows = append(rows, s.row(p))
	}
	return rows
}

// pairs puts the parts of the two periods side by side; months are parts of one period only.
func (s *incomeResult) pairs() (pairs []partPair) {
	at := map[any]int{}
	for i := range s.now.Parts {
		at[s.label(&s.now.Parts[i])] = i
		pairs = append(pairs, partPair{now: &s.now.Parts[i]})
	}
	for i := range s.before.Parts {
		part := &s.before.Parts[i]
		place, both := at[s.label(part)]
		if s.by == report.ByMonth {
			pairs = append(pairs, partPair{now: part})
		} else if both {
			pairs[place].before = part
		} else {
			pairs = append(pairs, partPair{before: part})
		}
	}
	return pairs
}

// size is by what parts are in order: those of the period itself come before those that only the one before has.
func (p partPair) size() int64 {
	if p.now == nil {
		return -1
	}
	return p.now.Income + p.now.Expenses
}

// label is what parts of the two periods have in common.
func (s *incomeResult) label(p *report.BreakdownPart) any {
	switch {
	case p.Category != nil:
		return p.Category.ID
	case p.Merchant != nil:
		return p.Merchant.ID
	case p.Tag != nil:
		return p.Tag.ID
	case p.Account != nil:
		return p.Account.ID
	}
	return p.Month.Value
}

func (s *incomeResult) row(p partPair) jsonObject {
	row, now, before := s.named(cmp.Or(p.now, p.before)), orNothing(p.now), orNothing(p.before)
	if now.Income != 0 || before.Income != 0 {
		row = s.side(row, "income", now.Income, before.Income)
	}
	if now.Expenses != 0 || before.Expenses != 0 || now.Income == 0 && before.Income == 0 {
		row = s.side(row, "expenses", now.Expenses, before.Expenses)
	}
	return row.with("count", now.Count)
}

// orNothing is a part, or nothing where there is none.
func orNothing(p *report.BreakdownPart) report.BreakdownPart {
	if p == nil {
		return report.BreakdownPart{}
	}
	return *p
}

// side adds what came in or went out.
func (s *incomeResult) side(row jsonObject, name string, now, before int64) jsonObject {
	row = row.with(name, plainAmount(now, s.now.Currency))
	if s.compared && s.by != report.ByMonth {
		row = append(row, jsonMember{"previous_" + name, plainAmount(before, s.now.Currency)},
			jsonMember{name + "_change", plainAmount(now-before, s.now.Currency)})
	}
	return row
}

// named begins a row with what it is of.
func (s *incomeResult) named(p *report.BreakdownPart) jsonObject {
	switch {
	case p.Month.Has():
		return jsonObject{{"month", p.Month.Value.String()[:len("2006-01")]}}
	case p.Category != nil:
		return jsonObject{{"name", ledger.ClipText(p.Category.Name, 100)}}.withText("parent",
			ledger.ClipText(s.parents[p.Category.ID], 100))
	case p.Merchant != nil:
		return jsonObject{{"name", ledger.ClipText(p.Merchant.Name, 100)}}
	case p.Tag != nil:
		return jsonObject{{"name", ledger.ClipText(p.Tag.Name, 100)}}
	case p.Account != nil:
		return jsonObject{{"name", ledger.ClipText(p.Account.Name, 100)}}
	}
	return jsonObject{{"name", "no " + s.by}}
}
