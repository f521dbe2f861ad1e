package names

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// Service looks names up.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service { return &Service{store} }

// List gives the names of a kind, by name.
func (s *Service) List(ctx context.Context, who ledger.Actor, kind Kind) (all []Name, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *ledger.Tx) error {
		all = Of(tx.Refs, kind)
		return nil
	})
	return all, err
}

// Find gives the only one that a text means: a name in any case, a path or an id. What nothing is called is not found,
// which names the nearest; what several are called is a validation error that lists them.
func (s *Service) Find(ctx context.Context, who ledger.Actor, kind Kind, text string) (n Name, err error) {
	all, err := s.List(ctx, who, kind)
	if err != nil {
		return n, err
	}
	found, what := Called(all, text), strings.ToUpper(string(kind[:1]))+string(kind[1:])
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if _, isID := ledger.ParseID(text); isID {
			return n, ledger.NewNotFound(what)
		}
		missing := ledger.NewNotFound(what + " " + ledger.Quote(text))
		missing.Message += Nearest(all, text)
		return n, missing
	}
	var which []string
	for _, f := range found {
		which = append(which, fmt.Sprintf("%s (%s)", f.ID, f.Detail))
	}
	return n, ledger.NewInvalid(string(kind), "named %s is ambiguous: %d have that name; give the id instead: %s", ledger.Quote(text),
		len(found), strings.Join(which, ", "))
}

// Given is the id of what a text names, null of an empty text and absent where there is no text.
func (s *Service) Given(ctx context.Context, who ledger.Actor, kind Kind, text *string) (id ledger.Opt[uuid.UUID], err error) {
	switch {
	case text == nil:
		return id, nil
	case *text == "":
		return ledger.Opt[uuid.UUID]{Set: true, Null: true}, nil
	}
	found, err := s.Find(ctx, who, kind, *text)
	return ledger.Some(found.ID), err
}

// IDs are those of what texts name; an empty text names nothing.
func (s *Service) IDs(ctx context.Context, who ledger.Actor, kind Kind, texts []string) (ids []uuid.UUID, err error) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		found, err := s.Find(ctx, who, kind, text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found.ID)
	}
	return ids, nil
}
