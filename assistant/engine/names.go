package engine

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
)

// kind is what of a household has a name. The order is that in which a name that several things have is understood.
type kind int

const (
	categoryKind kind = iota
	merchantKind
	tagKind
	accountKind
	securityKind
	flowKind // all that came in, or all that went out: no name of the household
)

// String is the word for one.
func (k kind) String() string {
	return [...]string{"category", "merchant", "tag", "account", "security", "flow"}[k]
}

// plural is the word for several.
func (k kind) plural() string {
	return [...]string{"categories", "merchants", "tags", "accounts", "securities", "flows"}[k]
}

// thing is something of the household that questions may name.
type thing struct {
	kind   kind
	name   string
	parent string      // of a category
	parted bool        // it is a category with sub-categories
	class  string      // of a category: income or expense
	types  string      // of an account: its type and subtype
	begins ledger.Date // of an account: the first day in its books; 0 when there is nothing in them
	stems  []string
}

// names are all that a household has, by the first word.
type names struct {
	all     []thing
	byFirst map[string][]int
	byWord  map[string][]int
	begins  ledger.Date // the first day in the books; 0 when there is nothing in them
}

// add takes a name in. One without letters and digits cannot be said and is left out.
func (n *names) add(k thing) {
	for _, w := range splitWords(k.name) {
		if w.shown != "#" {
			k.stems = append(k.stems, w.stem)
		}
	}
	if len(k.stems) == 0 {
		return
	}
	at := len(n.all)
	n.all = append(n.all, k)
	n.byFirst[k.stems[0]] = append(n.byFirst[k.stems[0]], at)
	for i, s := range k.stems {
		if !slices.Contains(k.stems[:i], s) {
			n.byWord[s] = append(n.byWord[s], at)
		}
	}
}

// of reads the names of a household.
func (c *nameCache) of(ctx context.Context, who ledger.Actor) (*names, error) {
	labels, err := c.labelNames(ctx, who)
	if err != nil {
		return nil, err
	}
	n := labels.copy()
	if err := c.readAccounts(ctx, who, n); err != nil {
		return nil, err
	}
	return n, c.readSecurities(ctx, who, n)
}

// copy can be added to without a change of the original.
func (n *names) copy() *names {
	of := &names{slices.Clip(n.all), maps.Clone(n.byFirst), maps.Clone(n.byWord), n.begins}
	for _, index := range []map[string][]int{of.byFirst, of.byWord} {
		for word, at := range index {
			index[word] = slices.Clip(at)
		}
	}
	return of
}

// nameCache reads the names of households, and keeps those of which there may be thousands until one changes.
type nameCache struct {
	ledger *books.Books

	mu   sync.Mutex
	kept map[int64]keptNames // by household
}

// newNameCache makes a cache over a ledger.
func newNameCache(l *books.Books) *nameCache {
	return &nameCache{ledger: l, kept: map[int64]keptNames{}}
}

// keptNames are the names of a household's categories, merchants and tags as of a version.
type keptNames struct {
	version int64
	names   *names
}

// maxKept is for how many households names are kept; a file has few.
const maxKept = 8

// labelNames gives the names of which there may be thousands: they are read again only when one has changed. The
// version comes first, so what changes meanwhile makes the copy look too old, never too new.
func (c *nameCache) labelNames(ctx context.Context, who ledger.Actor) (*names, error) {
	version, err := c.ledger.NamesVersion(ctx, who)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	kept, has := c.kept[who.HouseholdID]
	c.mu.Unlock()
	if has && kept.version == version {
		return kept.names, nil
	}
	n := &names{byFirst: map[string][]int{}, byWord: map[string][]int{}}
	for _, read := range []func(context.Context, ledger.Actor, *names) error{c.readCategories, c.readMerchants, c.readTags} {
		if err := read(ctx, who, n); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.kept) >= maxKept {
		clear(c.kept)
	}
	c.kept[who.HouseholdID] = keptNames{version, n}
	return n, nil
}

// adopt tells categories that they have sub-categories.
func (n *names) adopt() {
	for _, child := range n.all {
		for i, k := range n.all {
			if child.parent != "" && k.parent == "" && k.name == child.parent {
				n.all[i].parted = true
			}
		}
	}
}

// pageOfAll is the page that has all of a list.
func pageOfAll() ledger.Page { return ledger.Page{Number: 1, Size: math.MaxInt32} }

func (c *nameCache) readCategories(ctx context.Context, who ledger.Actor, n *names) error {
	list, _, err := c.ledger.Catalog.ListCategories(ctx, who, catalog.CategoryFilter{}, pageOfAll())
	for _, one := range list {
		k := thing{kind: categoryKind, name: one.Name, class: one.Classification}
		if one.Parent != nil {
			k.parent = one.Parent.Name
		}
		n.add(k)
	}
	n.adopt()
	return err
}

