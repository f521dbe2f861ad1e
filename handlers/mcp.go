package handlers

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"finsvc/assistant/mcp"
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// modelTime is how long a message may take: longer than a call waits for what it has begun.
const modelTime = time.Minute

// models answers for programs that put the books before a language model.
type models struct {
	service *mcp.Service
	streams *middleware.Streams
}

// answerModel answers POST /mcp, one message of the Model Context Protocol. A program that wants to know how far a call is
// gets events, any other one a single object.
func (s *models) answerModel(a *wire.Answer, r *wire.Request) error {
	if err := http.NewCrossOriginProtection().Check(r.Request); err != nil {
		return &ledger.Error{Kind: ledger.Forbidden, Code: "cross_origin", Message: "pages of other origins may not ask here: " + err.Error()}
	}
	message, err := io.ReadAll(io.LimitReader(r.Body, mcp.RequestMax+1)) // one more is refused
	if err != nil {
		return err
	}
	// A text that has the word is answered by events as well, which every program must understand.
	follows := bytes.Contains(message, []byte(`"progressToken"`))
	if follows {
		end, err := s.streams.Begin(a, r)
		if err != nil {
			return err
		}
		defer end()
	}
	ctx, cancel := context.WithTimeout(r.Context(), modelTime)
	defer cancel()
	asked := r.Request.WithContext(ctx)
	asked.Body = io.NopCloser(bytes.NewReader(message))
	w := &modelAnswer{answer: a, header: http.Header{}, status: http.StatusOK}
	s.service.Handler(r.Who(), r.Session.Scope == tenant.ScopeReadWrite, follows).ServeHTTP(w, asked)
	if w.stream != nil {
		return nil
	}
	w.putHeader()
	a.Status, a.ContentType = w.status, w.header.Get("Content-Type")
	a.Json.Reset()
	_, err = a.Json.Write(w.body.Bytes())
	return err
}

// modelAnswer passes events on as they come, and keeps an answer that is one object, which is sent as any other one is. It is
// an [http.ResponseWriter].
type modelAnswer struct {
	answer  *wire.Answer
	header  http.Header
	status  int
	body    bytes.Buffer
	stream  http.ResponseWriter // nil as long as nothing is streamed
	control *http.ResponseController
}

// Header, WriteHeader and Write make it one; FlushError sends what was written.
func (w *modelAnswer) Header() http.Header { return w.header }

func (w *modelAnswer) WriteHeader(status int) {
	w.status = status
	if w.header.Get("Content-Type") == "text/event-stream" && w.stream == nil {
		w.putHeader()
		w.answer.Status = status
		w.stream, w.control = w.answer.Stream("text/event-stream")
	}
}

func (w *modelAnswer) Write(p []byte) (int, error) {
	if w.stream == nil {
		w.WriteHeader(w.status)
	}
	if w.stream == nil {
		return w.body.Write(p)
	}
	return w.stream.Write(p)
}

func (w *modelAnswer) FlushError() error {
	if w.control == nil {
		return nil
	}
	return w.control.Flush()
}

// putHeader takes over what the answer says of itself, but for what is known better.
func (w *modelAnswer) putHeader() {
	for name, values := range w.header {
		if name != "Content-Length" && name != "Content-Type" && name != "Connection" {
			w.answer.Header()[name] = values
		}
	}
}
