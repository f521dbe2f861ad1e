package assistant_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"finsvc/assistant"
	"finsvc/assistant/aitest"
	"finsvc/ledger"
)

// BenchmarkFirstText has fifty chats answered at once by a provider that answers at once, and says after how many
// milliseconds, from the question on, 95 of a hundred people see the first text.
func BenchmarkFirstText(b *testing.B) {
	const chats = 50
	s, _ := newRemoteFixture(b, aitest.Say("You ", "have ", "nothing."))
	s.run(s.Assistant)
	var took []time.Duration
	var mu sync.Mutex
	for b.Loop() {
		var all sync.WaitGroup
		for range chats {
			c := s.chat()
			all.Go(func() {
				d := s.firstText(c)
				mu.Lock()
				defer mu.Unlock()
				took = append(took, d)
			})
		}
		all.Wait()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// firstText asks and gives the time until there is something to read.
func (s *fixture) firstText(c chat) time.Duration {
	begun := time.Now()
	_, answer, err := s.AddMessage(s.tb.Context(), s.who, c.id, assistant.MessageInput{Content: ledger.Some("How much?")})
	if err != nil {
		s.tb.Error(err)
		return 0
	}
	states, stop, err := s.Watch(s.tb.Context(), s.who, c.id, [16]byte(answer.PublicID))
	if err != nil {
		s.tb.Error(err)
		return 0
	}
	defer stop()
	for state := range states {
		if state.Content != "" {
			return time.Since(begun)
		}
	}
	s.tb.Error("there is nothing to read")
	return 0
}
