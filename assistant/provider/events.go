package provider

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// events is the body of an answer in the form in which go-openai reads it rightly: nothing but lines of data, as it
// takes comments for parts of an error. Such comments are what keeps a connection alive. A server that does not
// stream, and sends one object instead, seems to have sent it as a single event. The end of the body is io.EOF where the
// mark for it came, else io.ErrUnexpectedEOF.
type events struct {
	body   *guarded
	start  *bufio.Reader
	lines  *bufio.Scanner // of a stream
	ready  []byte         // of the present line
	marked bool           // the mark for the end has come
	begun  bool           // a line has come
}

func newEvents(body *guarded) *events { return &events{body: body, start: bufio.NewReader(body)} }

// Close ends the request.
func (e *events) Close() error { return e.body.Close() }

// Read gives lines of data.
func (e *events) Read(p []byte) (int, error) {
	if e.lines == nil {
		if err := e.open(); err != nil {
			return 0, err
		}
	}
	for len(e.ready) == 0 {
		if !e.lines.Scan() {
			return 0, e.end()
		}
		if err := e.take(bytes.TrimSpace(e.lines.Bytes())); err != nil {
			return 0, err
		}
	}
	n := copy(p, e.ready)
	e.ready = e.ready[n:]
	return n, nil
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
	e.ready = dataLine(line.Bytes())
	return nil
}

// take makes the present line of one of the body; comments and names of events are left out. Behind the mark for the
// end the body's own end is awaited for a moment, so that the connection can be used again.
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
		e.ready = dataLine(data)
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

// dataLine is a line of the stream. The blank behind the brace keeps go-openai from taking an error for its own
// business: it would wait for a further line and lose errors without a text.
func dataLine(data []byte) []byte {
	line := []byte("data: ")
	if rest, ok := bytes.CutPrefix(data, []byte("{")); ok {
		line, data = append(line, "{ "...), rest
	}
	return append(append(line, data...), '\n')
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
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
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
