package mcp

import (
	"context"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/queries"
)

// waitMost is how long a call waits for what it has begun.
const waitMost = 20 * time.Second

// settled follows an import until it is settled, or for as long as a call waits, and tells who wants to know how far it is.
func (s *Service) settled(ctx context.Context, who ledger.Actor, r *sdk.CallToolRequest, id uuid.UUID) (imp queries.Import, err error) {
	within, cancel := context.WithTimeout(ctx, waitMost)
	defer cancel()
	states, stop, err := s.Importer.Watch(within, who, id)
	if err != nil {
		return imp, err
	}
	defer stop()
	for following, done := true, int64(-1); following; {
		select {
		case state, more := <-states:
			following = more
			p, working := importer.ProgressOf(&state)
			token := r.Params.GetProgressToken()
			if more && working && token != nil && p.Done > done {
				done = p.Done
				_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: "rows",
					Progress: float64(p.Done), Total: float64(p.Total)})
			}
		case <-within.Done():
			following = false
		}
	}
	return s.Importer.Get(ctx, who, id)
}
