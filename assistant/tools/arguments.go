package tools

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// argKind is what an argument is.
type argKind int

const (
	argText argKind = iota
	argTexts
	argDate
	argNumber
	argInteger
	argFlag
)

// toolParam is an argument that a tool takes.
type toolParam struct {
	name, about string
	kind        argKind
	enum        []string
	required    bool
	most        int64 // of an integer, which counts from 1
}

// mostTexts and mostBytes bound an argument: names that are not there are compared with all that are.
const (
	mostTexts = 50
	mostBytes = 4000
)

// schema is the JSON schema of an argument.
func (p *toolParam) schema() jsonObject {
	kinds := map[argKind]string{argText: "string", argTexts: "array", argDate: "string", argNumber: "number",
		argInteger: "integer", argFlag: "boolean"}
	o := jsonObject{{"type", kinds[p.kind]}}
	switch p.kind {
	case argTexts:
		o = o.with("items", jsonObject{{"type", "string"}})
	case argDate:
		o = o.with("format", "date")
	case argInteger:
		o = o.with("minimum", int64(1))
		if p.most > 0 {
			o = o.with("maximum", p.most)
		}
	}
	if p.enum != nil {
		o = o.with("enum", p.enum)
	}
	return o.withText("description", p.about)
}

// schemaOf is the JSON schema of the arguments of a tool.
func schemaOf(params []toolParam) json.RawMessage {
	properties, required := jsonObject{}, []string{}
	for i := range params {
		properties = properties.with(params[i].name, params[i].schema())
		if params[i].required {
			required = append(required, params[i].name)
		}
	}
	o := jsonObject{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		o = o.with("required", required)
	}
	return o.with("additionalProperties", false).append(nil)
}

// toolArguments are those of a call, read by the schema of its tool; problems are what was wrong with them.
type toolArguments struct {
	texts    map[string][]string // of texts and lists; one of a text
	dates    map[string]ledger.Date
	numbers  map[string]decimal.Decimal
	integers map[string]int64
	flags    map[string]bool
	problems ledger.Problems
}

// readArguments reads the arguments of a call strictly, but for what models commonly do: numbers and truth values as
// texts, a text where a list is meant, null, empty texts and empty lists for what they leave out.
func readArguments(params []toolParam, raw json.RawMessage) *toolArguments {
	a := &toolArguments{map[string][]string{}, map[string]ledger.Date{}, map[string]decimal.Decimal{},
		map[string]int64{}, map[string]bool{}, nil}
	var members map[string]json.RawMessage
	text := strings.TrimSpace(string(raw))
	if text != "" && json.Unmarshal(raw, &members) != nil {
		a.problems.Add("arguments", "must be a JSON object, got %s", ledger.Quote(ledger.ClipText(text, 60)))
		return a
	}
	unreadable, isUnreadable := members["unreadable"]
	if isUnreadable {
		a.problems.Add("arguments", "must be a JSON object, got %s", ledger.ClipText(string(unreadable), 60))
		return a
	}
	for i := range params {
		a.read(&params[i], members[params[i].name])
		delete(members, params[i].name)
	}
	for _, name := range SortedNames(members) {
		a.problems.Add(ledger.Quote(name), "is no argument")
	}
	return a
}

func SortedNames[T any](m map[string]T) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// read takes in one argument.
func (a *toolArguments) read(p *toolParam, raw json.RawMessage) {
	var many []json.RawMessage
	texts := []string{}
	isList := len(raw) > 0 && raw[0] == '['
	switch {
	case isList && p.kind == argTexts:
		_ = json.Unmarshal(raw, &many) // it is part of what could be read
	case isList, len(raw) > 0 && raw[0] == '{':
		a.problems.Add(p.name, "must be %s, got %s", p.expected(), ledger.ClipText(string(raw), 60))
		return
	default:
		many = []json.RawMessage{raw}
	}
	for _, one := range many {
		text, ok := scalar(one)
		if !ok {
			a.problems.Add(p.name, "must be %s, got %s in it", p.expected(), ledger.ClipText(string(one), 60))
			return
		} else if text != "" {
			texts = append(texts, text)
		}
	}
	switch {
	case len(texts) > mostTexts || len(raw) > mostBytes:
		a.problems.Add(p.name, "must be %s, of at most %d entries and %d bytes", p.expected(), mostTexts, mostBytes)
	case len(texts) > 0:
		a.take(p, texts)
	case p.required:
		a.problems.Add(p.name, "is required: %s", p.expected())
	}
}

