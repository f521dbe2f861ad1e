package apply

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"finsvc/db"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/intake"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// Restored is what has been made of a backup so far. Keys are by the ids of the file.
type Restored struct {
	Categories      map[string]*queries.Category
	tags, merchants map[string]int64
	claimed         map[int64]bool  // accounts that one of the file's is
	Signs           map[int64]int64 // of accounts: what turns an amount in the written sign into the ledger's
	Disabled        map[int64]bool  // accounts whose holdings nobody is shown
	openings        []*record.RestoredAccount
	valuations      []record.Record
	Changes         []string
}

func newRestored() Restored {
	return Restored{Categories: map[string]*queries.Category{}, tags: map[string]int64{}, merchants: map[string]int64{},
		claimed: map[int64]bool{}, Signs: map[int64]int64{}, Disabled: map[int64]bool{}}
}

func (a *Applier) report(row record.Record, format string, args ...any) {
	a.Restored.Changes = append(a.Restored.Changes, fmt.Sprintf("line %d: ", row.Line)+fmt.Sprintf(format, args...))
}

// restoreAccount takes an account of the household that has the name, the type and the currency, or opens one. Where
// others have the name, it gets one of its own: files that name accounts could not tell them apart.
func (a *Applier) restoreAccount(ctx context.Context, q *queries.Queries, row record.Record,
	body *record.RestoredAccount) ([]ledger.Created, error) {
	named, err := catalog.FindAccountByName(ctx, a.ledger.Tx(q, a.who), row.Name)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(named, func(other queries.Account) bool { return a.Restored.claimed[other.ID] })
	for _, other := range others {
		if other.AccountType == row.AccountType && other.Currency == row.Currency.Code {
			a.claim(body, other.ID)
			return nil, nil
		}
	}
	account := body.BackupAccount
	if len(others) > 0 {
		account.Input.Name, err = a.freeName(ctx, q, row)
		if err != nil {
			return nil, err
		}
	}
	key, created, err := intake.RestoreAccount(ctx, a.ledger.Tx(q, a.who), account)
	a.claim(body, key)
	if body.Target != nil {
		a.Restored.openings = append(a.Restored.openings, body)
	}
	return created, err
}

// claim notes which account the file's is.
func (a *Applier) claim(body *record.RestoredAccount, key int64) {
	a.names.Refs[body.ID], a.Restored.claimed[key], a.Restored.Signs[key], a.Restored.Disabled[key] = key, true,
		body.Sign, body.Status == "disabled"
}

// freeName is the name with the first number behind it that no account has.
func (a *Applier) freeName(ctx context.Context, q *queries.Queries, row record.Record) (ledger.Opt[string], error) {
	for n := 2; ; n++ {
		end := fmt.Sprintf(" (%d)", n)
		name := string([]rune(row.Name)[:min(len([]rune(row.Name)), ledger.MaxName-len(end))]) + end
		named, err := catalog.FindAccountByName(ctx, a.ledger.Tx(q, a.who), name)
		if err != nil {
			return ledger.Opt[string]{}, err
		}
		if len(named) == 0 {
			a.report(row, "account %s is named %s now: an account of another type or currency has its name",
				ledger.Quote(row.Name), ledger.Quote(name))
			return ledger.Some(name), nil
		}
	}
}

// restoreTransfer joins, or says of two transactions that they are no transfer. A dry run has no transactions.
func (a *Applier) restoreTransfer(ctx context.Context, q *queries.Queries, row record.Record,
	body *record.Transfer) error {
	if a.Target.ImportID == 0 {
		return nil
	}
	inflow, err := ImportSide(ctx, a.ledger.Tx(q, a.who), a.Target.ImportID, body.Inflow)
	if err != nil {
		return err
	}
	outflow, err := ImportSide(ctx, a.ledger.Tx(q, a.who), a.Target.ImportID, body.Outflow)
	if err != nil {
		return err
	}
	done := true
	if body.Rejected {
		done, err = intake.RestoreRejection(ctx, a.ledger.Tx(q, a.who), inflow, outflow)
	} else if inflow.TransferID == nil || outflow.TransferID == nil || *inflow.TransferID != *outflow.TransferID {
		done, err = intake.RestoreTransfer(ctx, a.ledger.Tx(q, a.who), inflow, outflow, body.BackupTransfer)
	}
	if err == nil && !done {
		a.report(row, "the two transactions of the transfer are no movement between two accounts, or one of them is in another transfer: they were not linked")
	}
	return err
}

