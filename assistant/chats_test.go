package assistant

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"finsvc/assistant/engine"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// newChats makes an assistant that nobody runs, and a person of a household.
func newChats(t testing.TB) (*Assistant, ledger.Actor) {
	t.Helper()
	database := dbtest.New(t)
	now := func() time.Time { return time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC) }
	books := books.New(database, now)
	home, owner, err := books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "a@example.org", NoCategories: true})
	if err != nil {
		t.Fatal(err)
	}
	a := New(Options{DB: database, Ledger: books, Logger: slog.New(slog.DiscardHandler), Now: now, Model: engine.New(books)})
	return a, ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginAPI}
}

// exec changes what no method changes.
func (a *Assistant) exec(t testing.TB, text string, args ...any) {
	t.Helper()
	err := a.DB.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRetryHasANewInnerKey: a worker that still holds the old answer must not meet the new one under its key.
func TestRetryHasANewInnerKey(t *testing.T) {
	t.Parallel()
	a, who := newChats(t)
	chat, err := a.CreateChat(t.Context(), who, ChatInput{Message: ledger.Some("x")})
	if err != nil {
		t.Fatal(err)
	}
	used := map[int64]bool{chat.Messages[1].ID: true}
	last := chat.Messages[1].ID
	for range 5 {
		m, err := a.Retry(t.Context(), who, uuid.UUID(chat.PublicID))
		if err != nil || used[m.ID] || m.ID <= last {
			t.Fatalf("got key %d after %d, %v", m.ID, last, err)
		}
		last, used[m.ID] = m.ID, true
	}
	if got, err := a.GetChat(t.Context(), who, uuid.UUID(chat.PublicID), ledger.Page{Number: 1, Size: 9}); err != nil || got.MessageCount != 2 || got.Messages[1].ID != last {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestLongChat: every page of ten thousand messages has its own, with the calls that belong to them.
func TestLongChat(t *testing.T) {
	t.Parallel()
	a, who := newChats(t)
	chat, err := a.CreateChat(t.Context(), who, ChatInput{Title: ledger.Some("Long")})
	if err != nil {
		t.Fatal(err)
	}
	a.exec(t, `INSERT INTO messages (public_id, household_id, chat_id, role, status, content, created_at, updated_at)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
		SELECT randomblob(16), ?1, ?2, iif(i % 2, 'assistant', 'user'), 'complete', i, i, i FROM n`, who.HouseholdID, chat.ID)
	a.exec(t, `INSERT INTO tool_calls (public_id, household_id, message_id, function_name, function_arguments, created_at)
		SELECT randomblob(16), household_id, id, content || column1, '{}', 0 FROM messages, (VALUES ('a'), ('b')) WHERE content % 4 = 1`)
	seen := 0
	for number := 1; number <= 101; number++ {
		got, err := a.GetChat(t.Context(), who, uuid.UUID(chat.PublicID), ledger.Page{Number: number, Size: 100})
		if err != nil || got.MessageCount != 10_000 {
			t.Fatalf("page %d: %d messages, %v", number, got.MessageCount, err)
		}
		for _, m := range got.Messages {
			want, calls := "[]", []string{}
			if seen%4 == 1 {
				want = fmt.Sprintf("[%da %db]", seen, seen)
			}
			for _, c := range m.Calls {
				calls = append(calls, c.FunctionName)
			}
			if m.Content != fmt.Sprint(seen) || fmt.Sprint(calls) != want {
				t.Fatalf("message %d is %q with %v", seen, m.Content, calls)
			}
			seen++
		}
	}
	list, total, err := a.ListChats(t.Context(), who, ledger.Page{Number: 1, Size: 25})
	if err != nil || seen != 10_000 || total != 1 || list[0].MessageCount != 10_000 || list[0].LastMessageAt != 9999 {
		t.Errorf("%d messages seen, %+v, %v", seen, list, err)
	}
}

// FuzzChatInput: a chat that is accepted has a title of one line, and its question as it was written.
func FuzzChatInput(f *testing.F) {
	for _, message := range []string{"", " \n ", "a\r\nb", "\u2028x", "a\x00", "\xff", strings.Repeat("ä ", 80), "\u00a0\u200b"} {
		f.Add("", message)
		f.Add(" Title ", message)
	}
	f.Fuzz(func(t *testing.T, given, message string) {
		in := ChatInput{Title: ledger.Some(given), Message: ledger.Some(message)}
		title, question, err := in.check()
		if err != nil {
			return
		}
		var problems ledger.Problems
		if problems.CheckName("title", title) != title || problems.Err() != nil {
			t.Errorf("the title is %q: %v", title, problems.Err())
		}
		if strings.TrimSpace(given) == "" && utf8.RuneCountInString(title) > titleFromMessage {
			t.Errorf("%q is too long to be made of a message", title)
		}
		if blank := strings.TrimSpace(message) == ""; blank != (question == nil) || !blank && question.Content.Value != message {
			t.Errorf("the question is %+v", question)
		}
	})
}
