package provider

import (
	"encoding/json"
	"finsvc/assistant/model"
	"strings"
)

// figuresHead stands above the results that a model without tools gets with a question.
const figuresHead = "Figures from the household's books:"

// chatRequest returns a prompt in the protocol.
func chatRequest(p model.Prompt, f form) request {
	turns := p.Turns
	if !f.tools {
		turns = flatTurns(turns)
	}
	q := request{Model: p.Model, Messages: chatMessages(turns), Stream: true}
	if f.usage {
		q.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if !f.tools {
		return q
	}
	for _, t := range p.Tools {
		q.Tools = append(q.Tools, tool{typeFunction, function{t.Name, t.Description, t.Parameters}})
	}
	return q
}

// chatMessages are turns in the protocol: each call's result is a message of its own behind that of the calls.
func chatMessages(turns []model.Turn) []message {
	out := []message{}
	for _, turn := range turns {
		if turn.Text == "" && len(turn.Calls) == 0 {
			continue // servers refuse a message with nothing in it
		}
		said := message{Role: turn.Role, Content: turn.Text}
		var results []message
		for _, c := range turn.Calls {
			said.ToolCalls = append(said.ToolCalls, call{c.ID, typeFunction,
				functionCall{c.Name, jsonText(c.Arguments)}})
			results = append(results, message{Role: roleTool, ToolCallID: c.ID, Content: jsonText(c.Result)})
		}
		out = append(append(out, said), results...)
	}
	return out
}

// jsonText is JSON as text, never empty.
func jsonText(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "{}"
	}
	return string(raw)
}

// flatTurns is a conversation without calls: the results of those that followed the last question stand in front of it.
func flatTurns(turns []model.Turn) []model.Turn {
	calls, last := figures(turns), lastQuestion(turns)
	var out []model.Turn
	for i, turn := range turns {
		switch {
		case i == last && len(calls) > 0:
			turn.Text = withFigures(calls, turn.Text)
		case i > last && turn.Role == model.RoleAssistant && len(turn.Calls) > 0:
			continue // what is said before a call is no answer
		}
		turn.Calls = nil
		out = append(out, turn)
	}
	return out
}

func withFigures(calls []model.Call, question string) string {
	var b strings.Builder
	b.WriteString(figuresHead + "\n")
	for _, call := range calls {
		b.WriteString(call.Name + " " + jsonText(call.Arguments) + ": " + jsonText(call.Result) + "\n")
	}
	b.WriteString("\n" + question)
	return b.String()
}

// figures are the calls behind the last question.
func figures(turns []model.Turn) []model.Call {
	var calls []model.Call
	for _, turn := range turns[lastQuestion(turns)+1:] {
		calls = append(calls, turn.Calls...)
	}
	return calls
}

// lastQuestion is the place of the user's last turn, -1 when there is none.
func lastQuestion(turns []model.Turn) int {
	last := -1
	for i, turn := range turns {
		if turn.Role == model.RoleUser {
			last = i
		}
	}
	return last
}

func countCalls(turns []model.Turn) int {
	n := 0
	for _, turn := range turns {
		n += len(turn.Calls)
	}
	return n
}
