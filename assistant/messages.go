package assistant

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"finsvc/assistant/model"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// Limits of what people ask.
const (
	// MaxMessage is the longest message, in characters.
	MaxMessage = 100_000
	// MaxWaiting is how many answers of a chat may wait to be written.
	MaxWaiting = 5
)

// The states of a message. People's own are complete at once.
const (
	StatusPending  = "pending" // the answer is being written, or waits for that
	StatusComplete = "complete"
	StatusFailed   = "failed" // with what was written until then
)

// Message is one of a chat.
type Message struct {
	queries.Message
	Calls   []queries.ToolCall // that led to an answer, in order
	Failure *string            // what the chat says of its latest failure; of failed answers only
}

// MessageInput is a question. Problems are what decoding found.
type MessageInput struct {
	Content, Model ledger.Opt[string]
	Problems       ledger.Problems
}

// AddMessage puts a question into a chat, and the answer that waits to be written behind it. A chat with [MaxWaiting]
// such answers is a conflict.
func (a *Assistant) AddMessage(ctx context.Context, who ledger.Actor, chat uuid.UUID,
	in MessageInput) (question, answer Message, err error) {
	err = a.inChat(ctx, who, chat, func(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
		text := in.Problems.CheckText("content", in.Content.Or(""), MaxMessage)
		if strings.TrimSpace(text) == "" && !in.Problems.Has("content") {
			in.Problems.Add("content", "is required and must not be blank")
		}
		in.Model.Value = in.Problems.CheckLine("model", in.Model.Or(""))
		if err := in.Problems.Err(); err != nil {
			return err
		}
		if err := roomFor(ctx, q, chat); err != nil {
			return err
		}
		question, answer, err = askAgain(ctx, a, q, chat, in)
		if err != nil {
			return err
		}
		chat.Error = nil
		return a.touch(ctx, q, chat)
	})
	if err == nil {
		a.kick()
	}
	return question, answer, err
}

func roomFor(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
	n, err := q.CountWaitingAnswers(ctx, queries.CountWaitingAnswersParams{ChatID: chat.ID,
		HouseholdID: chat.HouseholdID})
	if err == nil && n >= MaxWaiting {
		return ledger.NewConflict("%d questions of this chat wait for their answers, which is the most: ask again when one is answered, or cancel one", n)
	}
	return err
}

// askAgain writes a question and its answer to be.
func askAgain(ctx context.Context, a *Assistant, q *queries.Queries, chat *queries.Chat,
	in MessageInput) (question, answer Message, err error) {
	question.Message, err = insertMessage(ctx, a, q, queries.InsertMessageParams{HouseholdID: chat.HouseholdID,
		ChatID: chat.ID,
		Role:   model.RoleUser, Status: StatusComplete, Content: in.Content.Value})
	if err != nil {
		return question, answer, err
	}
	var wanted *string
	if in.Model.Value != "" {
		wanted = &in.Model.Value
	}
	answer.Message, err = awaitAnswer(ctx, a, q, chat, wanted)
	return question, answer, err
}

// awaitAnswer puts an answer into the queue. Until it is known which model answers, it says which one is asked.
func awaitAnswer(ctx context.Context, a *Assistant, q *queries.Queries, chat *queries.Chat,
	wanted *string) (queries.Message, error) {
	asked := wanted
	if asked == nil {
		asked = new(a.Model.Name())
	}
	return insertMessage(ctx, a, q, queries.InsertMessageParams{HouseholdID: chat.HouseholdID, ChatID: chat.ID,
		Role: model.RoleAssistant, Status: StatusPending,
		Model: asked, WantedModel: wanted})
}

func insertMessage(ctx context.Context, a *Assistant, q *queries.Queries,
	m queries.InsertMessageParams) (queries.Message, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return queries.Message{}, err
	}
	m.PublicID, m.At = queries.PublicID(id), a.Now().UnixMilli()
	return q.InsertMessage(ctx, m)
}

