package mcp

import (
	"encoding/json"
	"strings"

	"finsvc/assistant/tools"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// argKind is what an argument of a writing tool is.
type argKind int

const (
	argText argKind = iota
	argTexts
	argAmount // a text or a number
	argDate
	argID
	argIDs
	argFlag
	argInteger
	argSettings // texts by names
)

// param is an argument of a writing tool.
type param struct {
	name  string
	kind  argKind
	about string
}

// expected is what an argument must be, as an error says it, and its JSON schema.
func (k argKind) expected() (words, schema string) {
	switch k {
	case argTexts:
		return "a list of texts", `{"type":"array","items":{"type":"string"}}`
	case argAmount:
		return "an amount as a text, such as \"12.50\"", `{"type":"string"}`
	case argDate:
		return "a calendar date such as 2026-01-31", `{"type":"string","format":"date"}`
	case argID:
		return "an id (a UUID)", `{"type":"string","format":"uuid"}`
	case argIDs:
		return "a list of ids (UUIDs)", `{"type":"array","items":{"type":"string","format":"uuid"}}`
	case argFlag:
		return "true or false", `{"type":"boolean"}`
	case argInteger:
		return "a whole number", `{"type":"integer"}`
	case argSettings:
		return "an object of texts", `{"type":"object","additionalProperties":{"type":"string"}}`
	}
	return "a text", `{"type":"string"}`
}

// accepts reports whether a value is of the kind.
func (k argKind) accepts(raw json.RawMessage) bool {
	var text string
	var list []string
	var truth bool
	var number int64
	var byName map[string]string
	isText := json.Unmarshal(raw, &text) == nil
	switch k {
	case argTexts:
		return json.Unmarshal(raw, &list) == nil
	case argAmount:
		if !isText {
			text = string(raw)
		}
		_, err := money.ParseDecimal(text)
		return err == nil
	case argDate:
		_, err := ledger.ParseDate(text)
		return isText && err == nil
	case argID:
		_, is := ledger.ParseID(text)
		return is
	case argIDs:
		err := json.Unmarshal(raw, &list)
		for _, text := range list {
			if _, is := ledger.ParseID(text); !is {
				return false
			}
		}
		return err == nil
	case argFlag:
		return json.Unmarshal(raw, &truth) == nil
	case argInteger:
		return json.Unmarshal(raw, &number) == nil
	case argSettings:
		return json.Unmarshal(raw, &byName) == nil
	}
	return isText
}

// schemaOf is the JSON schema of arguments.
func schemaOf(params []param, required ...string) json.RawMessage {
	properties := map[string]map[string]any{}
	for _, p := range params {
		property := map[string]any{}
		_, schema := p.kind.expected()
		_ = json.Unmarshal([]byte(schema), &property) // they are written above
		if p.about != "" {
			property["description"] = p.about
		}
		properties[p.name] = property
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	raw, _ := json.Marshal(schema) // texts always have a JSON form
	return raw
}

// read reads arguments strictly: whatever is no argument or of another kind is named, and nothing is done. What is null
// is left out.
func read(params []param, raw json.RawMessage, into any) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return ledger.NewInvalid("arguments", "must be a JSON object, got %s", ledger.ClipText(string(raw), 60))
	}
	var p ledger.Problems
	names := []string{}
	for _, param := range params {
		names = append(names, param.name)
		value, given := members[param.name]
		delete(members, param.name)
		if !given || string(value) == "null" || param.kind.accepts(value) {
			continue
		}
		words, _ := param.kind.expected()
		p.Add(param.name, "must be %s, got %s", words, ledger.ClipText(string(value), 60))
	}
	for _, name := range tools.SortedNames(members) {
		p.Add(ledger.Quote(ledger.ClipText(name, 60)), "is no argument; the arguments are %s", strings.Join(names, ", "))
	}
	if err := p.Err(); err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}
