package provider_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"finsvc/assistant/aitest"
)

// After a client is closed nothing of it runs any more, whatever became of its questions. It runs alone, as it counts
// what runs in the whole process, and waits as long as it must: what is left behind shows as a hanging test.
func TestRemoteLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("questions", func(t *testing.T) {
		for _, step := range []aitest.Step{aitest.Say("A", "B"), aitest.Cut("A"), aitest.Hang(), aitest.Hang("A"), aitest.Fail(500, "no"), aitest.Flood("A"), aitest.Write("no")} {
			s := aitest.New(t, step)
			r := remote(t, s.URL)
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					_, _ = r.Reply(ctx, promptOf("x"), func(string) error { cancel(); return nil })
				})
			}
			if len(s.Requests()) == 0 { // one that says nothing is cancelled once it was asked
				all.Go(func() {
					for len(s.Requests()) == 0 {
						runtime.Gosched()
					}
					cancel()
				})
			}
			all.Wait()
			cancel()
			r.Close()
		}
	})
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}

func BenchmarkRemote(b *testing.B) {
	s := aitest.New(b, aitest.Say("A"))
	r := remote(b, s.URL)
	defer r.Close()
	for b.Loop() {
		if _, _, err := heard(b, r, promptOf("x")); err != nil {
			b.Fatal(err)
		}
	}
}
