package handlers

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"finsvc/assistant"
	"finsvc/handlers/wire"
	"finsvc/queries"
)

// streamMessage answers GET /chats/{id}/messages/{message}/stream with server-sent events: tool_call and text as an
// answer grows, reset where it begins anew, and done when it is settled, which ends the stream. A client that comes
// back names the last event it has in Last-Event-ID, or in the query as after, and gets what came since.
func (s *chats) streamMessage(a *wire.Answer, r *wire.Request) error {
	chat, id, err := messageID(r)
	if err != nil {
		return err
	}
	q := r.Query()
	after := cmp.Or(q.Text("after"), r.Header.Get("Last-Event-ID"))
	if err := q.Err(); err != nil {
		return err
	}
	end, err := s.streams.Begin(a, r)
	if err != nil {
		return err
	}
	defer end()
	states, stop, err := s.assistant.Watch(r.Context(), r.Who(), chat, id)
	if err != nil {
		return err
	}
	defer stop()
	if e := a.Events(); e != nil {
		settled := func() (assistant.Message, error) { return s.assistant.GetMessage(r.Context(), r.Who(), chat, id) }
		wire.Follow(e, states, (&answerEvents{Events: e, position: after, settled: settled}).send)
	}
	return nil
}

// answerEvents tells one client of an answer: each event is what has come to what was shown before.
type answerEvents struct {
	*wire.Events
	position string             // that a client names which comes back, until the first state
	calls    []queries.PublicID // shown
	text     string             // shown
	settled  func() (assistant.Message, error)
}

func (e *answerEvents) send(now *assistant.Answer) error {
	if !e.resume(now) || !e.continues(now) {
		e.calls, e.text = nil, ""
		if err := e.say("reset", func(*wire.Writer) {}); err != nil {
			return err
		}
	}
	fresh := now.Calls[len(e.calls):]
	for i := range fresh {
		e.calls = append(e.calls, fresh[i].PublicID)
		if err := e.say("tool_call", func(j *wire.Writer) { writeToolCall(j, &fresh[i]) }); err != nil {
			return err
		}
	}
	if err := e.tellText(now.Content); err != nil || now.Status == assistant.StatusPending {
		return err
	}
	// Send the message as it is stored.
	m, err := e.settled()
	if err != nil {
		return err
	}
	return e.say("done", func(j *wire.Writer) {
		writeMessageBody(j, &m)
		writeMessageStatus(j, &m)
	})
}

// resume takes what the client has for shown. False when that is nothing that can be gone on from: text that stood
// there before further calls were made is void.
func (e *answerEvents) resume(now *assistant.Answer) bool {
	calls, bytes, named := eventPosition(e.position)
	e.position = ""
	switch {
	case !named:
		return true
	case calls > len(now.Calls), bytes > len(now.Content), bytes > 0 && calls < len(now.Calls),
		bytes < len(now.Content) && !utf8.RuneStart(now.Content[bytes]):
		return false
	}
	for _, call := range now.Calls[:calls] {
		e.calls = append(e.calls, call.PublicID)
	}
	e.text = now.Content[:bytes]
	return true
}

// eventPosition reads the id of an event, CALLS-BYTES; named is false for anything else.
func eventPosition(id string) (calls, bytes int, named bool) {
	before, after, _ := strings.Cut(id, "-")
	calls, errCalls := strconv.Atoi(before)
	bytes, errBytes := strconv.Atoi(after)
	return calls, bytes, errCalls == nil && errBytes == nil && calls >= 0 && bytes >= 0
}

// continues reports whether a state has come of what is shown, and not of a new beginning.
func (e *answerEvents) continues(now *assistant.Answer) bool {
	if len(e.calls) > len(now.Calls) || !strings.HasPrefix(now.Content, e.text) {
		return false
	}
	for i, id := range e.calls {
		if now.Calls[i].PublicID != id {
			return false
		}
	}
	return true
}

func (e *answerEvents) tellText(text string) error {
	fresh := text[len(e.text):]
	if fresh == "" {
		return nil
	}
	e.text = text
	return e.say("text", func(j *wire.Writer) { j.Text("text", fresh) })
}

// say sends an event with an object, under the position that it leads to.
func (e *answerEvents) say(name string, members func(*wire.Writer)) error {
	e.Json.Reset()
	e.Json.Open("")
	members(e.Json)
	e.Json.Close()
	return e.Send(wire.EventText(name, fmt.Sprintf("%d-%d", len(e.calls), len(e.text)), e.Json.Bytes()))
}
