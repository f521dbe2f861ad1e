package mcp

import (
	"bytes"
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
	Account  *string      `json:"account"`
	Date     *string      `json:"date"`
	Expense  *json.Number `json:"expense"`
	Income   *json.Number `json:"income"`
	Currency *string      `json:"currency"`
	Name     *string      `json:"name"`
	Notes    *string      `json:"notes"`
	Category *string      `json:"category"`
	Merchant *string      `json:"merchant"`
	Tags     *[]string    `json:"tags"`
}

// writtenEdit is a change of those that a search finds, or of ids.
type writtenEdit struct {
	written
	Where      string   `json:"where"`
	IDs        []string `json:"ids"`
	AddTags    []string `json:"add_tags"`
	RemoveTags []string `json:"remove_tags"`
	DryRun     *bool    `json:"dry_run"`
	Expected   *int64   `json:"expected_count"`
}

// fieldsSchema are the members of written in JSON schema.
const fieldsSchema = `"date":{"type":"string","format":"date"},"expense":{"type":"string","description":"amount that went out, such as 12.50"},
	"income":{"type":"string","description":"amount that came in"},"currency":{"type":"string","description":"only where it is not the account's"},
	"name":{"type":"string"},"notes":{"type":"string"},"category":{"type":"string","description":"name; empty for none"},
	"merchant":{"type":"string","description":"name; empty for none"},"tags":{"type":"array","items":{"type":"string"},"description":"names; those there are afterwards"}`

// addWriting offers what changes the books.
func (s *Service) addWriting(server *sdk.Server, who ledger.Actor) {
	add := func(name, about, schema string, destructive bool, run func(context.Context, json.RawMessage) (map[string]any, error)) {
		server.AddTool(&sdk.Tool{Name: name, Description: about, InputSchema: json.RawMessage(schema),
			Annotations: &sdk.ToolAnnotations{DestructiveHint: &destructive, OpenWorldHint: new(false)}},
			func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				found, err := run(ctx, r.Params.Arguments)
				return answer(found, err)
			})
	}
	add("add_transaction", "Book one transaction: an expense or an income of an account. Without a date it is of today.",
		`{"type":"object","properties":{"account":{"type":"string","description":"name"},`+fieldsSchema+`},"required":["account","name"],"additionalProperties":false}`,
		false, func(ctx context.Context, raw json.RawMessage) (map[string]any, error) { return s.add(ctx, who, raw) })
	add("edit_transactions", "Change, categorise or tag all transactions that a search finds, or those of ids, wholly or not at all. Without dry_run false nothing is "+
		"changed, and what would change is told: show that to the user first, then repeat with dry_run false and the expected_count that was matched. "+
		`where is words such as: rewe "blue bottle" >50 <=20 10..20 @account cat:name #tag by:merchant is:income is:expense is:transfer no:category 2026-10 last month since:2026-01 -word.`,
		`{"type":"object","properties":{"where":{"type":"string"},"ids":{"type":"array","items":{"type":"string","format":"uuid"}},`+fieldsSchema+
			`,"add_tags":{"type":"array","items":{"type":"string"}},"remove_tags":{"type":"array","items":{"type":"string"}},"dry_run":{"type":"boolean"},
			"expected_count":{"type":"integer"}},"additionalProperties":false}`,
		true, func(ctx context.Context, raw json.RawMessage) (map[string]any, error) { return s.edit(ctx, who, raw) })
	add("undo_change", "Take back what one change did, by its change_id.",
		`{"type":"object","properties":{"change_id":{"type":"string","format":"uuid"}},"required":["change_id"],"additionalProperties":false}`,
		true, func(ctx context.Context, raw json.RawMessage) (map[string]any, error) { return s.undo(ctx, who, raw) })
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

// read reads arguments strictly.
func read(raw json.RawMessage, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return ledger.NewInvalid("arguments", "cannot be read: %s", err)
	}
	return nil
}

func (s *Service) add(ctx context.Context, who ledger.Actor, raw json.RawMessage) (map[string]any, error) {
	var w written
	if err := read(raw, &w); err != nil {
		return nil, err
	}
	in, err := s.input(ctx, who, &w)
	if err != nil {
		return nil, err
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
	if err := read(raw, &w); err != nil {
		return nil, err
	}
	if w.Account != nil {
		return nil, ledger.NewInvalid("account", "cannot be changed")
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
	for _, text := range w.IDs {
		id, ok := ledger.ParseID(text)
		if !ok {
			return ledger.NewInvalid("ids", "must be ids (UUIDs), has %s", ledger.Quote(text))
		}
		change.IDs = append(change.IDs, id)
	}
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
	if err := read(raw, &w); err != nil {
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
		in.Amount, in.Nature = amount(&in.Problems, "expense", *w.Expense), ledger.Some("expense")
	case w.Income != nil:
		in.Amount, in.Nature = amount(&in.Problems, "income", *w.Income), ledger.Some("income")
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

// amount reads an amount whose direction its name says.
func amount(p *ledger.Problems, field string, text json.Number) ledger.Opt[decimal.Decimal] {
	n, err := money.ParseDecimal(text.String())
	if err == nil && !n.IsPositive() {
		err = fmt.Errorf("must be more than 0, got %s", text)
	}
	p.Note(field, err)
	return ledger.Some(n)
}
