package apply

import (
	"context"
	"slices"
	"strings"

	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// ResetCreations removes what the import created and nothing uses.
func ResetCreations(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	home, id := imp.HouseholdID, imp.ID
	if err := TakeBackStatements(ctx, q, imp); err != nil {
		return err
	}
	for removed := int64(1); removed > 0; { // children first
		var err error
		removed, err = q.DeleteUnusedImportCategories(ctx, queries.DeleteUnusedImportCategoriesParams{HouseholdID: home,
			ImportID: id})
		if err != nil {
			return err
		}
	}
	if err := q.DeleteUnusedImportTags(ctx, queries.DeleteUnusedImportTagsParams{HouseholdID: home,
		ImportID: id}); err != nil {
		return err
	}
	if err := q.DeleteUnusedImportMerchants(ctx, queries.DeleteUnusedImportMerchantsParams{HouseholdID: home,
		ImportID: id}); err != nil {
		return err
	}
	if err := q.DeleteUnusedImportSecurities(ctx, queries.DeleteUnusedImportSecuritiesParams{HouseholdID: home,
		ImportID: id}); err != nil {
		return err
	}
	if err := q.DeleteUnusedImportAccounts(ctx, queries.DeleteUnusedImportAccountsParams{HouseholdID: home,
		ImportID: id}); err != nil {
		return err
	}
	return q.ForgetImportCreations(ctx, queries.ForgetImportCreationsParams{ImportID: id, HouseholdID: home})
}

// TakeBackStatements removes the valuations that an import has stated: nothing uses them, they count by themselves.
func TakeBackStatements(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	return q.DeleteImportValuations(ctx, queries.DeleteImportValuationsParams{HouseholdID: imp.HouseholdID,
		ImportID: imp.ID})
}

// maxStayed is how many of the things that a revert leaves are named.
const maxStayed = 20

// KeptCreations names what the import created and something else uses.
func KeptCreations(ctx context.Context, q *queries.Queries, imp queries.Import) (names []string, err error) {
	kept, err := q.ListImportCreationsKept(ctx, queries.ListImportCreationsKeptParams{ImportID: imp.ID,
		HouseholdID: imp.HouseholdID})
	for _, k := range kept {
		names = append(names, k.Entity+" "+ledger.Quote(k.Name))
	}
	return names, err
}

// Stayed says what a revert has left: what the import created and something else uses, and the categories that it
// changed and that could not be given back what they were. It is nil when that is nothing.
func Stayed(kept, categories []string) *string {
	var parts []string
	if len(kept) > 0 {
		parts = append(parts, "what it had created and something else uses by now has stayed: "+someOf(kept))
	}
	if len(categories) > 0 {
		names := make([]string, len(categories))
		for i, name := range categories {
			names[i] = "category " + ledger.Quote(name)
		}
		parts = append(parts, "what it had changed and was changed again since, or cannot be put back, is left as it is: "+someOf(names))
	}
	if len(parts) == 0 {
		return nil
	}
	return new("was reverted; " + strings.Join(parts, "; "))
}

// someOf lists names, not too many.
func someOf(names []string) string {
	if len(names) > maxStayed {
		names = append(slices.Clone(names[:maxStayed]), "and more")
	}
	return strings.Join(names, ", ")
}

// Names finds the accounts, categories and tags that a file names, and creates those that are missing.
// What it found it remembers by folded name.
type Names struct {
	ledger     *books.Books
	who        ledger.Actor
	accountID  *int64 // of the import, when it has one
	note       noter
	accounts   map[string]int64
	merchants  map[string]int64
	Refs       map[string]int64 // accounts by what the file calls them, see Row.AccountRef
	categories map[string]int64
	tagKeys    map[string]int64
	securities map[string]int64 // by ticker and market
	Opened     map[int64]bool   // accounts that were created
}

// noter is told, in the same write, what had to be created.
type noter func(ctx context.Context, q *queries.Queries, c ledger.Created) error

func NewNames(books *books.Books, who ledger.Actor, accountID *int64, note noter) *Names {
	return &Names{ledger: books, who: who, accountID: accountID, note: note,
		accounts: map[string]int64{}, merchants: map[string]int64{}, categories: map[string]int64{},
		tagKeys:    map[string]int64{},
		securities: map[string]int64{}, Opened: map[int64]bool{},
		Refs: map[string]int64{}}
}

// Account is the import's account, or the one that the row names.
func (n *Names) Account(ctx context.Context, row record.Record) (int64, error) {
	if n.accountID != nil && !row.ByName {
		return *n.accountID, nil
	}
	if key, made := n.Refs[row.AccountRef]; made {
		return key, nil
	}
	return n.resolve(ctx, n.accounts, row.Account, func(ctx context.Context, q *queries.Queries) (int64,
		[]ledger.Created, error) {
		if row.Entity() == record.EntityTrade && row.AccountType == "" {
			return intake.FindOrCreateTradingAccount(ctx, n.ledger.Tx(q, n.who), row.Account, row.Currency.Code)
		}
		key, created, err := intake.FindOrOpenAccount(ctx, n.ledger.Tx(q, n.who), row.Account, row.AccountType,
			row.Currency.Code)
		n.Opened[key] = n.Opened[key] || len(created) > 0
		return key, created, err
	})
}

// Category is 0 when the row names none.
func (n *Names) Category(ctx context.Context, row record.Record) (int64, error) {
	if row.Category == "" {
		return 0, nil
	}
	classification := "expense"
	if row.Minor > 0 {
		classification = "income"
	}
	return n.resolve(ctx, n.categories, row.Category, func(ctx context.Context, q *queries.Queries) (int64,
		[]ledger.Created, error) {
		return catalog.FindOrCreateCategory(ctx, n.ledger.Tx(q, n.who), row.Category, classification)
	})
}

// Merchant is 0 when the row names none.
func (n *Names) Merchant(ctx context.Context, row record.Record) (int64, error) {
	if row.Merchant == "" {
		return 0, nil
	}
	return n.resolve(ctx, n.merchants, row.Merchant, func(ctx context.Context, q *queries.Queries) (int64,
		[]ledger.Created, error) {
		return catalog.FindOrCreateMerchant(ctx, n.ledger.Tx(q, n.who), row.Merchant)
	})
}

func (n *Names) Tags(ctx context.Context, row record.Record) ([]int64, error) {
	keys := make([]int64, 0, len(row.Tags))
	for _, name := range row.Tags {
		key, err := n.resolve(ctx, n.tagKeys, name, func(ctx context.Context, q *queries.Queries) (int64,
			[]ledger.Created, error) {
			return catalog.FindOrCreateTag(ctx, n.ledger.Tx(q, n.who), name)
		})
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

type finder func(context.Context, *queries.Queries) (int64, []ledger.Created, error)

// resolve remembers a name once it is found, and notes what had to be created for it.
func (n *Names) resolve(ctx context.Context, known map[string]int64, name string, find finder) (int64, error) {
	folded := ledger.Fold(name)
	if key, ok := known[folded]; ok {
		return key, nil
	}
	var key int64
	err := n.ledger.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		var created []ledger.Created
		key, created, err = find(ctx, q)
		if err != nil {
			return err
		}
		for _, c := range created {
			if err := n.note(ctx, q, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		known[folded] = key
	}
	return key, err
}
