package handlers

import (
	"fmt"
	"net/http"
	"time"

	"finsvc/importer"
	"finsvc/queries"

	"github.com/google/uuid"
)

// keepAliveEvery is how often a stream says something when there is nothing to say: programs between the server and
// the client cut off silent connections after a minute, some of them after half of it.
const keepAliveEvery = 15 * time.Second

// cancelImport answers POST /imports/{id}/cancel: 202, for rows may still have to be taken back after the answer.
func (s *Server) cancelImport(a *answer, r *request) error {
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
func (s *Server) streamImport(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	accounts, err := s.ledger.AccountIDs(r.Context(), r.who())
	if err != nil {
		return err
	}
	states, stop, err := s.imports.Watch(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	defer stop()
	a.header().Set("X-Accel-Buffering", "no") // a proxy that gathers answers would make one event of all
	w, control := a.stream("text/event-stream")
	if r.Method == http.MethodHead {
		return nil
	}
	e := &events{answer: a, w: w, control: control, accounts: accounts}
	e.follow(r, states)
	return nil
}

// events writes server-sent events to one client.
type events struct {
	*answer
	w        http.ResponseWriter
	control  *http.ResponseController
	accounts map[int64]uuid.UUID
	last     string // what was told last
}

// follow passes states on until there are no more or the client is gone, which nobody can be told.
func (e *events) follow(r *request, states <-chan queries.Import) {
	alive := time.NewTicker(keepAliveEvery)
	defer alive.Stop()
	for err := e.send(": connected\n\n"); err == nil; {
		select {
		case imp, more := <-states:
			if !more {
				return
			}
			err = e.tell(&imp)
		case <-alive.C:
			err = e.send(": keep-alive\n\n")
		case <-r.Context().Done():
			return
		}
	}
}

func (e *events) tell(imp *queries.Import) error {
	name := "done"
	if importer.Working(imp) {
		name = "progress"
	}
	e.json.reset()
	e.json.open("")
	e.json.importDetail("data", imp, e.accounts)
	e.json.close()
	text := fmt.Sprintf("event: %s\ndata: %s\n\n", name, e.json.buf)
	if text == e.last {
		return nil // it was only looked at again
	}
	e.last = text
	return e.send(text)
}

// send writes a piece of the stream. A client that does not read any more is given up after a while.
func (e *events) send(text string) error {
	_ = e.control.SetWriteDeadline(time.Now().Add(sendTimeout)) // unsupported by recorders only
	n, err := e.w.Write([]byte(text))
	e.sent += int64(n)
	if err != nil {
		return err
	}
	return e.control.Flush()
}

// importProgress writes how far the work on an import is; null when nothing is to be done. Rate and time left are
// null as long as they are not known.
func (j *jsonWriter) importProgress(imp *queries.Import) {
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
