package handlers

import (
	"bytes"
	"net/http"

	"finsvc/assistant/mcp"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// models answers for programs that put the books before a language model.
type models struct{ service *mcp.Service }

// answerModel answers POST /mcp, one message of the Model Context Protocol.
func (s *models) answerModel(a *wire.Answer, r *wire.Request) error {
	if err := http.NewCrossOriginProtection().Check(r.Request); err != nil {
		return &ledger.Error{Kind: ledger.Forbidden, Code: "cross_origin", Message: "pages of other origins may not ask here: " + err.Error()}
	}
	w := &gathered{header: http.Header{}, status: http.StatusOK}
	s.service.Handler(r.Who(), r.Session.Scope == tenant.ScopeReadWrite).ServeHTTP(w, r.Request)
	for name, values := range w.header {
		if name != "Content-Length" && name != "Content-Type" {
			a.Header()[name] = values
		}
	}
	a.Status, a.ContentType = w.status, w.header.Get("Content-Type")
	a.Json.Reset()
	_, err := a.Json.Write(w.body.Bytes())
	return err
}

// gathered keeps an answer, which is sent as any other one is. It is an [http.ResponseWriter].
type gathered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header, Write and WriteHeader make it one.
func (g *gathered) Header() http.Header { return g.header }

func (g *gathered) Write(p []byte) (int, error) { return g.body.Write(p) }

func (g *gathered) WriteHeader(status int) { g.status = status }