// ImportSide is the transaction that a row became, or was already; the zero value when there is none.
func ImportSide(ctx context.Context, tx *ledger.Tx, importID int64, number int32) (queries.Transaction, error) {
	row := int64(number)
	t, err := tx.GetImportSide(ctx, queries.GetImportSideParams{HouseholdID: tx.HouseholdID, ImportID: &importID,
		ImportRow: &row})
	if errors.Is(err, db.ErrNotFound) {
		return queries.Transaction{}, nil
	}
	return t, err
}

// settleOpenings makes opening balances that lead to a balance.
func (a *Applier) settleOpenings(ctx context.Context, q *queries.Queries) error {
	today, err := a.ledger.Tx(q, a.who).Today(ctx)
	if err != nil {
		return err
	}
	for _, account := range a.Restored.openings {
		day := account.Target.Day
		if account.Target.Current {
			day = max(day, today)
		}
		if err := intake.SettleOpening(ctx, a.ledger.Tx(q, a.who), a.names.Refs[account.ID], account.Target.Minor,
			account.Target.Cash, day); err != nil {
			return err
		}
	}
	return nil
}

// restoreValuation states a balance. The opening balance of an account that was opened is there already; one that was
// there before keeps its own.
func (a *Applier) restoreValuation(ctx context.Context, q *queries.Queries, row record.Record,
	body *record.Valuation) ([]ledger.Created, error) {
	if body.Opening {
		return nil, nil
	}
	created, kept, err := intake.RestoreValuation(ctx, a.ledger.Tx(q, a.who), a.names.Refs[row.AccountRef], row.Date,
		body.Sign*row.Minor, body.Notes)
	if kept {
		a.report(row, "the account has another valuation on %s, which was kept", row.Date)
	}
	return created, err
}

// restoreRule makes a rule that this program can run; others, and those that are there, are told of.
func (a *Applier) restoreRule(ctx context.Context, q *queries.Queries, row record.Record,
	body *record.RestoredRule) ([]ledger.Created, error) {
	r := &ruleRefs{a, q, row, nil}
	in := rule.Input{Name: record.Said(row.Name), Active: ledger.Some(body.Active)}
	if body.Effective != nil {
		in.EffectiveDate = ledger.Some(*body.Effective)
	}
	conditions, err := r.resolved(ctx, body.Conditions)
	if err != nil {
		return nil, err
	}
	actions, err := r.resolved(ctx, body.Actions)
	if err != nil {
		return nil, err
	}
	in.Conditions, in.Actions = ledger.Some(ruleConditions(conditions)), ledger.Some(ruleActions(actions))
	in, leftOut, reason := in.Portable()
	if reason != "" {
		a.report(row, "the rule was left out: %s", reason)
		return r.created, nil
	}
	for _, sentence := range leftOut {
		a.report(row, "%s", sentence)
	}
	if problems := in.Check(); len(problems) > 0 {
		a.report(row, "the rule was left out: %s %s", problems[0].Field, problems[0].Message)
		return r.created, nil
	}
	created, kept, err := a.ledger.Exports.RestoreRule(ctx, a.ledger.Tx(q, a.who), in)
	if e := ledger.AsError(err); e != nil && e.Kind == ledger.Invalid {
		a.report(row, "the rule was left out: %s", e.Message)
		return r.created, nil
	}
	if kept {
		a.report(row, "a rule of the name, or one that says the same, is there already and was kept")
	}
	return append(r.created, created...), err
}

// ruleConditions are conditions as they were decoded.
func ruleConditions(list []any) []rule.Condition {
	out := []rule.Condition{}
	for _, member := range list {
		node, _ := member.(map[string]any)
		c := rule.Condition{Type: ruleText(node["condition_type"]), Operator: ruleText(node["operator"]),
			Value: ruleText(node["value"])}
		if inner, _ := node["sub_conditions"].([]any); len(inner) > 0 {
			c.Conditions = ruleConditions(inner)
		}
		out = append(out, c)
	}
	return out
}

func ruleActions(list []any) []rule.Action {
	out := []rule.Action{}
	for _, member := range list {
		node, _ := member.(map[string]any)
		out = append(out, rule.Action{Type: ruleText(node["action_type"]), Value: ruleText(node["value"])})
	}
	return out
}

