package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"finsvc/assistant/model"
	"finsvc/ledger"
)

// callArguments are those of a call.
type callArguments map[string]any

// calls are the tools' calls that a question needs.
func (q question) calls() []model.Call {
	if q.isEach() {
		return q.callsOfEach()
	}
	var list []model.Call
	for _, p := range q.pair {
		for _, c := range p.calls() {
			c.ID = fmt.Sprint("call_", len(list)+1)
			list = append(list, c)
		}
	}
	if len(list) > 0 {
		return list
	}
	call := func(name string, a callArguments) { list = append(list, newCall(len(list), name, a)) }
	if q.behind != nil {
		q.callsBehind(call)
		return list
	}
	switch q.topic {
	case sums:
		for _, s := range q.spans {
			name, a := q.sumsOf(s)
			call(name, a)
		}
		if q.isInterestOfAccount() {
			all := q
			all.filter = map[kind][]string{categoryKind: q.filter[categoryKind]}
			name, a := all.sumsOf(q.spans[0])
			call(name, a)
		}
	case entries:
		call("get_transactions", q.entriesOf(q.spans[0]))
	case howMany:
		for _, s := range q.spans {
			a := q.transactions(s)
			a["page_size"] = 1
			call("get_transactions", a)
		}
	case balances:
		q.balanceCalls(call)
	case netWorth:
		for _, s := range q.spans {
			call("get_balance_sheet", q.sheetOf(s))
		}
	case debts:
		call("get_balance_sheet", q.sheetOf(q.spans[0]))
		if !q.said {
			call("get_accounts", callArguments{})
		}
	case holdings:
		a := q.filtered(callArguments{}, accountKind, securityKind)
		if q.said {
			a["date"] = q.spans[0].last.String()
		}
		call("get_holdings", a)
	case nameLists:
		for _, k := range q.lists() {
			call("get_"+k.plural(), callArguments{})
		}
	}
	return list
}

func newCall(at int, name string, a callArguments) model.Call {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(a) // strings, numbers and lists of strings
	return model.Call{ID: fmt.Sprint("call_", at+1), Name: name, Arguments: bytes.TrimSpace(text.Bytes())}
}

// filtered adds the names of some kinds that a question is narrowed to.
func (q question) filtered(a callArguments, kinds ...kind) callArguments {
	for _, k := range kinds {
		if names := q.filter[k]; len(names) > 0 {
			a[k.plural()] = names
		}
	}
	return a
}

// within adds the days of a span. All time has no beginning.
func (a callArguments) within(s span) callArguments {
	if s.first > ledger.MinDate {
		a["start_date"] = s.first.String()
	}
	a["end_date"] = s.last.String()
	return a
}

// sumsOf is the call that adds up a span. Texts and amounts are looked for among transactions.
func (q question) sumsOf(s span) (name string, a callArguments) {
	if q.bySearch() {
		a = q.transactions(s)
		a["page_size"] = 1
		return "get_transactions", a
	}
	a = q.filtered(callArguments{"start_date": s.first.String(), "end_date": s.last.String()}, categoryKind, merchantKind, tagKind, accountKind)
	a["group_by"] = cmp.Or(q.group, "none")
	return "get_income_statement", a
}

// bySearch says whether texts or amounts narrow a question.
func (q question) bySearch() bool { return q.search != "" || q.least != nil || q.most != nil }

// transactions selects the transactions of a span that a question is about.
func (q question) transactions(s span) callArguments {
	a := q.filtered(callArguments{}.within(s), categoryKind, merchantKind, tagKind, accountKind)
	if q.side != "" {
		a["type"] = q.side
	}
	if q.search != "" {
		a["search"] = q.search
	}
	if q.least != nil {
		a["min_amount"] = json.Number(q.least.String())
	}
	if q.most != nil {
		a["max_amount"] = json.Number(q.most.String())
	}
	return a
}

// usualRows is how many rows are shown when the question does not say.
const usualRows = 10

func (q question) rows() int {
	switch {
	case q.limit > 0:
		return q.limit
	case q.behind == nil && (q.says(saysWhen) || q.says(saysLatest|saysLargest|saysMost) && q.singular):
		return 1
	}
	return usualRows
}

func (q question) entriesOf(s span) callArguments {
	a := q.transactions(s)
	a["page_size"] = q.rows()
	if q.says(saysLargest | saysMost) {
		a["sort_by"] = "amount"
	}
	return a
}

// balanceCalls are today's balances of all accounts at once; of another day each is a call.
func (q question) balanceCalls(call func(string, callArguments)) {
	if !q.said {
		call("get_accounts", callArguments{})
		return
	}
	for _, s := range q.spans {
		for _, name := range q.filter[accountKind] {
			call("explain_figure", callArguments{"figure": "balance", "account": name, "date": s.last.String()})
		}
	}
}

func (q question) sheetOf(s span) callArguments {
	if q.isSeries(s) {
		a := callArguments{}.within(s)
		a["interval"] = "month"
		return a
	}
	if !q.said {
		return callArguments{}
	}
	return callArguments{"date": s.last.String()}
}

// longest is how many days a span may have that stands for its last day where only one can be.
const longest = 62

// isSeries says whether net worth is asked for over time.
func (q question) isSeries(s span) bool {
	return q.topic == netWorth && len(q.spans) == 1 && s.moment == 0 && (s.last-s.first > longest || s.last > s.first && q.says(saysOverTime|saysMonth))
}

// lists are the kinds of names that are asked for.
func (q question) lists() (kinds []kind) {
	for _, k := range []kind{categoryKind, merchantKind, tagKind} {
		if q.says([]cue{saysCategory, saysMerchant, saysTag}[k]) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// overview are calls that say something about a household whatever is asked.
func overview(today ledger.Date) []model.Call {
	this := aMonth.whole(today).toDate(today)
	before := aMonth.whole(this.first - 1)
	byCategory := func(s span) callArguments {
		return callArguments{"start_date": s.first.String(), "end_date": s.last.String(), "group_by": categoryKind.String()}
	}
	return []model.Call{newCall(0, "get_balance_sheet", callArguments{}), newCall(1, "get_income_statement", byCategory(this)),
		newCall(2, "get_income_statement", byCategory(before))}
}
