package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// RestoreCategory takes back what a change did to a category: one that was created goes unless something has it by now,
// one that was deleted comes back with its id, and of one that was changed what was changed is what it was. What had it
// has it again by its own change in the history, and where that has been given another category since it is a conflict,
// as for every change of transactions; so is another category that has its name by now. A sub-category is always
// classified and coloured as its parent is.
func (s *Labels) RestoreCategory(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		was, err := ledger.ReadDeleted[queries.Category](change, "the category")
		if err != nil {
			return err
		}
		was, err = underParent(ctx, tx, was)
		if err != nil {
			return err
		}
		was.UpdatedAt = max(tx.Stamp(), was.UpdatedAt+1)
		_, err = tx.InsertCategory(ctx, queries.InsertCategoryParams{ID: &was.ID, PublicID: was.PublicID,
			HouseholdID: tx.HouseholdID, ParentID: was.ParentID, Name: was.Name, NameKey: was.NameKey,
			Classification: was.Classification, Color: was.Color, Icon: was.Icon, CreatedAt: was.CreatedAt,
			UpdatedAt: was.UpdatedAt})
		if err != nil {
			return nameTakenSince(err, "category", was.Name)
		}
		return tx.Record(ctx, ledger.EntityCategory, was.PublicID, nil, was)
	}
	now, err := GetCategory(ctx, tx, change.EntityID)
	if err != nil {
		return goneSince(err, "category", change)
	}
	if change.Action == ledger.ActionCreate {
		if now.Subcategories > 0 {
			return ledger.ChangedSince(labelInWords("category", now.Name), "it has sub-categories")
		}
		if err := unused(ctx, tx, change, "category", now.Name, now.ID); err != nil {
			return err
		}
		return removeCategory(ctx, tx, now)
	}
	aside := []string{"NameKey"}
	if now.ParentID != nil {
		aside = append(aside, "Classification", "Color")
	}
	then, err := ledger.WithoutChange(now.Category, change, labelInWords("category", now.Name), aside...)
	if err != nil {
		return err
	}
	if then.ParentID != nil && now.Subcategories > 0 {
		return ledger.ChangedSince(labelInWords("category", now.Name), "it has sub-categories")
	}
	then.NameKey = ledger.Fold(then.Name)
	if now.ParentID != nil && then.ParentID == nil { // what it had of its own, before it came below another
		var was queries.Category
		if err := json.Unmarshal([]byte(*change.Before), &was); err != nil {
			return err
		}
		then.Classification, then.Color = was.Classification, was.Color
	}
	then, err = underParent(ctx, tx, then)
	if err != nil {
		return err
	}
	if err := StoreCategory(ctx, tx, now.Category, then); err != nil {
		return nameTakenSince(err, "category", then.Name)
	}
	return PassDown(ctx, tx, then)
}

// underParent gives a category that has a parent what it has from it.
func underParent(ctx context.Context, tx *ledger.Tx, c queries.Category) (queries.Category, error) {
	if c.ParentID == nil {
		return c, nil
	}
	parent, err := tx.GetCategoryByKey(ctx, queries.GetCategoryByKeyParams{ID: *c.ParentID, HouseholdID: tx.HouseholdID})
	if ledger.IsKind(ledger.Missing(err, "Category"), ledger.NotFound) {
		return c, ledger.ChangedSince("the parent of "+labelInWords("category", c.Name), "it is gone")
	}
	if err != nil {
		return c, err
	}
	if parent.ParentID != nil {
		return c, ledger.ChangedSince("the parent of "+labelInWords("category", c.Name), "it has a parent itself")
	}
	c.Classification, c.Color = parent.Classification, parent.Color
	return c, nil
}