// Retry replaces the answer at the end of a chat, whatever became of it, by a new one that waits to be written.
func (a *Assistant) Retry(ctx context.Context, who ledger.Actor, chat uuid.UUID) (answer Message, err error) {
	err = a.inChat(ctx, who, chat, func(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
		old, err := q.GetLastMessage(ctx, queries.GetLastMessageParams{ChatID: chat.ID, HouseholdID: chat.HouseholdID})
		if errors.Is(err, db.ErrNotFound) || err == nil && old.Role != model.RoleAssistant {
			return &ledger.Error{Kind: ledger.Invalid, Code: "validation_failed",
				Message: "No assistant message to retry"}
		}
		if err != nil {
			return err
		}
		// Inserted before the old one goes, whose inner key a worker may still use.
		answer.Message, err = awaitAnswer(ctx, a, q, chat, old.WantedModel)
		if err != nil {
			return err
		}
		if err := q.DeleteMessage(ctx, queries.DeleteMessageParams{ID: old.ID,
			HouseholdID: old.HouseholdID}); err != nil {
			return err
		}
		chat.Error = nil
		return a.touch(ctx, q, chat)
	})
	if err == nil {
		a.kick()
	}
	return answer, err
}

// Cancel gives up an answer that is still to be written: it is failed, with what was written until then, and the chat
// has no error of it. A message that is settled stays as it is.
func (a *Assistant) Cancel(ctx context.Context, who ledger.Actor, chat, message uuid.UUID) (m Message, err error) {
	err = a.inChat(ctx, who, chat, func(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
		m, err = oneMessage(ctx, q, chat, message)
		if err != nil || m.Status != StatusPending {
			return err
		}
		err := q.CancelAnswer(ctx, queries.CancelAnswerParams{UpdatedAt: a.later(m.UpdatedAt), ID: m.ID,
			HouseholdID: m.HouseholdID})
		if err != nil {
			return err
		}
		if err := a.touch(ctx, q, chat); err != nil {
			return err
		}
		m, err = oneMessage(ctx, q, chat, message)
		return err
	})
	if err == nil {
		a.kick()
	}
	return m, err
}

// GetMessage gives one message of a chat.
func (a *Assistant) GetMessage(ctx context.Context, who ledger.Actor, chat, message uuid.UUID) (m Message, err error) {
	err = a.read(ctx, who, func(ctx context.Context, q *queries.Queries) error {
		row, err := ownChat(ctx, a.Ledger.Tx(q, who), chat)
		if err != nil {
			return err
		}
		m, err = oneMessage(ctx, q, &row, message)
		return err
	})
	return m, err
}

func oneMessage(ctx context.Context, q *queries.Queries, chat *queries.Chat, id uuid.UUID) (Message, error) {
	m, err := q.GetMessage(ctx, queries.GetMessageParams{PublicID: queries.PublicID(id), ChatID: chat.ID,
		HouseholdID: chat.HouseholdID})
	if err != nil {
		return Message{}, ledger.Missing(err, "Message")
	}
	list, err := withCalls(ctx, q, chat, []queries.Message{m})
	if err != nil {
		return Message{}, err
	}
	return list[0], nil
}

// withMessages is a chat with a page of its messages.
func withMessages(ctx context.Context, q *queries.Queries, chat *queries.Chat, page ledger.Page) (Chat, error) {
	total, err := q.CountMessages(ctx, queries.CountMessagesParams{ChatID: chat.ID, HouseholdID: chat.HouseholdID})
	if err != nil {
		return Chat{}, err
	}
	rows, err := q.ListMessages(ctx, queries.ListMessagesParams{ChatID: chat.ID, HouseholdID: chat.HouseholdID,
		Count: int64(page.Size), Skip: page.Offset()})
	if err != nil {
		return Chat{}, err
	}
	list, err := withCalls(ctx, q, chat, rows)
	return Chat{Chat: *chat, Messages: list, MessageCount: total}, err
}

// withCalls adds to successive messages of a chat what they have beside their rows.
func withCalls(ctx context.Context, q *queries.Queries, chat *queries.Chat, rows []queries.Message) ([]Message, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	calls, err := q.ListToolCalls(ctx, queries.ListToolCallsParams{ChatID: chat.ID, HouseholdID: chat.HouseholdID,
		FirstID: rows[0].ID, LastID: rows[len(rows)-1].ID})
	list := make([]Message, len(rows))
	for i, row := range rows {
		n := 0
		for n < len(calls) && calls[n].MessageID == row.ID {
			n++
		}
		list[i] = Message{Message: row, Calls: calls[:n:n]}
		calls = calls[n:]
		if row.Status == StatusFailed {
			list[i].Failure = chat.Error
		}
	}
	return list, err
}
