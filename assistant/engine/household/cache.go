package household

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

// Cache reads the names of households, and keeps those of which there may be thousands until one changes.
type Cache struct {
	ledger *books.Books

	mu   sync.Mutex
	kept map[int64]keptNames // by household
}

// NewCache makes a cache over a ledger.
func NewCache(l *books.Books) *Cache {
	return &Cache{ledger: l, kept: map[int64]keptNames{}}
}

// keptNames are the names of a household's categories, merchants and tags as of a version.
type keptNames struct {
	version int64
	names   *Names
}

// maxKept is for how many households names are kept; a file has few.
const maxKept = 8

// Of reads the names of a household.
func (c *Cache) Of(ctx context.Context, who ledger.Actor) (*Names, error) {
	labels, err := c.labelNames(ctx, who)
	if err != nil {
		return nil, err
	}
	n := &Names{slices.Clip(labels.All), maps.Clone(labels.byFirst), maps.Clone(labels.ByWord), labels.Begins}
	for _, index := range []map[string][]int{n.byFirst, n.ByWord} {
		for word, at := range index {
			index[word] = slices.Clip(at)
		}
	}
	if err := c.readAccounts(ctx, who, n); err != nil {
		return nil, err
	}
	return n, c.readSecurities(ctx, who, n)
}

// labelNames gives the names of which there may be thousands: they are read again only when one has changed. The
// version comes first, so what changes meanwhile makes the copy look too old, never too new.
func (c *Cache) labelNames(ctx context.Context, who ledger.Actor) (*Names, error) {
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
	n := &Names{byFirst: map[string][]int{}, ByWord: map[string][]int{}}
	for _, read := range []func(context.Context, ledger.Actor, *Names) error{c.readCategories, c.readMerchants,
		c.readTags} {
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

// PageOfAll is the page that has all of a list.
func PageOfAll() ledger.Page { return ledger.Page{Number: 1, Size: math.MaxInt32} }

func (c *Cache) readCategories(ctx context.Context, who ledger.Actor, n *Names) error {
	list, _, err := c.ledger.Labels.ListCategories(ctx, who, catalog.CategoryFilter{}, PageOfAll())
	for _, one := range list {
		k := Item{Kind: CategoryKind, Name: one.Name, Class: one.Classification}
		if one.Parent != nil {
			k.Parent = one.Parent.Name
		}
		n.add(k)
	}
	for _, child := range n.All {
		for i, k := range n.All {
			if child.Parent != "" && k.Parent == "" && k.Name == child.Parent {
				n.All[i].Parted = true
			}
		}
	}
	return err
}

func (c *Cache) readMerchants(ctx context.Context, who ledger.Actor, n *Names) error {
	list, err := c.ledger.Labels.ListMerchants(ctx, who)
	for _, m := range list {
		n.add(Item{Kind: MerchantKind, Name: m.Name})
	}
	return err
}

func (c *Cache) readTags(ctx context.Context, who ledger.Actor, n *Names) error {
	list, err := c.ledger.Labels.ListTags(ctx, who)
	for _, t := range list {
		n.add(Item{Kind: TagKind, Name: t.Name})
	}
	return err
}

func (c *Cache) readAccounts(ctx context.Context, who ledger.Actor, n *Names) error {
	list, err := c.ledger.Accounts.ListPlainAccounts(ctx, who)
	if err != nil {
		return err
	}
	begins, err := c.ledger.Balances.BooksBegin(ctx, who)
	for _, day := range begins {
		if n.Begins == 0 || day < n.Begins {
			n.Begins = day
		}
	}
	for _, a := range list {
		k := Item{Kind: AccountKind, Name: a.Name, Types: a.AccountType, begins: begins[uuid.UUID(a.PublicID)]}
		if a.Subtype != nil {
			k.Types += " " + *a.Subtype
		}
		n.add(k)
	}
	return err
}

// readSecurities takes in tickers and names. A ticker is what the tools know a security by, so that is the name.
func (c *Cache) readSecurities(ctx context.Context, who ledger.Actor, n *Names) error {
	list, err := c.ledger.Accounts.ListPlainSecurities(ctx, who)
	for _, s := range list {
		n.add(Item{Kind: SecurityKind, Name: s.Ticker})
		if s.Name != nil && *s.Name != s.Ticker {
			called := Item{Kind: SecurityKind, Name: *s.Name}
			before := len(n.All)
			if n.add(called); len(n.All) > before {
				n.All[before].Name = s.Ticker
			}
		}
	}
	return err
}
