package handlers

import (
	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/history"
)

// changes answers for the history, and for changes of many transactions at once.
type changes struct{ ledger *books.Books }

// changeTransactions answers PATCH /transactions/bulk. It reads the body itself so that an Idempotency-Key does not make
// one write of the change, which may take several.
func (s *changes) changeTransactions(a *wire.Answer, r *wire.Request) error {
	if err := r.DecodeBody(); err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	ids := f.Ids("ids")
	change := entry.ManyChange{IDs: ids.Value, AddTagIDs: f.Ids("add_tag_ids").Value,
		RemoveTagIDs: f.Ids("remove_tag_ids").Value, Expected: f.Integer("expected_count")}
	dryRun := f.Boolean("dry_run").Or(false)
	if f.Has("transaction") {
		fields, err := r.Wrapped("transaction")
		if err != nil {
			return err
		}
		change.Fields = readNewTransaction(fields)
	}
	change.Problems = *f.Problems
	q := r.Query()
	change.Filter, err = transactionFilter(s.ledger, r, q)
	if err != nil {
		return err
	}
	if q.RefuseUnknown(); q.Err() != nil {
		return q.Err()
	}
	switch {
	case ids.Set && change.Filter.IsSet():
		change.Problems.Add("ids", "must not be given together with a filter in the query: name the transactions by one of the two")
	case !ids.Set && !change.Filter.IsSet():
		change.Problems.Add("ids", "is required, or a filter in the query such as ?category_id=… or ?q=…")
	}
	if change.IDs == nil && ids.Set {
		change.IDs = []uuid.UUID{}
	}
	out, err := s.ledger.Entries.ChangeTransactions(r.Context(), r.Who(), change, dryRun)
	if err != nil {
		return err
	}
	writeManyOutcome(a.Json, &out, dryRun)
	return nil
}

func writeManyOutcome(j *wire.Writer, out *entry.ManyOutcome, dryRun bool) {
	j.Open("")
	j.Bool("dry_run", dryRun)
	j.Int("matched", out.Matched)
	j.Int("changed", out.Changed)
	j.IdOrNull("change_id", out.OperationID)
	if dryRun {
		j.List("changes")
		for _, row := range out.Rows {
			j.Open("")
			j.Id("transaction_id", row.ID)
			j.Date("date", row.Date)
			j.Text("account", row.Account)
			j.Text("name", row.Name)
			j.Int("signed_amount_cents", row.Minor)
			j.Text("currency", row.Currency)
			j.Text("field", row.Field)
			j.TextOrNull("before", row.Before)
			j.TextOrNull("after", row.After)
			j.Close()
		}
		j.EndList()
	}
	j.Close()
}

// listChanges answers GET /changes, newest first.
func (s *changes) listChanges(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	list, more, err := s.ledger.History.List(r.Context(), r.Who(), page)
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.List("changes")
	for i := range list {
		j.Open("")
		writeOperation(j, &list[i])
		j.Close()
	}
	j.EndList()
	j.Open("pagination")
	j.Int("page", int64(page.Number))
	j.Int("per_page", int64(page.Size))
	if more {
		j.Int("next_page", int64(page.Number)+1)
	} else {
		j.Null("next_page")
	}
	j.Close()
	j.Close()
	return nil
}

// showChange answers GET /changes/{id} with a page of what it did.
func (s *changes) showChange(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Change")
	if err != nil {
		return err
	}
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	operation, err := s.ledger.History.Get(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	list, err := s.ledger.History.Changes(r.Context(), r.Who(), id, page)
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	writeOperation(j, &operation)
	j.List("items")
	for _, c := range list {
		j.Open("")
		j.Text("entity", string(c.Entity))
		j.Id("id", c.EntityID)
		j.Text("action", c.Action)
		writeImage(j, "before", c, c.Before)
		writeImage(j, "after", c, c.After)
		j.Close()
	}
	j.EndList()
	j.Close()
	return nil
}

// writeImage writes what the history keeps of a transaction; of other things it is no part of the API.
func writeImage(j *wire.Writer, name string, c ledger.Change, text *string) {
	if c.Entity != ledger.EntityTransaction || text == nil {
		j.Null(name)
		return
	}
	j.Raw(name, *text)
}

// undoChange answers POST /changes/{id}/undo with the change that took it back.
func (s *changes) undoChange(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Change")
	if err != nil {
		return err
	}
	if err := r.DecodeBody(); err != nil {
		return err
	}
	undone, err := s.ledger.History.Undo(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	operation, err := s.ledger.History.Get(r.Context(), r.Who(), uuid.UUID(undone))
	if err != nil {
		return err
	}
	a.Json.Open("")
	writeOperation(a.Json, &operation)
	a.Json.Close()
	return nil
}

func writeOperation(j *wire.Writer, o *history.Operation) {
	j.Id("id", o.ID)
	j.Text("summary", o.Summary())
	j.Text("origin", string(o.Origin))
	j.Filled("user", o.User)
	j.Filled("api_key", o.Key)
	j.List("counts")
	for _, c := range o.Counts {
		j.Open("")
		j.Text("entity", string(c.Entity))
		j.Text("action", c.Action)
		j.Int("count", c.Changed)
		j.Close()
	}
	j.EndList()
	j.Bool("undoable", o.Fixed == "")
	j.Filled("reason", o.Fixed)
	j.IdOrNull("undoes", o.Undoes)
	j.IdOrNull("undone_by", o.UndoneBy)
	j.Time("created_at", o.At)
}
