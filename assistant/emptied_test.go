package assistant_test

import (
	"context"
	"testing"

	"finsvc/assistant"
)

// TestHouseholdEmptiedWhileAnAnswerIsWritten empties the household while a model speaks: the chats are gone, and
// nothing of the answer is written to anybody's.
func TestHouseholdEmptiedWhileAnAnswerIsWritten(t *testing.T) {
	t.Parallel()
	var s *study
	asked := make(chan error, 1)
	s = newStudy(t, script(func(ctx context.Context, _ assistant.Prompt, said func(string) error) (assistant.Reply, error) {
		done, err := s.ledger.EmptyHousehold(ctx, s.who, "Home")
		if err == nil {
			s.who.HouseholdID = done.Household.ID
			_, err = s.ledger.PurgeAbandoned(ctx)
		}
		asked <- err
		return assistant.Reply{Text: "Too late.", Model: "scripted-1"}, said("Too late.")
	}))
	s.ask(s.chat(), "How much?")
	stop := s.run(s.Assistant)
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	stop()
	for _, table := range []string{"chats", "messages", "tool_calls"} {
		if n := s.number("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}
