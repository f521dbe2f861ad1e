package assistant_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant/model"
)

// A bubble of synctest has a clock of its own, and does not end as long as a goroutine of it runs: so each of these
// tests also says that nothing is left when the service has stopped.
func inBubble(t *testing.T, model model.Model, use func(t *testing.T, s *fixture, c chat)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newFixture(t, model)
		use(t, s, s.chat())
	})
}

// hangs says something and then nothing more until nobody wants it.
func hangs(text string) script {
	return func(ctx context.Context, _ model.Prompt, said func(string) error) (model.Reply, error) {
		if err := said(text); err != nil {
			return model.Reply{}, err
		}
		<-ctx.Done()
		return model.Reply{}, ctx.Err()
	}
}

func TestAskedAgain(t *testing.T) {
	t.Parallel()
	failure := func(again bool, after time.Duration) *model.Failure {
		return &model.Failure{Kind: model.FailureUnavailable, Err: errors.New("status 503"), Again: again, RetryAfter: after}
	}
	for name, try := range map[string]struct {
		failures      []*model.Failure
		text          string // said before each failure
		status        string
		asked         int
		least, longer time.Duration // how long it takes
	}{
		// Half to one and a half of 1, 2 and 4 seconds.
		"well the third time":     {[]*model.Failure{failure(true, 0), failure(true, 0)}, "", "complete", 3, 1500 * time.Millisecond, 4500 * time.Millisecond},
		"never":                   {[]*model.Failure{failure(true, 0), failure(true, 0), failure(true, 0), failure(true, 0)}, "", "failed", 4, 3500 * time.Millisecond, 10500 * time.Millisecond},
		"for good":                {[]*model.Failure{failure(false, 0)}, "", "failed", 1, 0, 0},
		"when the provider says":  {[]*model.Failure{failure(true, 20*time.Second)}, "", "complete", 2, 20 * time.Second, 20 * time.Second},
		"too late":                {[]*model.Failure{failure(true, 21*time.Second)}, "", "failed", 1, 0, 0},
		"when people saw it":      {[]*model.Failure{failure(true, 0)}, "You", "failed", 1, 0, 0},
		"when there was no word":  {[]*model.Failure{failure(true, 0)}, "\n", "complete", 2, 500 * time.Millisecond, 1500 * time.Millisecond},
		"for good the third time": {[]*model.Failure{failure(true, 0), failure(true, 0), failure(false, 0)}, "", "failed", 3, 1500 * time.Millisecond, 4500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			inBubble(t, script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
				if asked++; asked > len(try.failures) {
					return says("Nothing.")(ctx, p, said)
				}
				if err := said(try.text); err != nil {
					return model.Reply{}, err
				}
				return model.Reply{}, try.failures[asked-1]
			}), func(t *testing.T, s *fixture, c chat) {
				id := s.ask(c, "How much?")
				begun := time.Now()
				s.run(s.Assistant)
				m := s.settled(c, id)
				if took := time.Since(begun); took < try.least || took > try.longer || asked != try.asked || m.Status != try.status {
					t.Errorf("asked %d times in %s: %s", asked, took, m.Status)
				}
			})
		})
	}
}

// TestStop: what is nearly done is finished, what is not goes back as if nobody had begun it.
//
// Decision, Assistant: a stop waits or hands back.
func TestStop(t *testing.T) {
	t.Run("soon done", func(t *testing.T) {
		inBubble(t, script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
			time.Sleep(1900 * time.Millisecond)
			return says("12 EUR")(ctx, p, said)
		}), func(t *testing.T, s *fixture, c chat) {
			id := s.ask(c, "How much?")
			stop := s.run(s.Assistant)
			synctest.Wait()
			stop()
			if m := s.row(c, id); m.Status != "complete" || m.Content != "12 EUR" {
				t.Errorf("the message is %+v", m)
			}
		})
	})
	t.Run("handed back", func(t *testing.T) {
		inBubble(t, hangs("Let me see"), func(t *testing.T, s *fixture, c chat) {
			id := s.ask(c, "How much?")
			stop := s.run(s.Assistant)
			states, leave, err := s.Watch(t.Context(), s.who, c.id, id)
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
			time.Sleep(time.Second)
			if m := s.row(c, id); m.Content != "Let me see" || m.Status != "pending" || m.LeaseUntil == 0 {
				t.Errorf("before the stop the message is %+v", m)
			}
			begun := time.Now()
			watched := make(chan time.Duration, 1)
			go func() {
				for range states {
				}
				watched <- time.Since(begun)
			}()
			stop()
			if took := time.Since(begun); took != 2*time.Second {
				t.Errorf("the stop took %s", took)
			}
			if took := <-watched; took != 0 {
				t.Errorf("who watched was told after %s", took)
			}
			if m := s.row(c, id); m.Content != "" || m.Status != "pending" || m.LeaseUntil != 0 || m.Attempts != 0 {
				t.Errorf("after the stop the message is %+v", m)
			}
			s.run(s.other(says("12 EUR")))
			time.Sleep(time.Second)
			if m := s.row(c, id); m.Content != "12 EUR" || m.Status != "complete" {
				t.Errorf("after the next start the message is %+v", m)
			}
		})
	})
}

