package handlers

import (
	"fmt"

	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/rule"
)

// rules answers for rules and their runs.
type rules struct {
	ledger *books.Books
}

// listRules answers GET /rules, in the order in which the rules run.
func (s *rules) listRules(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), rule.Filter{ResourceType: q.Text("resource_type"), Active: q.Flag("active")}
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Rules.ListRules(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	dataPage(a.Json, list, page, total, func(rule *rule.Rule) { writeRule(a.Json, "", rule) })
	return nil
}

// dataPage writes the answer of a list that calls its rows data and has a meta object.
func dataPage[T any](j *wire.Writer, list []T, p ledger.Page, total int64, write func(*T)) {
	j.Open("")
	j.List("data")
	for i := range list {
		write(&list[i])
	}
	j.EndList()
	wire.PageMeta(j, p, total)
	j.Close()
}

// createRule answers POST /rules.
func (s *rules) createRule(a *wire.Answer, r *wire.Request) error {
	f, err := ruleFields(r)
	if err != nil {
		return err
	}
	rule, err := s.ledger.Rules.CreateRule(r.Context(), r.Who(), readRule(f))
	if err != nil {
		return err
	}
	a.Created()
	return s.oneRule(a, r, &rule)
}

// updateRule answers PATCH /rules/{id}.
func (s *rules) updateRule(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Rule")
	if err != nil {
		return err
	}
	f, err := ruleFields(r)
	if err != nil {
		return err
	}
	rule, err := s.ledger.Rules.UpdateRule(r.Context(), r.Who(), id, readRule(f))
	if err != nil {
		return err
	}
	return s.oneRule(a, r, &rule)
}

// runRule answers POST /rules/{id}/run.
func (s *rules) runRule(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Rule")
	if err != nil {
		return err
	}
	return s.applyRules(a, r, ledger.Some(id))
}

// runRules answers POST /rules/run.
func (s *rules) runRules(a *wire.Answer, r *wire.Request) error {
	return s.applyRules(a, r, ledger.Opt[uuid.UUID]{})
}

// applyRules reads the body itself so that an Idempotency-Key does not make one write of the run, which takes many
// short ones.
func (s *rules) applyRules(a *wire.Answer, r *wire.Request, only ledger.Opt[uuid.UUID]) error {
	if err := r.DecodeBody(); err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	preview := f.Boolean("preview").Or(false)
	if err := f.Err(); err != nil {
		return err
	}
	out, err := s.ledger.Entries.RunRules(r.Context(), r.Who(), only, preview)
	if err != nil {
		return err
	}
	writeRuleOutcome(a.Json, &out, preview)
	return nil
}

// listRuleRuns answers GET /rule_runs, newest first.
func (s *rules) listRuleRuns(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), entry.RuleRunFilter{RuleID: q.Id("rule_id"), Status: q.Text("status"),
		From: q.Instant("start_executed_at"), To: q.Instant("end_executed_at")}
	kind := q.Text("execution_type")
	if err := q.Err(); err != nil {
		return err
	}
	if kind != "" && kind != manualRun { // no other kind of run has been yet
		dataPage(a.Json, []entry.RuleRun{}, page, 0, func(*entry.RuleRun) {})
		return nil
	}
	list, total, err := s.ledger.Entries.ListRuleRuns(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	dataPage(a.Json, list, page, total, func(run *entry.RuleRun) { writeRuleRun(a.Json, "", run) })
	return nil
}

// manualRun is the execution type of a run that somebody asked for.
const manualRun = "manual"

func (s *rules) oneRuleRun(a *wire.Answer, _ *wire.Request, run *entry.RuleRun) error {
	a.Json.Open("")
	writeRuleRun(a.Json, "data", run)
	a.Json.Close()
	return nil
}

func (s *rules) oneRule(a *wire.Answer, _ *wire.Request, rule *rule.Rule) error {
	a.Json.Open("")
	writeRule(a.Json, "data", rule)
	a.Json.Close()
	return nil
}

// ruleFields gives the fields of a rule, which stand in the member rule or bare.
func ruleFields(r *wire.Request) (*wire.Fields, error) {
	if r.Holds("rule") || r.Tree.Shape != wire.Object {
		return r.Wrapped("rule")
	}
	return r.Fields()
}

// readRule reads the fields of a rule, new or changed.
func readRule(f *wire.Fields) rule.Input {
	in := rule.Input{Name: f.Text("name"), ResourceType: f.Text("resource_type"), Active: f.Boolean("active"),
		EffectiveDate: f.Date("effective_date"),
		Conditions:    ledger.Opt[[]rule.Condition]{Set: f.Has("conditions"), Null: f.IsNull("conditions")},
		Actions:       ledger.Opt[[]rule.Action]{Set: f.Has("actions")}}
	in.Conditions.Value = readConditions(f, "conditions", 0)
	for _, one := range f.Objects("actions") {
		in.Actions.Value = append(in.Actions.Value, rule.Action{Type: one.Text("action_type").Value,
			Value: one.Token("value").Value})
	}
	in.Problems = *f.Problems
	return in
}

