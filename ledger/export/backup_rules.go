package export

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

func (b *backup) writeRules(ctx context.Context) error {
	rows, err := b.tx.ListBackupRules(ctx, b.tx.HouseholdID)
	for _, r := range rows {
		if err != nil {
			return err
		}
		record := backupRule{ID: idText(r.PublicID), Name: r.Name, ResourceType: r.ResourceType, Active: r.Active == 1,
			EffectiveDate: dateText(r.EffectiveDate), backupTimes: timesOf(r.CreatedAt, r.UpdatedAt)}
		record.Conditions, err = b.withNames(r.Conditions)
		if err != nil {
			return err
		}
		record.Actions, err = b.withNames(r.Actions)
		if err != nil {
			return err
		}
		err = b.writeRecord(backupRecord{"Rule", 1, record})
	}
	return err
}

// withNames puts beside each value that is the id of something what it is the id of. Members come out sorted, so
// that the same rule always gives the same text.
func (b *backup) withNames(text string) (json.RawMessage, error) {
	var tree any
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	b.addNames(tree)
	return json.Marshal(tree)
}

func (b *backup) addNames(tree any) {
	switch node := tree.(type) {
	case []any:
		for _, member := range node {
			b.addNames(member)
		}
	case map[string]any:
		for _, member := range node {
			b.addNames(member)
		}
		if ref := b.valueRef(node["value"]); ref != nil {
			node["value_ref"] = ref
		}
	}
}

// valueRef is what a value of a condition or an action is the id of; of a list a list; nil when it is no id.
func (b *backup) valueRef(value any) any {
	switch v := value.(type) {
	case []any:
		var refs []any
		for _, member := range v {
			if ref := b.valueRef(member); ref != nil {
				refs = append(refs, ref)
			}
		}
		if refs == nil {
			return nil
		}
		return refs
	case string:
		if kind, name, found := b.named(v); found {
			return map[string]any{"type": kind, "id": v, "name": name}
		}
	}
	return nil
}

func (b *backup) named(text string) (kind, name string, found bool) {
	id, isID := ledger.ParseID(text)
	if !isID {
		return "", "", false
	}
	if key, known := b.tx.Refs.Categories.Keys[id]; known {
		return "Category", b.tx.Refs.Categories.ByKey[key].Name, true
	}
	if key, known := b.tx.Refs.Merchants.Keys[id]; known {
		return "Merchant", b.tx.Refs.Merchants.ByKey[key].Name, true
	}
	if key, known := b.tx.Refs.Tags.Keys[id]; known {
		return "Tag", b.tx.Refs.Tags.ByKey[key].Name, true
	}
	if key, known := b.tx.Refs.Accounts.Keys[id]; known {
		return "Account", b.tx.Refs.Accounts.ByKey[key].Name, true
	}
	return "", "", false
}

// RestoreRule makes a rule that a backup has; values are ids of this household. A rule of the same name, or without
// one that says the same, stays as it is, and kept is true.
func (s *Service) RestoreRule(ctx context.Context, tx *ledger.Tx, in rule.Input) (created []ledger.Created, kept bool,
	err error) {
	kept, err = hasRule(ctx, tx, in)
	if err != nil || kept {
		return nil, kept, err
	}
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return nil, false, err
	}
	r, err := rule.CreateRuleTx(ctx, tx.With(refs), in)
	return []ledger.Created{{Entity: string(ledger.EntityRule), ID: r.PublicID}}, false, err
}

func hasRule(ctx context.Context, tx *ledger.Tx, in rule.Input) (bool, error) {
	conditions, err := json.Marshal(in.Conditions.Value)
	if err != nil {
		return false, err
	}
	actions, err := json.Marshal(in.Actions.Value)
	if err != nil {
		return false, err
	}
	rules, err := tx.ListBackupRules(ctx, tx.HouseholdID)
	return slices.ContainsFunc(rules, func(r queries.Rule) bool {
		if r.Name != nil && in.Name.Has() {
			return ledger.Fold(*r.Name) == ledger.Fold(in.Name.Value)
		}
		return r.Name == nil && !in.Name.Has() && r.Conditions == string(conditions) && r.Actions == string(actions)
	}), err
}

// LabelID is the id that clients know of an account, category, merchant or tag, by its key; kind is one of these words.
func (s *Service) LabelID(ctx context.Context, tx *ledger.Tx, kind string, key int64) (uuid.UUID, error) {
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return uuid.Nil, err
	}
	switch ledger.Entity(kind) {
	case ledger.EntityAccount:
		return refs.Accounts.ByKey[key].ID, nil
	case ledger.EntityCategory:
		return refs.Categories.ByKey[key].ID, nil
	case ledger.EntityMerchant:
		return refs.Merchants.ByKey[key].ID, nil
	}
	return refs.Tags.ByKey[key].ID, nil
}
