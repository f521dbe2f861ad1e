package handlers

import (
	"context"
	"time"

	"finsvc/ledger"
)

const healthTimeout = 2 * time.Second

// showHealth answers GET /up, /healthz and /sessions/new: 200 when the database answers and
// can be written, else 503.
func (s *pages) showHealth(a *answer, r *request) error {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	err := s.health(ctx)
	if ledger.IsDisplaced(err) {
		return errDisplaced(err)
	}
	if err != nil {
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable", Message: "the database does not answer", Err: err}
	}
	a.json.open("")
	a.json.text("status", "ok")
	a.json.text("version", s.version)
	a.json.close()
	return nil
}
