package rule

import "strconv"

// EachValue shows every value of the rule's lists: the field it stands in, the type it belongs to, and the place.
func (in *Input) EachValue(visit func(field, kind string, value *string)) {
	eachCondition("conditions", in.Conditions.Value, visit)
	for i := range in.Actions.Value {
		a := &in.Actions.Value[i]
		visit("actions["+strconv.Itoa(i)+"].value", a.Type, &a.Value)
	}
}

func eachCondition(field string, list []Condition, visit func(field, kind string, value *string)) {
	for i := range list {
		at := field + "[" + strconv.Itoa(i) + "]."
		visit(at+"value", list[i].Type, &list[i].Value)
		eachCondition(at+"sub_conditions", list[i].Conditions, visit)
	}
}

// Clone makes the lists the copy's own.
func (in Input) Clone() Input {
	in.Conditions.Value = cloneConditions(in.Conditions.Value)
	in.Actions.Value = append([]Action{}, in.Actions.Value...)
	return in
}

func cloneConditions(list []Condition) []Condition {
	out := append([]Condition{}, list...)
	for i := range out {
		out[i].Conditions = cloneConditions(out[i].Conditions)
	}
	return out
}