func (c *nameCache) readMerchants(ctx context.Context, who ledger.Actor, n *names) error {
	list, err := c.ledger.Catalog.ListMerchants(ctx, who)
	for _, m := range list {
		n.add(thing{kind: merchantKind, name: m.Name})
	}
	return err
}

func (c *nameCache) readTags(ctx context.Context, who ledger.Actor, n *names) error {
	list, err := c.ledger.Catalog.ListTags(ctx, who)
	for _, t := range list {
		n.add(thing{kind: tagKind, name: t.Name})
	}
	return err
}

func (c *nameCache) readAccounts(ctx context.Context, who ledger.Actor, n *names) error {
	list, err := c.ledger.Catalog.ListPlainAccounts(ctx, who)
	if err != nil {
		return err
	}
	begins, err := c.ledger.Balances.BooksBegin(ctx, who)
	for _, day := range begins {
		if n.begins == 0 || day < n.begins {
			n.begins = day
		}
	}
	for _, a := range list {
		k := thing{kind: accountKind, name: a.Name, types: a.AccountType, begins: begins[uuid.UUID(a.PublicID)]}
		if a.Subtype != nil {
			k.types += " " + *a.Subtype
		}
		n.add(k)
	}
	return err
}

// readSecurities takes in tickers and names. A ticker is what the tools know a security by, so that is the name.
func (c *nameCache) readSecurities(ctx context.Context, who ledger.Actor, n *names) error {
	list, err := c.ledger.Catalog.ListPlainSecurities(ctx, who)
	for _, s := range list {
		n.add(thing{kind: securityKind, name: s.Ticker})
		if s.Name != nil && *s.Name != s.Ticker {
			called := thing{kind: securityKind, name: *s.Name}
			before := len(n.all)
			if n.add(called); len(n.all) > before {
				n.all[before].name = s.Ticker
			}
		}
	}
	return err
}

// isAt says whether a name stands at a word.
func (k thing) isAt(words []word, i int) bool {
	if i+len(k.stems) > len(words) {
		return false
	}
	for n, s := range k.stems {
		if w := words[i+n]; w.used || w.stem != s || w.quote != words[i].quote {
			return false
		}
	}
	return true
}

// at gives the longest names that stand at a word.
func (n *names) at(words []word, i int) (found []thing) {
	for _, at := range n.byFirst[words[i].stem] {
		k := n.all[at]
		if !k.isAt(words, i) || len(found) > 0 && len(k.stems) < len(found[0].stems) {
			continue
		}
		if len(found) > 0 && len(k.stems) > len(found[0].stems) {
			found = nil
		}
		found = append(found, k)
	}
	return found
}

// misspelt gives the names that words are with one letter wrong; the longest run of them that is one, and how long it is.
func (n *names) misspelt(words []word) (found []thing, length int) {
	for length = len(words); length > 0 && len(found) == 0; length-- {
		for _, k := range n.all {
			if len(k.stems) == length && isMisspelt(k.stems, words[:length]) {
				found = append(found, k)
			}
		}
	}
	return found, length + 1
}

func isMisspelt(stems []string, words []word) bool {
	typos := 0
	for i, s := range stems {
		switch {
		case words[i].stem == s:
		case isTypo(words[i].stem, s):
			typos++
		default:
			return false
		}
	}
	return typos == 1
}

// maxParts is how many names may have a word in them for it to stand for all of them.
const maxParts = 5

// containing gives the names that have words in them, one after the other: those of the first kind that has any, and
// how many words it is. Words that too many names have stand for none.
func (n *names) containing(words []word) (found []thing, length int) {
	for length = len(words); length > 0; length-- {
		if found = n.withPart(words[:length]); len(found) > 0 && len(found) <= maxParts {
			return found, length
		}
	}
	return nil, 0
}

// withPart gives those of the first kind, at most one more than may be meant. Names are kept kind by kind.
func (n *names) withPart(words []word) (found []thing) {
	for _, at := range n.byWord[words[0].stem] {
		k := n.all[at]
		if len(found) > 0 && k.kind != found[0].kind || len(found) > maxParts {
			break
		}
		if k.has(words) {
			found = append(found, k)
		}
	}
	return found
}

func (k thing) has(words []word) bool {
	for i := range k.stems {
		rest := k.stems[i:]
		if len(rest) >= len(words) && slices.EqualFunc(rest[:len(words)], words, func(s string, w word) bool { return s == w.stem }) {
			return true
		}
	}
	return false
}
