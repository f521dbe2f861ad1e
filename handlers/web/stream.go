package web

import (
	"net/http"
	"time"
)

// How long a reader of a stream may take for a piece of it, and how often something is said when there is nothing to say.
const (
	sendPatience = time.Minute
	streamAlive  = 15 * time.Second
)

// follow answers with server-sent events: one for each state, until there are no more or the reader is gone.
func follow[T any](v *visit, states <-chan T, event func(*T) string) error {
	h := v.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy that gathers answers would make one event of all
	v.w.WriteHeader(http.StatusOK)
	if v.Method == http.MethodHead {
		return nil
	}
	control := http.NewResponseController(v.w)
	send := func(text string) error {
		_ = control.SetWriteDeadline(time.Now().Add(sendPatience)) // unsupported by recorders only
		if _, err := v.w.Write([]byte(text)); err != nil {
			return err
		}
		return control.Flush()
	}
	alive := time.NewTicker(streamAlive)
	defer alive.Stop()
	for err := send(": connected\n\n"); err == nil; {
		select {
		case state, more := <-states:
			if !more {
				return nil
			}
			err = send(event(&state))
		case <-alive.C:
			err = send(": alive\n\n")
		case <-v.Context().Done():
			return nil
		}
	}
	return nil // who does not read it is gone
}