// TestCrash: what a worker has begun that is gone is begun anew when its lease has run out, and not before.
//
// Decision, Assistant: jobs survive a restart; one answer at a time for each chat.
func TestCrash(t *testing.T) {
	inBubble(t, says("12 EUR"), func(t *testing.T, s *fixture, c chat) {
		id := s.ask(c, "How much?")
		s.exec("UPDATE messages SET lease_until = ?, attempts = 1, content = 'Let' WHERE status = 'pending'", time.Now().Add(20*time.Second).UnixMilli())
		call := newID(t)
		s.exec("INSERT INTO tool_calls (public_id, household_id, message_id, function_name, function_arguments, created_at) SELECT ?, household_id, id, 'x', '{}', 1 FROM messages WHERE status = 'pending'", call[:])
		s.run(s.Assistant)
		time.Sleep(19 * time.Second)
		if m := s.row(c, id); m.Status != "pending" || m.Content != "Let" {
			t.Errorf("the message is %+v", m)
		}
		time.Sleep(12 * time.Second)
		if m := s.row(c, id); m.Status != "complete" || m.Content != "12 EUR" || m.Attempts != 2 || s.number("SELECT count(*) FROM tool_calls") != 0 {
			t.Errorf("the message is %+v", m)
		}
	})
}

// TestWorkOfAServerThatIsGone: what a killed server was answering, the next one begins anew at once. What a command holds is
// left to it until its lease has run out, and a command frees nothing.
func TestWorkOfAServerThatIsGone(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		heldByServer, server bool
		after                time.Duration
	}{
		"a server's, and the next server": {true, true, 0},
		"a command's, and a server":       {false, true, 20 * time.Second},
		"a server's, and a command":       {true, false, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, says("12 EUR"), func(t *testing.T, s *fixture, c chat) {
				id := s.ask(c, "How much?")
				s.exec("UPDATE messages SET lease_until = ?, held_by_server = ?, attempts = 1, content = 'Let' WHERE status = 'pending'",
					time.Now().Add(20*time.Second).UnixMilli(), try.heldByServer)
				s.Server = try.server
				begun := time.Now()
				s.run(s.Assistant)
				if m, took := s.settled(c, id), time.Since(begun); m.Content != "12 EUR" || took < try.after || try.after == 0 && took > time.Second {
					t.Errorf("after %s the message is %+v", took, m)
				}
			})
		})
	}
}

// TestOnlyOneAnswers: two processes on the same file, and a model that is silent for longer than a lease.
func TestOnlyOneAnswers(t *testing.T) {
	asked := 0
	model := script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
		asked++
		time.Sleep(2 * time.Minute)
		return says("12 EUR")(ctx, p, said)
	})
	inBubble(t, model, func(t *testing.T, s *fixture, c chat) {
		id := s.ask(c, "How much?")
		s.run(s.Assistant)
		s.run(s.other(model))
		m := s.settled(c, id)
		if asked != 1 || m.Content != "12 EUR" {
			t.Errorf("asked %d times: %+v", asked, m)
		}
	})
}

// TestAskedByAnotherProcess: who watches sees the answer of another process from its row, and that process finds the
// question by itself.
func TestAskedByAnotherProcess(t *testing.T) {
	inBubble(t, hangs("never"), func(t *testing.T, s *fixture, c chat) {
		s.run(s.other(script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
			if err := said("12 "); err != nil {
				return model.Reply{}, err
			}
			time.Sleep(3 * time.Second)
			return says("EUR")(ctx, p, said)
		})))
		time.Sleep(100 * time.Millisecond)
		id := s.ask(c, "How much?")
		states, stop, err := s.Watch(t.Context(), s.who, c.id, id)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		var seen []string
		begun := time.Now()
		for state := range states {
			seen = append(seen, state.Status+" "+state.Content)
		}
		if took := time.Since(begun); seen[0] != "pending " || seen[len(seen)-2] != "pending 12" || seen[len(seen)-1] != "complete 12 EUR" || took > 5*time.Second {
			t.Errorf("seen after %s: %q", took, seen)
		}
	})
}

