// Package names finds out what people mean when they call an account, a category, a merchant or a tag by its name:
// without regard to case, by the parent's name before it, or by its id. What nobody is called is answered by the names
// that are nearest, what several are called by all of them. Commands, the search and the tools of a model ask here.
package names

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// Kind is what is called by a name, in a word for people.
type Kind string

// The kinds.
const (
	Account  Kind = "account"
	Category Kind = "category"
	Merchant Kind = "merchant"
	Tag      Kind = "tag"
)

// Name is something that has a name. Paths are by what else it is called; Parts what else it stands for: the
// sub-categories of a category. Detail tells it from others of its name.
type Name struct {
	ID     uuid.UUID
	Name   string
	Detail string
	Paths  []string
	Parts  []uuid.UUID
}

// Of are the names of a kind in a household, by name.
func Of(refs *ledger.Refs, kind Kind) (all []Name) {
	switch kind {
	case Account:
		for _, a := range refs.Accounts.ByKey {
			all = append(all, Name{ID: a.ID, Name: a.Name, Detail: a.AccountType + ", " + a.Currency})
		}
	case Category:
		all = categories(refs)
	case Merchant:
		for _, m := range refs.Merchants.ByKey {
			all = append(all, Name{ID: m.ID, Name: m.Name})
		}
	case Tag:
		for _, t := range refs.Tags.ByKey {
			all = append(all, Name{ID: t.ID, Name: t.Name})
		}
	}
	slices.SortFunc(all, func(a, b Name) int {
		return cmp.Or(cmp.Compare(ledger.Fold(a.Name), ledger.Fold(b.Name)), slices.Compare(a.ID[:], b.ID[:]))
	})
	return all
}

// categories can be called by the parent's name before theirs, and stand for their sub-categories as well.
func categories(refs *ledger.Refs) (all []Name) {
	children := map[int64][]uuid.UUID{}
	for _, c := range refs.Categories.ByKey {
		if c.ParentKey != nil {
			children[*c.ParentKey] = append(children[*c.ParentKey], c.ID)
		}
	}
	for key, c := range refs.Categories.ByKey {
		n := Name{ID: c.ID, Name: c.Name, Detail: c.Classification, Parts: children[key]}
		if c.ParentKey != nil && refs.Categories.ByKey[*c.ParentKey] != nil {
			parent := refs.Categories.ByKey[*c.ParentKey].Name
			n.Detail = "of " + parent
			n.Paths = []string{parent + ":" + c.Name, parent + " > " + c.Name, parent + "/" + c.Name, parent + ": " + c.Name}
		}
		all = append(all, n)
	}
	return all
}

// Called are those that a text means: a name in any case, a path or an id.
func Called(all []Name, text string) (found []Name) {
	id, isID := ledger.ParseID(text)
	key := ledger.Fold(text)
	for _, n := range all {
		if isID && n.ID == id || ledger.Fold(n.Name) == key ||
			slices.ContainsFunc(n.Paths, func(p string) bool { return ledger.Fold(p) == key }) {
			found = append(found, n)
		}
	}
	return found
}

// Beginning are those that a text means, or where there are none those whose name or a word of it begins with the text.
func Beginning(all []Name, text string) []Name {
	found, key := Called(all, text), ledger.Fold(text)
	if found != nil || key == "" {
		return found
	}
	for _, n := range all {
		name := ledger.Fold(n.Name)
		if strings.HasPrefix(name, key) || strings.Contains(name, " "+key) {
			found = append(found, n)
		}
	}
	return found
}

// MostUsed are the first of those that most things have, by how many have each.
func MostUsed(all []Name, uses map[uuid.UUID]int64, most int) []Name {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Name) int { return cmp.Compare(uses[b.ID], uses[a.ID]) })
	return sorted[:min(most, len(sorted))]
}

// Offered is how many of the [MostUsed] are offered to choose from: each is a digit away.
const Offered = 9

// most names that a problem tells, and letters of a name that are compared.
const (
	mostNearest  = 5
	mostCompared = 40
)

// Nearest tells the names that are most like a text, as the end of a sentence: those that have it in them or are in it
// first.
func Nearest(all []Name, text string) string {
	type candidate struct {
		name     string
		distance int
	}
	key, candidates := ledger.ClipText(ledger.Fold(text), mostCompared), []candidate{}
	for _, n := range all {
		name := ledger.ClipText(ledger.Fold(n.Name), mostCompared)
		distance := ledger.Distance(key, name)
		if strings.Contains(name, key) || strings.Contains(key, name) {
			distance -= mostCompared
		}
		candidates = append(candidates, candidate{ledger.ClipText(n.Name, mostCompared), distance})
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	names := []string{}
	for _, c := range candidates {
		if !slices.Contains(names, c.name) && len(names) < mostNearest {
			names = append(names, c.name)
		}
	}
	if len(names) == 0 {
		return ", there are none at all"
	}
	return "; nearest: " + strings.Join(names, ", ")
}
