package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/ledger/rule"
)

// ruleKind is the kind of files that list rules, with their conditions and actions as JSON in cells. accounts are the
// folded names of the household's accounts, which a rule may name.
type ruleKind struct{ accounts map[string]intake.AccountKind }

func (ruleKind) Settings(s record.Settings) record.Settings { return s }

func (ruleKind) Headers(f record.Field, _ []string) []string {
	return map[record.Field][]string{
		record.FieldName: {"name"}, record.FieldResource: {"resource_type"}, record.FieldActive: {"active"},
		record.FieldEffective:  {"effective_date"},
		record.FieldConditions: {"conditions"}, record.FieldActions: {"actions"},
	}[f]
}

func (ruleKind) vital(record.Settings) []record.Field {
	return []record.Field{record.FieldResource, record.FieldConditions, record.FieldActions}
}

func (k ruleKind) plan(r *Rows, row *record.Record) {
	row.Name = lineOf(r, row, record.FieldName)
	body := &record.Rule{}
	row.Body = body
	in := rule.Input{Name: record.Said(row.Name), ResourceType: k.resource(r, row),
		Active:        ledger.Some(isYes(r.Columns.cell(row.Raw, record.FieldActive))),
		EffectiveDate: k.effective(r, row)}
	if list, ok := readRuleCell[cellCondition](r, row, record.FieldConditions); ok {
		in.Conditions = ledger.Some(asConditions(list))
	} else {
		in.Conditions = ledger.Some([]rule.Condition{})
	}
	list, ok := readRuleCell[cellAction](r, row, record.FieldActions)
	in.Actions = ledger.Some(asActions(list))
	if !ok {
		// its issue is noted already
		in.Actions = ledger.Some([]rule.Action{{Type: "set_transaction_name", Value: "unread"}})
	}
	in, leftOut, reason := in.Portable()
	row.Skipped, row.Remarks = reason, leftOut
	if reason != "" {
		return
	}
	// Make what is wrong with the rule issues of the columns: a field such as conditions[0].value continues the
	// column conditions.
	columns := map[string]record.Field{"name": record.FieldName, "resource_type": record.FieldResource,
		"conditions": record.FieldConditions, "actions": record.FieldActions}
	for _, p := range in.Check() {
		column, rest, _ := strings.Cut(p.Field, "[")
		message := p.Message
		if rest != "" {
			message = "[" + rest + " " + message
		}
		r.issue(row, columns[column], message)
	}
	names := in.AccountNames()
	for _, at := range slices.Sorted(maps.Keys(names)) {
		name := names[at]
		if _, exists := k.accounts[ledger.Fold(name)]; k.accounts != nil && !exists {
			column, rest, _ := strings.Cut(at, "[")
			r.issue(row, columns[column], fmt.Sprintf("[%s must be the name or the id of an account of the household, got %s", rest, ledger.Quote(name)))
		}
	}
	body.Input = in
}

func (ruleKind) resource(r *Rows, row *record.Record) ledger.Opt[string] {
	what := text.OneLine(r.Columns.cell(row.Raw, record.FieldResource))
	if what == "" {
		r.issue(row, record.FieldResource, "is required and must not be blank")
		return ledger.Opt[string]{}
	}
	return ledger.Some(strings.ToLower(what))
}

// isYes understands what programs write for an active rule; anything else is an inactive one.
func isYes(cell string) bool {
	switch strings.ToLower(cell) {
	case "true", "1", "yes", "y":
		return true
	}
	return false
}

// effective reads the first day of a rule: in the date format of the import or as in 2026-01-31, also with a time
// behind it; a blank cell is null.
func (ruleKind) effective(r *Rows, row *record.Record) ledger.Opt[ledger.Date] {
	cell := r.Columns.cell(row.Raw, record.FieldEffective)
	if cell == "" {
		return ledger.Opt[ledger.Date]{Set: true, Null: true}
	}
	date, err := r.Rules.Dates.Parse(cell)
	if err == nil {
		return ledger.Some(date)
	}
	const day = len("2026-01-31")
	if date, plain := ledger.ParseDate(cell[:min(len(cell), day)]); plain == nil &&
		(len(cell) == day || cell[day] == 'T' || cell[day] == ' ') {
		return ledger.Some(date)
	}
	r.issue(row, record.FieldEffective, err.Error())
	return ledger.Opt[ledger.Date]{}
}

// readRuleCell reads a list; what is wrong is an issue.
func readRuleCell[T any](r *Rows, row *record.Record, f record.Field) ([]T, bool) {
	cell := r.Columns.cell(row.Raw, f)
	if cell == "" {
		r.issue(row, f, "is required and must not be blank")
		return nil, false
	}
	list, wrong := readList[T](cell)
	if wrong != "" {
		r.issue(row, f, wrong)
	}
	return list, wrong == ""
}
