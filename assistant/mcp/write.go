package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
)

// written is what a tool says about transactions: names where the ledger has ids. An empty text is nothing.
type written struct {
	Account  *string   `json:"account"`
	Date     *string   `json:"date"`
	Expense  *figure   `json:"expense"`
	Income   *figure   `json:"income"`
	Currency *string   `json:"currency"`
	Name     *string   `json:"name"`
	Notes    *string   `json:"notes"`
	Category *string   `json:"category"`
	Merchant *string   `json:"merchant"`
	Tags     *[]string `json:"tags"`
}

// figure is an amount, as a text or a number.
type figure string

// UnmarshalJSON takes the number or what is between the quotes.
func (f *figure) UnmarshalJSON(raw []byte) error {
	*f = figure(strings.Trim(string(raw), `" `))
	return nil
}

// writtenEdit is a change of those that a search finds, or of ids.
type writtenEdit struct {
	written
	Where      string      `json:"where"`
	IDs        []uuid.UUID `json:"ids"`
	AddTags    []string    `json:"add_tags"`
	RemoveTags []string    `json:"remove_tags"`
	DryRun     *bool       `json:"dry_run"`
	Expected   *int64      `json:"expected_count"`
}

// fields are the arguments of what is said about a transaction.
func fields() []param {
	return []param{{"date", argDate, ""}, {"expense", argAmount, "amount that went out, such as 12.50"}, {"income", argAmount, "amount that came in"},
		{"currency", argText, "only where it is not the account's"}, {"name", argText, ""}, {"notes", argText, ""},
		{"category", argText, "name; empty for none"}, {"merchant", argText, "name; empty for none"},
		{"tags", argTexts, "names; those there are afterwards"}}
}

func addParams() []param { return append([]param{{"account", argText, "name"}}, fields()...) }

func editParams() []param {
	return append([]param{{"where", argText, "a search"}, {"ids", argIDs, ""}, {"add_tags", argTexts, "names"}, {"remove_tags", argTexts, "names"},
		{"dry_run", argFlag, "true unless it is said to be false"}, {"expected_count", argInteger, "what matched when it was shown"}}, fields()...)
}

func undoParams() []param { return []param{{"change_id", argID, ""}} }

// addWriting offers what changes the books.
func (s *Service) addWriting(server *sdk.Server, who ledger.Actor) {
	add := func(name, about string, schema json.RawMessage, destructive bool, run func(context.Context, *sdk.CallToolRequest) (map[string]any, error)) {
		server.AddTool(&sdk.Tool{Name: name, Description: about, InputSchema: schema,
			Annotations: &sdk.ToolAnnotations{DestructiveHint: &destructive, OpenWorldHint: new(false)}},
			func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				found, err := run(ctx, r)
				return answer(found, err)
			})
	}
	add("add_transaction", "Book one transaction: an expense or an income of an account. Without a date it is of today.",
		schemaOf(addParams(), "account", "name"), false,
		func(ctx context.Context, r *sdk.CallToolRequest) (map[string]any, error) {
			return s.add(ctx, who, r.Params.Arguments)
		})
	add("edit_transactions", "Change, categorise or tag all transactions that a search finds, or those of ids, wholly or not at all. Without dry_run false nothing is "+
		"changed, and what would change is told: show that to the user first, then repeat with dry_run false and the expected_count that was matched. "+
		`where is words such as: rewe "blue bottle" >50 <=20 10..20 @account cat:name #tag by:merchant is:income is:expense is:transfer no:category 2026-10 last month since:2026-01 -word.`,
		schemaOf(editParams()), true,
		func(ctx context.Context, r *sdk.CallToolRequest) (map[string]any, error) {
			return s.edit(ctx, who, r.Params.Arguments)
		})
	add("import_transactions", "Import the text of a bank's file, such as CSV, into an account, wholly or not at all. How it is read is found out from it. "+
		"Without dry_run false nothing is booked, and what would be is told, with a plan: show that to the user first, then repeat with dry_run false and the plan.",
		schemaOf(importParams(), "content"), false,
		func(ctx context.Context, r *sdk.CallToolRequest) (map[string]any, error) {
			return s.importFile(ctx, who, r)
		})
	add("get_import", "How an import goes, or ended.", schemaOf(importIDParams(), "import_id"), false,
		func(ctx context.Context, r *sdk.CallToolRequest) (map[string]any, error) {
			return s.showImport(ctx, who, r.Params.Arguments)
		})
	add("undo_change", "Take back what one change did, by its change_id.", schemaOf(undoParams(), "change_id"), true,
		func(ctx context.Context, r *sdk.CallToolRequest) (map[string]any, error) {
			return s.undo(ctx, who, r.Params.Arguments)
		})
}

