package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"finsvc/importer/source"
	"finsvc/importer/text"
)

// jsonRecord is a line of a backup. Its members are those of data; they are valid until the next line is read.
// Wrong says why the line is no record; blank when it is one.
type jsonRecord struct {
	number  int // of the record, from 1
	line    int // of the file
	kind    string
	members []jsonMember
	wrong   string
	text    []byte
}

// jsonMember is a member of an object: its name without quotes, and its value as it is written.
type jsonMember struct{ name, value []byte }

// lineReader reads the records of a backup one by one.
type lineReader struct {
	text   *text.Decoder
	lines  *text.LineReader
	record jsonRecord
	outer  []jsonMember
}

func newBackupLines(file *source.File) (*lineReader, error) {
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	cell := text.NewDecoder(r, nil)
	return &lineReader{text: cell, lines: text.NewLineReader(cell)}, nil
}

// next is the following record, valid until the call after it; blank lines are none.
func (b *lineReader) next() (*jsonRecord, error) {
	for {
		line, err := b.lines.Next()
		if broken, ok := errors.AsType[*text.FileError](err); ok && broken.Line != 0 {
			return nil, text.BrokenAt(broken.Line, "is longer than 1 MiB: this is no backup, or it is damaged")
		}
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) > 0 {
			b.read(line, b.lines.Number)
			return &b.record, nil
		}
	}
}

// read makes a line the record.
func (b *lineReader) read(line []byte, number int) {
	b.record = jsonRecord{number: b.record.number + 1, line: number, members: b.record.members[:0], text: line}
	r := &b.record
	if !json.Valid(line) {
		var value json.RawMessage
		r.wrong = "must be JSON: " + json.Unmarshal(line, &value).Error()
		return
	}
	if line[0] != '{' {
		r.wrong = `must be a JSON object such as {"type": "Tag", "data": {...}}`
		return
	}
	b.outer = members(line, b.outer[:0])
	kind, data := member(b.outer, "type"), member(b.outer, "data")
	if len(kind) == 0 || kind[0] != '"' || data == nil {
		r.wrong = "must have a type, which is a text, and data"
		return
	}
	r.kind = unquote(kind)
	if data[0] != '{' {
		r.wrong = "must have a JSON object as data"
		return
	}
	r.members = members(data, r.members)
}

// member is the value of the last member of that name, as JSON readers usually take it; nil when there is none.
func member(list []jsonMember, name string) []byte {
	for i := len(list) - 1; i >= 0; i-- {
		if string(list[i].name) == name {
			return list[i].value
		}
	}
	return nil
}

// members takes an object of valid JSON apart.
func members(text []byte, into []jsonMember) []jsonMember {
	parts(text, func(name, value []byte) {
		plain := name[1 : len(name)-1]
		if bytes.IndexByte(plain, '\\') >= 0 || !utf8.Valid(plain) {
			plain = []byte(unquote(name))
		}
		into = append(into, jsonMember{plain, value})
	})
	return into
}

// elements takes a list of valid JSON apart.
func elements(text []byte) (list [][]byte) {
	parts(text, func(_, value []byte) { list = append(list, value) })
	return list
}

// parts shows the members of an object, or the elements of a list with no name.
func parts(text []byte, show func(name, value []byte)) {
	var name []byte
	for at := 1; at < len(text)-1; {
		if c := text[at]; c <= ' ' || c == ',' {
			at++
			continue
		}
		end := at + valueEnd(text[at:])
		value := text[at:end]
		at = end
		if text[0] == '{' && name == nil {
			name = value
			at = bytes.IndexByte(text[at:], ':') + at + 1
			continue
		}
		show(name, value)
		name = nil
	}
}

// valueEnd is where the first value of a text of valid JSON ends.
func valueEnd(text []byte) int {
	depth := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at += stringEnd(text[at:])
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth < 0 {
				return at
			}
			if depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
		}
	}
	return len(text)
}

// stringEnd is where the quote stands that ends the string at the beginning of a text.
func stringEnd(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at
		}
	}
	return len(text) - 1
}

// unquote reads a string of valid JSON.
func unquote(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text[1 : len(text)-1])
	}
	var s string
	_ = json.Unmarshal(text, &s) // it is a valid string
	return s
}
