package importer_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/importer"
	"finsvc/importer/source"
	"finsvc/ledger"
)

// TestPreflightsTakeTurns: a household that has as many files read as it may has no further one opened; when they are
// read, it has.
func TestPreflightsTakeTurns(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const file = "date,amount,name\n2026-01-02,1.00,Bread\n"
	request := importer.Request{AccountID: ledger.Some(k.account)}
	var held sync.WaitGroup
	end := make(chan struct{})
	for range max(2, runtime.GOMAXPROCS(0)) - 1 {
		opened := make(chan struct{})
		var once sync.Once
		held.Go(func() {
			_, err := k.Preflight(t.Context(), k.who, request, source.New(0, func() (io.Reader, error) {
				once.Do(func() { close(opened); <-end })
				return strings.NewReader(file), nil
			}))
			if err != nil {
				t.Error(err)
			}
		})
		<-opened
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := k.Preflight(ctx, k.who, request, source.New(0, func() (io.Reader, error) {
		t.Error("one more file than may be read was opened")
		return strings.NewReader(file), nil
	}))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	close(end)
	held.Wait()
	if _, err := k.Preflight(t.Context(), k.who, request, source.Text(file)); err != nil {
		t.Error(err)
	}
}