// TestNotWantedAnyMore: whatever becomes of a message while its answer is written, the worker leaves it alone, stops
// asking, and goes on with the next.
func TestNotWantedAnyMore(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *fixture, c chat, id uuid.UUID) error{
		"cancelled": func(s *fixture, c chat, id uuid.UUID) error {
			_, err := s.Cancel(s.tb.Context(), s.who, c.id, id)
			return err
		},
		"replaced": func(s *fixture, c chat, _ uuid.UUID) error {
			_, err := s.Retry(s.tb.Context(), s.who, c.id)
			return err
		},
		"the chat is gone": func(s *fixture, c chat, _ uuid.UUID) error { return s.DeleteChat(s.tb.Context(), s.who, c.id) },
	} {
		t.Run(name, func(t *testing.T) {
			var asked, took atomic.Int64 // took until the model was told that nobody wants the answer
			model := script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
				if asked.Add(1) > 1 {
					return says("Next.")(ctx, p, said)
				}
				begun := time.Now()
				reply, err := hangs("Let me see")(ctx, p, said)
				took.Store(int64(time.Since(begun)))
				return reply, err
			})
			inBubble(t, model, func(t *testing.T, s *fixture, c chat) {
				id := s.ask(c, "How much?")
				s.run(s.Assistant)
				time.Sleep(800 * time.Millisecond)
				if err := change(s, c, id); err != nil {
					t.Fatal(err)
				}
				time.Sleep(700 * time.Millisecond)
				if d := time.Duration(took.Load()); d != time.Second {
					t.Errorf("the model was asked for %s", d)
				}
				if name == "cancelled" {
					if m := s.row(c, id); m.Status != "failed" || m.Content != "Let me see" {
						t.Errorf("the message is %+v", m)
					}
				}
				next := s.chat()
				if m := s.settled(next, s.ask(next, "Next?")); m.Content != "Next." {
					t.Errorf("the next message is %+v", m)
				}
				if text := s.number("SELECT count(*) FROM chats WHERE error IS NOT NULL"); text != 0 {
					t.Error("the chat has an error")
				}
				if name == "replaced" && s.number("SELECT count(*) FROM messages WHERE status = 'complete' AND content = 'Next.'") != 2 {
					t.Error("the new message has no answer")
				}
			})
		})
	}
}

// TestTakenByAnother: a worker that was thought gone writes nothing over what the next one has written.
func TestTakenByAnother(t *testing.T) {
	var ended atomic.Bool
	inBubble(t, script(func(ctx context.Context, _ model.Prompt, said func(string) error) (model.Reply, error) {
		defer ended.Store(true)
		for ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond)
			if err := said("and "); err != nil {
				return model.Reply{}, err
			}
		}
		return model.Reply{Text: "and"}, nil // late, but whole
	}), func(t *testing.T, s *fixture, c chat) {
		id := s.ask(c, "How much?")
		s.run(s.Assistant)
		time.Sleep(1200 * time.Millisecond)
		if m := s.row(c, id); !strings.HasPrefix(m.Content, "and and and") {
			t.Errorf("the message is %+v", m)
		}
		s.exec("UPDATE messages SET lease_until = lease_until + 20000, content = 'Theirs' WHERE status = 'pending'")
		time.Sleep(time.Second)
		if m := s.row(c, id); m.Content != "Theirs" || m.Status != "pending" || !ended.Load() {
			t.Errorf("the message is %+v", m)
		}
	})
}

// TestOff: nothing is answered, and nothing lost.
func TestOff(t *testing.T) {
	inBubble(t, says("12 EUR"), func(t *testing.T, s *fixture, c chat) {
		id := s.ask(c, "How much?")
		off := s.other(says("12 EUR"))
		off.Off = true
		stop := s.run(off)
		time.Sleep(time.Minute)
		stop()
		if m := s.row(c, id); m.Status != "pending" || m.Attempts != 0 {
			t.Errorf("the message is %+v", m)
		}
	})
}

// TestNobodyWaits: what nobody may ask any more is sent to nobody.
func TestNobodyWaits(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"the user is gone":                    "UPDATE users SET deactivated_at = 1",
		"the household has switched it off":   "UPDATE households SET assistant = 0",
		"the question is gone":                "DELETE FROM messages WHERE role = 'user'",
		"a crash ended it again and again":    "UPDATE messages SET attempts = 3 WHERE role = 'assistant'",
		"somebody else has answered in front": "UPDATE messages SET role = 'assistant' WHERE role = 'user'",
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, script(func(context.Context, model.Prompt, func(string) error) (model.Reply, error) {
				t.Error("the model was asked")
				return model.Reply{}, nil
			}), func(t *testing.T, s *fixture, c chat) {
				s.ask(c, "How much?")
				s.exec(change)
				s.run(s.Assistant)
				time.Sleep(time.Second)
				if s.number("SELECT count(*) FROM messages WHERE status = 'failed' AND host IS NULL") != 1 || s.chatError(c) != model.FailureOther.Text() {
					t.Errorf("the chat says %q", s.chatError(c))
				}
			})
		})
	}
}
