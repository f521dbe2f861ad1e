package catalog_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

// TestTags holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: a tag has a colour #rrggbb always, picked where none is given.
func TestTags(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Other")
	fun, err := b.Labels.CreateTag(b.Ctx(), b.Who, catalog.TagInput{Name: ledger.Some(" Fun "), Color: ledger.Some("#ABCDEF")})
	if err != nil || fun.Name != "Fun" || fun.Color != "#abcdef" {
		t.Fatalf("got %+v, %v", fun, err)
	}
	id := uuid.UUID(fun.PublicID)
	picked, err := b.Labels.CreateTag(b.Ctx(), b.Who, catalog.TagInput{Name: ledger.Some("árvore"), Color: null[string]()})
	if err != nil || len(picked.Color) != 7 {
		t.Fatalf("got %+v, %v", picked, err)
	}
	for want, in := range map[string]catalog.TagInput{
		`name is taken: another tag is named "FUN"`:    {Name: ledger.Some("FUN")},
		"name is required":                             {},
		"color must be a colour such as #4da568":       {Name: ledger.Some("x"), Color: ledger.Some("")},
		"name must have at most 255 characters":        {Name: ledger.Some(strings.Repeat("x", 256))},
		"name must not contain control characters":     {Name: ledger.Some("a\nb")},
		`colour such as #4da568, got "#gggggg"`:        {Name: ledger.Some("x"), Color: ledger.Some("#gggggg")},
		"name is required and must not be blank; colo": {Name: ledger.Some(" "), Color: ledger.Some("blue")},
	} {
		_, err := b.Labels.CreateTag(b.Ctx(), b.Who, in)
		ledgertest.Refused(t, err, ledger.Invalid, want)
	}
	if _, err := b.Labels.CreateTag(b.Ctx(), stranger, catalog.TagInput{Name: ledger.Some("Fun")}); err != nil {
		t.Errorf("the same name in another household: %v", err)
	}
	list, err := b.Labels.ListTags(b.Ctx(), b.Who)
	if err != nil || len(list) != 2 || list[0].Name != "Fun" || list[1].Name != "árvore" {
		t.Errorf("got %+v, %v", list, err)
	}
	same, err := b.Labels.UpdateTag(b.Ctx(), b.Who, id, catalog.TagInput{Name: ledger.Some("Fun")})
	if err != nil || same != fun {
		t.Errorf("a change of nothing: %+v, %v", same, err)
	}
	lower, err := b.Labels.UpdateTag(b.Ctx(), b.Who, id, catalog.TagInput{Name: ledger.Some("fun")})
	if err != nil || lower.Name != "fun" || lower.Color != fun.Color || lower.UpdatedAt <= fun.UpdatedAt {
		t.Errorf("got %+v, %v", lower, err)
	}
	_, err = b.Labels.UpdateTag(b.Ctx(), b.Who, id, catalog.TagInput{Name: null[string]()})
	ledgertest.Refused(t, err, ledger.Invalid, "name is required")
	_, err = b.Labels.UpdateTag(b.Ctx(), b.Who, id, catalog.TagInput{Name: ledger.Some("Árvore")})
	ledgertest.Refused(t, err, ledger.Invalid, "name is taken")
	_, err = b.Labels.UpdateTag(b.Ctx(), stranger, id, catalog.TagInput{Name: ledger.Some("mine")})
	ledgertest.Refused(t, err, ledger.NotFound, "Tag not found")
	_, err = b.Labels.GetTag(b.Ctx(), stranger, id)
	ledgertest.Refused(t, err, ledger.NotFound)
	ledgertest.Refused(t, b.Labels.DeleteTag(b.Ctx(), stranger, id), ledger.NotFound)
	if n := b.Changes(id); n != 2 {
		t.Errorf("%d entries in the history, want 2", n)
	}
}

func TestTagDelete(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	in := ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-01-31", "1", "x")
	tag := b.Tag(b.Who, "fun")
	in.TagIDs = ledger.Some([]uuid.UUID{tag})
	fresh := b.Create(in)
	if err := b.Labels.DeleteTag(b.Ctx(), b.Who, tag); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Entries.GetTransaction(b.Ctx(), b.Who, uuid.UUID(fresh.PublicID)); err != nil || len(got.Tags) != 0 {
		t.Errorf("got %+v, %v", got.Tags, err)
	}
	ledgertest.Refused(t, b.Labels.DeleteTag(b.Ctx(), b.Who, tag), ledger.NotFound)
}

func TestFindOrCreateTag(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	find := func(name string) (key int64, created []ledger.Created) {
		t.Helper()
		err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
			key, created, err = catalog.FindOrCreateTag(ctx, b.Tx(q, b.Who), name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return key, created
	}
	first, created := find("Trip  2026")
	if len(created) != 1 || created[0].Entity != "tag" {
		t.Errorf("created %+v", created)
	}
	if again, created := find(" trip 2026"); again != first || created != nil {
		t.Errorf("found %d, created %+v, want %d", again, created, first)
	}
}