// scalar is a JSON text, number or truth value as text; null and nothing are empty.
func scalar(raw json.RawMessage) (text string, ok bool) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", true
	case raw[0] == '"':
		err := json.Unmarshal(raw, &text)
		return strings.TrimSpace(text), err == nil
	}
	return string(raw), raw[0] != '[' && raw[0] != '{'
}

// expected is what an argument must be, in words.
func (p *toolParam) expected() string {
	switch {
	case p.enum != nil:
		return "one of " + strings.Join(p.enum, ", ")
	case p.kind == argTexts:
		return "a list of texts"
	case p.kind == argDate:
		return "a calendar date such as 2026-01-31"
	case p.kind == argNumber:
		return "a number such as 12.50"
	case p.kind == argInteger && p.most > 0:
		return "a whole number from 1 to " + strconv.FormatInt(p.most, 10)
	case p.kind == argInteger:
		return "a whole number from 1"
	case p.kind == argFlag:
		return "true or false"
	}
	return "a text"
}

// take notes the value of an argument.
func (a *toolArguments) take(p *toolParam, texts []string) {
	text := texts[0]
	switch p.kind {
	case argText:
		a.takeText(p, text)
	case argTexts:
		a.texts[p.name] = texts
	case argDate:
		day, err := ledger.ParseDate(text)
		a.dates[p.name] = day
		a.note(p.name, err)
	case argNumber:
		number, err := money.ParseDecimal(text)
		a.numbers[p.name] = number
		a.note(p.name, err)
	case argInteger:
		number, err := strconv.ParseInt(strings.TrimSuffix(text, ".0"), 10, 32)
		if err != nil || number < 1 || p.most > 0 && number > p.most {
			a.problems.Add(p.name, "must be %s, got %s", p.expected(), ledger.Quote(ledger.ClipText(text, 60)))
		}
		a.integers[p.name] = number
	case argFlag:
		value, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			a.problems.Add(p.name, "must be %s, got %s", p.expected(), ledger.Quote(ledger.ClipText(text, 60)))
		}
		a.flags[p.name] = value
	}
}

func (a *toolArguments) takeText(p *toolParam, text string) {
	if p.enum != nil {
		text = strings.ToLower(text)
		if !slices.Contains(p.enum, text) {
			a.problems.Add(p.name, "must be %s, got %s", p.expected(), ledger.Quote(ledger.ClipText(text, 60)))
		}
	}
	a.texts[p.name] = []string{text}
}

func (a *toolArguments) note(name string, err error) {
	if err != nil {
		a.problems.Add(name, "%s", err)
	}
}

// text is that of an argument; empty when it was not given.
func (a *toolArguments) text(name string) string {
	texts := a.texts[name]
	if len(texts) > 0 {
		return texts[0]
	}
	return ""
}

// date and number are absent when they were not given.
func (a *toolArguments) date(name string) ledger.Opt[ledger.Date] { return givenArg(a.dates, name) }

func (a *toolArguments) number(name string) ledger.Opt[decimal.Decimal] {
	return givenArg(a.numbers, name)
}

func givenArg[T any](values map[string]T, name string) (o ledger.Opt[T]) {
	o.Value, o.Set = values[name]
	return o
}

// page is the page that page and page_size ask for.
func (a *toolArguments) page(size int64) ledger.Page {
	asked, given := a.integers["page_size"]
	if given {
		size = asked
	}
	return ledger.Page{Number: int(max(a.integers["page"], 1)), Size: int(size)}
}
