package pdf

import (
	"slices"

	"finsvc/importer/pdf/extract"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// sheet is a statement looked at with one way of writing dates and numbers: the entries that it may hold, and the
// balances that it names. Which column of an entry is what is left open.
type sheet struct {
	lexicon  *wordCache
	dates    *dateReader
	swapped  *dateReader // with day and month the other way round
	misfit   bool        // lines begin with dates that only the swapped order has
	amounts  *amountReader
	labels   map[string]role // headers that a request names
	period   pdfPeriod
	lines    []*pdfRow
	headers  []header
	entries  []*entry
	balances []pdfBalance

	current *entry    // that further lines may belong to
	pending []*pdfRow // lines of text since then
	section int64
	margin  float64 // where entries begin
}

// entry is what stands between one date and the next.
type entry struct {
	line    *pdfRow
	date    pdfDate
	own     bool // it begins with its date; otherwise it has that of the entry before it
	header  int  // the header above it, -1 when there is none
	section int64
	pieces  []piece
	before  []string // lines of text above and below it
	after   []string
	textAt  float64 // where its text begins
}

// piece is a part of an entry's line: a word, or an amount.
type piece struct {
	text   string
	amount *pdfAmount
	column int // of the amount, see sheet.columns
}

// header is the line above a table.
type header struct{ cells []cell }

type cell struct {
	role        role
	left, right float64
	text        string
}

// pdfBalance is a balance that a line names. After is how many entries come before it.
type pdfBalance struct {
	kind   balanceKind
	amount pdfAmount
	after  int
}

// readSheet goes through all lines once.
func readSheet(lexicon *wordCache, lines []*pdfRow, labels map[string]role, amounts *amountReader,
	dayFirst bool) *sheet {
	s := &sheet{lexicon: lexicon, dates: newPDFDates(lexicon, dayFirst), swapped: newPDFDates(lexicon, !dayFirst),
		amounts: amounts, labels: labels, lines: lines, margin: -1}
	s.period = s.dates.periodOf(lines)
	markNoise(lines, s.matters)
	for i, line := range lines {
		if line.noise {
			continue
		}
		if i > 0 && lines[i-1].page != line.page {
			s.settlePending(nil)
		}
		s.take(i, line)
	}
	s.close()
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return !e.hasAmount() })
	return s
}

// matters reports whether a line may be a row, so that what stands above all of these and below is a page's head or foot.
func (s *sheet) matters(line *pdfRow) bool {
	_, n := s.dates.at(line.words, 0)
	return n > 0 || s.hasAmount(line) || len(s.headerOf(line).cells) > 0
}

func (s *sheet) hasAmount(line *pdfRow) bool {
	for i := range line.words {
		if _, n := s.amounts.at(line.words, i); n > 0 {
			return true
		}
	}
	return false
}

// take finds out what a line is.
func (s *sheet) take(i int, line *pdfRow) {
	date, n, first := s.dates.leading(line)
	if n == 0 {
		_, other, _ := s.swapped.leading(line)
		s.misfit = s.misfit || other > 0
	}
	money := s.hasAmount(line)
	switch {
	case s.takeHeader(line, money, n > 0):
	case s.takeBalances(i, n):
	case n > 0:
		s.begin(line, date, n, first)
	case s.takeSection(line, money):
	case money && s.current != nil:
		s.goOn(line)
	case !money:
		s.pending = append(s.pending, line)
	}
}

// takeHeader reports whether the line is a header: it names a column of money and one of dates or texts.
func (s *sheet) takeHeader(line *pdfRow, money, dated bool) bool {
	if money || dated {
		return false
	}
	header := s.headerOf(line)
	if len(header.cells) == 0 {
		return false
	}
	s.close()
	s.headers = append(s.headers, header)
	return true
}

func (s *sheet) headerOf(line *pdfRow) header {
	h, money, other := header{}, false, false
	for _, words := range line.cells() {
		cell := cell{left: words[0].X, right: words[len(words)-1].Right(), text: joinedWords(words)}
		cell.role = s.labels[ledger.Fold(cell.text)]
		if cell.role == pdfRoleNone {
			cell.role = remembered(s.lexicon.roles, cell.text, roleOf)
		}
		money = money || cell.role >= pdfRoleAmount
		other = other || cell.role == pdfRoleDate || cell.role == pdfRoleValue || cell.role == pdfRoleText
		h.cells = append(h.cells, cell)
	}
	if !money || !other {
		return header{}
	}
	return h
}

// takeSection reports whether the line begins a group of rows of one direction, or sums up others.
func (s *sheet) takeSection(line *pdfRow, money bool) bool {
	left := line.words[0].X
	inside := s.margin >= 0 && left > s.margin+line.size
	if direction := sectionOf(line.text()); direction != 0 && !inside {
		s.close()
		s.section = direction
		return true
	}
	if money && isTotal(text.Plain(line.text())) {
		s.close()
		return true
	}
	return false
}

