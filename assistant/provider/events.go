package provider

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// events reads the events of the body of an answer. A server that does not stream, and sends one object instead,
// seems to have sent it as a single event. The end of the body is io.EOF where the mark for it came, else
// io.ErrUnexpectedEOF.
type events struct {
	body   *guarded
	start  *bufio.Reader
	lines  *bufio.Scanner // of a stream
	ready  []byte         // the data of an event that was read
	marked bool           // the mark for the end has come
	begun  bool           // a line has come
}

func newEvents(body *guarded) *events { return &events{body: body, start: bufio.NewReader(body)} }

// Close ends the request.
func (e *events) Close() error { return e.body.Close() }

// next returns the data of the next event.
func (e *events) next() ([]byte, error) {
	if e.lines == nil {
		if err := e.open(); err != nil {
			return nil, err
		}
	}
	for len(e.ready) == 0 {
		if !e.lines.Scan() {
			return nil, e.end()
		}
		if err := e.take(bytes.TrimSpace(e.lines.Bytes())); err != nil {
			return nil, err
		}
	}
	data := e.ready
	e.ready = nil
	return data, nil
}

// open finds out whether the body is a stream.
func (e *events) open() error {
	e.lines = bufio.NewScanner(e.start)
	e.lines.Buffer(nil, maxAnswerLine)
	e.lines.Split(scanWholeLines)
	for {
		c, err := e.start.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		}
		if err := e.start.UnreadByte(); err != nil || c != '{' {
			return err
		}
		return e.object()
	}
}

// object takes the whole body for one event.
func (e *events) object() error {
	body, err := io.ReadAll(e.start)
	var line bytes.Buffer
	switch {
	case err != nil:
		return err
	case json.Compact(&line, body) != nil:
		return errGarbled
	}
	e.marked = true
	e.ready = line.Bytes()
	return nil
}

// take reads a line of the body; comments, which keep a connection alive, and names of events are left out. Behind
// the mark for the end the body's own end is awaited for a moment, so that the connection can be used again.
func (e *events) take(line []byte) error {
	name, data, _ := bytes.Cut(line, []byte(":"))
	data = bytes.TrimSpace(data)
	switch {
	case !e.begun && !isEventField(string(name)):
		return errGarbled // a page, perhaps
	case string(name) != "data" || len(data) == 0 || e.marked:
	case string(data) == "[DONE]":
		e.marked = true
		e.body.patience = lastPatience
	default:
		e.ready = data
	}
	e.begun = true
	return nil
}

func isEventField(name string) bool {
	switch name {
	case "", "data", "event", "id", "retry": // without a name it is a comment
		return true
	}
	return false
}

func (e *events) end() error {
	err := e.lines.Err()
	switch {
	case e.marked:
		return io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return errTooLarge
	case err == nil:
		return io.ErrUnexpectedEOF
	}
	return err
}

// scanWholeLines gives lines. Data behind the last end of a line are left out if they are cut off.
func scanWholeLines(data []byte, atEOF bool) (int, []byte, error) {
	i := bytes.IndexByte(data, '\n')
	if i >= 0 {
		return i + 1, data[:i], nil
	}
	if !atEOF || len(data) == 0 {
		return 0, nil, nil
	}
	text, ok := bytes.CutPrefix(data, []byte("data:"))
	text = bytes.TrimSpace(text)
	if !ok || json.Valid(text) || string(text) == "[DONE]" {
		return len(data), data, nil
	}
	return len(data), nil, nil
}
