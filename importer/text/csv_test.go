package text

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func readAll(r io.Reader, separator byte) ([]Row, error) {
	c := NewCSVReader(NewLineReader(r), separator)
	var all []Row
	for {
		record, err := c.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, record)
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		separator  byte
		want       [][]string
		lines      []int
	}{
		{"empty", "", ',', nil, nil},
		{"one line without end", "a,b", ',', [][]string{{"a", "b"}}, []int{1}},
		{"lf", "a,b\nc,d\n", ',', [][]string{{"a", "b"}, {"c", "d"}}, []int{1, 2}},
		{"crlf", "a,b\r\nc,d\r\n", ',', [][]string{{"a", "b"}, {"c", "d"}}, []int{1, 2}},
		{"cr alone", "a,b\rc,d\re,f", ',', [][]string{{"a", "b"}, {"c", "d"}, {"e", "f"}}, []int{1, 2, 3}},
		{"cr in a line of lf", "a,b\nc\rd,e\n", ',', [][]string{{"a", "b"}, {"c\rd", "e"}}, []int{1, 2}},
		{"blank lines", "a,b\n\n \n,,,\n\nc,d\n", ',', [][]string{{"a", "b"}, {"c", "d"}}, []int{1, 6}},
		{"semicolon", "a;b,c\n", ';', [][]string{{"a", "b,c"}}, []int{1}},
		{"tab", "a\t\tb\n\"c\"\td\n", '\t', [][]string{{"a", "", "b"}, {"c", "d"}}, []int{1, 2}},
		{"trimmed", " a , b\u00A0,\u3000c\n", ',', [][]string{{"a", "b", "c"}}, []int{1}},
		{"trailing separator", "a,b,\n", ',', [][]string{{"a", "b", ""}}, []int{1}},
		{"quoted", `"a,b","c ""d""",""` + "\n", ',', [][]string{{"a,b", `c "d"`, ""}}, []int{1}},
		{"only quotes", `"""",""` + "\n", ',', [][]string{{`"`, ""}}, []int{1}},
		{"over lines", "\"a\nb\",c\nd,e\n", ',', [][]string{{"a\nb", "c"}, {"d", "e"}}, []int{1, 3}},
		{"over lines, crlf and blank", "\"a\r\n\r\nb\",c\r\nd,e\r\n", ',', [][]string{{"a\n\nb", "c"}, {"d", "e"}}, []int{1, 4}},
		{"blanks around quotes", "\"a\"\t, \"b,c\" ,d\n", ',', [][]string{{"a", "b,c", "d"}}, []int{1}},
		{"quote in a bare cell", "5\" pipe,6\nc,d\n", ',', [][]string{{`5" pipe`, "6"}, {"c", "d"}}, []int{1, 2}},
		{"late quote that never closes", "a, \"b\nc,d\n", ',', [][]string{{"a", `"b`}, {"c", "d"}}, []int{1, 2}},
		{"backslash escapes", `"say \"hi\"",b` + "\n", ',', [][]string{{`say "hi"`, "b"}}, []int{1}},
		{"backslash ends a cell", `"C:\","D:\"` + "\n", ',', [][]string{{`C:\`, `D:\`}}, []int{1}},
		{"quote not doubled", `"a "b" c",d` + "\n", ',', [][]string{{`a "b" c`, "d"}}, []int{1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(test.text), iotest.OneByteReader(strings.NewReader(test.text))} {
				got, err := readAll(r, test.separator)
				if err != nil || len(got) != len(test.want) {
					t.Fatalf("got %v (%v), want %q", got, err, test.want)
				}
				for i, record := range got {
					if !reflect.DeepEqual(record.Cells, test.want[i]) || record.Line != test.lines[i] || record.Number != i+1 {
						t.Errorf("got %d %d %q, want %d %d %q", record.Number, record.Line, record.Cells, i+1, test.lines[i], test.want[i])
					}
				}
			}
		})
	}
}

func TestCSVBroken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		text io.Reader
		line int
		says string
	}{
		{"unterminated", strings.NewReader("a,b\nc,\"d\ne,f\ng,h\n"), 2, "never closed"},
		{"unterminated at once", strings.NewReader(`"`), 1, "never closed"},
		{"lines swallowed by a stray quote", strings.NewReader("a,b\n\"c\"x,d\ne,f\n\"g\",h\n"), 2, "not doubled"},
		{"closing quote of another cell", strings.NewReader("a,b\n\"c,d\n\"e\",f\n"), 2, "not doubled"},
		{"columns", strings.NewReader("a\n" + strings.Repeat(",", 500)), 2, "more than 500 columns"},
		{"columns in quotes", strings.NewReader("a\n" + strings.Repeat(`"",`, 501)), 2, "more than 500 columns"},
		{"line of 100 MB", io.MultiReader(strings.NewReader("a,b\n"), io.LimitReader(endless('x'), 100<<20)), 2, "longer than 1 MiB"},
		{"100 MB without an end of line", io.LimitReader(endless(','), 100<<20), 1, "longer than 1 MiB"},
		{"quoted cell of 100 MB", io.MultiReader(strings.NewReader("a\n\"b"), io.LimitReader(endless('\n'), 100<<20)), 2, "longer than 1 MiB"},
		{"many long cells", strings.NewReader("a\n" + strings.Repeat("\""+strings.Repeat("x\n", 200_000)+"\",", 4)), 400_002, "longer than 1 MiB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := readAll(test.text, ',')
			var broken *FileError
			if !errors.As(err, &broken) || broken.Line != test.line || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want line %d %s", err, test.line, test.says)
			}
		})
	}
}

// endless gives one byte for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestCSVReadError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a,b\nc", "a,b\n\"c\n"} {
		r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrClosedPipe))
		if _, err := readAll(r, ','); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v, want the reader's error", err)
		}
	}
}

// What encoding/csv reads by its strict rules must be read the same; nothing may panic or be lost.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\nc,d\n", "\"a\"\"b\",c\r\n", "a,\"b\nc\"\n", " \"a\" ,b", `"\"",\"`, "\"a\"x,b\nc", "a\rb", "\x00,\xFF\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readAll(bytes.NewReader(text), ',')
		again, errAgain := readAll(iotest.HalfReader(bytes.NewReader(text)), ',')
		if !reflect.DeepEqual(got, again) || (err == nil) != (errAgain == nil) {
			t.Fatalf("not the same twice: %v, %v", got, again)
		}
		checkLines(t, got, bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r"))+1)
		want, strict := strictly(text)
		if strict != nil || err != nil || bytes.ContainsRune(text, '\r') || loose(got) {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("got %d records %v, want %d %q", len(got), got, len(want), want)
		}
		for i := range want {
			if !reflect.DeepEqual(got[i].Cells, want[i]) {
				t.Fatalf("record %d: got %q, want %q", i+1, got[i].Cells, want[i])
			}
		}
	})
}

func checkLines(t *testing.T, records []Row, most int) {
	t.Helper()
	before := 0
	for i, record := range records {
		if record.Number != i+1 || record.Line <= before || record.Line > most {
			t.Fatalf("record %d has number %d and line %d, after line %d of %d", i+1, record.Number, record.Line, before, most)
		}
		before = record.Line
	}
}

func loose(records []Row) bool {
	for _, record := range records {
		if record.Loose {
			return true
		}
	}
	return false
}

// strictly reads by encoding/csv, then trims and leaves out blank records as this package does.
func strictly(text []byte) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	var kept [][]string
	for _, cells := range all {
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if !blank(cells) {
			kept = append(kept, cells)
		}
	}
	return kept, err
}
