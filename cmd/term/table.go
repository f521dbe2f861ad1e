package term

import (
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// PrintTable prints a table of the cells that cells makes of each row, see [Terminal.PrintRows].
func PrintTable[T any](t *Terminal, columns []Column, rows []T, cells func(T) []string) error {
	table := make([][]string, len(rows))
	for i, row := range rows {
		table[i] = cells(row)
	}
	return t.PrintRows(columns, table)
}

// PrintRows prints rows of cells. They are cut to the width of a terminal, and nowhere else.
func (t *Terminal) PrintRows(columns []Column, rows [][]string) error {
	mark := "…"
	if t.Plain {
		mark = "..."
	}
	return table{columns, rows, Width(t.Stdout), mark}.print(t.Stdout)
}

// Column is the head of a table's column.
type Column struct {
	name  string
	right bool // aligned to the right, as numbers are
}

// Columns are columns of text, but for those whose name begins with #, which are of numbers.
func Columns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, name := range names {
		text, right := strings.CutPrefix(name, "#")
		out[i] = Column{text, right}
	}
	return out
}

// isID reports whether the column has public ids, which are of no use in part.
func (c Column) isID() bool { return c.name == "id" || c.name == "transaction" }

// table is rows of cells below a line of heads, two spaces apart.
type table struct {
	columns []Column
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
	rows := t.rows
	if t.room > 0 {
		rows = t.narrow(widths)
	}
	var b strings.Builder
	for _, row := range append([][]string{heads}, rows...) {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell))
			if t.columns[i].right {
				line.WriteString(space + cell + "  ")
			} else {
				line.WriteString(cell + space + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// leastColumn is the least that is left of a column.
const leastColumn = 16

// narrow cuts the widest columns of text until all fit into the room, as far as that goes, and returns the rows with
// cells that are cut. Numbers and ids stay whole.
func (t table) narrow(widths []int) [][]string {
	total := 2 * (len(widths) - 1)
	for _, width := range widths {
		total += width
	}
	for ; total > t.room; total-- {
		widest := -1
		for i, c := range t.columns {
			if !c.right && !c.isID() && widths[i] > leastColumn && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break // none may be cut any further
		}
		widths[widest]--
	}
	rows := make([][]string, len(t.rows))
	for r, row := range t.rows {
		rows[r] = slices.Clone(row)
		for i, cell := range row {
			rows[r][i] = cut(cell, widths[i], t.mark)
		}
	}
	return rows
}

// cut shortens a text to a width, by whole characters as people see them.
func cut(text string, width int, mark string) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	room, kept := width-uniseg.StringWidth(mark), 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		room -= g.Width()
		if room < 0 {
			break
		}
		_, kept = g.Positions()
	}
	return text[:kept] + mark
}
