package text

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// MaxColumns is the most cells that a record may have.
const MaxColumns = 500

// Row is one line of data (or several, when a quoted cell holds line breaks).
type Row struct {
	Number int      // of the data row, from 1; header and blank lines do not count
	Line   int      // of the file, from 1, where the record begins
	Cells  []string // without surrounding white space

	Text  string // all cells in one, for checks of every byte
	Loose bool   // a quote inside a quoted cell was not doubled
	AsIs  string // of a loose record that is one line, as it stands in the file
}

// CSVReader cuts lines into records. It differs from encoding/csv in what banks get wrong: white space
// around quotes, quotes in the middle of a cell. None of that leniency can swallow a line: a quoted
// cell goes on to the next line only when everything before was written by the rules.
//
// Each bad row is kept with line, column and reason.
type CSVReader struct {
	lines     *LineReader
	separator byte
	Number    int
	text      []byte   // the cells of the present record, one behind the other
	ends      []int    // where they end in text
	block     []string // the cells of many records, to allocate rarely
	plain     bool     // the present record has no quotes; text still has its separators
	stray     int      // quotes inside its quoted cells that were not doubled
	oneLine   bool     // the record must end on its first line
	escapes   bool     // a backslash escapes a quote
}

func NewCSVReader(lines *LineReader, separator byte) *CSVReader {
	return &CSVReader{lines: lines, separator: separator}
}

// Next is the following record that is not blank; io.EOF after the last.
func (c *CSVReader) Next() (Row, error) {
	for {
		line, err := c.lines.Next()
		if err != nil {
			return Row{}, err
		}
		if len(line) == 0 {
			continue
		}
		rec := Row{Line: c.lines.Number}
		rec.Text, err = c.split(line)
		if err != nil {
			return Row{}, err
		}
		rec.Cells, rec.Loose = c.cells(rec.Text), c.stray > 0
		if rec.Loose && c.lines.Number == rec.Line {
			rec.AsIs = string(line)
		}
		if !blank(rec.Cells) {
			c.Number++
			rec.Number = c.Number
			return rec, nil
		}
	}
}

// split finds the cells of the record that begins with line: text and ends.
func (c *CSVReader) split(line []byte) (string, error) {
	c.text, c.ends, c.stray = c.text[:0], c.ends[:0], 0
	first := c.lines.Number
	c.plain = bytes.IndexByte(line, '"') < 0
	if c.plain {
		return c.splitPlain(line, first)
	}
	if bytes.Contains(line, []byte(`\"`)) && (c.fits(line, false) || c.fits(line, true)) {
		return string(c.text), nil
	}
	return c.splitQuoted(line, first)
}

// fits tries whether a line is one whole record without a stray quote. It settles whether a backslash
// before a quote escapes it, as some programs write, or ends a cell.
func (c *CSVReader) fits(line []byte, escapes bool) bool {
	c.oneLine, c.escapes = true, escapes
	defer func() { c.oneLine, c.escapes = false, false }()
	_, err := c.splitQuoted(line, c.lines.Number)
	if err != nil || c.stray > 0 {
		return false
	}
	if escapes {
		c.stray = 1
	}
	return true
}

// splitQuoted is for lines with quotes, and those that follow in the same record.
func (c *CSVReader) splitQuoted(line []byte, first int) (string, error) {
	c.text, c.ends, c.stray = c.text[:0], c.ends[:0], 0
	for more := true; more; {
		rest, err := c.cell(line)
		if err != nil {
			return "", err
		}
		c.ends = append(c.ends, len(c.text))
		if len(c.ends) > MaxColumns {
			return "", tooManyColumns(first)
		}
		more = len(rest) > 0
		if more {
			line = rest[1:] // rest begins with the separator
		}
	}
	return string(c.text), nil
}

// splitPlain is for the usual line, which has no quotes; the separators stay in the text.
func (c *CSVReader) splitPlain(line []byte, first int) (string, error) {
	for at := 0; ; {
		i := bytes.IndexByte(line[at:], c.separator)
		if i < 0 {
			c.ends = append(c.ends, len(line))
			return string(line), nil
		}
		at += i + 1
		c.ends = append(c.ends, at)
		if len(c.ends) >= MaxColumns {
			return "", tooManyColumns(first)
		}
	}
}