// answer is what a call gives. What is wrong with it is its result, so that the model can do better; an error is the
// context's or the database's.
func answer(found map[string]any, err error) (*sdk.CallToolResult, error) {
	e := ledger.AsError(err)
	switch {
	case err != nil && (e == nil || e.Kind == ledger.Internal):
		return nil, err
	case err != nil:
		found = map[string]any{"error": e.Message}
		if len(e.Fields) > 0 {
			found["error"] = strings.Join(e.Fields.Sentences(), "; ")
		}
	}
	text, failed := json.Marshal(found)
	if failed != nil {
		return nil, failed
	}
	return result(text, err != nil), nil
}

func (s *Service) add(ctx context.Context, who ledger.Actor, raw json.RawMessage) (map[string]any, error) {
	var w written
	if err := read(addParams(), raw, &w); err != nil {
		return nil, err
	}
	in, err := s.input(ctx, who, &w)
	if err != nil {
		return nil, err
	}
	if !in.Amount.Set {
		return nil, ledger.NewInvalid("expense", "or income is required, one of the two")
	}
	account, err := s.Ledger.Names.Find(ctx, who, names.Account, ledger.OrBlank(w.Account))
	if err != nil {
		return nil, err
	}
	in.AccountID = ledger.Some(account.ID)
	if !in.Date.Set {
		query, err := s.Ledger.Searches.Read(ctx, who, "today")
		if err != nil {
			return nil, err
		}
		in.Date = query.Filter.StartDate
	}
	t, _, err := s.Ledger.Entries.CreateTransaction(ctx, who, in)
	if err != nil {
		return nil, err
	}
	currency, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
	added := map[string]any{"id": uuid.UUID(t.PublicID), "date": ledger.Date(t.Date).String(), "account": t.Account.Name, "name": t.Name,
		"amount": currency.Plain(t.Amount), "currency": t.Currency}
	if t.Category != nil {
		added["category"] = t.Category.Name
	}
	return added, nil
}

func (s *Service) edit(ctx context.Context, who ledger.Actor, raw json.RawMessage) (map[string]any, error) {
	var w writtenEdit
	if err := read(editParams(), raw, &w); err != nil {
		return nil, err
	}
	fields, err := s.input(ctx, who, &w.written)
	if err != nil {
		return nil, err
	}
	change := entry.ManyChange{Fields: fields, Expected: ledger.OptOf(w.Expected)}
	change.AddTagIDs, err = s.Ledger.Names.IDs(ctx, who, names.Tag, w.AddTags)
	if err != nil {
		return nil, err
	}
	change.RemoveTagIDs, err = s.Ledger.Names.IDs(ctx, who, names.Tag, w.RemoveTags)
	if err != nil {
		return nil, err
	}
	if err := s.choose(ctx, who, &w, &change); err != nil {
		return nil, err
	}
	dry := w.DryRun == nil || *w.DryRun
	if !dry && w.Where != "" && !change.Expected.Has() {
		return nil, ledger.NewInvalid("expected_count", "is required with dry_run false: how many matched when it was shown")
	}
	out, err := s.Ledger.Entries.ChangeTransactions(ctx, who, change, dry)
	if err != nil {
		return nil, err
	}
	said := map[string]any{"dry_run": dry, "matched": out.Matched, "changed": out.Changed}
	if out.OperationID != uuid.Nil {
		said["change_id"] = out.OperationID
	}
	if dry {
		rows := []map[string]any{}
		for _, r := range out.Rows {
			currency, _ := money.LookupCurrency(r.Currency) // what is stored was looked up
			rows = append(rows, map[string]any{"date": r.Date.String(), "account": r.Account, "name": r.Name, "amount": currency.Plain(r.Minor),
				"currency": r.Currency, "field": r.Field, "before": r.Before, "after": r.After})
		}
		said["changes"] = rows
	}
	return said, nil
}