// RestoreTag does for a tag what [Labels.RestoreCategory] does for a category.
func (s *Labels) RestoreTag(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		was, err := ledger.ReadDeleted[queries.Tag](change, "the tag")
		if err != nil {
			return err
		}
		was.UpdatedAt = max(tx.Stamp(), was.UpdatedAt+1)
		_, err = tx.InsertTag(ctx, queries.InsertTagParams{ID: &was.ID, PublicID: was.PublicID, HouseholdID: tx.HouseholdID,
			Name: was.Name, NameKey: was.NameKey, Color: was.Color, CreatedAt: was.CreatedAt, UpdatedAt: was.UpdatedAt})
		if err != nil {
			return nameTakenSince(err, "tag", was.Name)
		}
		return tx.Record(ctx, ledger.EntityTag, was.PublicID, nil, was)
	}
	now, err := getTag(ctx, tx, uuid.UUID(change.EntityID))
	if err != nil {
		return goneSince(err, "tag", change)
	}
	if change.Action == ledger.ActionCreate {
		if err := unused(ctx, tx, change, "tag", now.Name, now.ID); err != nil {
			return err
		}
		return removeTag(ctx, tx, now)
	}
	then, err := ledger.WithoutChange(now, change, labelInWords("tag", now.Name), "NameKey")
	if err != nil {
		return err
	}
	then.NameKey = ledger.Fold(then.Name)
	return nameTakenSince(storeTag(ctx, tx, now, &then), "tag", then.Name)
}

// RestoreMerchant does for a merchant what [Labels.RestoreCategory] does for a category.
func (s *Labels) RestoreMerchant(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		was, err := ledger.ReadDeleted[queries.Merchant](change, "the merchant")
		if err != nil {
			return err
		}
		was.UpdatedAt = max(tx.Stamp(), was.UpdatedAt+1)
		_, err = tx.InsertMerchant(ctx, queries.InsertMerchantParams{ID: &was.ID, PublicID: was.PublicID,
			HouseholdID: tx.HouseholdID, Name: was.Name, NameKey: was.NameKey, Color: was.Color, WebsiteUrl: was.WebsiteUrl,
			CreatedAt: was.CreatedAt, UpdatedAt: was.UpdatedAt})
		if err != nil {
			return nameTakenSince(err, "merchant", was.Name)
		}
		return tx.Record(ctx, ledger.EntityMerchant, was.PublicID, nil, was)
	}
	now, err := getMerchant(ctx, tx, uuid.UUID(change.EntityID))
	if err != nil {
		return goneSince(err, "merchant", change)
	}
	if change.Action == ledger.ActionCreate {
		if err := unused(ctx, tx, change, "merchant", now.Name, now.ID); err != nil {
			return err
		}
		return removeMerchant(ctx, tx, now)
	}
	then, err := ledger.WithoutChange(now, change, labelInWords("merchant", now.Name), "NameKey")
	if err != nil {
		return err
	}
	then.NameKey = ledger.Fold(then.Name)
	return nameTakenSince(storeMerchant(ctx, tx, now, &then), "merchant", then.Name)
}

// unused is a conflict unless a label is as its creation left it and nothing has it.
func unused(ctx context.Context, tx *ledger.Tx, change ledger.Change, kind, name string, key int64) error {
	what := labelInWords(kind, name)
	changed, err := ledger.ChangedLater(ctx, tx, change)
	if err != nil {
		return err
	}
	if changed {
		return ledger.ChangedSince(what, "it was changed")
	}
	transactions, err := entry.Replacement{Of: change.Entity, From: key}.Holders(ctx, tx)
	if err != nil {
		return err
	}
	if len(transactions) > 0 {
		return ledger.ChangedSince(what, fmt.Sprintf("transactions have it (%d)", len(transactions)))
	}
	if change.Entity == ledger.EntityCategory {
		trades, err := trade.OfCategory(ctx, tx, key)
		if err != nil {
			return err
		}
		if len(trades) > 0 {
			return ledger.ChangedSince(what, fmt.Sprintf("trades have it (%d)", len(trades)))
		}
	}
	rules, err := tx.ListAllRules(ctx, tx.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range rules {
		// One that spoke of it before it came back has spoken of nothing meanwhile, and will again.
		if id := uuid.UUID(change.EntityID).String(); r.UpdatedAt > change.At && strings.Contains(r.Conditions+r.Actions, id) {
			return ledger.ChangedSince(what, "the rule "+ledger.Quote(ledger.OrBlank(r.Name))+" speaks of it")
		}
	}
	return nil
}

func labelInWords(kind, name string) string { return "the " + kind + " " + ledger.Quote(name) }

// goneSince says that a label is no longer there; other errors pass.
func goneSince(err error, kind string, change ledger.Change) error {
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the "+kind+" "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	return err
}

// nameTakenSince says that a label cannot have its name again; other errors pass.
func nameTakenSince(err error, kind, name string) error {
	if db.IsTaken(err) || ledger.IsKind(err, ledger.Invalid) {
		return ledger.ChangedSince(labelInWords(kind, name), "another one has its name")
	}
	return err
}