func tooManyColumns(line int) error {
	return BrokenAt(line, "has more than %d columns; is col_sep right?", MaxColumns)
}

// cell appends the first cell of line to the text and gives what follows it: nothing, or the separator
// and more.
func (c *CSVReader) cell(line []byte) ([]byte, error) {
	inner := c.trimLeft(line)
	if len(inner) == 0 || inner[0] != '"' {
		return c.bare(line), nil
	}
	if len(inner) == len(line) {
		return c.quoted(line[1:])
	}
	kept, stray := len(c.text), c.stray
	if rest, ok := c.quotedOnLine(inner[1:]); ok {
		return rest, nil
	}
	c.text, c.stray = c.text[:kept], stray
	return c.bare(line), nil
}

func (c *CSVReader) bare(line []byte) []byte {
	end := bytes.IndexByte(line, c.separator)
	if end < 0 {
		end = len(line)
	}
	c.text = append(c.text, line[:end]...)
	return line[end:]
}

// quoted reads a quoted cell whose opening quote has been taken, over as many lines as it has.
func (c *CSVReader) quoted(line []byte) ([]byte, error) {
	opened, stray := c.lines.Number, c.stray
	if rest, ok := c.quotedOnLine(line); ok {
		return rest, nil
	}
	for c.stray == stray && !c.oneLine {
		c.text = append(c.text, '\n')
		next, err := c.lines.Next()
		if err != nil {
			return nil, unterminated(opened, err)
		}
		if len(c.text)+len(next) > MaxRecord {
			return nil, BrokenAt(opened, "begins a quoted cell that makes the record longer than 1 MiB; is a closing quote missing?")
		}
		rest, ok := c.quotedOnLine(next)
		if ok && c.stray == stray {
			return rest, nil
		}
	}
	return nil, BrokenAt(opened, "has a quoted cell with a quote inside that is not doubled, so its end cannot be told")
}

// quotedOnLine takes the part of a quoted cell that is on this line, and says whether the cell ends on it.
func (c *CSVReader) quotedOnLine(line []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(line, '"')
		if i < 0 {
			c.text = append(c.text, line...)
			return nil, false
		}
		c.text = append(c.text, line[:i]...)
		line = line[i+1:]
		if c.escapes && i > 0 && c.text[len(c.text)-1] == '\\' {
			c.text[len(c.text)-1] = '"'
			continue
		}
		if len(line) > 0 && line[0] == '"' {
			c.text = append(c.text, '"')
			line = line[1:]
			continue
		}
		if rest := c.trimLeft(line); len(rest) == 0 || rest[0] == c.separator {
			return rest, true
		}
		c.text = append(c.text, '"')
		c.stray++
	}
}

func unterminated(opened int, err error) error {
	if errors.Is(err, io.EOF) {
		return BrokenAt(opened, "begins a quoted cell that is never closed")
	}
	return err
}

// trimLeft drops blanks that are not separators.
func (c *CSVReader) trimLeft(line []byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') && line[0] != c.separator {
		line = line[1:]
	}
	return line
}

// cells cuts the text at the ends. They come from a block shared by many records, but are the caller's
// to keep.
func (c *CSVReader) cells(text string) []string {
	const blockSize = 4096
	if len(c.block)+len(c.ends) > cap(c.block) {
		c.block = make([]string, 0, max(blockSize, len(c.ends)))
	}
	from, start := len(c.block), 0
	for _, end := range c.ends {
		c.block = append(c.block, strings.TrimSpace(c.cut(text, start, end)))
		start = end
	}
	return c.block[from:len(c.block):len(c.block)]
}

// cut is the cell between two ends, without the separator that a plain line's text still has.
func (c *CSVReader) cut(text string, start, end int) string {
	if c.plain && end > start && text[end-1] == c.separator {
		end--
	}
	return text[start:end]
}

func blank(cells []string) bool {
	for _, cell := range cells {
		if cell != "" {
			return false
		}
	}
	return true
}

func CellAt(cells []string, i int) string {
	if i >= 0 && i < len(cells) {
		return cells[i]
	}
	return ""
}
