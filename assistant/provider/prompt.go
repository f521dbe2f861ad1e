package provider

import (
	"encoding/json"
	"finsvc/assistant/model"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// figuresHead stands above the results that a model without tools gets with a question.
const figuresHead = "Figures from the household's books:"

// chatRequest is a prompt in the protocol.
func chatRequest(p model.Prompt, f form) openai.ChatCompletionRequest {
	turns := p.Turns
	if !f.tools {
		turns = flatTurns(turns)
	}
	q := openai.ChatCompletionRequest{Model: p.Model, Messages: chatMessages(turns)}
	if f.usage {
		q.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	for _, tool := range p.Tools {
		if f.tools {
			q.Tools = append(q.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
				Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}})
		}
	}
	return q
}

// chatMessages are turns in the protocol: each call's result is a message of its own behind that of the calls.
func chatMessages(turns []model.Turn) []openai.ChatCompletionMessage {
	out := []openai.ChatCompletionMessage{}
	for _, turn := range turns {
		if turn.Text == "" && len(turn.Calls) == 0 {
			continue // servers refuse a message with nothing in it
		}
		message := openai.ChatCompletionMessage{Role: turn.Role, Content: turn.Text}
		var results []openai.ChatCompletionMessage
		for _, call := range turn.Calls {
			message.ToolCalls = append(message.ToolCalls, openai.ToolCall{ID: call.ID, Type: openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: call.Name, Arguments: jsonText(call.Arguments)}})
			results = append(results, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, ToolCallID: call.ID, Content: jsonText(call.Result)})
		}
		out = append(append(out, message), results...)
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
