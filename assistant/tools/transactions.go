package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/report"
	"finsvc/queries"
)

// mostAdded is up to how many transactions a list says what they come to.
const mostAdded = 50_000

// mostLargest is how many of the largest transactions a list can reach: they are sorted for each page.
const mostLargest = 1000

func transactionsTool() tool {
	params := []toolParam{dayParam("start_date", false), dayParam("end_date", false)}
	params = append(params, filterParams()...)
	params = append(params,
		toolParam{name: "type", kind: argText, enum: []string{"income", "expense", "transfer"}},
		toolParam{name: "min_amount", kind: argNumber, about: "absolute"}, toolParam{name: "max_amount",
			kind: argNumber, about: "absolute"},
		toolParam{name: "search", kind: argText, about: "in name, notes, merchant"},
		toolParam{name: "query", kind: argText, about: "instead of all other filters, words such as: @account >50 -rewe no:category last month"},
		toolParam{name: "sort_by", kind: argText, enum: []string{"date", "amount"}, about: "newest or largest first"},
		toolParam{name: "page", kind: argInteger}, toolParam{name: "page_size", kind: argInteger, most: 100,
			about: "default 20"})
	const about = "Single transactions, filtered; of a split payment its parts. Totals are of all that match, on all pages, without transfers. " +
		"For sums by category, merchant or month use get_income_statement."
	return tool{"get_transactions", about, params, getTransactions}
}

func getTransactions(ctx context.Context, c *toolCall) (*toolResult, error) {
	if c.text("query") != "" {
		return c.searched(ctx)
	}
	f, err := c.filter(ctx)
	f.MinAmount, f.MaxAmount, f.Absolute, f.Search = c.number("min_amount"), c.number("max_amount"), true,
		c.text("search")
	f.Type = c.text("type")
	switch f.Type {
	case "transfer":
		f.Type, f.Transfers = "", new(true)
	case "income", "expense":
		f.Transfers = new(false)
	}
	if err != nil {
		return nil, err
	}
	return c.listed(ctx, f)
}

// searched lists what a search in words finds.
func (c *toolCall) searched(ctx context.Context) (*toolResult, error) {
	for _, name := range []string{"accounts", "categories", "merchants", "tags", "type", "search"} {
		if c.texts[name] != nil {
			c.problems.Add(name, "must not be given together with query: write it in that")
		}
	}
	for _, given := range []bool{c.date("start_date").Set, c.date("end_date").Set, c.number("min_amount").Set, c.number("max_amount").Set} {
		if given {
			c.problems.Add("query", "must not be given together with days and amounts: write them in it")
			break
		}
	}
	query, err := c.ledger.Searches.Read(ctx, c.who, c.text("query"))
	if err != nil {
		return nil, err
	}
	if e := ledger.AsError(query.Err("query")); e != nil {
		c.problems = append(c.problems, e.Fields...)
	}
	return c.listed(ctx, query.Filter)
}

// listed is a page of the transactions that a filter selects, with what they come to.
func (c *toolCall) listed(ctx context.Context, f entry.TransactionFilter) (*toolResult, error) {
	read, page := c.ledger.Entries.ListTransactions, c.page(20)
	if c.text("sort_by") == "amount" {
		read = c.ledger.Entries.ListLargestTransactions
		if page.Offset()+int64(page.Size) > mostLargest {
			c.problems.Add("page", "must lie within the %d largest", mostLargest)
		}
	}
	if len(c.problems) > 0 {
		return nil, nil
	}
	rows, total, err := read(ctx, c.who, f, page)
	if err != nil {
		return nil, err
	}
	found := &toolResult{figures: jsonObject{{"total_results", total}, {"page", int64(page.Number)},
		{"total_pages", max(1, (total+int64(page.Size)-1)/int64(page.Size))}}}
	if err := c.addPayments(ctx, found, f, page, total); err != nil {
		return nil, err
	}
	if err := c.addTotals(ctx, found, f, total); err != nil {
		return nil, err
	}
	out := toolList{name: "transactions", total: int(total), more: "page and a smaller page_size give the rest"}
	for i := range rows {
		out.rows = append(out.rows, transactionRow(&rows[i]))
	}
	found.lists = append(found.lists, out)
	return found, nil
}

