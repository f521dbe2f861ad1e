package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/fx"
)

func accountsTool() tool {
	return tool{"get_accounts", "All accounts with today's balances; of a liability what is owed, positive.", nil,
		getAccounts}
}

// getAccounts lists what is in use. An id is only told where a name says too little.
func getAccounts(ctx context.Context, c *toolCall) (*toolResult, error) {
	accounts, total, err := c.ledger.Accounts.ListAccounts(ctx, c.who, false, wholeList())
	seen := map[string]int{}
	for _, a := range accounts {
		seen[a.NameKey]++
	}
	out, stale := toolList{name: "accounts", total: int(total)}, []fx.StaleRate{}
	for _, a := range accounts {
		row := jsonObject{{"name", ledger.ClipText(a.Name, 100)}, {"type", a.AccountType},
			{"classification", a.Classification},
			{"balance", plainAmount(a.BalanceMinor, a.Currency)}, {"currency", a.Currency}}
		if seen[a.NameKey] > 1 {
			row = row.with("id", uuid.UUID(a.PublicID).String())
		}
		for _, u := range a.Unconverted {
			row = row.with("not_converted", plainAmount(u.Minor, u.Currency)+" "+u.Currency)
		}
		for _, s := range a.Stale {
			if !slices.Contains(stale, s) {
				stale = append(stale, s)
			}
		}
		out.rows = append(out.rows, row)
	}
	return &toolResult{figures: jsonObject{{"total_results", total}}, lists: append(staleRates(stale), out)}, err
}

func categoriesTool() tool {
	return tool{"get_categories", "All categories.",
		[]toolParam{{name: "classification", kind: argText, enum: []string{"income", "expense"}}}, getCategories}
}

func getCategories(ctx context.Context, c *toolCall) (*toolResult, error) {
	categories, total, err := c.ledger.Labels.ListCategories(ctx, c.who,
		catalog.CategoryFilter{Classification: c.text("classification")}, wholeList())
	out := toolList{name: "categories", total: int(total)}
	for _, category := range categories {
		row := jsonObject{{"name", ledger.ClipText(category.Name, 100)}, {"classification", category.Classification}}
		if category.Parent != nil {
			row = row.with("parent", ledger.ClipText(category.Parent.Name, 100))
		}
		out.rows = append(out.rows, row)
	}
	return &toolResult{figures: jsonObject{{"total_results", total}}, lists: []toolList{out}}, err
}

func getTags(ctx context.Context, c *toolCall) (*toolResult, error) {
	tags, err := c.ledger.Labels.ListTags(ctx, c.who)
	out := toolList{name: "tags"}
	for _, t := range tags {
		out.rows = append(out.rows, jsonObject{{"name", ledger.ClipText(t.Name, 100)}})
	}
	return &toolResult{figures: jsonObject{{"total_results", int64(len(tags))}}, lists: []toolList{out}}, err
}

func merchantsTool() tool {
	return tool{"get_merchants", "Merchants by name.",
		[]toolParam{{name: "search", about: "part of the name", kind: argText}}, getMerchants}
}

func getMerchants(ctx context.Context, c *toolCall) (*toolResult, error) {
	merchants, err := c.ledger.Labels.ListMerchants(ctx, c.who)
	out, part := toolList{name: "merchants", more: "search narrows it"}, ledger.Fold(c.text("search"))
	for _, m := range merchants {
		if strings.Contains(ledger.Fold(m.Name), part) {
			out.rows = append(out.rows, jsonObject{{"name", ledger.ClipText(m.Name, 100)}})
		}
	}
	return &toolResult{figures: jsonObject{{"total_results", int64(len(out.rows))}}, lists: []toolList{out}}, err
}
