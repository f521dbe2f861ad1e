package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"finsvc/importer/notation"
	"finsvc/importer/pdf/extract"
	"finsvc/importer/text"
)

// pdfRow is a line of a page with its words from left to right.
type pdfRow struct {
	page, number int // from 1; the number counts through all pages
	y, size      float64
	words        []extract.Word
	noise        bool // the head or foot of a page
}

// text is the line's words with a space between them.
func (l *pdfRow) text() string { return joinedWords(l.words) }

func joinedWords(words []extract.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.Text
	}
	return strings.Join(parts, " ")
}

// linesOf puts words, in whatever order they were written, into the lines that a reader sees.
func linesOf(words []extract.Word) []*pdfRow {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b extract.Word) int {
		return cmp.Or(cmp.Compare(a.Page, b.Page), cmp.Compare(b.Y, a.Y), cmp.Compare(a.X, b.X))
	})
	var lines []*pdfRow
	for _, w := range words {
		if last := len(lines) - 1; last < 0 || !lines[last].takes(w) {
			lines = append(lines, &pdfRow{page: w.Page, number: len(lines) + 1, y: w.Y, size: w.Size})
		}
		line := lines[len(lines)-1]
		line.words = append(line.words, w)
	}
	for _, line := range lines {
		line.settle()
	}
	return lines
}

func (l *pdfRow) takes(w extract.Word) bool {
	return l.page == w.Page && l.y-w.Y <= 0.35*max(l.size, w.Size)
}

// settle puts the words in order, drops those that were written twice to look bold, and joins the pieces of words
// that were written one by one.
func (l *pdfRow) settle() {
	slices.SortStableFunc(l.words, func(a, b extract.Word) int { return cmp.Compare(a.X, b.X) })
	kept := l.words[:0]
	for _, w := range l.words {
		last := len(kept) - 1
		switch {
		case last >= 0 && kept[last].Text == w.Text && math.Abs(kept[last].X-w.X) < 0.2*w.Size:
		case last >= 0 && math.Abs(w.X-kept[last].Right()) < 0.12*w.Size:
			kept[last].Text += w.Text
			kept[last].Width = w.Right() - kept[last].X
		default:
			kept = append(kept, w)
		}
	}
	l.words = kept
}

// cells are the words of a line in groups that wide gaps part.
func (l *pdfRow) cells() [][]extract.Word {
	var cells [][]extract.Word
	for i, w := range l.words {
		if i == 0 || w.X-l.words[i-1].Right() > 0.8*w.Size {
			cells = append(cells, nil)
		}
		cells[len(cells)-1] = append(cells[len(cells)-1], w)
	}
	return cells
}

// markNoise marks the lines above the first and below the last of those that matter on each page that other pages
// have as well, but for the digits in them, and page numbers.
func markNoise(lines []*pdfRow, matters func(*pdfRow) bool) {
	pages := map[string]map[int]bool{}
	var edges []*pdfRow
	for _, line := range lines {
		line.noise = false // another look at the statement may have thought so
	}
	for _, page := range pagesOf(lines) {
		first := slices.IndexFunc(page, matters)
		if first < 0 {
			edges = append(edges, page...)
			continue
		}
		last := len(page) - 1
		for !matters(page[last]) {
			last--
		}
		edges = slices.Concat(edges, page[:first], page[last+1:])
	}
	for _, line := range edges {
		key := line.pattern()
		if pages[key] == nil {
			pages[key] = map[int]bool{}
		}
		pages[key][line.page] = true
	}
	for _, line := range edges {
		line.noise = len(pages[line.pattern()]) > 1 || isPageNumber(line)
	}
}

func pagesOf(lines []*pdfRow) [][]*pdfRow {
	var pages [][]*pdfRow
	for i, line := range lines {
		if i == 0 || line.page != lines[i-1].page {
			pages = append(pages, nil)
		}
		pages[len(pages)-1] = append(pages[len(pages)-1], line)
	}
	return pages
}

// pattern is the text of a line with every number the same.
func (l *pdfRow) pattern() string {
	return strings.Join(strings.FieldsFunc(text.Plain(l.text()),
		func(r rune) bool { return notation.IsDigit(r) || r == ' ' }), "#")
}

func isPageNumber(l *pdfRow) bool {
	words := strings.Fields(text.Plain(l.text()))
	if len(words) == 0 || len(words) > 5 {
		return false
	}
	switch words[0] {
	case "page", "seite", "pagina", "pag", "sida", "side", "strona", "strana", "blatt", "sivu":
		return true
	}
	return false
}
