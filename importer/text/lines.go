package text

import (
	"bytes"
	"fmt"
	"io"
)

// MaxRecord is the most bytes that a line, and a record of several lines, may have.
const MaxRecord = 1 << 20

// FileError is broken content that ends the file: nothing after it can be trusted. Line counts from 1;
// 0 when the trouble is the whole file's.
type FileError struct {
	Line    int
	Message string
}

// Error is a sentence for people.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return "the file " + e.Message
	}
	return fmt.Sprintf("line %d %s", e.Line, e.Message)
}

func BrokenAt(line int, format string, args ...any) error {
	return &FileError{Line: line, Message: fmt.Sprintf(format, args...)}
}

// LineReader cuts text into lines that end in LF, CRLF or, if the first end in the text is that, a
// single CR. It never holds more than one line of MaxRecord bytes.
type LineReader struct {
	src        io.Reader
	buf        []byte
	start, end int  // the unread part of buf
	eol        byte // 0 until the first end of a line was seen
	Number     int  // of the line that was read last, from 1
	err        error
}

func NewLineReader(r io.Reader) *LineReader {
	return &LineReader{src: r, buf: make([]byte, 64<<10)}
}

// Next is the following line without its end, valid until the call after it; io.EOF after the last.
func (l *LineReader) Next() ([]byte, error) {
	seen := 0
	for {
		window := l.buf[l.start:l.end]
		if i := l.findEnd(window, seen); i >= 0 {
			return l.take(window[:i], i+1), nil
		}
		seen = len(window)
		if len(window) > MaxRecord {
			return nil, BrokenAt(l.Number+1, "is longer than 1 MiB; is col_sep or the file right?")
		}
		if l.err == nil {
			l.fill()
			continue
		}
		if len(window) > 0 && l.err == io.EOF {
			return l.take(window, len(window)), nil
		}
		return nil, l.err
	}
}

func (l *LineReader) take(line []byte, used int) []byte {
	l.start += used
	l.Number++
	if l.eol != '\r' && len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}

// findEnd is the place of the byte that ends the first line, -1 when it has not been read yet. The
// first seen bytes are known to hold none.
func (l *LineReader) findEnd(window []byte, seen int) int {
	if l.eol == 0 {
		l.eol = firstEnd(window, l.err != nil)
	}
	if l.eol == 0 {
		return -1
	}
	seen = max(0, seen-1) // a CR at the end of the window was left undecided
	i := bytes.IndexByte(window[seen:], l.eol)
	if i < 0 {
		return -1
	}
	return seen + i
}

// firstEnd tells from the first end of a line which kind the text has; 0 when there is none yet.
func firstEnd(window []byte, complete bool) byte {
	i := bytes.IndexAny(window, "\r\n")
	switch {
	case i < 0:
		return 0
	case window[i] == '\n':
		return '\n'
	case i+1 < len(window) && window[i+1] == '\n':
		return '\n'
	case i+1 < len(window) || complete:
		return '\r'
	}
	return 0
}

// fill reads more behind the unread part, moving or growing it when there is no room.
func (l *LineReader) fill() {
	if l.end == len(l.buf) && l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	var n int
	n, l.err = l.src.Read(l.buf[l.end:])
	l.end += n
}