// choose says which transactions an edit is of.
func (s *Service) choose(ctx context.Context, who ledger.Actor, w *writtenEdit, change *entry.ManyChange) error {
	if (w.Where == "") == (len(w.IDs) == 0) {
		return ledger.NewInvalid("where", "or ids is required, one of the two")
	}
	change.IDs = w.IDs
	if w.Where == "" {
		return nil
	}
	query, err := s.Ledger.Searches.Read(ctx, who, w.Where)
	if err != nil {
		return err
	}
	change.Filter = query.Filter
	if err := query.Err("where"); err != nil {
		return err
	}
	if !change.Filter.IsSet() {
		return ledger.NewInvalid("where", "must narrow what is changed")
	}
	return nil
}

func (s *Service) undo(ctx context.Context, who ledger.Actor, raw json.RawMessage) (map[string]any, error) {
	var w struct {
		ChangeID uuid.UUID `json:"change_id"`
	}
	if err := read(undoParams(), raw, &w); err != nil {
		return nil, err
	}
	undone, err := s.Ledger.History.Undo(ctx, who, w.ChangeID)
	return map[string]any{"taken_back": w.ChangeID, "change_id": uuid.UUID(undone)}, err
}

// input looks up what is said about transactions.
func (s *Service) input(ctx context.Context, who ledger.Actor, w *written) (in entry.TransactionInput, err error) {
	in.Name, in.Currency = ledger.OptOf(w.Name), ledger.OptOf(w.Currency)
	if w.Notes != nil {
		in.Notes = ledger.Opt[string]{Set: true, Null: *w.Notes == "", Value: *w.Notes}
	}
	if w.Date != nil {
		day, err := ledger.ParseDate(*w.Date)
		in.Problems.Note("date", err)
		in.Date = ledger.Some(day)
	}
	switch {
	case w.Expense != nil && w.Income != nil:
		in.Problems.Add("income", "must not be given together with expense")
	case w.Expense != nil:
		in.Amount, in.Nature = positive(&in.Problems, "expense", *w.Expense), ledger.Some("expense")
	case w.Income != nil:
		in.Amount, in.Nature = positive(&in.Problems, "income", *w.Income), ledger.Some("income")
	}
	if err := in.Problems.Err(); err != nil {
		return in, err
	}
	in.CategoryID, err = s.Ledger.Names.Given(ctx, who, names.Category, w.Category)
	if err != nil {
		return in, err
	}
	in.MerchantID, err = s.Ledger.Names.Given(ctx, who, names.Merchant, w.Merchant)
	if err != nil || w.Tags == nil {
		return in, err
	}
	tags, err := s.Ledger.Names.IDs(ctx, who, names.Tag, *w.Tags)
	in.TagIDs = ledger.Some(tags)
	return in, err
}

// positive reads an amount whose direction its name says.
func positive(p *ledger.Problems, field string, text figure) ledger.Opt[decimal.Decimal] {
	n, err := money.ParseDecimal(string(text))
	if err == nil && !n.IsPositive() {
		err = fmt.Errorf("must be more than 0, got %s", text)
	}
	p.Note(field, err)
	return ledger.Some(n)
}
