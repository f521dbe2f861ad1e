// Package aitest has a stand-in for a provider of models: a real HTTP server that speaks the OpenAI chat completions
// protocol as a script tells it to.
package aitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server is the stand-in. Its requests are answered by the steps of a script in turn; behind the last step comes the
// last step again.
type Server struct {
	URL string // to configure, with /v1

	mu       sync.Mutex
	steps    []Step
	requests []Request
}

// Step answers a request.
type Step func(w http.ResponseWriter, r *http.Request, q Request)

// Request is what was asked.
type Request struct {
	Header   http.Header `json:"-"`
	Path     string      `json:"-"`
	Body     string      `json:"-"`
	Model    string
	Stream   bool
	Messages []struct {
		Role       string
		Content    string
		ToolCallID string `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	Tools []struct {
		Function struct {
			Name        string
			Description string
			Parameters  json.RawMessage
		}
	}
}

// Last is the text of the last message.
func (q Request) Last() string {
	if len(q.Messages) == 0 {
		return ""
	}
	return q.Messages[len(q.Messages)-1].Content
}

// New starts a server that ends with the test.
func New(tb testing.TB, steps ...Step) *Server {
	tb.Helper()
	s := &Server{steps: steps}
	server := httptest.NewServer(s)
	tb.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// ServeHTTP answers by the script.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	q := Request{Header: r.Header, Path: r.URL.Path, Body: string(body)}
	if err == nil && len(body) > 0 {
		err = json.Unmarshal(body, &q)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.next(q)(w, r, q)
}

func (s *Server) next(q Request) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, q)
	return s.steps[min(len(s.requests), len(s.steps))-1]
}

// Requests are all that came, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request{}, s.requests...)
}

// Say streams an answer in pieces, or gives it whole to who does not ask for a stream.
func Say(pieces ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request, q Request) {
		if !q.Stream {
			whole(w, q, map[string]any{"role": "assistant", "content": strings.Join(pieces, "")}, "stop")
			return
		}
		for _, piece := range pieces {
			Chunk(w, q, map[string]any{"content": piece}, "")
		}
		Chunk(w, q, map[string]any{}, "stop")
		Done(w)
	}
}

// Tool is a call that the model makes.
type Tool struct{ Name, Arguments string }

// Use makes calls of tools; their arguments are streamed in two halves.
func Use(tools ...Tool) Step {
	return func(w http.ResponseWriter, _ *http.Request, q Request) {
		var calls []any
		for i, tool := range tools {
			calls = append(calls, call(i, tool.Name, tool.Arguments))
		}
		if !q.Stream {
			whole(w, q, map[string]any{"role": "assistant", "content": nil, "tool_calls": calls}, "tool_calls")
			return
		}
		for i, tool := range tools {
			half := len(tool.Arguments) / 2
			Chunk(w, q, map[string]any{"tool_calls": []any{call(i, tool.Name, tool.Arguments[:half])}}, "")
			rest := map[string]any{"index": i, "function": map[string]any{"arguments": tool.Arguments[half:]}}
			Chunk(w, q, map[string]any{"tool_calls": []any{rest}}, "")
		}
		Chunk(w, q, map[string]any{}, "tool_calls")
		Done(w)
	}
}

func call(i int, name, arguments string) map[string]any {
	return map[string]any{"index": i, "id": fmt.Sprint("call_", i), "type": "function",
		"function": map[string]any{"name": name, "arguments": arguments}}
}

// Fail answers with a status and a body.
func Fail(status int, body string, header ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Chunk streams one piece: a delta, and the finish reason when there is one.
func Chunk(w http.ResponseWriter, q Request, delta map[string]any, reason string) {
	choice := map[string]any{"index": 0, "delta": delta}
	if reason != "" {
		choice["finish_reason"] = reason
	}
	event(w, map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": q.Model,
		"choices": []any{choice}})
}

// Done ends a stream: how many tokens it was, 100 and 20, and the mark.
func Done(w http.ResponseWriter) {
	event(w, map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "choices": []any{},
		"usage": usage()})
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func usage() map[string]any {
	return map[string]any{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
}

func event(w http.ResponseWriter, v any) {
	data, _ := json.Marshal(v) // maps of plain values
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	_ = http.NewResponseController(w).Flush() // a client that is gone needs none
}

func whole(w http.ResponseWriter, q Request, message map[string]any, reason string) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "created": 1,
		"model": q.Model, "usage": usage(),
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}}})
}
