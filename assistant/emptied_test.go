package assistant_test

import (
	"context"
	"fmt"
	"testing"

	"finsvc/assistant/model"
)

// TestHouseholdEmptiedWhileAnAnswerIsWritten empties the household while a model speaks: its chats are gone, and
// nothing of the answer is written to anybody's.
func TestHouseholdEmptiedWhileAnAnswerIsWritten(t *testing.T) {
	t.Parallel()
	var s *fixture
	asked := make(chan error, 1)
	s = newFixture(t, script(func(ctx context.Context, _ model.Prompt, said func(string) error) (model.Reply, error) {
		done, err := s.ledger.Tenants.EmptyHousehold(ctx, s.who, "Home")
		if err == nil {
			s.who.HouseholdID = done.Household.ID
		}
		asked <- err
		return model.Reply{Text: "Too late.", Model: "scripted-1"}, said("Too late.")
	}))
	s.ask(s.chat(), "How much?")
	stop := s.run(s.Assistant)
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	stop()
	if n := s.number("SELECT count(*) FROM messages WHERE content = 'Too late.'"); n != 0 {
		t.Errorf("%d answers were written", n)
	}
	home := fmt.Sprint(s.who.HouseholdID)
	for _, table := range []string{"chats", "messages", "tool_calls"} {
		if n := s.number("SELECT count(*) FROM " + table + " WHERE household_id = " + home); n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
}
