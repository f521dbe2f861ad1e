// Package conversation is a person who talks with the assistant at a terminal: questions with their answers as they
// are written, the list of chats, and a test of the model that is set up. What is answered is the assistant's.
package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/queries"
)

// Conversation is what a person says to the assistant at a terminal, and what it answers.
type Conversation struct {
	*term.Terminal
	Chats  *assistant.Assistant
	Who    ledger.Actor
	AsJSON bool
}

// Ask puts the question to a model, blank for the one that is set up, in a chat, blank for a new one. It works until
// it is answered, as a server on the same file may, and prints the answer.
func (v *Conversation) Ask(ctx context.Context, inChat, model, question string) error {
	chat, message, err := v.Put(ctx, inChat, model, question)
	if err != nil {
		return err
	}
	last, err := v.Answered(ctx, chat, message)
	if err != nil {
		return err
	}
	reason, err := v.reason(ctx, chat, last)
	if err != nil {
		return err
	}
	if v.AsJSON {
		if err := v.PrintJSON(answerJSON{ChatID: chat.String(), messageJSON: asMessageJSON(last),
			Error: reason}); err != nil {
			return err
		}
	} else if inChat == "" && reason == nil {
		v.Say("Go on with: finsvc chat --chat %s QUESTION", chat)
	}
	if reason != nil {
		return errors.New(*reason)
	}
	return nil
}

// Put stores the question and gives the chat and the answer to be.
func (v *Conversation) Put(ctx context.Context, inChat, model, question string) (chat, message uuid.UUID, err error) {
	text, named := ledger.Some(question), ledger.Opt[string]{}
	if model != "" {
		named = ledger.Some(model)
	}
	if inChat == "" {
		made, err := v.Chats.CreateChat(ctx, v.Who, assistant.ChatInput{Message: text, Model: named})
		if err != nil {
			return chat, message, err
		}
		return uuid.UUID(made.PublicID), uuid.UUID(made.Messages[len(made.Messages)-1].PublicID), nil
	}
	chat, err = ChatID(inChat)
	if err != nil {
		return chat, message, err
	}
	_, answer, err := v.Chats.AddMessage(ctx, v.Who, chat, assistant.MessageInput{Content: text, Model: named})
	return chat, uuid.UUID(answer.PublicID), err
}

// Answered works until the answer is settled. When ctx ends the answer is given up: nobody waits for it any more.
func (v *Conversation) Answered(ctx context.Context, chat, message uuid.UUID) (last assistant.Answer, err error) {
	lasting := context.WithoutCancel(ctx)
	states, unwatch, err := v.Chats.Watch(lasting, v.Who, chat, message)
	if err != nil {
		return last, err
	}
	defer unwatch()
	working, stop := context.WithCancel(lasting)
	var worker sync.WaitGroup
	var failed error
	worker.Go(func() { failed = v.Chats.RunIn(working, v.Who, chat) })
	last, err = v.follow(ctx, states)
	if ctx.Err() != nil {
		_, err = v.Chats.Cancel(lasting, v.Who, chat, message)
		err = errors.Join(ctx.Err(), err)
	}
	stop()
	worker.Wait()
	return last, errors.Join(err, failed)
}

// follow shows an answer as it comes, until it is settled.
func (v *Conversation) follow(ctx context.Context, states <-chan assistant.Answer) (last assistant.Answer, err error) {
	s := &speaker{out: v.Stdout, live: term.IsTerminal(v.Stdout), call: v.sayCall}
	if v.AsJSON {
		s.out = io.Discard
	}
	for {
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case state, open := <-states:
			switch {
			case open:
				last = state
				err = s.show(state.Message, state.Calls)
			case last.Message.Status == assistant.StatusPending:
				err = errors.New("the question was removed before it was answered")
			default:
				err = s.end(last.Message)
			}
			if err != nil || !open {
				return last, err
			}
		}
	}
}

// maxCallLine is how much of a call is said, in characters.
const maxCallLine = 120

func (v *Conversation) sayCall(c queries.ToolCall) {
	line := []rune(c.FunctionName + " " + c.FunctionArguments)
	if len(line) > maxCallLine {
		line = append(line[:maxCallLine], '…')
	}
	v.Say("→ %s", string(line))
}

// reason is why there is no answer; nil when there is one.
func (v *Conversation) reason(ctx context.Context, chat uuid.UUID, last assistant.Answer) (*string, error) {
	if last.Message.Status == assistant.StatusComplete {
		return nil, nil
	}
	found, err := v.Chats.GetChat(ctx, v.Who, chat, ledger.Page{Number: 1, Size: 1})
	if err != nil || found.Error != nil {
		return found.Error, err
	}
	return new("the answer was cancelled"), nil
}

// speaker prints an answer while it is written. Elsewhere than on a terminal only the whole is printed, as a model may
// say something before it calls tools that does not belong to its answer.
type speaker struct {
	out    io.Writer
	live   bool
	call   func(queries.ToolCall)
	called int
	said   string
}

// show prints what is new.
func (s *speaker) show(m queries.Message, calls []queries.ToolCall) error {
	for _, c := range calls[min(s.called, len(calls)):] {
		if err := s.breakLine(); err != nil {
			return err
		}
		s.call(c)
	}
	s.called = len(calls)
	if !s.live {
		return nil
	}
	return s.say(m.Content)
}

// end prints what is missing.
func (s *speaker) end(m queries.Message) error {
	if err := s.say(m.Content); err != nil {
		return err
	}
	return s.breakLine()
}

// say prints a text as far as it was not said yet; another text than before begins on a line of its own.
func (s *speaker) say(text string) error {
	rest, same := strings.CutPrefix(text, s.said)
	if !same {
		if strings.HasPrefix(s.said, text) {
			return nil // white space at its end is gone
		}
		if err := s.breakLine(); err != nil {
			return err
		}
		rest = text
	}
	s.said = text
	_, err := io.WriteString(s.out, rest)
	return err
}

func (s *speaker) breakLine() error {
	if s.said == "" {
		return nil
	}
	s.said = ""
	_, err := io.WriteString(s.out, "\n")
	return err
}

// answerJSON is an answer in JSON.
type answerJSON struct {
	ChatID string `json:"chat_id"`
	messageJSON
	Error *string `json:"error"`
}

// messageJSON is a message in JSON.
type messageJSON struct {
	ID           string     `json:"id"`
	Role         string     `json:"role"`
	Status       string     `json:"status"`
	Content      string     `json:"content"`
	Model        *string    `json:"model"`
	Host         *string    `json:"host"`
	InputTokens  *int64     `json:"input_tokens"`
	OutputTokens *int64     `json:"output_tokens"`
	ToolCalls    []callJSON `json:"tool_calls"`
	CreatedAt    *string    `json:"created_at"`
}

type callJSON struct {
	Name      string          `json:"function_name"`
	Arguments json.RawMessage `json:"function_arguments"`
	Result    json.RawMessage `json:"function_result"`
}
