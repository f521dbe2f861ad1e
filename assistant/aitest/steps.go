package aitest

import (
	"io"
	"net/http"
)

// Hang says the pieces and then nothing until the client is gone. Without pieces it does not even begin to answer.
func Hang(pieces ...string) Step {
	return func(w http.ResponseWriter, r *http.Request, q Request) {
		for _, piece := range pieces {
			Chunk(w, q, map[string]any{"content": piece}, "")
		}
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
}

// Cut says the pieces and breaks the connection.
func Cut(pieces ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request, q Request) {
		for _, piece := range pieces {
			Chunk(w, q, map[string]any{"content": piece}, "")
		}
		panic(http.ErrAbortHandler)
	}
}

// Write answers with 200 and the body as it is, as a stream.
func Write(body string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, body)
	}
}

// Flood streams without an end, until the client is gone.
func Flood(piece string) Step {
	return func(w http.ResponseWriter, r *http.Request, q Request) {
		for r.Context().Err() == nil {
			Chunk(w, q, map[string]any{"content": piece}, "")
		}
	}
}

// Refuse answers with a status and an error as long as the request is as it says, else as the next step.
func Refuse(when func(Request) bool, status int, body string, next Step) Step {
	return func(w http.ResponseWriter, r *http.Request, q Request) {
		if when(q) {
			Fail(status, body)(w, r, q)
			return
		}
		next(w, r, q)
	}
}
