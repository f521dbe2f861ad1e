package cmd

import (
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// There are no colours, so NO_COLOR changes nothing.

// terminalWidth is how many columns a terminal has; 0 where it is none, or does not say.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// animates says whether lines on standard error may change: a person sees them, and the terminal can go back.
func (a *app) animates() bool { return isTerminal(a.stderr) && a.env["TERM"] != "dumb" }

// utf8 says whether terminals show more than plain characters: what LC_ALL, LC_CTYPE or LANG, the first that is set, says.
// Where there are no such variables by nature they do.
func (e environment) utf8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(e[name]); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
}

// plain is a text with plain characters for those of the program's own sentences, where a terminal shows no others.
func (a *app) plain(text string) string {
	if !isTerminal(a.stderr) || a.env.utf8() {
		return text
	}
	return strings.NewReplacer("…", "...", "→", "->", "−", "-").Replace(text)
}

// leastColumn is the least that is left of a column.
const leastColumn = 16

// cutMark ends a cell that is cut.
func (e environment) cutMark() string {
	if e.utf8() {
		return "…"
	}
	return "..."
}

// narrow cuts the widest columns of text until all fit into a width, as far as that goes. Numbers and ids stay whole.
func (t table) narrow(widths []int, room int, mark string) {
	for total := sum(widths) + 2*(len(widths)-1); total > room; total-- {
		widest := t.widest(widths)
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	for _, row := range t.rows {
		for i, cell := range row {
			row[i] = cut(cell, widths[i], mark)
		}
	}
}

// widest is the widest column that may be cut; -1 when none may.
func (t table) widest(widths []int) int {
	widest := -1
	for i, c := range t.columns {
		if !c.right && !c.isID() && widths[i] > leastColumn && (widest < 0 || widths[i] > widths[widest]) {
			widest = i
		}
	}
	return widest
}

// isID says whether the column has public ids, which are of no use in part.
func (c column) isID() bool { return c.name == "id" || c.name == "transaction" }

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}

// cut shortens a text to a width, by whole characters as people see them.
func cut(text string, width int, mark string) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	room, kept := width-uniseg.StringWidth(mark), 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if room -= g.Width(); room < 0 {
			break
		}
		_, kept = g.Positions()
	}
	return text[:kept] + mark
}
