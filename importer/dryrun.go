package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"

	"finsvc/importer/apply"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
	"finsvc/ledger/rollup"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// errUndo ends a dry run.
var errUndo = errors.New("the dry run is over")

// dryRun does what publishing does to accounts, categories, tags and balances, in a write that is
// undone: so the preview cannot differ from the rules.
type dryRun struct {
	im       *Importer
	who      ledger.Actor
	preview  *preview
	names    *apply.Names
	existing map[int64]uuid.UUID                   // accounts by key
	touched  map[string]int64                      // keys of accounts by AccountName
	looked   map[queries.PublicID]catalog.Category // categories as they were, where the file may change them
	changed  []uuid.UUID                           // those that it changes
}

// dryRun adds what would be created, and the balances, to the preview. A name that cannot be is an
// obstacle.
func (im *Importer) dryRun(ctx context.Context, who ledger.Actor, accountID *int64, c *preview) error {
	if c.look.valid == 0 || c.out.Unfinished {
		return nil
	}
	who.Origin = ledger.OriginImport
	r := &dryRun{im: im, who: who, preview: c, touched: map[string]int64{}}
	if accountID != nil {
		r.touched["account "] = *accountID
	}
	r.names = apply.NewNames(im.ledger, who, accountID, r.note)
	err := im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := r.run(ctx, q); err != nil {
			return err
		}
		return errUndo
	})
	if ledger.IsKind(err, ledger.Invalid) || ledger.IsKind(err, ledger.Conflict) {
		c.out.Creates, c.out.Short, c.out.Obstacle = nil, nil, ledger.AsError(err).Message
		return nil
	}
	if errors.Is(err, errUndo) {
		return nil
	}
	return err
}

func (r *dryRun) run(ctx context.Context, q *queries.Queries) (err error) {
	r.existing, err = r.im.ledger.Entries.AccountIDs(ctx, r.who)
	if err != nil {
		return err
	}
	if err := r.lookAtCategories(ctx); err != nil {
		return err
	}
	late, err := r.makeEarly(ctx, q)
	if err != nil {
		return err
	}
	for _, row := range r.preview.firsts {
		if err := r.resolve(ctx, row); err != nil {
			return err
		}
	}
	// Find the accounts of the rows that become trades.
	_, booked := apply.WithoutTrades(r.preview.made)
	for _, row := range booked {
		key, err := r.names.Account(ctx, row)
		if err != nil {
			return err
		}
		r.touched[record.AccountName(row)] = key
	}
	before, err := r.accounts(ctx)
	if err != nil {
		return err
	}
	balances := &reconciler{im: r.im, who: r.who, names: r.names, analysis: r.preview.look}
	if err := balances.takeOpenings(ctx, q); err != nil {
		return err
	}
	if err := entry.ApplyRollups(ctx, r.im.ledger.Tx(q, r.who), r.rollups()); err != nil {
		return err
	}
	if err := late(); err != nil {
		return err
	}
	if err := balance.CheckAll(ctx, r.im.ledger.Tx(q, r.who)); err != nil {
		return err
	}
	// List what the file makes of categories that exist, whatever number of its rows change one.
	for _, id := range r.changed {
		now, err := r.im.ledger.Labels.GetCategory(ctx, r.who, id)
		if err != nil {
			return err
		}
		was := r.looked[now.PublicID]
		made := Creation{Entity: intake.ChangedCategory, Name: pathOf(now)}
		for _, c := range []struct{ what, was, now string }{{"parent", parentOf(was), parentOf(now)},
			{"color", was.Color, now.Color}, {"icon", was.Icon, now.Icon}} {
			if c.was != c.now {
				made.Changes = append(made.Changes, fmt.Sprintf("%s %s, was %s", c.what, cmp.Or(c.now, "none"),
					cmp.Or(c.was, "none")))
			}
		}
		if len(made.Changes) > 0 {
			r.preview.out.Creates = append(r.preview.out.Creates, made)
		}
	}
	after, err := r.accounts(ctx)
	if err != nil {
		return err
	}
	r.preview.out.Reconciliations, err = balances.compare(ctx, q)
	if err != nil {
		return err
	}
	for i := range before {
		r.preview.out.Balances = append(r.preview.out.Balances, BalanceChange{before[i], after[i]})
	}
	return nil
}

// makeEarly makes what transactions may need, and gives what makes the rest.
func (r *dryRun) makeEarly(ctx context.Context, q *queries.Queries) (late func() error, err error) {
	if !apply.MakesMore(r.preview.out.Type) {
		return func() error { return nil }, nil
	}
	applier := apply.New(r.im.ledger, r.who, r.names, entry.BulkTarget{}, r.note)
	applier.Target.FirstSequence, err = entry.ReserveSequences(ctx, r.im.ledger.Tx(q, r.who), r.preview.look.rows)
	if err != nil {
		return nil, err
	}
	early, rest := apply.Parted(r.preview.made)
	return func() error {
		err := applier.ApplyLate(ctx, q, rest)
		r.preview.out.Short = applier.Short
		return err
	}, applier.ApplyAll(ctx, q, early)
}

