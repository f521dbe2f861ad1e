package handlers

import (
	"net/http"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/queries"
)

// cancelImport answers POST /imports/{id}/cancel: 202, for rows may still have to be taken back after the answer.
func (s *imports) cancelImport(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	imp, err := s.imports.Cancel(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	a.status = http.StatusAccepted
	return s.oneImport(a, r, &imp)
}

// streamImport answers GET /imports/{id}/events with server-sent events: progress while the import is being
// published or reverted, and done when it is not, which ends the stream. Each has the body of GET /imports/{id}. When
// the server stops, the stream ends without done. Nothing depends on the Last-Event-ID of a client that comes back:
// the first event is the present state.
func (s *imports) streamImport(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	accounts, err := s.ledger.Entries.AccountIDs(r.Context(), r.who())
	if err != nil {
		return err
	}
	end, err := s.streams.begin(a, r)
	if err != nil {
		return err
	}
	defer end()
	states, stop, err := s.imports.Watch(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	defer stop()
	if e := a.events(); e != nil {
		follow(e, states, (&importEvents{events: e, accounts: accounts}).tell)
	}
	return nil
}

// importEvents tells one client of an import.
type importEvents struct {
	*events
	accounts map[int64]uuid.UUID
	last     string // what was told last
}

func (e *importEvents) tell(imp *queries.Import) error {
	name := "done"
	if importer.Working(imp) {
		name = "progress"
	}
	e.json.reset()
	e.json.open("")
	writeImportDetail(e.json, "data", imp, e.accounts)
	e.json.close()
	text := eventText(name, "", e.json.bytes())
	if text == e.last {
		return nil // it was only looked at again
	}
	e.last = text
	return e.send(text)
}

// writeImportProgress writes how far the work on an import is; null when nothing is to be done. Rate and time left are
// null as long as they are not known.
func writeImportProgress(j *jsonWriter, imp *queries.Import) {
	p, working := importer.ProgressOf(imp)
	if !working {
		j.null("progress")
		return
	}
	j.open("progress")
	j.int("done", p.Done)
	j.int("total", p.Total)
	if p.Rate > 0 {
		j.int("rows_per_second", p.Rate)
		j.int("seconds_left", p.Left)
	} else {
		j.null("rows_per_second")
		j.null("seconds_left")
	}
	j.close()
}
