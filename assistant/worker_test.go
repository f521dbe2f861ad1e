package assistant_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// script is a model that says what a test wants, where it makes no difference how it is reached.
type script func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error)

func (script) Name() string { return "scripted" }

func (script) Host() string { return "model.example" }

func (s script) Reply(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
	return s(ctx, p, said)
}

// says is a model that says the same to everybody.
func says(text string) script {
	return func(_ context.Context, _ model.Prompt, said func(string) error) (model.Reply, error) {
		return model.Reply{Text: text, Model: "scripted-1", Usage: model.Usage{Input: 100, Output: 20}}, said(text)
	}
}

// question is the last turn of a person.
func question(p model.Prompt) string {
	text := ""
	for _, turn := range p.Turns {
		if turn.Role == model.RoleUser {
			text = turn.Text
		}
	}
	return text
}

// fixture is an assistant on a file of its own, with a household and its owner.
type fixture struct {
	*assistant.Assistant
	db     *db.DB
	ledger *books.Books
	who    ledger.Actor
	tb     testing.TB
}

func newFixture(tb testing.TB, model model.Model) *fixture {
	tb.Helper()
	d := dbtest.New(tb)
	s := &fixture{db: d, ledger: books.New(d, time.Now), tb: tb}
	s.Assistant = s.other(model)
	s.who = s.household("Home", "a@example.org")
	return s
}

// other is a further assistant on the same file, as of another process.
func (s *fixture) other(model model.Model) *assistant.Assistant {
	return assistant.New(assistant.Options{DB: s.db, Ledger: s.ledger, Logger: slog.New(slog.DiscardHandler), Model: model})
}

func (s *fixture) household(name, owner string) ledger.Actor {
	s.tb.Helper()
	home, user, err := s.ledger.Tenants.CreateHousehold(s.tb.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: name, Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: owner, NoCategories: true})
	if err != nil {
		s.tb.Fatal(err)
	}
	return ledger.Actor{HouseholdID: home.ID, UserID: user.ID, Origin: ledger.OriginAPI}
}

func (s *fixture) write(work db.Work) {
	s.tb.Helper()
	if err := s.db.Write(context.Background(), work); err != nil {
		s.tb.Fatal(err)
	}
}

// exec runs a statement of a test and gives the key of the row it inserted.
func (s *fixture) exec(text string, args ...any) (id int64) {
	s.tb.Helper()
	s.write(func(ctx context.Context, q *queries.Queries) (err error) {
		id, err = q.Exec(ctx, text, args...)
		return err
	})
	return id
}

func (s *fixture) number(text string, args ...any) (n int64) {
	s.tb.Helper()
	err := s.db.Read(context.Background(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, text, args...)
		return err
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	return n
}

// chat is a chat of the owner, by both its ids.
type chat struct {
	key int64
	id  uuid.UUID
}

func newID(tb testing.TB) uuid.UUID {
	tb.Helper()
	id, err := uuid.NewV7()
	if err != nil {
		tb.Fatal(err)
	}
	return id
}

func (s *fixture) chat() chat {
	s.tb.Helper()
	id := newID(s.tb)
	return chat{id: id, key: s.exec("INSERT INTO chats (public_id, household_id, user_id, title, created_at, updated_at) VALUES (?, ?, ?, 'Chat', 1, 1)",
		id[:], s.who.HouseholdID, s.who.UserID)}
}

// say inserts a message of a chat.
func (s *fixture) say(c chat, role, status, content string) uuid.UUID {
	s.tb.Helper()
	id := newID(s.tb)
	s.exec("INSERT INTO messages (public_id, household_id, chat_id, role, status, content, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 1, 1)",
		id[:], s.who.HouseholdID, c.key, role, status, content)
	return id
}

// ask inserts a question, and the answer that it waits for.
func (s *fixture) ask(c chat, content string) uuid.UUID {
	s.tb.Helper()
	s.say(c, "user", "complete", content)
	return s.say(c, "assistant", "pending", "")
}

// run answers until the test ends or stop is called.
func (s *fixture) run(a *assistant.Assistant) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		if err := a.Run(ctx); err != nil {
			s.tb.Error(err)
		}
	})
	stop = func() {
		cancel()
		all.Wait()
	}
	s.tb.Cleanup(stop)
	return stop
}