// resolve does so in the order of publishing: the first row that names a category decides its kind.
func (r *dryRun) resolve(ctx context.Context, row record.Record) error {
	key, err := r.names.Account(ctx, row)
	if err != nil {
		return err
	}
	r.touched[record.AccountName(row)] = key
	if _, err := r.names.Category(ctx, row); err != nil {
		return err
	}
	if _, err := r.names.Merchant(ctx, row); err != nil {
		return err
	}
	_, err = r.names.Tags(ctx, row)
	return err
}

// rollups are those of the rows, each day's rows taken together.
func (r *dryRun) rollups() *rollup.Rollups {
	all := rollup.NewRollups()
	for f, sum := range r.preview.flows {
		all.AddSum(r.touched[f.account], f.date, f.currency, *sum)
	}
	return all
}

// accounts are the touched ones that existed before, with their balances, by name.
func (r *dryRun) accounts(ctx context.Context) ([]catalog.Account, error) {
	seen := map[int64]bool{}
	var list []catalog.Account
	for _, key := range r.touched {
		id, exists := r.existing[key]
		if !exists || seen[key] {
			continue
		}
		seen[key] = true
		account, err := r.im.ledger.Accounts.GetAccount(ctx, r.who, id)
		if err != nil {
			return nil, err
		}
		list = append(list, account)
	}
	slices.SortFunc(list, func(a, b catalog.Account) int {
		return cmp.Or(cmp.Compare(ledger.Fold(a.Name), ledger.Fold(b.Name)), cmp.Compare(a.Account.ID, b.Account.ID))
	})
	return list, nil
}

// note lists what had to be created, with the name that it got.
func (r *dryRun) note(ctx context.Context, _ *queries.Queries, c ledger.Created) error {
	made := Creation{Entity: c.Entity}
	var err error
	switch c.Entity {
	case intake.FollowingCategory:
		return nil // what it follows is told
	case intake.ChangedCategory:
		if id := uuid.UUID(c.ID); !slices.Contains(r.changed, id) {
			r.changed = append(r.changed, id)
		}
		return nil
	case "account":
		var account catalog.Account
		account, err = r.im.ledger.Accounts.GetAccount(ctx, r.who, uuid.UUID(c.ID))
		made.Name, made.Currency = account.Name, account.Currency
	case record.EntityCategory:
		made.Name, err = r.categoryPath(ctx, uuid.UUID(c.ID))
	case "tag":
		var tag queries.Tag
		tag, err = r.im.ledger.Labels.GetTag(ctx, r.who, uuid.UUID(c.ID))
		made.Name = tag.Name
	case record.EntityMerchant:
		var merchant queries.Merchant
		merchant, err = r.im.ledger.Labels.GetMerchant(ctx, r.who, uuid.UUID(c.ID))
		made.Name = merchant.Name
	case record.EntitySecurity:
		var security market.Security
		security, err = r.im.ledger.Market.GetSecurity(ctx, r.who, uuid.UUID(c.ID))
		made.Name = market.TickerOf(&security.Security)
	case record.EntityRule:
		var rule rule.Rule
		rule, err = r.im.ledger.Rules.GetRule(ctx, r.who, uuid.UUID(c.ID))
		if rule.Name != nil {
			made.Name = *rule.Name
		}
	case record.EntityValuation:
		var v catalog.Valuation
		v, err = r.im.ledger.Accounts.GetValuation(ctx, r.who, uuid.UUID(c.ID))
		made.Name, made.Currency = fmt.Sprintf("%s %s", v.Account.Name, v.Day), v.Account.Currency
	}
	r.preview.out.Creates = append(r.preview.out.Creates, made)
	return err
}

func parentOf(c catalog.Category) string {
	if c.Parent == nil {
		return ""
	}
	return c.Parent.Name
}

func pathOf(c catalog.Category) string {
	if c.Parent == nil {
		return c.Name
	}
	return c.Parent.Name + ":" + c.Name
}

// lookAtCategories remembers how categories look before the file changes them.
func (r *dryRun) lookAtCategories(ctx context.Context) error {
	if r.preview.out.Type != record.CategoryImport {
		return nil
	}
	list, _, err := r.im.ledger.Labels.ListCategories(ctx, r.who, catalog.CategoryFilter{},
		ledger.Page{Number: 1, Size: math.MaxInt32})
	r.looked = make(map[queries.PublicID]catalog.Category, len(list))
	for _, c := range list {
		r.looked[c.PublicID] = c
	}
	return err
}

func (r *dryRun) categoryPath(ctx context.Context, id uuid.UUID) (string, error) {
	category, err := r.im.ledger.Labels.GetCategory(ctx, r.who, id)
	return pathOf(category), err
}
