package handlers

import (
	"net/http"

	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/queries"
)

// cancelImport answers POST /imports/{id}/cancel: 202, for rows may still have to be taken back after the answer.
func (s *imports) cancelImport(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Import")
	if err != nil {
		return err
	}
	imp, err := s.imports.Cancel(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	a.Status = http.StatusAccepted
	return s.oneImport(a, r, &imp)
}

// streamImport answers GET /imports/{id}/events with server-sent events: progress while the import is being
// published or reverted, and done when it is not, which ends the stream. Each has the body of GET /imports/{id}. When
// the server stops, the stream ends without done. Nothing depends on the Last-Event-ID of a client that comes back:
// the first event is the present state.
func (s *imports) streamImport(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Import")
	if err != nil {
		return err
	}
	accounts, err := s.ledger.Entries.AccountIDs(r.Context(), r.Who())
	if err != nil {
		return err
	}
	end, err := s.streams.Begin(a, r)
	if err != nil {
		return err
	}
	defer end()
	states, stop, err := s.imports.Watch(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	defer stop()
	if e := a.Events(); e != nil {
		wire.Follow(e, states, (&importEvents{Events: e, accounts: accounts}).send)
	}
	return nil
}

// importEvents tells one client of an import.
type importEvents struct {
	*wire.Events
	accounts map[int64]uuid.UUID
	last     string // what was told last
}

func (e *importEvents) send(imp *queries.Import) error {
	name := "done"
	if importer.Working(imp) {
		name = "progress"
	}
	e.Json.Reset()
	e.Json.Open("")
	writeImportDetail(e.Json, "data", imp, e.accounts)
	e.Json.Close()
	text := wire.EventText(name, "", e.Json.Bytes())
	if text == e.last {
		return nil // it was only looked at again
	}
	e.last = text
	return e.Send(text)
}

// writeImportProgress writes how far the work on an import is; null when nothing is to be done. Rate and time left are
// null as long as they are not known.
func writeImportProgress(j *wire.Writer, imp *queries.Import) {
	p, working := importer.ProgressOf(imp)
	if !working {
		j.Null("progress")
		return
	}
	j.Open("progress")
	j.Int("done", p.Done)
	j.Int("total", p.Total)
	if p.Rate > 0 {
		j.Int("rows_per_second", p.Rate)
		j.Int("seconds_left", p.Left)
	} else {
		j.Null("rows_per_second")
		j.Null("seconds_left")
	}
	j.Close()
}
