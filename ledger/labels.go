package ledger

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// How a household's accounts, categories, merchants and tags are shown beside an entry.
type (
	// AccountLabel is the account reference of the contract. Currency is the account's.
	AccountLabel struct {
		ID          uuid.UUID
		Name        string
		AccountType string
		Currency    string
	}
	// CategoryLabel is the category of an entry.
	CategoryLabel struct {
		ID                                uuid.UUID
		Name, Classification, Color, Icon string
	}
	// MerchantLabel is the merchant of an entry.
	MerchantLabel struct {
		ID   uuid.UUID
		Name string
	}
	// TagLabel is a tag of an entry.
	TagLabel struct {
		ID                   uuid.UUID
		Name, Color, sortKey string
	}
	// RuleLabel is how a rule is named beside what it has done. Name is nil for a rule without one.
	RuleLabel struct {
		ID   uuid.UUID
		Name *string
	}
)

// labelSet is one kind of label by key, and the keys by public id.
type labelSet[T any] struct {
	byKey map[int64]*T
	keys  map[uuid.UUID]int64
}

func newLabelSet[T any](size int) labelSet[T] {
	return labelSet[T]{make(map[int64]*T, size), make(map[uuid.UUID]int64, size)}
}

func (s labelSet[T]) put(key int64, id queries.PublicID, label *T) {
	s.byKey[key] = label
	s.keys[uuid.UUID(id)] = key
}

// labels is a copy of all labels of a household, as of a version.
type labels struct {
	version    int64
	accounts   labelSet[AccountLabel]
	categories labelSet[CategoryLabel]
	merchants  labelSet[MerchantLabel]
	tags       labelSet[TagLabel]
	rules      labelSet[RuleLabel]
	ruleRows   []queries.Rule // what they say, in their order
}

// labelCache keeps the labels of the households that were asked for last. Joining them to every row
// costs more than the rows themselves.
type labelCache struct {
	mu         sync.Mutex
	households map[int64]*labels
}

// maxCachedHouseholds bounds the memory; a file has few households.
const maxCachedHouseholds = 32

func (c *labelCache) get(householdID int64) *labels {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.households[householdID]
}

func (c *labelCache) put(householdID int64, l *labels) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.households == nil || len(c.households) >= maxCachedHouseholds {
		c.households = map[int64]*labels{}
	}
	c.households[householdID] = l
}

// labelsAt gives the household's labels, which are at least as new as the version. What is read inside a
// write may yet be undone and must not reach the cache.
func (l *Ledger) labelsAt(ctx context.Context, q *queries.Queries, householdID, version int64) (*labels, error) {
	if have := l.labels.get(householdID); have != nil && have.version >= version {
		return have, nil
	}
	fresh, err := loadLabels(ctx, q, householdID, version)
	switch {
	case err != nil:
	case db.InWrite(ctx):
		l.labels.put(householdID, nil) // the next write warms it first
	default:
		l.labels.put(householdID, fresh)
	}
	return fresh, err
}

// labelsNow gives the household's labels as they are.
func (l *Ledger) labelsNow(ctx context.Context, q *queries.Queries, householdID int64) (*labels, error) {
	version, err := q.GetLabelsVersion(ctx, householdID)
	if err != nil {
		return nil, err
	}
	return l.labelsAt(ctx, q, householdID, version)
}

// labelled is work with the database that needs the household's labels.
type labelled func(ctx context.Context, q *queries.Queries, names *labels) error

// withLabels runs work by one of the ways into the database, such as Read.
func (l *Ledger) withLabels(ctx context.Context, way func(context.Context, db.Work) error, who Actor, work labelled) error {
	return way(ctx, func(ctx context.Context, q *queries.Queries) error {
		names, err := l.labelsNow(ctx, q, who.HouseholdID)
		if err != nil {
			return err
		}
		return work(ctx, q, names)
	})
}

// writeWithLabels is a write that needs the labels. It reads them into the cache first unless there are
// some, which are nearly always the right ones: what the write itself reads cannot be kept.
func (l *Ledger) writeWithLabels(ctx context.Context, who Actor, work labelled) error {
	if l.labels.get(who.HouseholdID) == nil {
		nothing := func(context.Context, *queries.Queries, *labels) error { return nil }
		if err := l.withLabels(ctx, l.db.Read, who, nothing); err != nil {
			return err
		}
	}
	return l.withLabels(ctx, l.db.Write, who, work)
}

// loadLabels reads labels that are at least as new as the version, which was read before them: labels that
// changed meanwhile make the copy look too old, never too new.
func loadLabels(ctx context.Context, q *queries.Queries, householdID, version int64) (*labels, error) {
	l := &labels{version: version}
	for _, load := range []func(context.Context, *queries.Queries, int64) error{l.loadAccounts, l.loadCategories, l.loadMerchants, l.loadTags, l.loadRules} {
		if err := load(ctx, q, householdID); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *labels) loadAccounts(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListAccountLabels(ctx, householdID)
	l.accounts = newLabelSet[AccountLabel](len(rows))
	for _, r := range rows {
		l.accounts.put(r.ID, r.PublicID, &AccountLabel{uuid.UUID(r.PublicID), r.Name, r.AccountType, r.Currency})
	}
	return err
}

func (l *labels) loadCategories(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListCategoryLabels(ctx, householdID)
	l.categories = newLabelSet[CategoryLabel](len(rows))
	for _, r := range rows {
		l.categories.put(r.ID, r.PublicID, &CategoryLabel{uuid.UUID(r.PublicID), r.Name, r.Classification, r.Color, r.Icon})
	}
	return err
}

func (l *labels) loadMerchants(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListMerchantLabels(ctx, householdID)
	l.merchants = newLabelSet[MerchantLabel](len(rows))
	for _, r := range rows {
		l.merchants.put(r.ID, r.PublicID, &MerchantLabel{uuid.UUID(r.PublicID), r.Name})
	}
	return err
}

func (l *labels) loadTags(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListTagLabels(ctx, householdID)
	l.tags = newLabelSet[TagLabel](len(rows))
	for _, r := range rows {
		l.tags.put(r.ID, r.PublicID, &TagLabel{uuid.UUID(r.PublicID), r.Name, r.Color, r.NameKey})
	}
	return err
}

func (l *labels) loadRules(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListAllRules(ctx, householdID)
	l.rules = newLabelSet[RuleLabel](len(rows))
	for _, r := range rows {
		l.rules.put(r.ID, r.PublicID, &RuleLabel{uuid.UUID(r.PublicID), r.Name})
	}
	l.ruleRows = rows
	return err
}

// NamesVersion moves with every change of an account's, category's, tag's or merchant's name or looks.
func (l *Ledger) NamesVersion(ctx context.Context, who Actor) (version int64, err error) {
	err = l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		version, err = q.GetLabelsVersion(ctx, who.HouseholdID)
		return err
	})
	return version, err
}
