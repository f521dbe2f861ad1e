package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
)

// jsonFlag lets a reading command print JSON.
func jsonFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print JSON instead of a table")
}

// say tells a person something; it goes to standard error, as standard output is for data.
func (a *app) say(format string, args ...any) {
	a.wipe()
	fmt.Fprintln(a.stderr, a.plain(fmt.Sprintf(format, args...)))
}

// printJSON prints a value in lines that people can read.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printTable prints a table of the cells that cells makes of each row. It is cut to the width of a terminal, and nowhere else.
func printTable[T any](a *app, columns []column, rows []T, cells func(T) []string) error {
	t := table{columns: columns}
	for _, row := range rows {
		t.rows = append(t.rows, cells(row))
	}
	return a.printCut(t)
}

func (a *app) printCut(t table) error {
	t.room, t.mark = terminalWidth(a.stdout), a.env.cutMark()
	return t.print(a.stdout)
}

// column is the head of a table's column.
type column struct {
	name  string
	right bool // aligned to the right, as numbers are
}

// columns are columns of text, but for those whose name begins with #, which are of numbers.
func columns(names ...string) []column {
	out := make([]column, len(names))
	for i, name := range names {
		text, right := strings.CutPrefix(name, "#")
		out[i] = column{text, right}
	}
	return out
}

// table is rows of cells below a line of heads, two spaces apart.
type table struct {
	columns []column
	rows    [][]string
	room    int    // how wide it may be; 0: as wide as it is
	mark    string // at the end of a cell that is cut
}

func (t table) print(w io.Writer) error {
	heads := make([]string, len(t.columns))
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		heads[i] = strings.ToUpper(c.name)
		widths[i] = uniseg.StringWidth(heads[i])
		for _, row := range t.rows {
			widths[i] = max(widths[i], uniseg.StringWidth(row[i]))
		}
	}
	if t.room > 0 {
		t.narrow(widths, t.room, t.mark)
	}
	var b strings.Builder
	for _, row := range append([][]string{heads}, t.rows...) {
		b.WriteString(t.line(row, widths))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t table) line(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		space := strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell))
		if t.columns[i].right {
			b.WriteString(space + cell + "  ")
		} else {
			b.WriteString(cell + space + "  ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// stamp is an instant in JSON; null when it is zero.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000Z")
	return &text
}

// moment is an instant in a table, in the zone of the machine; a dash when it is zero.
func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}