// begin begins an entry.
func (s *sheet) begin(line *pdfRow, date pdfDate, n, first int) {
	e := &entry{line: line, date: date, own: true, header: len(s.headers) - 1, section: s.section, textAt: -1}
	if first == 1 {
		e.pieces = append(e.pieces, piece{text: line.words[0].Text})
	}
	at := first + n
	if at < len(line.words) {
		if second, more := s.dates.at(line.words, at); more > 0 {
			if s.valueFirst(e.header) {
				e.date = second
			}
			at += more
		}
	}
	s.fill(e, line, at)
	s.settlePending(e)
	s.current = e
	s.entries = append(s.entries, e)
	if s.margin < 0 || line.words[0].X < s.margin {
		s.margin = line.words[0].X
	}
}

// valueFirst reports whether the header has the day of value before that of booking.
func (s *sheet) valueFirst(header int) bool {
	if header < 0 {
		return false
	}
	value := slices.IndexFunc(s.headers[header].cells, func(c cell) bool { return c.role == pdfRoleValue })
	date := slices.IndexFunc(s.headers[header].cells, func(c cell) bool { return c.role == pdfRoleDate })
	return value >= 0 && date > value
}

// fill adds a line's words and amounts to an entry.
func (s *sheet) fill(e *entry, line *pdfRow, from int) {
	for i := from; i < len(line.words); {
		w := line.words[i]
		if _, n := s.dates.at(line.words, i); n > 0 && s.under(e.header, w, pdfRoleValue) {
			i += n
			continue
		}
		if amount, n := s.amounts.at(line.words, i); n > 0 {
			e.pieces = append(e.pieces, piece{text: amount.text, amount: &amount})
			i += n
			continue
		}
		if e.textAt < 0 {
			e.textAt = w.X
		}
		e.pieces = append(e.pieces, piece{text: w.Text})
		i++
	}
}

// under reports whether a word stands below a header of the role.
func (s *sheet) under(header int, w extract.Word, role role) bool {
	return header >= 0 && slices.ContainsFunc(s.headers[header].cells, func(c cell) bool {
		return c.role == role && w.X < c.right+w.Size && w.Right() > c.left-w.Size
	})
}

// goOn takes a line without a date that has amounts: it completes an entry that has none yet, and otherwise may be
// another entry of the same day.
func (s *sheet) goOn(line *pdfRow) {
	const near = 3
	if e := s.current; !e.hasAmount() && e.line.page == line.page && line.number-e.line.number <= near {
		s.settlePending(nil)
		s.fill(e, line, 0)
		e.line = line
		return
	}
	e := &entry{line: line, date: s.current.date, header: s.current.header, section: s.section, textAt: -1}
	s.settlePending(nil)
	s.fill(e, line, 0)
	s.current = e
	s.entries = append(s.entries, e)
}

// close ends the entry before something that belongs to none.
func (s *sheet) close() {
	s.settlePending(nil)
	s.current = nil
}

func (e *entry) hasAmount() bool {
	return slices.ContainsFunc(e.pieces, func(p piece) bool { return p.amount != nil })
}

// settlePending gives the lines of text since the last entry to that one; the lines above next are next's, when they
// stand apart from the others.
func (s *sheet) settlePending(next *entry) {
	lines := s.pending
	s.pending = nil
	cut := len(lines)
	if next != nil {
		cut = s.cutAbove(lines, next)
		for _, line := range lines[cut:] {
			next.before = append(next.before, line.text())
		}
	}
	if s.current == nil {
		return
	}
	above := s.current.line
	for _, line := range lines[:cut] {
		if !s.current.continues(above, line) {
			return
		}
		s.current.after = append(s.current.after, line.text())
		above = line
	}
}

// cutAbove is the first of the lines that belong to the entry below them: behind the widest gap, if that is clearly
// wider than the narrowest.
func (s *sheet) cutAbove(lines []*pdfRow, next *entry) int {
	whole := append(slices.Clone(lines), next.line)
	if s.current == nil || s.current.line.page != next.line.page {
		return firstAbove(lines, next)
	}
	whole = append([]*pdfRow{s.current.line}, whole...)
	widest, narrowest, at := 0.0, 0.0, 0
	for i := 1; i < len(whole); i++ {
		gap := whole[i-1].y - whole[i].y
		if gap > widest {
			widest, at = gap, i
		}
		if narrowest == 0 || gap < narrowest {
			narrowest = gap
		}
	}
	if widest < 1.25*narrowest {
		return len(lines)
	}
	return at - 1
}

// firstAbove is the first of the lines that stand directly above the text of a page's or a table's first entry.
func firstAbove(lines []*pdfRow, next *entry) int {
	below := next.line
	for i := len(lines) - 1; i >= 0; i-- {
		line := lines[i]
		if line.page != below.page || line.y-below.y > 1.3*line.size || next.textAt < 0 ||
			line.words[0].X < next.textAt-line.size {
			return i + 1
		}
		below = line
	}
	return 0
}

// continues reports whether a line of text belongs to the entry: close below the line above it, and not left of its text.
func (e *entry) continues(above, line *pdfRow) bool {
	gap := above.y - line.y
	return above.page == line.page && gap > 0 && gap < 2.6*max(line.size, above.size) &&
		(e.textAt < 0 || line.words[0].X > e.textAt-line.size)
}
