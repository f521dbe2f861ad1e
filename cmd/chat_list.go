package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/cmd/term"
)

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
	j := messageJSON{ID: uuid.UUID(m.PublicID).String(), Role: m.Role, Status: m.Status, Content: m.Content, Model: m.Model, Host: m.Host,
		InputTokens: m.InputTokens, OutputTokens: m.OutputTokens, ToolCalls: []callJSON{}, CreatedAt: term.Stamp(time.UnixMilli(m.CreatedAt))}
	for _, c := range m.Calls {
		call := callJSON{Name: c.FunctionName, Arguments: json.RawMessage(c.FunctionArguments)}
		if c.FunctionResult != nil {
			call.Result = json.RawMessage(*c.FunctionResult)
		}
		j.ToolCalls = append(j.ToolCalls, call)
	}
	return j
}

func newChatList(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "list", Short: "List your chats, newest first", Args: cobra.NoArgs,
		Example: "  finsvc chat list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withChats(c.Context(), &f, func(j *chatJob) error { return j.list(c.Context()) })
		},
	}
	f.add(c)
	jsonFlag(c, &f.asJSON)
	return c
}

func (j *chatJob) list(ctx context.Context) error {
	all, _, err := j.chats.ListChats(ctx, j.who, everyRow())
	if err != nil {
		return err
	}
	if j.flags.asJSON {
		rows := []chatJSON{}
		for _, c := range all {
			rows = append(rows, asChatJSON(c))
		}
		return j.PrintJSON(rows)
	}
	return term.PrintTable(&j.Terminal, term.Columns("title", "#messages", "last", "failed", "id"), all, func(c assistant.Chat) []string {
		last, failed := "-", "no"
		if c.LastMessageAt > 0 {
			last = term.Moment(time.UnixMilli(c.LastMessageAt))
		}
		if c.Error != nil {
			failed = "yes"
		}
		return []string{c.Title, strconv.FormatInt(c.MessageCount, 10), last, failed, uuid.UUID(c.PublicID).String()}
	})
}

func newChatShow(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "show ID", Short: "Show a chat with its messages", Args: cobra.ExactArgs(1),
		Example: "  finsvc chat show 01a1fd73-b1c2-7d34-9a10-3c5d7e9f1b24",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := chatID(args[0])
			if err != nil {
				return err
			}
			f.chat = args[0]
			return a.withChats(c.Context(), &f, func(j *chatJob) error { return j.show(c.Context(), id) })
		},
	}
	f.add(c)
	jsonFlag(c, &f.asJSON)
	return c
}

func (j *chatJob) show(ctx context.Context, id uuid.UUID) error {
	chat, err := j.chats.GetChat(ctx, j.who, id, everyRow())
	if err != nil {
		return err
	}
	if j.flags.asJSON {
		return j.PrintJSON(asChatJSON(chat))
	}
	for _, m := range chat.Messages {
		for _, call := range m.Calls {
			j.sayCall(call)
		}
		if err := j.Print(fmt.Sprintf("%s, %s:\n%s\n", speakerOf(m), term.Moment(time.UnixMilli(m.CreatedAt)), indented(m.Content))); err != nil {
			return err
		}
	}
	if chat.Error != nil {
		j.Say("%s", *chat.Error)
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

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func newChatDelete(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a chat with its messages", Args: cobra.ExactArgs(1),
		Example: "  finsvc chat delete 01a1fd73-b1c2-7d34-9a10-3c5d7e9f1b24",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := chatID(args[0])
			if err != nil {
				return err
			}
			f.chat = args[0]
			return a.withChats(c.Context(), &f, func(j *chatJob) error {
				err := j.chats.DeleteChat(c.Context(), j.who, id)
				if err == nil {
					a.Say("Deleted the chat.")
				}
				return err
			})
		},
	}
	f.add(c)
	return c
}
