package ledger

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"finsvc/queries"
)

// BalanceOf finds out the account and the day that an id was made of.
func (r *Refs) BalanceOf(id uuid.UUID) (account uuid.UUID, day Date, found bool) {
	for account := range r.Accounts.Keys {
		if day, made := DayInID(id, account); made {
			return account, day, true
		}
	}
	return uuid.Nil, 0, false
}

// How a household's accounts, categories, merchants and tags are shown beside an entry.
type (
	// AccountRef is the account reference of the contract. Currency is the account's.
	AccountRef struct {
		ID          uuid.UUID
		Name        string
		AccountType string
		Currency    string
	}
	// CategoryRef is the category of an entry.
	CategoryRef struct {
		ID                                uuid.UUID
		Name, Classification, Color, Icon string
		ParentKey                         *int64 // of its parent; nil: it has none
	}
	// MerchantRef is the merchant of an entry.
	MerchantRef struct {
		ID   uuid.UUID
		Name string
	}
	// TagRef is a tag of an entry.
	TagRef struct {
		ID                   uuid.UUID
		Name, Color, SortKey string
	}
	// RuleRef is how a rule is named beside what it has done. Name is nil for a rule without one.
	RuleRef struct {
		ID   uuid.UUID
		Name *string
	}
)

// RefSet is one kind of label by key, and the keys by public id.
type RefSet[T any] struct {
	ByKey map[int64]*T
	Keys  map[uuid.UUID]int64
}

func NewRefSet[T any](size int) RefSet[T] {
	return RefSet[T]{make(map[int64]*T, size), make(map[uuid.UUID]int64, size)}
}

func (s RefSet[T]) put(key int64, id queries.PublicID, label *T) {
	s.ByKey[key] = label
	s.Keys[uuid.UUID(id)] = key
}

// Refs is a copy of all labels of a household, as of a version.
type Refs struct {
	version    int64
	Accounts   RefSet[AccountRef]
	Categories RefSet[CategoryRef]
	Merchants  RefSet[MerchantRef]
	Tags       RefSet[TagRef]
	Rules      RefSet[RuleRef]
	RuleRows   []queries.Rule // what they say, in their order
}

// refCache keeps the labels of the households that were asked for last. Joining them to every row
// costs more than the rows themselves.
type refCache struct {
	mu         sync.Mutex
	households map[int64]*Refs
}

// MaxCachedHouseholds bounds the memory; a file has few households.
const MaxCachedHouseholds = 32

func (c *refCache) get(householdID int64) *Refs {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.households[householdID]
}

func (c *refCache) put(householdID int64, refs *Refs) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.households == nil || len(c.households) >= MaxCachedHouseholds {
		c.households = map[int64]*Refs{}
	}
	c.households[householdID] = refs
}

// loadRefs reads labels that are at least as new as the version, which was read before them: labels that
// changed meanwhile make the copy look too old, never too new.
func loadRefs(ctx context.Context, q *queries.Queries, householdID, version int64) (*Refs, error) {
	refs := &Refs{version: version}
	for _, load := range []func(context.Context, *queries.Queries, int64) error{refs.loadAccounts, refs.loadCategories,
		refs.loadMerchants, refs.loadTags, refs.loadRules} {
		if err := load(ctx, q, householdID); err != nil {
			return nil, err
		}
	}
	return refs, nil
}

func (r *Refs) loadAccounts(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListAccountLabels(ctx, householdID)
	r.Accounts = NewRefSet[AccountRef](len(rows))
	for _, row := range rows {
		r.Accounts.put(row.ID, row.PublicID, &AccountRef{uuid.UUID(row.PublicID), row.Name, row.AccountType,
			row.Currency})
	}
	return err
}

func (r *Refs) loadCategories(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListCategoryLabels(ctx, householdID)
	r.Categories = NewRefSet[CategoryRef](len(rows))
	for _, row := range rows {
		r.Categories.put(row.ID, row.PublicID, &CategoryRef{uuid.UUID(row.PublicID), row.Name, row.Classification,
			row.Color, row.Icon, row.ParentID})
	}
	return err
}

