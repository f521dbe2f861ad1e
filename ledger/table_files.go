package ledger

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Files of exchange rates and of prices are tables that programs write and publish. They are read strictly; what
// is wrong in them is told by line and column.

// MaxTableFile is the longest such file in bytes, packed or not.
const MaxTableFile = 64 << 20

// unpackTable gives the one file in a zip file that has one of the endings; anything else as it is, but without
// a byte order mark.
func unpackTable(content []byte, endings ...string) ([]byte, error) {
	if len(content) > MaxTableFile {
		return nil, errTableSize()
	}
	if !bytes.HasPrefix(content, []byte("PK")) {
		return withoutMark(content), nil
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, NewInvalid("file", "must be a whole zip file: %s", err)
	}
	var members []*zip.File
	for _, f := range archive.File {
		if slices.Contains(endings, strings.ToLower(path.Ext(f.Name))) && !strings.HasPrefix(path.Base(f.Name), ".") {
			members = append(members, f)
		}
	}
	if len(members) != 1 {
		return nil, NewInvalid("file", "must hold one %s file, this zip file holds %d", strings.Join(endings, " or "), len(members))
	}
	return unzip(members[0])
}

// unzip does not trust the size that the zip file states.
func unzip(f *zip.File) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, NewInvalid("file", "holds %s, which cannot be unpacked: %s", Quote(f.Name), err)
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, MaxTableFile+1))
	switch {
	case err != nil:
		return nil, NewInvalid("file", "holds %s, which cannot be unpacked: %s", Quote(f.Name), err)
	case len(content) > MaxTableFile:
		return nil, errTableSize()
	}
	return withoutMark(content), nil
}

func withoutMark(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }

func errTableSize() error {
	return NewInvalid("file", "must have at most %d MiB, packed or not", MaxTableFile>>20)
}

// tableReader reads a file's lines and gathers what is wrong in them.
type tableReader struct{ problems Problems }

// maxFileProblems is how many mistakes of a file are told at once.
const maxFileProblems = 20

// fail notes what is wrong in a line, and says whether reading on makes sense.
func (r *tableReader) fail(line int, column, format string, args ...any) bool {
	place := fmt.Sprintf("line %d", line)
	if column != "" {
		place += ", column " + column
	}
	r.problems.Add(place, format, args...)
	return len(r.problems) < maxFileProblems
}

// readCSV reads CSV. The first line is the header, for which head gives what reads the others, or nil when it is
// none; reading ends when that gives false. The header's cells are the function's to keep, those of other lines
// are not.
func (r *tableReader) readCSV(content []byte, separator rune, head func(line int, cells []string) func(line int, cells []string) bool) {
	in := csv.NewReader(bytes.NewReader(content))
	in.Comma, in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = separator, -1, separator != '\t', true
	var read func(line int, cells []string) bool
	for more := true; more; {
		cells, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && read == nil:
			r.problems.Add("file", "must not be empty")
			return
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			r.failCSV(err)
			return
		}
		line, _ := in.FieldPos(0)
		if cells = trimCells(cells); read != nil {
			more = read(line, cells)
		} else {
			read = head(line, slices.Clone(cells))
			more = read != nil
		}
	}
}

// trimCells takes away white space, and empty cells at the end.
func trimCells(cells []string) []string {
	for i, cell := range cells {
		cells[i] = strings.TrimSpace(cell)
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

func (r *tableReader) failCSV(err error) {
	broken, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		r.problems.Add("file", "cannot be read: %s", err)
		return
	}
	r.fail(broken.Line, "", "cannot be read at byte %d: %s", broken.Column, broken.Err)
}
