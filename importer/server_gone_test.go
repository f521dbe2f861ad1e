package importer_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/queries"
)

// TestWorkOfAServerThatIsGone: what a killed server held, the next one takes up at once. The clock stands still, so no
// lease runs out. What a command holds is left to it, and a command frees nothing.
func TestWorkOfAServerThatIsGone(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		heldByServer, server bool
		status, want         string
	}{
		"a server's, and the next server":        {true, true, "importing", "complete"},
		"a revert of a server, and the next one": {true, true, "reverting", "pending"},
		"a command's, and a server":              {false, true, "importing", "importing"},
		"a revert of a command, and a server":    {false, true, "reverting", "reverting"},
		"a server's, and a command":              {true, false, "importing", "importing"},
		"a revert of a server, and a command":    {true, false, "reverting", "reverting"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			held := k.upload(threeRows, importer.Request{Publish: true})
			if try.status == "reverting" {
				k.work()
				k.exec("UPDATE imports SET status = 'reverting'")
			}
			k.leave(try.heldByServer)
			next := k.upload("date,amount,name\n2026-02-05,-4,Tea\n", importer.Request{Publish: true})
			worker := importer.New(importer.Options{DB: k.db, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler),
				Now: func() time.Time { return k.clock }, Server: try.server})
			k.runUntilSettled(worker, next)
			if now := k.get(held); now.Status != try.want {
				t.Errorf("the import is %s", now.Status)
			}
		})
	}
}

// leave takes the oldest import that waits, and never comes back to it.
func (k *fixture) leave(server bool) {
	k.tb.Helper()
	err := k.db.Write(k.tb.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.ClaimImport(ctx, queries.ClaimImportParams{LeaseUntil: k.clock.Add(30 * time.Second).UnixMilli(),
			HeldByServer: server, Now: k.clock.UnixMilli()})
		return err
	})
	if err != nil {
		k.tb.Fatal(err)
	}
}

// runUntilSettled runs a worker until the import is settled.
func (k *fixture) runUntilSettled(worker *importer.Importer, imp queries.Import) {
	k.tb.Helper()
	ctx, stop := context.WithCancel(k.tb.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	states, leave, err := worker.Watch(k.tb.Context(), k.who, uuid.UUID(imp.PublicID))
	if err != nil {
		k.tb.Fatal(err)
	}
	for range states { // until it is settled
	}
	leave()
	stop()
	if err := <-ended; err != nil {
		k.tb.Error(err)
	}
}

// exec changes the file behind everybody's back.
func (k *fixture) exec(text string) {
	k.tb.Helper()
	err := k.db.Write(k.tb.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text)
		return err
	})
	if err != nil {
		k.tb.Fatal(err)
	}
}