// readConditions reads a list of conditions and those in it, one level deep; what is deeper is left to be refused.
func readConditions(f *wire.Fields, name string, depth int) []rule.Condition {
	var list []rule.Condition
	for _, one := range f.Objects(name) {
		c := rule.Condition{Type: one.Text("condition_type").Value, Operator: one.Text("operator").Value,
			Value: one.Token("value").Value}
		if depth == 0 {
			c.Conditions = readConditions(one, "sub_conditions", 1)
		}
		list = append(list, c)
	}
	return list
}

// writeRule writes a rule; its lists have the shape of bodies.
func writeRule(j *wire.Writer, name string, r *rule.Rule) {
	j.Open(name)
	j.Id("id", r.PublicID)
	j.TextOrNull("name", r.Name)
	j.Text("resource_type", r.ResourceType)
	j.Bool("active", r.Active == 1)
	if r.EffectiveDate == nil {
		j.Null("effective_date")
	} else {
		j.Date("effective_date", ledger.Date(*r.EffectiveDate))
	}
	writeRuleConditions(j, "conditions", r, "condition", r.Conditions)
	j.List("actions")
	for i, action := range r.Actions {
		j.Open("")
		j.Id("id", partID(r, fmt.Sprintf("action %d", i)))
		j.Text("action_type", action.Type)
		j.Text("value", action.Value)
		j.Stamp("created_at", r.CreatedAt)
		j.Stamp("updated_at", r.UpdatedAt)
		j.Close()
	}
	j.EndList()
	j.Stamp("created_at", r.CreatedAt)
	j.Stamp("updated_at", r.UpdatedAt)
	j.Close()
}

// partID is the id of a condition or an action, which is not stored: it is made of the rule's and the place, always
// the same.
func partID(r *rule.Rule, place string) uuid.UUID {
	return uuid.NewSHA1(uuid.UUID(r.PublicID), []byte(place))
}

// writeRuleConditions writes the conditions of a rule that stand at a place in it. They are as old as the rule.
func writeRuleConditions(j *wire.Writer, name string, r *rule.Rule, place string, list []rule.Condition) {
	j.List(name)
	for i, c := range list {
		at := fmt.Sprintf("%s %d", place, i)
		j.Open("")
		j.Id("id", partID(r, at))
		j.Text("condition_type", c.Type)
		j.Text("operator", c.Operator)
		if c.Value == "" {
			j.Null("value")
		} else {
			j.Text("value", c.Value)
		}
		writeRuleConditions(j, "sub_conditions", r, at, c.Conditions)
		j.Stamp("created_at", r.CreatedAt)
		j.Stamp("updated_at", r.UpdatedAt)
		j.Close()
	}
	j.EndList()
}

func writeRuleOutcome(j *wire.Writer, out *entry.RuleOutcome, preview bool) {
	j.Open("")
	j.Bool("preview", preview)
	j.Int("matched", out.Matched)
	j.Int("changed", out.Changed)
	j.IdOrNull("change_id", out.OperationID)
	if preview {
		j.List("changes")
		for _, c := range out.Changes {
			j.Open("")
			j.Id("transaction_id", c.ID)
			j.Text("field", c.Field)
			j.TextOrNull("before", c.Before)
			j.TextOrNull("after", c.After)
			j.Close()
		}
		j.EndList()
	}
	j.Close()
}

func writeRuleRun(j *wire.Writer, name string, run *entry.RuleRun) {
	j.Open(name)
	j.Id("id", run.PublicID)
	j.Id("rule_id", run.RuleLabel.ID)
	j.TextOrNull("rule_name", run.RuleLabel.Name)
	j.Text("status", run.Status)
	j.Text("execution_type", run.ExecutionType)
	j.Stamp("executed_at", run.ExecutedAt)
	j.Stamp("finished_at", run.FinishedAt)
	j.Int("matched", run.Matched)
	j.Int("changed", run.Changed)
	j.Int("transactions_queued", run.Matched)
	j.Int("transactions_processed", run.Matched)
	j.Int("transactions_modified", run.Changed)
	j.Int("pending_jobs_count", 0)
	j.TextOrNull("error", run.Error)
	j.TextOrNull("error_message", run.Error)
	j.Open("rule")
	j.Id("id", run.RuleLabel.ID)
	j.TextOrNull("name", run.RuleLabel.Name)
	j.Text("resource_type", run.ResourceType)
	j.Bool("active", run.Active)
	j.Close()
	j.Stamp("created_at", run.ExecutedAt)
	j.Stamp("updated_at", run.FinishedAt)
	j.Close()
}
