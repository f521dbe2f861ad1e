package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"finsvc/assistant/model"
)

// Limits of what a model may call in one reply.
const (
	maxCalls      = 16
	maxCallName   = 64
	maxUnreadable = 2000 // bytes of arguments that are kept although they cannot be read
)

// callDelta is a piece of a call.
type callDelta struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// callParts is a call as far as its pieces have come.
type callParts struct {
	index    *int
	id, name string
	args     strings.Builder
}

// addCall adds a piece to the call that it belongs to.
func (a *accumulator) addCall(d callDelta) {
	call := a.callOf(d)
	if call == nil {
		return
	}
	call.id = cmp.Or(call.id, d.ID)
	call.name = cmp.Or(call.name, d.Function.Name)
	var text string
	if json.Unmarshal(d.Function.Arguments, &text) != nil {
		text = string(d.Function.Arguments) // an object instead of its text
	}
	call.args.WriteString(text)
}

// callOf is the call that a piece belongs to: by its index, but servers give several calls the same one or none at
// all; then another name, or a name with another id or behind arguments that are complete, begins a new call. It is
// nil when there are too many.
func (a *accumulator) callOf(d callDelta) *callParts {
	for i := len(a.calls) - 1; i >= 0; i-- {
		c := a.calls[i]
		if d.Index != nil && (c.index == nil || *c.index != *d.Index) {
			continue
		}
		if c.continues(d) {
			return c
		}
		break
	}
	if len(a.calls) == maxCalls {
		return nil
	}
	call := &callParts{index: d.Index}
	a.calls = append(a.calls, call)
	return call
}

func (c *callParts) continues(d callDelta) bool {
	switch {
	case d.Function.Name == "":
		return true
	case c.name != "" && c.name != d.Function.Name:
		return false
	case d.ID != "" && c.id != "":
		return d.ID == c.id
	}
	return !json.Valid([]byte(c.args.String()))
}

// readCalls finds the calls of a small model that writes them out as its answer instead of making them: objects with
// the name of a tool that was offered, and nothing else.
func (a *accumulator) readCalls(offered []model.Tool) {
	if len(a.calls) > 0 {
		return
	}
	text := strings.NewReplacer("<tool_call>", "", "</tool_call>", "", "```json", "", "```",
		"").Replace(a.text.String())
	written := json.NewDecoder(strings.NewReader(text))
	var found []callDelta
	for {
		var c struct {
			Name                  string
			Arguments, Parameters json.RawMessage
		}
		err := written.Decode(&c)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || !slices.ContainsFunc(offered, func(t model.Tool) bool { return t.Name == c.Name }) {
			return
		}
		d := callDelta{Index: new(len(found))}
		d.Function.Name, d.Function.Arguments = c.Name, c.Arguments
		if len(c.Arguments) == 0 {
			d.Function.Arguments = c.Parameters
		}
		found = append(found, d)
	}
	for _, d := range found {
		a.addCall(d)
		a.text.Reset()
	}
}

// settledCalls are the calls in the form in which they are made: with an id, a name and an object of arguments.
func (a *accumulator) settledCalls() []model.Call {
	var out []model.Call
	for i, c := range a.calls {
		name := cmp.Or(c.name, "unnamed")
		out = append(out, model.Call{
			ID:        cmp.Or(c.id, fmt.Sprintf("call_%d", a.firstCall+i+1)),
			Name:      name[:min(len(name), maxCallName)],
			Arguments: asArguments(c.args.String()),
		})
	}
	return out
}

// asArguments is what a model sent as arguments, as an object. Some send the text of the object once more as a text.
func asArguments(text string) json.RawMessage {
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil {
		text = inner // null, too, which becomes empty
	}
	text = strings.TrimSpace(text)
	var members map[string]json.RawMessage
	var compact bytes.Buffer
	switch {
	case text == "":
		return json.RawMessage(`{}`)
	case json.Unmarshal([]byte(text), &members) == nil && members != nil && json.Compact(&compact, []byte(text)) == nil:
		return compact.Bytes()
	}
	raw, err := json.Marshal(map[string]string{"unreadable": text[:min(len(text), maxUnreadable)]})
	if err != nil {
		return json.RawMessage(`{}`) // not reached: a text can always be written
	}
	return raw
}
