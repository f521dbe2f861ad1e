package handlers

import (
	"fmt"

	"github.com/google/uuid"

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
func (s *rules) listRules(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), rule.Filter{ResourceType: q.text("resource_type"), Active: q.flag("active")}
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Rules.ListRules(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	dataPage(a.json, list, page, total, func(rule *rule.Rule) { writeRule(a.json, "", rule) })
	return nil
}

// dataPage writes the answer of a list that calls its rows data and has a meta object.
func dataPage[T any](j *jsonWriter, list []T, p ledger.Page, total int64, write func(*T)) {
	j.open("")
	j.list("data")
	for i := range list {
		write(&list[i])
	}
	j.endList()
	j.pageMeta(p, total)
	j.close()
}

// createRule answers POST /rules.
func (s *rules) createRule(a *answer, r *request) error {
	f, err := r.ruleFields()
	if err != nil {
		return err
	}
	rule, err := s.ledger.Rules.CreateRule(r.Context(), r.who(), f.rule())
	if err != nil {
		return err
	}
	a.created()
	return s.oneRule(a, r, &rule)
}

// updateRule answers PATCH /rules/{id}.
func (s *rules) updateRule(a *answer, r *request) error {
	id, err := r.pathID("id", "Rule")
	if err != nil {
		return err
	}
	f, err := r.ruleFields()
	if err != nil {
		return err
	}
	rule, err := s.ledger.Rules.UpdateRule(r.Context(), r.who(), id, f.rule())
	if err != nil {
		return err
	}
	return s.oneRule(a, r, &rule)
}

// runRule answers POST /rules/{id}/run.
func (s *rules) runRule(a *answer, r *request) error {
	id, err := r.pathID("id", "Rule")
	if err != nil {
		return err
	}
	return s.applyRules(a, r, ledger.Some(id))
}

// runRules answers POST /rules/run.
func (s *rules) runRules(a *answer, r *request) error {
	return s.applyRules(a, r, ledger.Opt[uuid.UUID]{})
}

// applyRules reads the body itself so that an Idempotency-Key does not make one write of the run, which takes many short
// ones.
func (s *rules) applyRules(a *answer, r *request, only ledger.Opt[uuid.UUID]) error {
	if err := r.decodeBody(); err != nil {
		return err
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	preview := f.boolean("preview").Or(false)
	if err := f.err(); err != nil {
		return err
	}
	out, err := s.ledger.Entries.RunRules(r.Context(), r.who(), only, preview)
	if err != nil {
		return err
	}
	writeRuleOutcome(a.json, &out, preview)
	return nil
}

// listRuleRuns answers GET /rule_runs, newest first.
func (s *rules) listRuleRuns(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), entry.RuleRunFilter{RuleID: q.id("rule_id"), Status: q.text("status"),
		From: q.instant("start_executed_at"), To: q.instant("end_executed_at")}
	kind := q.text("execution_type")
	if err := q.err(); err != nil {
		return err
	}
	if kind != "" && kind != manualRun { // no other kind of run has been yet
		dataPage(a.json, []entry.RuleRun{}, page, 0, func(*entry.RuleRun) {})
		return nil
	}
	list, total, err := s.ledger.Entries.ListRuleRuns(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	dataPage(a.json, list, page, total, func(run *entry.RuleRun) { writeRuleRun(a.json, "", run) })
	return nil
}

// manualRun is the execution type of a run that somebody asked for.
const manualRun = "manual"

func (s *rules) oneRuleRun(a *answer, _ *request, run *entry.RuleRun) error {
	a.json.open("")
	writeRuleRun(a.json, "data", run)
	a.json.close()
	return nil
}

func (s *rules) oneRule(a *answer, _ *request, rule *rule.Rule) error {
	a.json.open("")
	writeRule(a.json, "data", rule)
	a.json.close()
	return nil
}

// ruleFields gives the fields of a rule, which stand in the member rule or bare.
func (r *request) ruleFields() (*fields, error) {
	if r.holds("rule") || r.tree.shape != isObject {
		return r.wrapped("rule")
	}
	return r.fields()
}

// rule reads the fields of a rule, new or changed.
func (f *fields) rule() rule.Input {
	in := rule.Input{Name: f.text("name"), ResourceType: f.text("resource_type"), Active: f.boolean("active"), EffectiveDate: f.date("effective_date"),
		Conditions: ledger.Opt[[]rule.Condition]{Set: f.has("conditions"), Null: f.isNull("conditions")},
		Actions:    ledger.Opt[[]rule.Action]{Set: f.has("actions")}}
	in.Conditions.Value = f.ruleConditions("conditions", 0)
	for _, one := range f.objects("actions") {
		in.Actions.Value = append(in.Actions.Value, rule.Action{Type: one.text("action_type").Value, Value: one.token("value").Value})
	}
	in.Problems = *f.problems
	return in
}

// ruleConditions reads a list of conditions and those in it, one level deep; what is deeper is left to be refused.
func (f *fields) ruleConditions(name string, depth int) []rule.Condition {
	var list []rule.Condition
	for _, one := range f.objects(name) {
		c := rule.Condition{Type: one.text("condition_type").Value, Operator: one.text("operator").Value, Value: one.token("value").Value}
		if depth == 0 {
			c.Conditions = one.ruleConditions("sub_conditions", 1)
		}
		list = append(list, c)
	}
	return list
}

// writeRule writes a rule; its lists have the shape of bodies.
func writeRule(j *jsonWriter, name string, r *rule.Rule) {
	j.open(name)
	j.id("id", r.PublicID)
	j.textOrNull("name", r.Name)
	j.text("resource_type", r.ResourceType)
	j.bool("active", r.Active == 1)
	if r.EffectiveDate == nil {
		j.null("effective_date")
	} else {
		j.date("effective_date", ledger.Date(*r.EffectiveDate))
	}
	writeRuleConditions(j, "conditions", r, "condition", r.Conditions)
	j.list("actions")
	for i, action := range r.Actions {
		j.open("")
		j.id("id", partID(r, fmt.Sprintf("action %d", i)))
		j.text("action_type", action.Type)
		j.text("value", action.Value)
		j.stamp("created_at", r.CreatedAt)
		j.stamp("updated_at", r.UpdatedAt)
		j.close()
	}
	j.endList()
	j.stamp("created_at", r.CreatedAt)
	j.stamp("updated_at", r.UpdatedAt)
	j.close()
}

// partID is the id of a condition or an action, which is not stored: it is made of the rule's and the place, always the same.
func partID(r *rule.Rule, place string) uuid.UUID {
	return uuid.NewSHA1(uuid.UUID(r.PublicID), []byte(place))
}

// writeRuleConditions writes the conditions of a rule that stand at a place in it. They are as old as the rule.
func writeRuleConditions(j *jsonWriter, name string, r *rule.Rule, place string, list []rule.Condition) {
	j.list(name)
	for i, c := range list {
		at := fmt.Sprintf("%s %d", place, i)
		j.open("")
		j.id("id", partID(r, at))
		j.text("condition_type", c.Type)
		j.text("operator", c.Operator)
		if c.Value == "" {
			j.null("value")
		} else {
			j.text("value", c.Value)
		}
		writeRuleConditions(j, "sub_conditions", r, at, c.Conditions)
		j.stamp("created_at", r.CreatedAt)
		j.stamp("updated_at", r.UpdatedAt)
		j.close()
	}
	j.endList()
}

func writeRuleOutcome(j *jsonWriter, out *entry.RuleOutcome, preview bool) {
	j.open("")
	j.bool("preview", preview)
	j.int("matched", out.Matched)
	j.int("changed", out.Changed)
	if preview {
		j.list("changes")
		for _, c := range out.Changes {
			j.open("")
			j.id("transaction_id", c.TransactionID)
			j.text("field", c.Field.String())
			j.textOrNull("before", c.Before)
			j.textOrNull("after", c.After)
			j.close()
		}
		j.endList()
	}
	j.close()
}

func writeRuleRun(j *jsonWriter, name string, run *entry.RuleRun) {
	j.open(name)
	j.id("id", run.PublicID)
	j.id("rule_id", run.RuleLabel.ID)
	j.textOrNull("rule_name", run.RuleLabel.Name)
	j.text("status", run.Status)
	j.text("execution_type", run.ExecutionType)
	j.stamp("executed_at", run.ExecutedAt)
	j.stamp("finished_at", run.FinishedAt)
	j.int("matched", run.Matched)
	j.int("changed", run.Changed)
	j.int("transactions_queued", run.Matched)
	j.int("transactions_processed", run.Matched)
	j.int("transactions_modified", run.Changed)
	j.int("pending_jobs_count", 0)
	j.textOrNull("error", run.Error)
	j.textOrNull("error_message", run.Error)
	j.open("rule")
	j.id("id", run.RuleLabel.ID)
	j.textOrNull("name", run.RuleLabel.Name)
	j.text("resource_type", run.ResourceType)
	j.bool("active", run.Active)
	j.close()
	j.stamp("created_at", run.ExecutedAt)
	j.stamp("updated_at", run.FinishedAt)
	j.close()
}

// writeAppliedRules writes which rules have given a transaction its fields.
func writeAppliedRules(j *jsonWriter, list []entry.AppliedRule) {
	j.list("applied_rules")
	for _, rule := range list {
		j.open("")
		j.id("rule_id", rule.ID)
		j.textOrNull("name", rule.Name)
		j.text("field", rule.Field.String())
		j.textOrNull("before", rule.Before)
		j.close()
	}
	j.endList()
}
