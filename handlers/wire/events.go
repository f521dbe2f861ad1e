package wire

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// keepAliveEvery is how often a stream says something when there is nothing to say: programs between the server and
// the client cut off silent connections after a minute, some of them after half of it.
const keepAliveEvery = 15 * time.Second

// EventStream is the content type of server-sent events.
const EventStream = "text/event-stream"

// Events writes server-sent events to one client.
type Events struct {
	*Answer
	w       http.ResponseWriter
	control *http.ResponseController
}

// Events begins an answer of server-sent events; nil for a request that wants the headers alone.
func (a *Answer) Events() *Events {
	a.Header().Set("X-Accel-Buffering", "no") // a proxy that gathers answers would make one event of all
	w, control := a.Stream(EventStream)
	if a.Request.Method == http.MethodHead {
		return nil
	}
	return &Events{Answer: a, w: w, control: control}
}

// Follow passes states on until there are no more or the client is gone, which nobody can be told.
func Follow[T any](e *Events, states <-chan T, tell func(*T) error) {
	alive := time.NewTicker(keepAliveEvery)
	defer alive.Stop()
	for err := e.Send(": connected\n\n"); err == nil; {
		select {
		case state, more := <-states:
			if !more {
				return
			}
			err = tell(&state)
		case <-alive.C:
			err = e.Send(": keep-alive\n\n")
		case <-e.Request.Context().Done():
			return
		}
	}
}

// EventText is one event as it is sent. An id is what a client that comes back names in Last-Event-ID; it may be empty.
// Data is one JSON value. Line breaks in it, which stand between its parts only, would end the event.
func EventText(name, id string, data []byte) string {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return fmt.Sprintf("event: %s\n%sdata: %s\n\n", name, id,
		strings.NewReplacer("\n", " ", "\r", " ").Replace(string(data)))
}

// Send writes a piece of the stream. A client that does not read any more is given up after a while.
func (e *Events) Send(text string) error {
	_ = e.control.SetWriteDeadline(time.Now().Add(SendTimeout)) // unsupported by recorders only
	if err := e.Request.Context().Err(); err != nil {
		return err
	}
	n, err := e.w.Write([]byte(text))
	e.Sent += int64(n)
	if err != nil {
		return err
	}
	return e.control.Flush()
}
