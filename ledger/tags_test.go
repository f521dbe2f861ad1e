package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

func TestTags(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Other")
	fun, err := b.CreateTag(b.ctx(), b.who, ledger.TagInput{Name: ledger.Some(" Fun "), Color: ledger.Some("#ABCDEF")})
	if err != nil || fun.Name != "Fun" || fun.Color != "#abcdef" {
		t.Fatalf("got %+v, %v", fun, err)
	}
	id := uuid.UUID(fun.PublicID)
	picked, err := b.CreateTag(b.ctx(), b.who, ledger.TagInput{Name: ledger.Some("árvore"), Color: null[string]()})
	if err != nil || len(picked.Color) != 7 {
		t.Fatalf("got %+v, %v", picked, err)
	}
	for want, in := range map[string]ledger.TagInput{
		`name is taken: another tag is named "FUN"`:    {Name: ledger.Some("FUN")},
		"name is required":                             {},
		"color must be a colour such as #4da568":       {Name: ledger.Some("x"), Color: ledger.Some("")},
		"name must have at most 255 characters":        {Name: ledger.Some(strings.Repeat("x", 256))},
		"name must not contain control characters":     {Name: ledger.Some("a\nb")},
		`colour such as #4da568, got "#gggggg"`:        {Name: ledger.Some("x"), Color: ledger.Some("#gggggg")},
		"name is required and must not be blank; colo": {Name: ledger.Some(" "), Color: ledger.Some("blue")},
	} {
		_, err := b.CreateTag(b.ctx(), b.who, in)
		refused(t, err, ledger.Invalid, want)
	}
	if _, err := b.CreateTag(b.ctx(), stranger, ledger.TagInput{Name: ledger.Some("Fun")}); err != nil {
		t.Errorf("the same name in another household: %v", err)
	}
	list, err := b.ListTags(b.ctx(), b.who)
	if err != nil || len(list) != 2 || list[0].Name != "Fun" || list[1].Name != "árvore" {
		t.Errorf("got %+v, %v", list, err)
	}
	same, err := b.UpdateTag(b.ctx(), b.who, id, ledger.TagInput{Name: ledger.Some("Fun")})
	if err != nil || same != fun {
		t.Errorf("a change of nothing: %+v, %v", same, err)
	}
	lower, err := b.UpdateTag(b.ctx(), b.who, id, ledger.TagInput{Name: ledger.Some("fun")})
	if err != nil || lower.Name != "fun" || lower.Color != fun.Color || lower.UpdatedAt <= fun.UpdatedAt {
		t.Errorf("got %+v, %v", lower, err)
	}
	_, err = b.UpdateTag(b.ctx(), b.who, id, ledger.TagInput{Name: null[string]()})
	refused(t, err, ledger.Invalid, "name is required")
	_, err = b.UpdateTag(b.ctx(), b.who, id, ledger.TagInput{Name: ledger.Some("Árvore")})
	refused(t, err, ledger.Invalid, "name is taken")
	_, err = b.UpdateTag(b.ctx(), stranger, id, ledger.TagInput{Name: ledger.Some("mine")})
	refused(t, err, ledger.NotFound, "Tag not found")
	_, err = b.GetTag(b.ctx(), stranger, id)
	refused(t, err, ledger.NotFound)
	refused(t, b.DeleteTag(b.ctx(), stranger, id), ledger.NotFound)
	if n := b.changes(id); n != 2 {
		t.Errorf("%d entries in the history, want 2", n)
	}
}

func TestTagDelete(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := entry(b.account(b.who, "Checking", "EUR"), "2026-01-31", "1", "x")
	tag := b.tag(b.who, "fun")
	in.TagIDs = ledger.Some([]uuid.UUID{tag})
	fresh := b.create(in)
	if err := b.DeleteTag(b.ctx(), b.who, tag); err != nil {
		t.Fatal(err)
	}
	if got, err := b.GetTransaction(b.ctx(), b.who, uuid.UUID(fresh.PublicID)); err != nil || len(got.Tags) != 0 {
		t.Errorf("got %+v, %v", got.Tags, err)
	}
	refused(t, b.DeleteTag(b.ctx(), b.who, tag), ledger.NotFound)
}

func TestFindOrCreateTag(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	find := func(name string) (key int64, created []ledger.Created) {
		t.Helper()
		err := b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
			key, created, err = b.FindOrCreateTag(ctx, q, b.who, name)
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
