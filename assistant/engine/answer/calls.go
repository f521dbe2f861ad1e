package answer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// callArguments are those of a call.
type callArguments map[string]any

// Calls are the tools' calls that a question needs.
func Calls(q intent.Question) []model.Call {
	if q.IsEach() {
		return callsOfEach(q)
	}
	var list []model.Call
	for _, p := range q.Pair {
		for _, c := range Calls(p) {
			c.ID = fmt.Sprint("call_", len(list)+1)
			list = append(list, c)
		}
	}
	if len(list) > 0 {
		return list
	}
	call := func(name string, a callArguments) { list = append(list, newCall(len(list), name, a)) }
	if q.Behind != nil {
		callsBehind(q, call)
		return list
	}
	switch q.Topic {
	case intent.Sums:
		for _, s := range q.Spans {
			name, a := sumsOf(q, s)
			call(name, a)
		}
		if q.IsInterestOfAccount() {
			all := q
			all.Filter = map[household.Kind][]string{household.CategoryKind: q.Filter[household.CategoryKind]}
			name, a := sumsOf(all, q.Spans[0])
			call(name, a)
		}
	case intent.Entries:
		call("get_transactions", entriesOf(q, q.Spans[0]))
	case intent.HowMany:
		for _, s := range q.Spans {
			a := transactions(q, s)
			a["page_size"] = 1
			call("get_transactions", a)
		}
	case intent.Balances:
		balanceCalls(q, call)
	case intent.NetWorth:
		for _, s := range q.Spans {
			call("get_balance_sheet", sheetOf(q, s))
		}
	case intent.Debts:
		call("get_balance_sheet", sheetOf(q, q.Spans[0]))
		if !q.Said {
			call("get_accounts", callArguments{})
		}
	case intent.Holdings:
		a := filtered(q, callArguments{}, household.AccountKind, household.SecurityKind)
		if q.Said {
			a["date"] = q.Spans[0].Last.String()
		}
		call("get_holdings", a)
	case intent.NameLists:
		for _, k := range q.Lists() {
			call("get_"+k.Plural(), callArguments{})
		}
	}
	return list
}

func callsOfEach(q intent.Question) (list []model.Call) {
	for _, s := range q.Subjects {
		for _, c := range Calls(q.Only(s)) {
			c.ID = fmt.Sprint("call_", len(list)+1)
			list = append(list, c)
		}
	}
	return list
}

// callsBehind list the transactions of a figure, and add it up once more: what trades cost and bring in is part of a
// figure and no transaction.
func callsBehind(q intent.Question, call func(string, callArguments)) {
	for _, s := range q.Spans {
		for _, side := range q.SidesBehind() {
			list := q
			list.Side = side
			call("get_transactions", entriesOf(list, s))
		}
		if !q.BySearch() && q.Behind.Topic == intent.Sums {
			a := filtered(q, callArguments{"start_date": s.First.String(), "end_date": s.Last.String(),
				"group_by": "none"}, household.CategoryKind, household.MerchantKind, household.TagKind,
				household.AccountKind)
			call("get_income_statement", a)
		}
	}
}

// Overview are calls that say something about a household whatever is asked.
func Overview(today ledger.Date) []model.Call {
	this := calendar.Month.Whole(today).ToDate(today)
	before := calendar.Month.Whole(this.First - 1)
	byCategory := func(s calendar.Span) callArguments {
		return callArguments{"start_date": s.First.String(), "end_date": s.Last.String(),
			"group_by": household.CategoryKind.String()}
	}
	return []model.Call{newCall(0, "get_balance_sheet", callArguments{}),
		newCall(1, "get_income_statement", byCategory(this)),
		newCall(2, "get_income_statement", byCategory(before))}
}

func newCall(at int, name string, a callArguments) model.Call {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(a) // strings, numbers and lists of strings
	return model.Call{ID: fmt.Sprint("call_", at+1), Name: name, Arguments: bytes.TrimSpace(text.Bytes())}
}

// filtered adds the names of some kinds that a question is narrowed to.
func filtered(q intent.Question, a callArguments, kinds ...household.Kind) callArguments {
	for _, k := range kinds {
		names := q.Filter[k]
		if len(names) > 0 {
			a[k.Plural()] = names
		}
	}
	return a
}

// within adds the days of a span. All time has no beginning.
func (a callArguments) within(s calendar.Span) callArguments {
	if s.First > ledger.MinDate {
		a["start_date"] = s.First.String()
	}
	a["end_date"] = s.Last.String()
	return a
}

// sumsOf is the call that adds up a span. Texts and amounts are looked for among transactions.
func sumsOf(q intent.Question, s calendar.Span) (name string, a callArguments) {
	if q.BySearch() {
		a = transactions(q, s)
		a["page_size"] = 1
		return "get_transactions", a
	}
	a = filtered(q, callArguments{"start_date": s.First.String(), "end_date": s.Last.String()},
		household.CategoryKind, household.MerchantKind, household.TagKind, household.AccountKind)
	a["group_by"] = cmp.Or(q.Group, "none")
	return "get_income_statement", a
}

// transactions selects the transactions of a span that a question is about.
func transactions(q intent.Question, s calendar.Span) callArguments {
	a := filtered(q, callArguments{}.within(s), household.CategoryKind, household.MerchantKind, household.TagKind,
		household.AccountKind)
	if q.Side != "" {
		a["type"] = q.Side
	}
	if q.Search != "" {
		a["search"] = q.Search
	}
	if q.Least != nil {
		a["min_amount"] = json.Number(q.Least.String())
	}
	if q.Most != nil {
		a["max_amount"] = json.Number(q.Most.String())
	}
	return a
}

// usualRows is how many rows are shown when the question does not say.
const usualRows = 10

func rows(q intent.Question) int {
	switch {
	case q.Limit > 0:
		return q.Limit
	case q.Behind == nil && (q.Says(parse.When) || q.Says(parse.Latest|parse.Largest|parse.Most) && q.Singular):
		return 1
	}
	return usualRows
}

func entriesOf(q intent.Question, s calendar.Span) callArguments {
	a := transactions(q, s)
	a["page_size"] = rows(q)
	if q.Says(parse.Largest | parse.Most) {
		a["sort_by"] = "amount"
	}
	return a
}

// balanceCalls are today's balances of all accounts at once; of another day each is a call.
func balanceCalls(q intent.Question, call func(string, callArguments)) {
	if !q.Said {
		call("get_accounts", callArguments{})
		return
	}
	for _, s := range q.Spans {
		for _, name := range q.Filter[household.AccountKind] {
			call("explain_figure", callArguments{"figure": "balance", "account": name, "date": s.Last.String()})
		}
	}
}

func sheetOf(q intent.Question, s calendar.Span) callArguments {
	if q.IsSeries(s) {
		a := callArguments{}.within(s)
		a["interval"] = "month"
		return a
	}
	if !q.Said {
		return callArguments{}
	}
	return callArguments{"date": s.Last.String()}
}
