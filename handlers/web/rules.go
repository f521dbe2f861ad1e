package web

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/rule"
)

// rulesView is the rules in the order in which they run, and what was typed of a new one.
type rulesView struct {
	Rules []ruleView
	ruleForm
}

// ruleView is a rule with what it does in words.
type ruleView struct {
	ID, Name, Words string
	Active          bool
	ruleForm
}

// ruleForm is what was typed of a rule, and what it would change.
type ruleForm struct {
	Typed, Title string
	Tried        *entry.RuleOutcome // nil where that was not asked
	Left         int64              // changes that are not listed
	Problems     formProblems
}

// try notes what rules would change.
func (f *ruleForm) try(out entry.RuleOutcome) {
	f.Tried, f.Left = &out, max(0, out.Changed-entry.ShownOf(out.Changes))
}

// rules reads all rules.
func (v *visit) rules() (view rulesView, err error) {
	list, _, err := v.site.Ledger.Rules.ListRules(v.Context(), v.who(), rule.Filter{}, ledger.Everything())
	if err != nil {
		return view, err
	}
	err = v.site.Ledger.WithRefs(v.Context(), v.site.Ledger.DB.Read, v.who(), func(_ context.Context, tx *ledger.Tx) error {
		for i := range list {
			view.Rules = append(view.Rules, ruleView{ID: uuid.UUID(list[i].PublicID).String(), Name: ledger.OrBlank(list[i].Name),
				Words: rule.Words(tx.Refs, &list[i]), Active: list[i].Active == 1})
		}
		return nil
	})
	return view, err
}

// rule reads the rule of the path.
func (v *visit) rule() (view ruleView, id uuid.UUID, err error) {
	id, err = v.id("Rule")
	if err != nil {
		return view, id, err
	}
	all, err := v.rules()
	if err != nil {
		return view, id, err
	}
	for _, r := range all.Rules {
		if r.ID == id.String() {
			r.Typed, r.Title = r.Words, r.Name
			return r, id, nil
		}
	}
	return view, id, ledger.NewNotFound("Rule")
}

// typedRule reads a rule as it was typed, in a line of text.
func (f *form) typedRule() (in rule.Input, err error) {
	err = f.site.Ledger.WithRefs(f.Context(), f.site.Ledger.DB.Read, f.who(), func(_ context.Context, tx *ledger.Tx) (err error) {
		in, err = rule.ParseText(tx.Refs, f.text("rule"))
		return err
	})
	name := f.text("name")
	in.Name = ledger.Opt[string]{Set: true, Value: name, Null: name == ""}
	return in, err
}

// showRules answers GET /rules.
func showRules(v *visit) error {
	view, err := v.rules()
	if err != nil {
		return err
	}
	return v.render("rules", "Rules", view)
}

// createRule answers POST /rules: a rule is made, or it is shown what it would change.
func createRule(v *visit) error {
	f := &form{visit: v}
	in, failed := f.typedRule()
	var out entry.RuleOutcome
	switch {
	case failed != nil:
	case f.text("do") == "try":
		out, failed = v.site.Ledger.Entries.PreviewRule(v.Context(), v.who(), in)
	default:
		_, failed = v.site.Ledger.Rules.CreateRule(v.Context(), v.who(), in)
		if failed == nil {
			return v.goOn("/rules")
		}
	}
	view, err := v.rules()
	if err != nil {
		return err
	}
	view.Typed, view.Title = f.text("rule"), f.text("name")
	if failed != nil {
		return v.again(failed, "rules", "Rules", func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	view.try(out)
	return v.renderStatus(http.StatusOK, "rules", "Rules", view)
}

// showRule answers GET /rules/{id}.
func showRule(v *visit) error {
	view, _, err := v.rule()
	if err != nil {
		return err
	}
	return v.render("rule", "Rule", view)
}

// updateRule answers POST /rules/{id}: a rule is changed, switched on or off, or it is shown what it would change.
func updateRule(v *visit) error {
	view, id, err := v.rule()
	if err != nil {
		return err
	}
	f := &form{visit: v}
	var in rule.Input
	var failed error
	switch f.text("do") {
	case "on", "off":
		in.Active = ledger.Some(f.text("do") == "on")
	default:
		in, failed = f.typedRule()
		if f.text("rule") == view.Words { // one with alternatives cannot be typed
			in.Conditions, in.Actions, failed = ledger.Opt[[]rule.Condition]{}, ledger.Opt[[]rule.Action]{}, nil
		}
		view.Typed, view.Title = f.text("rule"), f.text("name")
	}
	if failed == nil && f.text("do") == "try" {
		var out entry.RuleOutcome
		if in.Actions.Set {
			out, failed = v.site.Ledger.Entries.PreviewRule(v.Context(), v.who(), in)
		} else {
			out, failed = v.site.Ledger.Entries.RunRules(v.Context(), v.who(), ledger.Some(id), true)
		}
		if failed == nil {
			view.try(out)
			return v.render("rule", "Rule", view)
		}
	}
	if failed == nil {
		_, failed = v.site.Ledger.Rules.UpdateRule(v.Context(), v.who(), id, in)
	}
	if failed != nil {
		return v.again(failed, "rule", "Rule", func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn("/rules")
}

// runRule answers POST /rules/{id}/run: the rule is applied to the transactions that are there.
func runRule(v *visit) error {
	id, err := v.id("Rule")
	if err != nil {
		return err
	}
	out, err := v.site.Ledger.Entries.RunRules(v.Context(), v.who(), ledger.Some(id), false)
	if err != nil {
		return err
	}
	v.session.Operation = [16]byte(out.OperationID) // a run is an operation by itself
	return v.goOn("/rules/" + id.String())
}

// deleteRule answers POST /rules/{id}/delete: what it has set stays.
func deleteRule(v *visit) error {
	id, err := v.id("Rule")
	if err != nil {
		return err
	}
	if err := v.site.Ledger.Entries.DeleteRule(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goOn("/rules")
}
