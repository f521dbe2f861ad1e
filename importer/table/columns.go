package table

import (
	"fmt"
	"strconv"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// Columns say where each field stands.
type Columns struct {
	At     [record.FieldCount]int // index of the cell, -1 when the file does not have the field
	Header []string               // nil without a header line
}

// FindColumns looks every label up in the header; the line is the header's, for messages.
func FindColumns(s record.Settings, k Kind, header []string, line int) (Columns, error) {
	c := Columns{Header: header}
	var wrong []string
	for f := range record.Fields {
		at, err := c.find(s, record.Fields[f], k.Headers(record.Field(f), record.Fields[f].Fallbacks))
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		c.At[f] = at
	}
	if record.Given(s.DebitColLabel) != "" {
		c.At[record.FieldAmount] = -1
	}
	if len(wrong) == 0 {
		wrong = c.missing(k.vital(s))
	}
	if len(wrong) > 0 {
		return c, text.BrokenAt(line, "%s%s", strings.Join(wrong, "; "), c.list())
	}
	return c, nil
}

func (c Columns) missing(vital []record.Field) []string {
	var wrong []string
	for _, f := range vital {
		if c.At[f] >= 0 {
			continue
		}
		give := record.Fields[f].Setting
		if f == record.FieldAmount {
			give += ", or debit_col_label and credit_col_label"
		}
		wrong = append(wrong, fmt.Sprintf("has no column for the %s: give %s",
			strings.TrimSuffix(record.Fields[f].Setting, "_col_label"), give))
	}
	return wrong
}

// list shows the header at the end of a message.
func (c Columns) list() string {
	if c.Header == nil {
		return ""
	}
	const most = 40
	quoted := make([]string, 0, most)
	for _, h := range c.Header[:min(len(c.Header), most)] {
		quoted = append(quoted, ledger.Quote(h))
	}
	return "; the columns are " + strings.Join(quoted, ", ")
}

func (c Columns) find(s record.Settings, rule record.FieldRule, fallbacks []string) (int, error) {
	if label := record.Given(rule.Label(s)); label != "" {
		return c.Named(label, rule.Setting)
	}
	for _, fallback := range fallbacks {
		matches := c.Matches(fallback)
		if len(matches) > 1 && rule.Vital {
			return -1, fmt.Errorf("has %d columns named %q: give %s, or its column number", len(matches), fallback,
				rule.Setting)
		}
		if len(matches) == 1 {
			return matches[0], nil
		}
	}
	return -1, nil
}

// Named is the column with a given label: a header, or else a column number.
func (c Columns) Named(label, setting string) (int, error) {
	n, isNumber := record.ColumnNumber(label)
	matches := c.Matches(label)
	switch {
	case len(matches) == 1:
		return matches[0], nil
	case len(matches) > 1:
		return c.exact(label, setting, matches)
	case isNumber && (c.Header == nil || n <= len(c.Header)):
		return n - 1, nil
	}
	return -1, fmt.Errorf("has no column %s, which %s names", ledger.Quote(label), setting)
}

// exact chooses among headers that are equal but for case and punctuation the one that is written
// exactly as the label.
func (c Columns) exact(label, setting string, matches []int) (int, error) {
	found := -1
	for _, i := range matches {
		if c.Header[i] == label && found >= 0 {
			found = -1
			break
		}
		if c.Header[i] == label {
			found = i
		}
	}
	if found < 0 {
		return -1, fmt.Errorf("has %d columns named %s: give the column number as %s", len(matches),
			ledger.Quote(label), setting)
	}
	return found, nil
}

func (c Columns) Matches(label string) []int {
	var found []int
	want := NormalLabel(label)
	for i, h := range c.Header {
		if NormalLabel(h) == want {
			found = append(found, i)
		}
	}
	return found
}

// title names the column of a field in an issue: its header, its number, or the field itself.
func (c Columns) title(f record.Field) string {
	if c.At[f] < 0 {
		return strings.TrimSuffix(record.Fields[f].Setting, "_col_label")
	}
	return c.TitleAt(c.At[f])
}

func (c Columns) number(at int) string { return "column " + strconv.Itoa(at+1) }

// cell is the text of a field in a record, blank when it has none.
func (c Columns) cell(cells []string, f record.Field) string {
	at := c.At[f]
	if at < 0 || at >= len(cells) {
		return ""
	}
	return cells[at]
}

// TitleAt names a column by its place.
func (c Columns) TitleAt(at int) string {
	if at < len(c.Header) && c.Header[at] != "" {
		return c.Header[at]
	}
	return c.number(at)
}