// settled waits until there is nothing more to come of a message.
func (s *fixture) settled(c chat, id uuid.UUID) assistant.Answer {
	s.tb.Helper()
	states, stop, err := s.Watch(s.tb.Context(), s.who, c.id, id)
	if err != nil {
		s.tb.Fatal(err)
	}
	defer stop()
	var last assistant.Answer
	for state := range states {
		last = state
	}
	if last.Status == "pending" {
		s.tb.Fatalf("the end is %+v", last)
	}
	return last
}

// row is a message as polling sees it.
func (s *fixture) row(c chat, id uuid.UUID) assistant.Message {
	s.tb.Helper()
	m, err := s.GetMessage(s.tb.Context(), s.who, c.id, id)
	if err != nil {
		s.tb.Fatal(err)
	}
	return m
}

// chatError is what the chat says of its last failure; nothing when there is none.
func (s *fixture) chatError(c chat) (text string) {
	s.tb.Helper()
	for _, kind := range []model.FailureKind{model.FailureOther, model.FailureRateLimited, model.FailureUnavailable, model.FailureMisconfigured} {
		if s.number("SELECT count(*) FROM chats WHERE id = ? AND error = ?", c.key, kind.Text()) > 0 {
			return kind.Text()
		}
	}
	if s.number("SELECT count(*) FROM chats WHERE id = ? AND error IS NOT NULL", c.key) > 0 {
		return "something else"
	}
	return ""
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	var asked model.Prompt
	s := newFixture(t, script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
		asked = p
		return says("\n 12.50\x00 EUR. \n")(ctx, p, said)
	}))
	c := s.chat()
	s.exec("UPDATE chats SET error = 'old' WHERE id = ?", c.key)
	s.say(c, "user", "complete", "Unanswered?")
	s.say(c, "assistant", "failed", "Half an ans")
	s.say(c, "user", "complete", "And before?")
	s.say(c, "assistant", "complete", "Nothing.")
	id := s.ask(c, "How much?")
	s.run(s.Assistant)
	m := s.settled(c, id)
	if row := s.row(c, id); row.Content != "12.50 EUR." || row.Status != "complete" || m.Content != row.Content || m.Status != row.Status {
		t.Errorf("the row is %+v, shown was %+v", row, m)
	}
	if *m.Model != "scripted-1" || *m.Host != "model.example" || *m.InputTokens != 100 || *m.OutputTokens != 20 || m.LeaseUntil != 0 || m.UpdatedAt == 1 {
		t.Errorf("kept was %+v", m)
	}
	if text := s.chatError(c); text != "" {
		t.Errorf("the chat says %q", text)
	}
	turns := asked.Turns
	if len(turns) != 4 || turns[0].Role != model.RoleSystem || turns[1].Text != "And before?" || turns[2].Text != "Nothing." || turns[3].Text != "How much?" {
		t.Errorf("asked was %+v", turns)
	}
	if who := asked.Who; who.HouseholdID != s.who.HouseholdID || who.UserID != s.who.UserID || who.Origin != ledger.OriginAssistant {
		t.Errorf("asked for %+v", who)
	}
}

