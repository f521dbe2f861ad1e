package handlers

import (
	"context"
	"time"

	"finsvc/handlers/wire"
	"finsvc/ledger"
)

const healthTimeout = 2 * time.Second

// showHealth answers GET /up, /healthz and /sessions/new: 200 when the database answers and
// can be written, else 503.
func (s *pages) showHealth(a *wire.Answer, r *wire.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	err := s.health(ctx)
	if ledger.IsDisplaced(err) {
		return wire.ErrDisplaced(err)
	}
	if err != nil {
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable", Message: "the database does not answer", Err: err}
	}
	a.Json.Open("")
	a.Json.Text("status", "ok")
	a.Json.Text("version", s.version)
	a.Json.Close()
	return nil
}
