package provider

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"finsvc/assistant/model"
)

// chunk is a piece of an answer: of a stream a delta, else the whole message.
type chunk struct {
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *struct {
		Input  int64 `json:"prompt_tokens"`
		Output int64 `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// choice is one of several answers; we ask for one.
type choice struct {
	Index        int             `json:"index"`
	Delta        speech          `json:"delta"`
	Message      speech          `json:"message"`
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
}

// speech is what the model says. What it thinks (reasoning_content, reasoning) is no part of it.
type speech struct {
	Content parts       `json:"content"`
	Calls   []callDelta `json:"tool_calls"`
}

// parts is a text, or a list of parts of which the texts count.
type parts string

// UnmarshalJSON reads both forms.
func (p *parts) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil { // of null, too
		*p = parts(text)
		return nil
	}
	var list []struct{ Type, Text string }
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for _, part := range list {
		if part.Type == "text" {
			*p += parts(part.Text)
		}
	}
	return nil
}

// accumulator puts the pieces of an answer together.
type accumulator struct {
	said      func(string) error
	firstCall int // how many calls the conversation has already

	text     strings.Builder
	think    thinkFilter
	calls    []*callParts
	model    string
	usage    model.Usage
	choices  bool  // something came at all
	finished bool  // the model says that this was all
	stopped  error // of said
}

// take takes a piece.
func (a *accumulator) take(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return errGarbled // its own error has the text in it
	}
	if isThere(c.Error) {
		return streamedError(c.Error)
	}
	if c.Model != "" {
		a.model = c.Model
	}
	if c.Usage != nil {
		a.usage = model.Usage{Input: c.Usage.Input, Output: c.Usage.Output}
	}
	for _, one := range c.Choices {
		if one.Index != 0 {
			continue
		}
		if isThere(one.Error) {
			return streamedError(one.Error)
		}
		a.choices = true
		a.finished = a.finished || one.FinishReason != ""
		a.add(one.Delta)
		a.add(one.Message)
	}
	return nil
}

// isThere reports whether a member is there and not null.
func isThere(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func (a *accumulator) add(s speech) {
	for _, delta := range s.Calls {
		a.addCall(delta)
	}
	text := a.think.leaveOut(string(s.Content))
	if text == "" || a.stopped != nil {
		return
	}
	a.text.WriteString(text)
	a.stopped = a.said(text)
}

// whole reports whether the answer is there although nothing more can be read. Behind the model's own end only the
// count of tokens is missing.
func (a *accumulator) whole(err error) bool {
	return a.finished || a.choices && errors.Is(err, io.EOF)
}

// reply is what has come. Calls count only where tools were offered.
func (a *accumulator) reply(p model.Prompt, f form) model.Reply {
	reply := model.Reply{Text: a.text.String(), Model: a.model, Usage: a.usage}
	if reply.Model == "" {
		reply.Model = p.Model
	}
	if f.tools {
		reply.Calls = a.settledCalls()
	}
	return reply
}

// What encloses thoughts at the beginning of an answer, where a server does not part them from it.
const (
	thoughtsBegin = "<think>"
	thoughtsEnd   = "</think>"
)

// thinkFilter leaves out what a model thinks before it answers, and white space before the answer.
type thinkFilter struct {
	held   string // what may be the beginning of a mark
	inside bool
	over   bool // the answer has begun
}

// leaveOut gives what of a piece belongs to the answer.
func (t *thinkFilter) leaveOut(piece string) string {
	if t.over {
		return piece
	}
	t.held += piece
	for {
		if t.inside {
			_, rest, found := strings.Cut(t.held, thoughtsEnd)
			if !found {
				t.held = t.held[max(0, len(t.held)-len(thoughtsEnd)+1):]
				return ""
			}
			t.held, t.inside = rest, false
		}
		t.held = strings.TrimLeft(t.held, " \t\r\n")
		switch {
		case strings.HasPrefix(t.held, thoughtsBegin):
			t.held, t.inside = t.held[len(thoughtsBegin):], true
		case strings.HasPrefix(thoughtsBegin, t.held):
			return "" // nothing yet, or a part of the mark
		default:
			t.over = true
			return t.held
		}
	}
}
