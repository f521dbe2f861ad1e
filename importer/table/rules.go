package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
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

// maxUnescapes is how many times a cell is unescaped in search of JSON.
const maxUnescapes = 8

// jsonList finds the JSON list in a cell; blank when there is none. Some programs have escaped such cells too often,
// or put quotes around them: each step back counts only if it comes to valid JSON in the end.
func jsonList(cell string) string {
	for range maxUnescapes {
		cell = strings.TrimSpace(cell)
		for _, try := range []string{cell, strings.ReplaceAll(cell, `""`, `"`), unescaped(cell)} {
			if strings.HasPrefix(try, "[") && json.Valid([]byte(try)) {
				return try
			}
		}
		next := unescaped(unquoted(cell))
		if next == cell {
			return ""
		}
		cell = next
	}
	return ""
}

// unquoted drops a pair of quotes around a text.
func unquoted(text string) string {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

// unescaped takes one backslash away before each quote and each backslash.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\') {
			i++
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// maxBoundaries is at how many places a line is tried to be cut in two lists.
const maxBoundaries = 8

// ruleLine is how many cells of a rule's record stand before its two lists.
const ruleLine = 4

// mend cuts a line of rules whose lists were put between quotes without doubling those inside. It goes by the
// boundary between the two lists; nil when that does not lead to two lists of valid JSON.
func (ruleKind) mend(line string, separator byte, width int) []string {
	if width != ruleLine+2 {
		return nil
	}
	boundary := `]"` + string(separator) + `"[`
	start := strings.Index(line, string(separator)+`"[`)
	end := strings.LastIndex(line, `]"`)
	if start < 0 || end < 0 {
		return nil
	}
	at := start
	for range maxBoundaries {
		next := strings.Index(line[at:], boundary)
		at += next
		if next < 0 || at >= end {
			return nil
		}
		conditions, actions := jsonList(line[start+2:at+1]), jsonList(line[at+len(boundary)-1:end+1])
		if head := plainCells(line[:start], separator); conditions != "" && actions != "" && len(head) == ruleLine {
			return append(head, conditions, actions)
		}
		at += len(boundary)
	}
	return nil
}

// plainCells cuts a text that is written by the rules; nil when it is not.
func plainCells(text string, separator byte) []string {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = rune(separator)
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// cellCondition is a condition as a file writes it.
type cellCondition struct {
	Type       string          `json:"condition_type"`
	Operator   string          `json:"operator"`
	Value      cellValue       `json:"value"`
	Conditions []cellCondition `json:"sub_conditions"`
}

// cellAction is an action as a file writes it.
type cellAction struct {
	Type  string    `json:"action_type"`
	Value cellValue `json:"value"`
}

// cellValue is a text, or a number or a boolean as it is written; blank for null.
type cellValue string

// UnmarshalJSON reads any value but a list or an object.
func (v *cellValue) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case data[0] == '[' || data[0] == '{':
		return fmt.Errorf("value must be text, a number or null, got %s", ledger.Quote(string(data)))
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(v))
	case string(data) != "null":
		*v = cellValue(data)
	}
	return nil
}

func asConditions(list []cellCondition) []rule.Condition {
	out := make([]rule.Condition, len(list))
	for i, c := range list {
		out[i] = rule.Condition{Type: c.Type, Operator: c.Operator, Value: string(c.Value)}
		if len(c.Conditions) > 0 {
			out[i].Conditions = asConditions(c.Conditions)
		}
	}
	return out
}

func asActions(list []cellAction) []rule.Action {
	out := make([]rule.Action, len(list))
	for i, a := range list {
		out[i] = rule.Action{Type: a.Type, Value: string(a.Value)}
	}
	return out
}

// readList reads the list in a cell; the sentence says what is wrong, and is blank when nothing is.
func readList[T any](cell string) (list []T, wrong string) {
	text := jsonList(cell)
	if text == "" {
		return nil, "must be a JSON list such as [{...}], got " + ledger.Quote(cell)
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, "must be a JSON list of objects: " + strings.TrimPrefix(err.Error(), "json: ")
	}
	return list, ""
}
