package assistant

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// titleFromMessage is how many characters of a question make the title of a chat that is given none.
const titleFromMessage = 80

// Chat is a conversation of one person with the assistant. No other person of the household can see it.
type Chat struct {
	queries.Chat
	Messages      []Message // a page of them, oldest first; none in a list of chats
	MessageCount  int64     // of all messages
	LastMessageAt int64     // unix ms, when the newest message was created; in lists of chats only, 0 without messages
}

// ChatInput is what a person says of a chat, new or renamed. Problems are what decoding found.
type ChatInput struct {
	Title, Message, Model ledger.Opt[string]
	Problems              ledger.Problems
}

// check finds what is wrong with a new chat, gives its title, and its question if it has one.
func (in *ChatInput) check() (title string, question *MessageInput, err error) {
	title = in.Problems.CheckLine("title", in.Title.Or(""))
	text := in.Problems.CheckText("message", in.Message.Or(""), MaxMessage)
	model := in.Problems.CheckLine("model", in.Model.Or(""))
	if strings.TrimSpace(text) != "" {
		question = &MessageInput{Content: ledger.Some(text), Model: ledger.Some(model)}
	}
	if title == "" && question != nil {
		title = titleOf(text)
	}
	if title == "" && !in.Problems.Has("title") && !in.Problems.Has("message") {
		in.Problems.Add("title", "is required and must not be blank when there is no message to take it from")
	}
	return title, question, in.Problems.Err()
}

// titleOf is the beginning of the first line of a message.
func titleOf(message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	title := []rune(strings.Join(strings.Fields(line), " "))
	return strings.TrimSpace(string(title[:min(len(title), titleFromMessage)]))
}

// CreateChat makes a chat. With a message, that is its first question, and the answer waits to be written.
func (a *Assistant) CreateChat(ctx context.Context, who ledger.Actor, in ChatInput) (chat Chat, err error) {
	err = a.write(ctx, who, func(ctx context.Context, q *queries.Queries) error {
		chat, err = a.createChat(ctx, a.Ledger.Tx(q, who), in)
		return err
	})
	if err == nil && chat.MessageCount > 0 {
		a.kick()
	}
	return chat, err
}

func (a *Assistant) createChat(ctx context.Context, tx *ledger.Tx, in ChatInput) (Chat, error) {
	title, question, err := in.check()
	if err != nil {
		return Chat{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Chat{}, err
	}
	row, err := tx.InsertChat(ctx, queries.InsertChatParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID, UserID: tx.UserID,
		Title: title, At: a.Now().UnixMilli()})
	if err != nil || question == nil {
		return Chat{Chat: row}, err
	}
	asked, answer, err := askAgain(ctx, a, tx.Queries, &row, *question)
	return Chat{Chat: row, Messages: []Message{asked, answer}, MessageCount: 2}, err
}

// ListChats gives a page of a person's chats, newest first, and how many there are.
func (a *Assistant) ListChats(ctx context.Context, who ledger.Actor,
	page ledger.Page) (list []Chat, total int64, err error) {
	err = a.read(ctx, who, func(ctx context.Context, q *queries.Queries) error {
		total, err = q.CountChats(ctx, queries.CountChatsParams{HouseholdID: who.HouseholdID, UserID: who.UserID})
		if err != nil {
			return err
		}
		rows, err := q.ListChats(ctx, queries.ListChatsParams{HouseholdID: who.HouseholdID, UserID: who.UserID,
			Count: int64(page.Size), Skip: page.Offset()})
		for _, row := range rows {
			list = append(list, Chat{Chat: row.Chat, MessageCount: row.MessageCount, LastMessageAt: row.LastMessageAt})
		}
		return err
	})
	return list, total, err
}

// GetChat gives a chat with a page of its messages.
func (a *Assistant) GetChat(ctx context.Context, who ledger.Actor, id uuid.UUID,
	page ledger.Page) (chat Chat, err error) {
	err = a.read(ctx, who, func(ctx context.Context, q *queries.Queries) error {
		row, err := ownChat(ctx, a.Ledger.Tx(q, who), id)
		if err != nil {
			return err
		}
		chat, err = withMessages(ctx, q, &row, page)
		return err
	})
	return chat, err
}

// RenameChat gives a chat another title, if there is one, and gives the chat with a page of its messages.
func (a *Assistant) RenameChat(ctx context.Context, who ledger.Actor, id uuid.UUID, in ChatInput,
	page ledger.Page) (renamed Chat, err error) {
	err = a.inChat(ctx, who, id, func(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
		title := chat.Title
		if in.Title.Set && !in.Problems.Has("title") {
			title = in.Problems.CheckName("title", in.Title.Or(""))
		}
		if err := in.Problems.Err(); err != nil {
			return err
		}
		if title != chat.Title {
			chat.Title = title
			if err := a.touch(ctx, q, chat); err != nil {
				return err
			}
		}
		renamed, err = withMessages(ctx, q, chat, page)
		return err
	})
	return renamed, err
}

// DeleteChat removes a chat with its messages. An answer that is being written has no place to go any more, which
// ends the work on it.
func (a *Assistant) DeleteChat(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	err := a.inChat(ctx, who, id, func(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
		return q.DeleteChat(ctx, queries.DeleteChatParams{ID: chat.ID, HouseholdID: chat.HouseholdID})
	})
	if err == nil {
		a.kick()
	}
	return err
}

// touch writes a chat that was changed.
func (a *Assistant) touch(ctx context.Context, q *queries.Queries, chat *queries.Chat) error {
	chat.UpdatedAt = a.later(chat.UpdatedAt)
	return q.UpdateChat(ctx, queries.UpdateChatParams{Title: chat.Title, Error: chat.Error, UpdatedAt: chat.UpdatedAt,
		ID: chat.ID, HouseholdID: chat.HouseholdID})
}
