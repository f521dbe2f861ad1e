package tools

import (
	"context"
	"math"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
)

// wholeList is the page that holds the whole of a list.
func wholeList() ledger.Page { return ledger.Page{Number: 1, Size: math.MaxInt32} }

// find gives the ids of what texts mean, each a name in any case or an id. For what nothing has it notes a problem that
// tells the nearest names. Without texts it gives nil.
func (c *toolCall) find(argument, what string, all []names.Name) (ids []uuid.UUID) {
	for _, text := range c.texts[argument] {
		found := names.Called(all, text)
		if len(found) == 0 {
			c.problems.Add(argument, "must be names of the household: there is no %s %s%s", what, ledger.Quote(text),
				names.Nearest(all, text))
		}
		for _, n := range found {
			ids = append(append(ids, n.ID), n.Parts...) // the same twice does no harm
		}
	}
	return ids
}

// labels are the ids of an argument that names things of a kind. Categories stand for their sub-categories as well.
func (c *toolCall) labels(ctx context.Context, argument string, kind names.Kind) (ids []uuid.UUID, err error) {
	if c.texts[argument] == nil {
		return nil, nil
	}
	all, err := c.ledger.Names.List(ctx, c.who, kind)
	return c.find(argument, string(kind), all), err
}

// filter is what the arguments that several tools share select. Problems may come of it.
func (c *toolCall) filter(ctx context.Context) (f entry.TransactionFilter, err error) {
	f.StartDate, f.EndDate = c.date("start_date"), c.date("end_date")
	for _, list := range []struct {
		ids      *[]uuid.UUID
		argument string
		kind     names.Kind
	}{{&f.AccountIDs, "accounts", names.Account}, {&f.CategoryIDs, "categories", names.Category},
		{&f.MerchantIDs, "merchants", names.Merchant}, {&f.TagIDs, "tags", names.Tag}} {
		*list.ids, err = c.labels(ctx, list.argument, list.kind)
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