// TestFailures holds what was decided.
//
// Decision, Assistant: a provider that fails gives one of four texts.
// Contract, Chat: error: rate limited; error: temporarily unavailable; error: not configured correctly; error: anything
// else.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		model script
		text  string
		left  string
	}{
		"rate limited":  {failing(&model.Failure{Kind: model.FailureRateLimited, Err: errors.New("status 429")}), "The AI provider is rate limited right now. Please try again in a few minutes.", ""},
		"unavailable":   {failing(&model.Failure{Kind: model.FailureUnavailable, Err: errors.New("refused")}), "The AI provider is temporarily unavailable right now. Please try again in a few minutes.", ""},
		"misconfigured": {failing(&model.Failure{Kind: model.FailureMisconfigured, Err: errors.New("status 401")}), "The AI provider is not configured correctly. Please contact your administrator.", ""},
		"other":         {failing(&model.Failure{Err: errors.New("429 timeout unauthorized")}), "Failed to generate a response. Please try again.", ""},
		"unknown":       {failing(errors.New("rate limit")), "Failed to generate a response. Please try again.", ""},
		"silent": {func(_ context.Context, _ model.Prompt, said func(string) error) (model.Reply, error) {
			return model.Reply{}, said(" \n\x00")
		}, "Failed to generate a response. Please try again.", ""},
		"calls a tool that was not offered": {func(context.Context, model.Prompt, func(string) error) (model.Reply, error) {
			return model.Reply{Calls: []model.Call{{ID: "1", Name: "no_such_tool", Arguments: []byte("{}")}}}, nil
		}, "Failed to generate a response. Please try again.", ""},
		"in the middle": {func(_ context.Context, _ model.Prompt, said func(string) error) (model.Reply, error) {
			return model.Reply{}, errors.Join(said("You spent "), &model.Failure{Kind: model.FailureUnavailable, Err: errors.New("cut"), Again: true})
		}, "The AI provider is temporarily unavailable right now. Please try again in a few minutes.", "You spent"},
		"panic": {func(context.Context, model.Prompt, func(string) error) (model.Reply, error) {
			panic("a bug")
		}, "Failed to generate a response. Please try again.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newFixture(t, try.model)
			c := s.chat()
			id := s.ask(c, "How much?")
			s.run(s.Assistant)
			m := s.settled(c, id)
			if m.Status != "failed" || m.Content != try.left || *m.Model != "scripted" || *m.Host != "model.example" {
				t.Errorf("the message is %+v", m)
			}
			if text := s.chatError(c); text != try.text {
				t.Errorf("the chat says %q", text)
			}
		})
	}
}

func failing(err error) script {
	return func(context.Context, model.Prompt, func(string) error) (model.Reply, error) {
		return model.Reply{}, err
	}
}

// TestChatsAtOnce: of each chat one question after the other, of many chats all at once.
func TestChatsAtOnce(t *testing.T) {
	t.Parallel()
	const chats, questions = 50, 3
	var mu sync.Mutex
	answered := map[string][]string{} // by chat
	inside := map[string]bool{}
	var all sync.WaitGroup // of the first questions
	all.Add(chats)
	s := newFixture(t, script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
		name, number := question(p)[2:], question(p)[:1]
		mu.Lock()
		if inside[name] {
			t.Errorf("two answers at once in chat %s", name)
		}
		inside[name] = true
		mu.Unlock()
		if number == "0" {
			all.Done()
			all.Wait()
		}
		mu.Lock()
		defer mu.Unlock()
		inside[name] = false
		answered[name] = append(answered[name], number)
		return says(question(p))(ctx, p, said)
	}))
	type asked struct {
		c  chat
		id uuid.UUID
	}
	var last []asked
	for n := range chats {
		c := s.chat()
		for q := range questions {
			id := s.ask(c, fmt.Sprintf("%d %d", q, n))
			if q == questions-1 {
				last = append(last, asked{c, id})
			}
		}
	}
	s.run(s.Assistant)
	for n, a := range last {
		m := s.settled(a.c, a.id)
		mu.Lock()
		name := fmt.Sprint(n)
		order := answered[name]
		mu.Unlock()
		if m.Content != "2 "+name || !slices.Equal(order, []string{"0", "1", "2"}) {
			t.Errorf("chat %s: %q after %v", name, m.Content, order)
		}
	}
}

// TestTooManyCalls: of the calls of one round only so many are made.
func TestTooManyCalls(t *testing.T) {
	t.Parallel()
	s := newFixture(t, script(func(ctx context.Context, p model.Prompt, said func(string) error) (model.Reply, error) {
		if last := p.Turns[len(p.Turns)-1]; len(last.Calls) > 0 {
			return says(fmt.Sprint(len(last.Calls)))(ctx, p, said)
		}
		var reply model.Reply
		for n := range 40 {
			reply.Calls = append(reply.Calls, model.Call{ID: fmt.Sprint(n), Name: fmt.Sprint("tool_", n), Arguments: []byte("{}")})
		}
		return reply, nil
	}))
	s.Context = assistant.DefaultHostedContext
	c := s.chat()
	id := s.ask(c, "How much?")
	s.run(s.Assistant)
	if a := s.settled(c, id); a.Content != "16" || len(a.Calls) != 16 {
		t.Errorf("after %d calls the answer is %+v", len(a.Calls), a.Message)
	}
}
