package web

import (
	"bytes"
	"encoding/json"

	"finsvc/ledger"
	"finsvc/ledger/history"
)

// historyView is a page of what was done, newest first.
type historyView struct {
	Operations []history.Operation
	Pages      pager
}

// operationView is one operation with the changes that it made.
type operationView struct {
	history.Operation
	Changes []changedThing
	Pages   pager
}

// changedThing is one thing that an operation changed: what was and what became of it, as the history keeps it.
type changedThing struct{ Action, Entity, Before, After string }

const operationsPerPage = 50

// listHistory answers GET /history.
func listHistory(v *visit) error {
	page := v.page(operationsPerPage)
	list, more, err := v.site.Ledger.History.List(v.Context(), v.who(), page)
	if err != nil {
		return err
	}
	total := page.Offset() + int64(len(list)) + ledger.AsInteger(more) // that there are more is known, not how many
	return v.render("history", "History", historyView{list, pagerOf(v.URL, page, total)})
}

// showOperation answers GET /history/{id}.
func showOperation(v *visit) error {
	id, err := v.id("Change")
	if err != nil {
		return err
	}
	view, page := operationView{}, v.page(operationsPerPage)
	view.Operation, err = v.site.Ledger.History.Get(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	list, err := v.site.Ledger.History.Changes(v.Context(), v.who(), id, page)
	if err != nil {
		return err
	}
	total := int64(0)
	for _, c := range view.Counts {
		total += c.Changed
	}
	view.Pages = pagerOf(v.URL, page, total)
	for _, c := range list {
		thing := changedThing{Action: map[string]string{ledger.ActionCreate: "added", ledger.ActionUpdate: "changed",
			ledger.ActionDelete: "deleted"}[c.Action], Entity: string(c.Entity)}
		if !v.show.hidden { // what is kept has amounts in it
			thing.Before, thing.After = indented(c.Before), indented(c.After)
		}
		view.Changes = append(view.Changes, thing)
	}
	return v.render("operation", "What changed", view)
}

// indented is a text of JSON on lines of its own; blank of nothing.
func indented(text *string) string {
	var b bytes.Buffer
	if text == nil || json.Indent(&b, []byte(*text), "", "  ") != nil {
		return ledger.OrBlank(text)
	}
	return b.String()
}
