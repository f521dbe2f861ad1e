package intake

import (
	"context"
	"encoding/json"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// PlaceRule makes a rule from a file, in which values may be names: missing categories, merchants and tags are
// created, accounts must be there. A rule of the same name is replaced; one without a name is always new. It gives
// what was created, and the rule unless it is as it was.
func PlaceRule(ctx context.Context, tx *ledger.Tx, in rule.Input) ([]ledger.Created, error) {
	in = in.Clone()
	created, err := resolveRule(ctx, tx, &in)
	if err != nil {
		return nil, err
	}
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return nil, err
	}
	id, changed, err := putRule(ctx, tx.With(refs), in)
	if err == nil && changed {
		created = append(created, ledger.Created{Entity: string(ledger.EntityRule), ID: id})
	}
	return created, err
}

func putRule(ctx context.Context, tx *ledger.Tx, in rule.Input) (id queries.PublicID, changed bool, err error) {
	var found *rule.Rule
	if in.Name.Has() {
		found, err = rule.NamedRule(ctx, tx, in.Name.Value)
		if err != nil {
			return id, false, err
		}
	}
	if found == nil {
		r, err := rule.CreateRuleTx(ctx, tx, in)
		return r.PublicID, true, err
	}
	r, err := rule.ChangeRule(ctx, tx, *found, in)
	return r.PublicID, r.UpdatedAt != found.UpdatedAt, err
}

// resolveRule puts ids in the place of names.
func resolveRule(ctx context.Context, tx *ledger.Tx, in *rule.Input) (created []ledger.Created, err error) {
	in.EachValue(func(field, kind string, value *string) {
		noun := rule.RuleNoun(kind)
		if _, isID := ledger.ParseID(*value); err != nil || noun == "" || *value == "" || isID {
			return
		}
		var more []ledger.Created
		*value, more, err = ruleTarget(ctx, tx, noun, field, *value)
		if err == nil {
			created = append(created, more...)
		}
	})
	return created, err
}

// ruleTarget gives the id of what a file names.
func ruleTarget(ctx context.Context, tx *ledger.Tx, noun, field, name string) (id string, created []ledger.Created,
	err error) {
	var key int64
	switch noun {
	case "account":
		found, err := catalog.FindAccountByName(ctx, tx, name)
		if err == nil && len(found) != 1 {
			err = ledger.NewInvalid(field, "must be the name of one of the household's accounts, and %d are named %s",
				len(found), ledger.Quote(name))
		}
		if err != nil {
			return "", nil, err
		}
		key = found[0].ID
	case "category":
		key, created, err = catalog.FindOrCreateCategory(ctx, tx, name, "expense")
	case "merchant":
		key, created, err = catalog.FindOrCreateMerchant(ctx, tx, name)
	case "tag":
		key, created, err = catalog.FindOrCreateTag(ctx, tx, name)
	}
	if err != nil {
		return "", nil, err
	}
	refs, err := tx.RefsNow(ctx)
	return refs.RuleTargetID(noun, key), created, err
}

// RevertRules takes back the rules that an import has made, and gives those that it has replaced their old
// content. A rule that was changed since stays as it is.
func RevertRules(ctx context.Context, tx *ledger.Tx, importID int64) error {
	rows, err := tx.ListImportRules(ctx, queries.ListImportRulesParams{ImportID: importID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := revertRule(ctx, tx, importID, row); err != nil {
			return err
		}
	}
	return nil
}

func revertRule(ctx context.Context, tx *ledger.Tx, importID int64, row queries.ListImportRulesRow) error {
	var before, after queries.Rule
	for text, rule := range map[*string]*queries.Rule{row.Before: &before, row.After: &after} {
		if text == nil {
			continue
		}
		if err := json.Unmarshal([]byte(*text), rule); err != nil {
			return err
		}
	}
	if !rule.SameRule(row.Rule, after) {
		return nil
	}
	if err := restoreRule(ctx, tx, row.Rule, before); err != nil {
		return err
	}
	return tx.ForgetImportRule(ctx, queries.ForgetImportRuleParams{ImportID: importID, EntityID: row.Rule.PublicID,
		HouseholdID: tx.HouseholdID})
}

// restoreRule makes a rule what it was before; one that was not there goes.
func restoreRule(ctx context.Context, tx *ledger.Tx, now, before queries.Rule) error {
	if before.ID != 0 {
		before.UpdatedAt = max(tx.Stamp(), now.UpdatedAt+1)
		return rule.StoreRule(ctx, tx, now, before)
	}
	if err := tx.DeleteRule(ctx, queries.DeleteRuleParams{ID: now.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityRule, now.PublicID, now, nil)
}