// addPayments says how many payments the transactions are where only their number is wanted and some are parts of one.
func (c *toolCall) addPayments(ctx context.Context, found *toolResult, f entry.TransactionFilter, page ledger.Page,
	total int64) error {
	if page.Size > 1 || total < 2 || total > mostLargest {
		return nil
	}
	all, _, err := c.ledger.Entries.ListTransactions(ctx, c.who, f, ledger.Page{Number: 1, Size: int(total)})
	payments := map[queries.PublicID]bool{}
	for i := range all {
		payments[cmp.Or(all[i].SplitOf, all[i].PublicID)] = true
	}
	n := int64(len(payments))
	if n > 0 && n < total {
		found.figures = found.figures.with("payments", n)
	}
	return err
}

// addTotals says what the transactions come to.
func (c *toolCall) addTotals(ctx context.Context, found *toolResult, f entry.TransactionFilter, total int64) error {
	switch {
	case f.Transfers != nil && *f.Transfers:
		return nil
	case total > mostAdded:
		found.figures = found.figures.with("totals",
			fmt.Sprintf("not added up, as there are more than %d; narrow the dates or use get_income_statement",
				mostAdded))
		return nil
	}
	sums, err := c.ledger.Reports.Breakdown(ctx, c.who,
		report.BreakdownInput{TransactionFilter: f, TransactionsOnly: true})
	found.figures = append(found.figures, jsonMember{"currency", sums.Currency},
		jsonMember{"total_income", plainAmount(sums.Income, sums.Currency)},
		jsonMember{"total_expenses", plainAmount(sums.Expenses, sums.Currency)})
	found.lists = append(found.lists, slices.Concat(incomeGaps("", sums), staleRates(sums.Stale))...)
	return err
}

// incomeGaps is what totals leave out.
func incomeGaps(prefix string, of report.Breakdown) []toolList {
	out := newGapLists(prefix)
	for _, g := range of.Unconverted {
		out.add(g.Reason(), jsonObject{{"currency", g.Currency}, {"income", plainAmount(g.Income, g.Currency)},
			{"expenses", plainAmount(g.Expenses, g.Currency)}})
	}
	return out.lists()
}

// transactionRow is a transaction as models get it: the amount has no sign, type says which way it went.
func transactionRow(t *entry.Transaction) jsonObject {
	row := jsonObject{{"date", ledger.Date(t.Date).String()}, {"name", ledger.ClipText(t.Name, 100)},
		{"amount", plainAmount(max(t.Amount, -t.Amount), t.Currency)},
		{"currency", t.Currency}, {"type", flowOf(t.Amount)}, {"account", ledger.ClipText(t.Account.Name, 60)}}
	if t.Transfer != nil {
		row[4].value = "transfer"
		direction := "out"
		if t.Amount > 0 {
			direction = "in"
		}
		row = row.with("direction", direction)
		if t.Transfer.Other != nil {
			row = row.with("other_account", ledger.ClipText(t.Transfer.Other.Name, 60))
		}
	}
	row = withLabelNames(row, t.Category, t.Merchant, t.Tags)
	if t.Notes != nil {
		row = row.withText("notes", ledger.ClipText(*t.Notes, 100))
	}
	if t.Position > 0 {
		row = row.with("part_of_split_payment", true)
	}
	return row
}

func flowOf(minor int64) string {
	if minor > 0 {
		return "income"
	}
	return "expense"
}

func withLabelNames(row jsonObject, category *ledger.CategoryRef, merchant *ledger.MerchantRef,
	tags []*ledger.TagRef) jsonObject {
	if category != nil {
		row = row.with("category", ledger.ClipText(category.Name, 60))
	}
	if merchant != nil {
		row = row.with("merchant", ledger.ClipText(merchant.Name, 60))
	}
	names := []string{}
	for _, t := range tags {
		names = append(names, ledger.ClipText(t.Name, 60))
	}
	if len(names) > 0 {
		row = row.with("tags", names)
	}
	return row
}
