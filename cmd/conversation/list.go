package conversation

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/ledger"
)

// ChatID reads the id of a chat from an argument.
func ChatID(text string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(text)
	if !ok {
		return id, exit.Usagef("%s is not the id of a chat; see: finsvc chat list", ledger.Quote(text))
	}
	return id, nil
}

// chatJSON is a chat in JSON.
type chatJSON struct {
	ID            string        `json:"id"`
	Title         string        `json:"title"`
	MessageCount  int64         `json:"message_count"`
	Error         *string       `json:"error"`
	LastMessageAt *string       `json:"last_message_at,omitempty"`
	CreatedAt     *string       `json:"created_at"`
	UpdatedAt     *string       `json:"updated_at"`
	Messages      []messageJSON `json:"messages,omitempty"`
}

func asChatJSON(c assistant.Chat) chatJSON {
	j := chatJSON{ID: uuid.UUID(c.PublicID).String(), Title: c.Title, MessageCount: c.MessageCount, Error: c.Error,
		CreatedAt: term.Stamp(time.UnixMilli(c.CreatedAt)), UpdatedAt: term.Stamp(time.UnixMilli(c.UpdatedAt))}
	if c.LastMessageAt > 0 {
		j.LastMessageAt = term.Stamp(time.UnixMilli(c.LastMessageAt))
	}
	for _, m := range c.Messages {
		j.Messages = append(j.Messages, asMessageJSON(m))
	}
	return j
}

func asMessageJSON(m assistant.Message) messageJSON {
	j := messageJSON{ID: uuid.UUID(m.PublicID).String(), Role: m.Role, Status: m.Status, Content: m.Content,
		Model: m.Model, Host: m.Host,
		InputTokens: m.InputTokens, OutputTokens: m.OutputTokens, ToolCalls: []callJSON{},
		CreatedAt: term.Stamp(time.UnixMilli(m.CreatedAt))}
	for _, c := range m.Calls {
		call := callJSON{Name: c.FunctionName, Arguments: json.RawMessage(c.FunctionArguments)}
		if c.FunctionResult != nil {
			call.Result = json.RawMessage(*c.FunctionResult)
		}
		j.ToolCalls = append(j.ToolCalls, call)
	}
	return j
}

func (v *Conversation) List(ctx context.Context) error {
	all, _, err := v.Chats.ListChats(ctx, v.Who, ledger.Page{Number: 1, Size: 1 << 30})
	if err != nil {
		return err
	}
	if v.AsJSON {
		rows := []chatJSON{}
		for _, c := range all {
			rows = append(rows, asChatJSON(c))
		}
		return v.PrintJSON(rows)
	}
	return term.PrintTable(v.Terminal, term.Columns("title", "#messages", "last", "failed", "id"), all,
		func(c assistant.Chat) []string {
			last, failed := "-", "no"
			if c.LastMessageAt > 0 {
				last = term.Moment(time.UnixMilli(c.LastMessageAt))
			}
			if c.Error != nil {
				failed = "yes"
			}
			return []string{c.Title, strconv.FormatInt(c.MessageCount, 10), last, failed,
				uuid.UUID(c.PublicID).String()}
		})
}

func (v *Conversation) Show(ctx context.Context, id uuid.UUID) error {
	chat, err := v.Chats.GetChat(ctx, v.Who, id, ledger.Page{Number: 1, Size: 1 << 30})
	if err != nil {
		return err
	}
	if v.AsJSON {
		return v.PrintJSON(asChatJSON(chat))
	}
	for _, m := range chat.Messages {
		for _, call := range m.Calls {
			v.sayCall(call)
		}
		if err := v.Print(fmt.Sprintf("%s, %s:\n%s\n", speakerOf(m), term.Moment(time.UnixMilli(m.CreatedAt)),
			"  "+strings.ReplaceAll(m.Content, "\n", "\n  "))); err != nil {
			return err
		}
	}
	if chat.Error != nil {
		v.Say("%s", *chat.Error)
	}
	return nil
}

// speakerOf says whose message it is, and what state an answer is in that is not complete.
func speakerOf(m assistant.Message) string {
	if m.Role == model.RoleUser {
		return "You"
	}
	name := "Assistant"
	if m.Model != nil {
		name += " (" + *m.Model + ")"
	}
	if m.Status != assistant.StatusComplete {
		name += ", " + m.Status
	}
	return name
}
