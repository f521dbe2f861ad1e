package rule

import (
	"encoding/json"

	"finsvc/ledger"
)

// writtenRule is a rule in JSON as the API has it.
type writtenRule struct {
	Name          *string            `json:"name"`
	ResourceType  *string            `json:"resource_type"`
	Active        *bool              `json:"active"`
	EffectiveDate *string            `json:"effective_date"`
	Conditions    []writtenCondition `json:"conditions"`
	Actions       []struct {
		Type  string       `json:"action_type"`
		Value writtenValue `json:"value"`
	} `json:"actions"`
}

type writtenCondition struct {
	Type       string             `json:"condition_type"`
	Operator   string             `json:"operator"`
	Value      writtenValue       `json:"value"`
	Conditions []writtenCondition `json:"sub_conditions"`
}

// writtenValue is a text or a number, which is taken as it is written.
type writtenValue string

// UnmarshalJSON makes it a [json.Unmarshaler].
func (v *writtenValue) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(v))
	}
	var n json.Number
	err := json.Unmarshal(data, &n)
	*v = writtenValue(n)
	return err
}

// ParseJSON reads a rule as the API takes it, by itself or in the member "rule".
func ParseJSON(text []byte) (in Input, err error) {
	var wrapped struct {
		Rule *writtenRule `json:"rule"`
	}
	var w writtenRule
	err = json.Unmarshal(text, &wrapped)
	if err == nil && wrapped.Rule != nil {
		w = *wrapped.Rule
	} else if err == nil {
		err = json.Unmarshal(text, &w)
	}
	if err != nil {
		return in, ledger.NewInvalid("rule", "must be JSON as the API has it: %s", err)
	}
	in.Name, in.ResourceType, in.Active = ledger.OptOf(w.Name), ledger.OptOf(w.ResourceType), ledger.OptOf(w.Active)
	if w.EffectiveDate != nil {
		day, err := ledger.ParseDate(*w.EffectiveDate)
		in.Problems.Note("effective_date", err)
		in.EffectiveDate = ledger.Some(day)
	}
	in.Conditions = ledger.Opt[[]Condition]{Set: w.Conditions != nil, Value: conditionsOf(w.Conditions)}
	in.Actions = ledger.Opt[[]Action]{Set: w.Actions != nil}
	for _, a := range w.Actions {
		in.Actions.Value = append(in.Actions.Value, Action{a.Type, string(a.Value)})
	}
	return in, nil
}

func conditionsOf(list []writtenCondition) []Condition {
	out := []Condition{}
	for _, c := range list {
		one := Condition{Type: c.Type, Operator: c.Operator, Value: string(c.Value)}
		if c.Conditions != nil {
			one.Conditions = conditionsOf(c.Conditions)
		}
		out = append(out, one)
	}
	return out
}