func (r *Refs) loadMerchants(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListMerchantLabels(ctx, householdID)
	r.Merchants = NewRefSet[MerchantRef](len(rows))
	for _, row := range rows {
		r.Merchants.put(row.ID, row.PublicID, &MerchantRef{uuid.UUID(row.PublicID), row.Name})
	}
	return err
}

func (r *Refs) loadTags(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListTagLabels(ctx, householdID)
	r.Tags = NewRefSet[TagRef](len(rows))
	for _, row := range rows {
		r.Tags.put(row.ID, row.PublicID, &TagRef{uuid.UUID(row.PublicID), row.Name, row.Color, row.NameKey})
	}
	return err
}

func (r *Refs) loadRules(ctx context.Context, q *queries.Queries, householdID int64) error {
	rows, err := q.ListAllRules(ctx, householdID)
	r.Rules = NewRefSet[RuleRef](len(rows))
	for _, row := range rows {
		r.Rules.put(row.ID, row.PublicID, &RuleRef{uuid.UUID(row.PublicID), row.Name})
	}
	r.RuleRows = rows
	return err
}

// NamesVersion moves with every change of an account's, category's, tag's or merchant's name or looks.
func (s *Store) NamesVersion(ctx context.Context, who Actor) (version int64, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		version, err = q.GetLabelsVersion(ctx, who.HouseholdID)
		return err
	})
	return version, err
}

func (r *Refs) RuleTargetID(noun string, key int64) string {
	switch noun {
	case "account":
		return r.Accounts.ByKey[key].ID.String()
	case "category":
		return r.Categories.ByKey[key].ID.String()
	case "merchant":
		return r.Merchants.ByKey[key].ID.String()
	}
	return r.Tags.ByKey[key].ID.String()
}

// RuleReference is the key of what a rule names.
func (r *Refs) RuleReference(noun string, id uuid.UUID) (key int64, own bool) {
	key, own = map[string]map[uuid.UUID]int64{
		"account": r.Accounts.Keys, "category": r.Categories.Keys, "merchant": r.Merchants.Keys, "tag": r.Tags.Keys,
	}[noun][id]
	return key, own
}

// KnowLines reports whether every label of the lines is among these.
func (r *Refs) KnowLines(lines []queries.SplitLine) bool {
	return !slices.ContainsFunc(lines, func(line queries.SplitLine) bool {
		return line.CategoryID != nil && r.Categories.ByKey[*line.CategoryID] == nil ||
			line.MerchantID != nil && r.Merchants.ByKey[*line.MerchantID] == nil ||
			slices.ContainsFunc(line.TagIDs, func(tag int64) bool { return r.Tags.ByKey[tag] == nil })
	})
}

// TagsOf are the tags with the keys by name, without those that were deleted meanwhile.
func (r *Refs) TagsOf(keys []int64) []*TagRef {
	var tags []*TagRef
	for _, key := range keys {
		if tag := r.Tags.ByKey[key]; tag != nil {
			tags = append(tags, tag)
		}
	}
	slices.SortFunc(tags, func(a, b *TagRef) int { return strings.Compare(a.SortKey, b.SortKey) })
	return tags
}

// SearchMerchants are their names.
func (r *Refs) SearchMerchants(keys []int64) string {
	var texts []string
	for _, key := range keys {
		if m := r.Merchants.ByKey[key]; m != nil {
			texts = append(texts, m.Name)
		}
	}
	return strings.Join(texts, "\n")
}

// CheckTrading is a validation error of the field for an account that takes no trades.
func (a *AccountRef) CheckTrading(field string) error {
	if kind, _ := LookupAccountType(a.AccountType); !kind.TakesTrades() {
		return NewInvalid(field, "must be one of type %s, %s is of type %s", TradingTypes, Quote(a.Name), a.AccountType)
	}
	return nil
}

// SeveralCurrencies reports whether money can move between two currencies.
func (r *Refs) SeveralCurrencies() bool {
	code := ""
	for _, account := range r.Accounts.ByKey {
		if code != "" && account.Currency != code {
			return true
		}
		code = account.Currency
	}
	return false
}

// Sign is what turns the ledger's amount into the account's written one and back.
func (a *AccountRef) Sign() int64 {
	kind, _ := LookupAccountType(a.AccountType) // the table allows no others
	return kind.Sign()
}
