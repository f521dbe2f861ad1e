package cmd

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

// ask puts the question, works until it is answered, as a server on the same file may, and prints the answer.
func (j *chatJob) ask(ctx context.Context, question string) error {
	chat, message, err := j.put(ctx, question)
	if err != nil {
		return err
	}
	last, err := j.answered(ctx, chat, message)
	if err != nil {
		return err
	}
	reason, err := j.reason(ctx, chat, last)
	if err != nil {
		return err
	}
	if j.flags.asJSON {
		if err := j.PrintJSON(answerJSON{ChatID: chat.String(), messageJSON: asMessageJSON(last), Error: reason}); err != nil {
			return err
		}
	} else if j.flags.chat == "" && reason == nil {
		j.Say("Go on with: finsvc chat --chat %s QUESTION", chat)
	}
	if reason != nil {
		return errors.New(*reason)
	}
	return nil
}

// put stores the question and gives the chat and the answer to be.
func (j *chatJob) put(ctx context.Context, question string) (chat, message uuid.UUID, err error) {
	text, model := ledger.Some(question), ledger.Opt[string]{}
	if j.flags.model != "" {
		model = ledger.Some(j.flags.model)
	}
	if j.flags.chat == "" {
		made, err := j.chats.CreateChat(ctx, j.who, assistant.ChatInput{Message: text, Model: model})
		if err != nil {
			return chat, message, err
		}
		return uuid.UUID(made.PublicID), uuid.UUID(made.Messages[len(made.Messages)-1].PublicID), nil
	}
	if chat, err = chatID(j.flags.chat); err != nil {
		return chat, message, err
	}
	_, answer, err := j.chats.AddMessage(ctx, j.who, chat, assistant.MessageInput{Content: text, Model: model})
	return chat, uuid.UUID(answer.PublicID), err
}

// answered works until the answer is settled. When ctx ends the answer is given up: nobody waits for it any more.
func (j *chatJob) answered(ctx context.Context, chat, message uuid.UUID) (last assistant.Answer, err error) {
	lasting := context.WithoutCancel(ctx)
	states, unwatch, err := j.chats.Watch(lasting, j.who, chat, message)
	if err != nil {
		return last, err
	}
	defer unwatch()
	working, stop := context.WithCancel(lasting)
	var worker sync.WaitGroup
	var failed error
	worker.Go(func() { failed = j.chats.RunIn(working, j.who, chat) })
	last, err = j.follow(ctx, states)
	if ctx.Err() != nil {
		_, err = j.chats.Cancel(lasting, j.who, chat, message)
		err = errors.Join(ctx.Err(), err)
	}
	stop()
	worker.Wait()
	return last, errors.Join(err, failed)
}

// follow shows an answer as it comes, until it is settled.
func (j *chatJob) follow(ctx context.Context, states <-chan assistant.Answer) (last assistant.Answer, err error) {
	s := &speaker{out: j.Stdout, live: term.IsTerminal(j.Stdout), call: j.sayCall}
	if j.flags.asJSON {
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

func (j *chatJob) sayCall(c queries.ToolCall) {
	line := []rune(c.FunctionName + " " + c.FunctionArguments)
	if len(line) > maxCallLine {
		line = append(line[:maxCallLine], '…')
	}
	j.Say("→ %s", string(line))
}

// reason is why there is no answer; nil when there is one.
func (j *chatJob) reason(ctx context.Context, chat uuid.UUID, last assistant.Answer) (*string, error) {
	if last.Message.Status == assistant.StatusComplete {
		return nil, nil
	}
	found, err := j.chats.GetChat(ctx, j.who, chat, ledger.Page{Number: 1, Size: 1})
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
