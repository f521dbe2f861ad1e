package assistant_test

import (
	"testing"
	"time"
)

// TestLeaseOfAWrongClock: a worker that is gone had a clock that was a year ahead; its answer does not wait for that year.
func TestLeaseOfAWrongClock(t *testing.T) {
	inBubble(t, says("12 EUR"), func(t *testing.T, s *fixture, c chat) {
		id := s.ask(c, "How much?")
		s.exec("UPDATE messages SET lease_until = ?, attempts = 1 WHERE status = 'pending'", time.Now().Add(365*24*time.Hour).UnixMilli())
		s.run(s.Assistant)
		time.Sleep(time.Second)
		if m := s.row(c, id); m.Status != "complete" || m.Content != "12 EUR" {
			t.Errorf("the message is %+v", m)
		}
	})
}
