package importer

import (
	"context"
	"testing"
	"testing/synctest"

	"finsvc/queries"
)

// TestWatchGoesOnWhileThereIsWork: how an import is followed is tested in db; here is when that ends.
func TestWatchGoesOnWhileThereIsWork(t *testing.T) {
	t.Parallel()
	for status, more := range map[string]bool{
		StatusPending: false, StatusImporting: true, StatusComplete: false, StatusReverting: true,
		StatusRevertFailed: false, StatusFailed: false,
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				im := New(Options{})
				states, stop := im.watches.Listen(t.Context(), 7,
					func(context.Context) (queries.Import, error) { return queries.Import{Status: status}, nil })
				defer stop()
				if got := <-states; got.Status != status {
					t.Errorf("the first state is %s", got.Status)
				}
				im.kick(7)
				if _, open := <-states; open != more {
					t.Errorf("it goes on: %t", open)
				}
			})
		})
	}
}
