package catalog

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// TagInput is what a client says about a tag, new or changed. A colour that is absent from a new tag, or
// null, is chosen for it. Problems are what decoding found.
type TagInput struct {
	Name, Color ledger.Opt[string]
	Problems    ledger.Problems
}

// fill applies what is given to a tag, new or present, and checks it.
func (in *TagInput) fill(t queries.Tag) (queries.Tag, error) {
	if (in.Name.Set || t.ID == 0) && !in.Problems.Has("name") {
		t.Name = in.Problems.CheckName("name", in.Name.Or(""))
		t.NameKey = ledger.Fold(t.Name)
	}
	switch {
	case in.Color.Has():
		t.Color = in.Problems.CheckColor("color", in.Color.Value)
	case in.Color.Set || t.ID == 0:
		t.Color = ledger.PickColor(t.Name)
	}
	return t, in.Problems.Err()
}

// Check finds what is wrong with a new tag by itself.
func (in TagInput) Check() ledger.Problems {
	_, _ = in.fill(queries.Tag{}) // it is the problems that are wanted
	return in.Problems
}

// ListTags gives all tags of the household by name.
func (s *Labels) ListTags(ctx context.Context, who ledger.Actor) (list []queries.Tag, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		list, err = tx.ListTags(ctx, tx.HouseholdID)
		return err
	})
	return list, err
}

// GetTag gives one tag.
func (s *Labels) GetTag(ctx context.Context, who ledger.Actor, id uuid.UUID) (t queries.Tag, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err = getTag(ctx, tx, id)
		return err
	})
	return t, err
}

func getTag(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Tag, error) {
	t, err := tx.GetTag(ctx, queries.GetTagParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
	return t, ledger.Missing(err, "Tag")
}

// CreateTag makes a tag; its name must be new to the household, whatever its case.
func (s *Labels) CreateTag(ctx context.Context, who ledger.Actor, in TagInput) (t queries.Tag, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, err = CreateTagTx(ctx, tx, in)
		return err
	})
	return t, err
}

func CreateTagTx(ctx context.Context, tx *ledger.Tx, in TagInput) (queries.Tag, error) {
	t, err := in.fill(queries.Tag{HouseholdID: tx.HouseholdID})
	if err != nil {
		return t, err
	}
	t.PublicID, err = ledger.NewID()
	if err != nil {
		return t, err
	}
	t.CreatedAt = tx.Stamp()
	t.UpdatedAt = t.CreatedAt
	t.ID, err = tx.InsertTag(ctx, queries.InsertTagParams{PublicID: t.PublicID, HouseholdID: t.HouseholdID,
		Name: t.Name, NameKey: t.NameKey,
		Color: t.Color, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt})
	if err != nil {
		return t, nameTaken(err, "tag", t.Name)
	}
	return t, tx.Record(ctx, ledger.EntityTag, t.PublicID, nil, t)
}

// nameTaken explains that another thing of the household has the name.
func nameTaken(err error, what, name string) error {
	return ledger.Taken(err, "name", "is taken: another %s is named %s", what, ledger.Quote(name))
}

// UpdateTag changes what is given and leaves the rest.
func (s *Labels) UpdateTag(ctx context.Context, who ledger.Actor, id uuid.UUID, in TagInput) (t queries.Tag,
	err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := getTag(ctx, tx, id)
		if err != nil {
			return err
		}
		t, err = in.fill(before)
		if err != nil || t == before {
			return err
		}
		return storeTag(ctx, tx, before, &t)
	})
	return t, err
}

// storeTag writes a changed tag.
func storeTag(ctx context.Context, tx *ledger.Tx, before queries.Tag, after *queries.Tag) error {
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	err := tx.UpdateTag(ctx, queries.UpdateTagParams{Name: after.Name, NameKey: after.NameKey, Color: after.Color,
		UpdatedAt: after.UpdatedAt, ID: after.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return nameTaken(err, "tag", after.Name)
	}
	return tx.Record(ctx, ledger.EntityTag, after.PublicID, before, *after)
}

// DeleteTag removes a tag and takes it off every transaction.
func (s *Labels) DeleteTag(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	var t queries.Tag
	find := func(ctx context.Context, tx *ledger.Tx) (err error) {
		t, err = getTag(ctx, tx, id)
		return err
	}
	if err := s.ReadTx(ctx, who, find); err != nil {
		return err
	}
	return s.replace(ctx, who, entry.Replacement{Of: ledger.EntityTag, From: t.ID}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		return removeTag(ctx, tx, t)
	})
}

func removeTag(ctx context.Context, tx *ledger.Tx, t queries.Tag) error {
	if err := tx.DeleteTag(ctx, queries.DeleteTagParams{ID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityTag, t.PublicID, t, nil)
}

// FindOrCreateTag gives the key of the tag that a file means by a name, and what had to be created.
func FindOrCreateTag(ctx context.Context, tx *ledger.Tx, name string) (int64, []ledger.Created, error) {
	t, err := tx.GetTagNamed(ctx, queries.GetTagNamedParams{HouseholdID: tx.HouseholdID, NameKey: ledger.Fold(name)})
	if !errors.Is(err, db.ErrNotFound) {
		return t.ID, nil, err
	}
	t, err = CreateTagTx(ctx, tx, TagInput{Name: ledger.Some(name)})
	if err != nil {
		return 0, nil, err
	}
	return t.ID, []ledger.Created{{Entity: string(ledger.EntityTag), ID: t.PublicID}}, nil
}
