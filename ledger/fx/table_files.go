package fx

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

	"finsvc/ledger"
)

// Cell is the text in a column, empty where a line has fewer cells.
func Cell(cells []string, column int) string {
	if column < 0 || column >= len(cells) {
		return ""
	}
	return cells[column]
}

// Files of exchange rates and of prices are tables that programs write and publish. They are read strictly; what
// is wrong in them is told by line and column.

// MaxTableFile is the longest such file in bytes, packed or not.
const MaxTableFile = 64 << 20

// UnpackTable gives the one file in a zip file that has one of the endings; anything else as it is, but without
// a byte order mark.
func UnpackTable(content []byte, endings ...string) ([]byte, error) {
	if len(content) > MaxTableFile {
		return nil, errTableSize()
	}
	if !bytes.HasPrefix(content, []byte("PK")) {
		return WithoutMark(content), nil
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, ledger.NewInvalid("file", "must be a whole zip file: %s", err)
	}
	var members []*zip.File
	for _, f := range archive.File {
		if slices.Contains(endings, strings.ToLower(path.Ext(f.Name))) && !strings.HasPrefix(path.Base(f.Name), ".") {
			members = append(members, f)
		}
	}
	if len(members) != 1 {
		return nil, ledger.NewInvalid("file", "must hold one %s file, this zip file holds %d",
			strings.Join(endings, " or "), len(members))
	}
	return unzip(members[0])
}

// unzip does not trust the size that the zip file states.
func unzip(f *zip.File) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, ledger.NewInvalid("file", "holds %s, which cannot be unpacked: %s", ledger.Quote(f.Name), err)
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, MaxTableFile+1))
	switch {
	case err != nil:
		return nil, ledger.NewInvalid("file", "holds %s, which cannot be unpacked: %s", ledger.Quote(f.Name), err)
	case len(content) > MaxTableFile:
		return nil, errTableSize()
	}
	return WithoutMark(content), nil
}

func WithoutMark(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }

func errTableSize() error {
	return ledger.NewInvalid("file", "must have at most %d MiB, packed or not", MaxTableFile>>20)
}

// TableReader reads a file's lines and gathers what is wrong in them.
type TableReader struct{ Problems ledger.Problems }

// MaxFileProblems is how many mistakes of a file are told at once.
const MaxFileProblems = 20

// Fail notes what is wrong in a line, and says whether reading on makes sense.
func (r *TableReader) Fail(line int, column, format string, args ...any) bool {
	place := fmt.Sprintf("line %d", line)
	if column != "" {
		place += ", column " + column
	}
	r.Problems.Add(place, format, args...)
	return len(r.Problems) < MaxFileProblems
}

// ReadCSV reads CSV. The first line is the header, for which head gives what reads the others, or nil when it is
// none; reading ends when that gives false. The header's cells are the function's to keep, those of other lines
// are not.
func (r *TableReader) ReadCSV(content []byte, separator rune,
	head func(line int, cells []string) func(line int, cells []string) bool) {
	in := csv.NewReader(bytes.NewReader(content))
	in.Comma, in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = separator, -1, separator != '\t', true
	var read func(line int, cells []string) bool
	for more := true; more; {
		cells, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && read == nil:
			r.Problems.Add("file", "must not be empty")
			return
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			r.failCSV(err)
			return
		}
		line, _ := in.FieldPos(0)
		cells = trimCells(cells)
		if read != nil {
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

func (r *TableReader) failCSV(err error) {
	broken, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		r.Problems.Add("file", "cannot be read: %s", err)
		return
	}
	r.Fail(broken.Line, "", "cannot be read at byte %d: %s", broken.Column, broken.Err)
}
