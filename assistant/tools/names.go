package tools

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// wholeList is the page that holds the whole of a list.
func wholeList() ledger.Page { return ledger.Page{Number: 1, Size: math.MaxInt32} }

// toolName is something that has a name. Parts are what else it stands for: the sub-categories of a category.
type toolName struct {
	id    uuid.UUID
	name  string
	paths []string // by which it can be called as well
	parts []uuid.UUID
}

// find gives the ids of what texts mean, each a name in any case or an id. For what nothing has it notes a problem that
// tells the nearest names. Without texts it gives nil.
func (c *toolCall) find(argument, what string, all []toolName) (ids []uuid.UUID) {
	for _, text := range c.texts[argument] {
		found := calledBy(all, text)
		if len(found) == 0 {
			c.problems.Add(argument, "must be names of the household: there is no %s %s%s", what, ledger.Quote(text),
				nearestNames(all, text))
		}
		for _, n := range found {
			ids = append(append(ids, n.id), n.parts...) // the same twice does no harm
		}
	}
	return ids
}

// calledBy are those that a text means.
func calledBy(all []toolName, text string) (found []toolName) {
	id, isID := ledger.ParseID(text)
	key := ledger.Fold(text)
	for _, n := range all {
		if isID && n.id == id || ledger.Fold(n.name) == key ||
			slices.ContainsFunc(n.paths, func(p string) bool { return ledger.Fold(p) == key }) {
			found = append(found, n)
		}
	}
	return found
}

// most names that a problem tells, and letters of a name that are compared.
const (
	mostNearest  = 5
	mostCompared = 40
)

// nearestNames tells the names that are most like a text: those that have it in them or are in it first.
func nearestNames(all []toolName, text string) string {
	type candidate struct {
		name     string
		distance int
	}
	key, candidates := ClipText(ledger.Fold(text), mostCompared), []candidate{}
	for _, n := range all {
		name := ClipText(ledger.Fold(n.name), mostCompared)
		distance := ledger.Distance(key, name)
		if strings.Contains(name, key) || strings.Contains(key, name) {
			distance -= mostCompared
		}
		candidates = append(candidates, candidate{ClipText(n.name, mostCompared), distance})
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

// accounts, categories, merchants and tags are the ids of the arguments of those names.
func (c *toolCall) accounts(ctx context.Context) ([]uuid.UUID, error) {
	if c.texts["accounts"] == nil {
		return nil, nil
	}
	all, err := c.accountNames(ctx)
	return c.find("accounts", "account", all), err
}

func (c *toolCall) accountNames(ctx context.Context) (all []toolName, err error) {
	labels, err := c.ledger.ListAccountNames(ctx, c.who)
	for _, a := range labels {
		all = append(all, toolName{id: a.ID, name: a.Name})
	}
	return all, err
}

// categories stand for their sub-categories as well.
func (c *toolCall) categories(ctx context.Context) ([]uuid.UUID, error) {
	if c.texts["categories"] == nil {
		return nil, nil
	}
	list, _, err := c.ledger.Labels.ListCategories(ctx, c.who, catalog.CategoryFilter{}, wholeList())
	children := map[uuid.UUID][]uuid.UUID{}
	var all []toolName
	for _, category := range list {
		n := toolName{id: uuid.UUID(category.PublicID), name: category.Name}
		p := category.Parent
		if p != nil {
			children[p.ID] = append(children[p.ID], n.id)
			n.paths = []string{p.Name + ":" + n.name, p.Name + " > " + n.name, p.Name + "/" + n.name,
				p.Name + ": " + n.name}
		}
		all = append(all, n)
	}
	for i := range all {
		all[i].parts = children[all[i].id]
	}
	return c.find("categories", "category", all), err
}

func (c *toolCall) merchants(ctx context.Context) ([]uuid.UUID, error) {
	if c.texts["merchants"] == nil {
		return nil, nil
	}
	list, err := c.ledger.Labels.ListMerchants(ctx, c.who)
	var all []toolName
	for _, m := range list {
		all = append(all, toolName{id: uuid.UUID(m.PublicID), name: m.Name})
	}
	return c.find("merchants", "merchant", all), err
}

func (c *toolCall) tags(ctx context.Context) ([]uuid.UUID, error) {
	if c.texts["tags"] == nil {
		return nil, nil
	}
	list, err := c.ledger.Labels.ListTags(ctx, c.who)
	var all []toolName
	for _, t := range list {
		all = append(all, toolName{id: uuid.UUID(t.PublicID), name: t.Name})
	}
	return c.find("tags", "tag", all), err
}

// filter is what the arguments that several tools share select. Problems may come of it.
func (c *toolCall) filter(ctx context.Context) (f entry.TransactionFilter, err error) {
	f.StartDate, f.EndDate = c.date("start_date"), c.date("end_date")
	for _, list := range []struct {
		ids  *[]uuid.UUID
		find func(context.Context) ([]uuid.UUID, error)
	}{{&f.AccountIDs, c.accounts}, {&f.CategoryIDs, c.categories}, {&f.MerchantIDs, c.merchants}, {&f.TagIDs, c.tags}} {
		*list.ids, err = list.find(ctx)
		if err != nil {
			return f, err
		}
	}
	start := f.StartDate
	if start.Has() && f.EndDate.Has() && start.Value > f.EndDate.Value {
		c.problems.Add("start_date", "must not be after end_date, which is %s, got %s", f.EndDate.Value, start.Value)
	}
	return f, nil
}

// begin gives the first day of the books, where days before it are asked for: what there was then is not known, and
// it is not nothing. Of an account it is the first day of that; without one it is that of all.
func (c *toolCall) begin(ctx context.Context, account uuid.UUID, first ledger.Opt[ledger.Date]) (jsonObject, error) {
	if !first.Has() {
		return nil, nil
	}
	days, err := c.ledger.Balances.BooksBegin(ctx, c.who)
	if err != nil {
		return nil, err
	}
	begins := ledger.MaxDate + 1
	for id, day := range days {
		if account == uuid.Nil || id == account {
			begins = min(begins, day)
		}
	}
	if begins > ledger.MaxDate || begins <= first.Value {
		return nil, nil
	}
	return jsonObject{{"books_begin", begins.String()}}, nil
}

// The parameters that several tools share.
func dayParam(name string, required bool) toolParam {
	return toolParam{name: name, kind: argDate, required: required}
}

func namesParam(name, about string) toolParam {
	return toolParam{name: name, about: about, kind: argTexts}
}

func filterParams() []toolParam {
	return []toolParam{namesParam("accounts", "names"), namesParam("categories", "names; sub-categories count"),
		namesParam("merchants", "names"), namesParam("tags", "names; any of them")}
}

// plainAmount writes an amount of minor units for programs.
func plainAmount(minor int64, currency string) string {
	c, _ := money.LookupCurrency(currency) // what is stored was looked up
	return c.Plain(minor)
}

// plainDifference is one amount less another.
func plainDifference(minor, less int64, currency string) string {
	c, _ := money.LookupCurrency(currency) // what is stored was looked up
	return c.PlainSum(money.SumOf(minor).Minus(money.SumOf(less)))
}