// ruleText is a value of a condition or an action: a text, a number, or a list of one of them.
func ruleText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		var texts []string
		for _, member := range v {
			texts = append(texts, ruleText(member))
		}
		return strings.Join(texts, ", ")
	}
	return ""
}

// ruleRefs turns what the values of a rule refer to into ids of the household.
type ruleRefs struct {
	*Applier
	q       *queries.Queries
	row     record.Record
	created []ledger.Created
}

func (r *ruleRefs) resolved(ctx context.Context, list []any) ([]any, error) {
	for _, node := range list {
		if err := r.resolve(ctx, node.(map[string]any)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// resolve works on a condition or an action, and on the conditions within it.
func (r *ruleRefs) resolve(ctx context.Context, node map[string]any) (err error) {
	ref, kind := node["value_ref"], kindOfValue(node)
	delete(node, "value_ref")
	switch value := node["value"].(type) {
	case string:
		if kind != "" && value != "" {
			node["value"], err = r.id(ctx, kind, value, nameIn(ref, 0))
		}
	case []any:
		for i := range value {
			if text, ok := value[i].(string); ok && kind != "" && err == nil {
				value[i], err = r.id(ctx, kind, text, nameIn(ref, i))
			}
		}
	}
	if inner, ok := node["sub_conditions"].([]any); ok {
		for _, member := range inner {
			if node, ok := member.(map[string]any); ok && err == nil {
				err = r.resolve(ctx, node)
			}
		}
	}
	return err
}

// kindOfValue is what the value of a condition or an action is the id of; blank when it is none.
func kindOfValue(node map[string]any) string {
	kind, ok := node["condition_type"].(string)
	if !ok {
		kind, _ = node["action_type"].(string)
	}
	for _, entity := range []string{record.EntityCategory, record.EntityMerchant, record.EntityTag,
		record.EntityAccount} {
		if strings.HasPrefix(kind, "transaction_"+entity) || strings.HasPrefix(kind, "set_transaction_"+entity) ||
			kind == "set_transaction_categories" && entity == record.EntityCategory {
			return entity
		}
	}
	if kind == "set_as_transfer_or_payment" {
		return record.EntityAccount
	}
	return ""
}

// nameIn is the name in a reference, or in one of a list of them.
func nameIn(ref any, at int) string {
	if list, ok := ref.([]any); ok && at < len(list) {
		ref = list[at]
	}
	object, _ := ref.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

// id is that of the thing of the file with the id, else of the one with the name, which is created where that can
// be done.
func (r *ruleRefs) id(ctx context.Context, kind, value, name string) (string, error) {
	key := map[string]map[string]int64{record.EntityMerchant: r.Restored.merchants, record.EntityTag: r.Restored.tags,
		record.EntityAccount: r.names.Refs}[kind][value]
	if c := r.Restored.Categories[value]; kind == record.EntityCategory && c != nil {
		key = c.ID
	}
	if _, isID := ledger.ParseID(value); name == "" && !isID {
		name = value
	}
	if key == 0 && text.OneLine(name) != "" {
		var err error
		key, err = r.named(ctx, kind, text.CutName(text.AsName(name)))
		if err != nil {
			return "", err
		}
	}
	if key == 0 {
		r.report(r.row, "the rule refers to the %s %s, which is not in the file", kind, ledger.Quote(cmp.Or(name, value)))
		return value, nil
	}
	id, err := r.ledger.Exports.LabelID(ctx, r.ledger.Tx(r.q, r.who), kind, key)
	return id.String(), err
}

func (r *ruleRefs) named(ctx context.Context, kind, name string) (key int64, err error) {
	var created []ledger.Created
	switch kind {
	case record.EntityCategory:
		key, created, err = catalog.FindOrCreateCategory(ctx, r.ledger.Tx(r.q, r.who), name, catalog.Expense)
	case record.EntityMerchant:
		key, created, err = catalog.FindOrCreateMerchant(ctx, r.ledger.Tx(r.q, r.who), name)
	case record.EntityTag:
		key, created, err = catalog.FindOrCreateTag(ctx, r.ledger.Tx(r.q, r.who), name)
	case record.EntityAccount:
		found, err := catalog.FindAccountByName(ctx, r.ledger.Tx(r.q, r.who), name)
		if err != nil || len(found) == 0 {
			return 0, err
		}
		return found[0].ID, nil
	}
	r.created = append(r.created, created...)
	return key, err
}
