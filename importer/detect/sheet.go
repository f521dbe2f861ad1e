package detect

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

// tradeSection is the record that is the header of trades in a file of several tables; -1 when there is none.
func tradeSection(p *profile, records []text.Row) int {
	if !p.ofTrades() {
		return -1
	}
	return slices.IndexFunc(records, func(r text.Row) bool {
		said := map[lexicon.Role]bool{}
		for _, cell := range r.Cells {
			for role := range lexicon.ReadHeader(cell).Roles {
				said[role] = true
			}
		}
		return table.IsSectionHeader(r.Cells) && said[lexicon.RoleQuantity] && said[lexicon.RolePrice] &&
			said[lexicon.RoleTicker] && (said[lexicon.RoleDate] || said[lexicon.RoleTradeDate])
	})
}

// ofSection keeps the records of the table that is read.
func ofSection(p *profile, records []text.Row, header []string) []text.Row {
	p.sections = table.NewTradeSections(header)
	if !p.ofTrades() {
		p.sections = table.NewTradeSections(nil)
	}
	for _, r := range records {
		p.sections.See(r.Cells)
	}
	list := slices.DeleteFunc(slices.Clone(records), func(r text.Row) bool { return p.sections.LeftOut(r.Cells) != "" })
	p.sections.Again()
	return list
}

// What of a file its shape is judged by.
const (
	headSize    = 256 << 10 // bytes of text
	headRecords = 1_000
	headSearch  = 80 // records among which the header is looked for
)

// sheet is the beginning of a file cut into records.
type sheet struct {
	separator byte
	records   []text.Row
	header    []string // nil without a header line; with blank names for columns that it does not name
	named     int      // how many columns it names
	headerAt  int      // index of the header in records, -1 without
	skip      int      // lines before the header, or before the first record
	data      int      // records that have a date and a number
	words     int      // of the header that are known
}

// findSheet cuts the head by every separator that may be meant and keeps the cut that makes most sense.
func findSheet(p *profile, text string) {
	candidates := []byte{',', ';', '\t', '|'}
	if !p.open("col_sep") {
		r, _ := p.given.Compile()
		candidates = []byte{r.Separator}
	}
	for i, separator := range candidates {
		s := cutSheet(p, text, separator)
		if i == 0 || s.better(p.sheet) {
			p.sheet = s
		}
	}
	ofSection(p, p.sheet.records, p.sheet.header)
}

// better compares two cuts of one text: records that have a date and a number, then known headers, then cells.
func (s sheet) better(than sheet) bool {
	switch {
	case s.data != than.data:
		return s.data > than.data
	case s.words != than.words:
		return s.words > than.words
	}
	return s.steady() > than.steady()
}

// steady counts the cells of records that have as many of them as the record before.
func (s sheet) steady() int {
	n := 0
	for i := 1; i < len(s.records); i++ {
		if width := len(s.records[i].Cells); width > 1 && width == len(s.records[i-1].Cells) {
			n += width
		}
	}
	return n
}

// cutSheet cuts a text into records and looks for the header.
func cutSheet(p *profile, cell string, separator byte) sheet {
	s := sheet{separator: separator, headerAt: -1}
	given, hasTold := 0, !p.open("rows_to_skip")
	if hasTold {
		r, _ := p.given.Compile()
		given = r.Skip
	}
	s.records = cutRecords(cell, separator, given)
	for _, record := range s.records {
		if dataLike(record.Cells) {
			s.data++
		}
	}
	at, words := findHeader(p, s.records, hasTold)
	exact := hasTold && (record.Given(p.given.HasHeader) != "" || at == 0 || len(s.records) == 0)
	if at >= 0 {
		s.headerAt, s.header, s.words, s.skip = at, s.records[at].Cells, words, s.records[at].Line-1
	} else if first := firstData(s.records); first >= 0 && len(s.records) > 0 {
		s.skip = s.records[first].Line - 1
	}
	if exact {
		s.skip = given
	}
	s.records = ofSection(p, s.records[s.headerAt+1:], s.header)
	if s.headerAt >= 0 {
		s.named = len(s.header)
		s.header = table.Widened(s.header, s.records)
		s.records, s.headerAt = append([]text.Row{{Cells: s.header, Line: s.skip + 1}}, s.records...), 0
	}
	return s
}

// cutRecords reads records, and goes on after lines that are none as long as they may stand before the table.
func cutRecords(cell string, separator byte, skip int) []text.Row {
	var list []text.Row
	const restarts = 20
	for range restarts {
		lines := text.NewLineReader(strings.NewReader(cell))
		for range skip {
			if _, err := lines.Next(); err != nil {
				return list
			}
		}
		reader := text.NewCSVReader(lines, separator)
		for len(list) < headRecords {
			record, err := reader.Next()
			if broken, ok := errors.AsType[*text.FileError](err); ok && len(list) < headSearch && broken.Line > skip {
				skip = broken.Line
				break
			}
			if err != nil {
				return list
			}
			list = append(list, record)
		}
		if len(list) >= headRecords {
			break
		}
	}
	return list
}

// dataLike reports whether a record has a date and a number in cells of their own.
func dataLike(cells []string) bool {
	date := -1
	for i, cell := range cells {
		if len(notation.PatternsOf(cell)) > 0 {
			date = i
			break
		}
	}
	if date < 0 {
		return false
	}
	for i, cell := range cells {
		if i != date && len(cell) < 24 && notation.ShapeOf(cell).Number {
			return true
		}
	}
	return false
}

// firstData is the first record of data: as wide as most that have a date and a number.
func firstData(records []text.Row) int {
	widths := map[int]int{}
	for _, r := range records {
		if dataLike(r.Cells) {
			widths[len(r.Cells)]++
		}
	}
	best := 0
	for _, n := range widths {
		best = max(best, n)
	}
	for i, r := range records {
		if dataLike(r.Cells) && 3*widths[len(r.Cells)] >= best {
			return i
		}
	}
	return -1
}

// findHeader looks for the record that names the columns: the one with most known names; else the one right before
// the first data when it has no numbers. -1 when there is none. Where the lines to skip are given it is the record
// behind them, unless that is none and another one is.
func findHeader(p *profile, records []text.Row, given bool) (at, words int) {
	switch {
	case record.Given(p.given.HasHeader) != "" && strings.EqualFold(record.Given(p.given.HasHeader), "false") ||
		len(records) == 0:
		return -1, 0
	case given && (record.Given(p.given.HasHeader) != "" || headerScore(p, records[0].Cells) > 1):
		return 0, headerScore(p, records[0].Cells)
	}
	if at := tradeSection(p, records); at >= 0 {
		return at, headerScore(p, records[at].Cells)
	}
	at, words = searchHeader(p, records)
	if at < 0 && given && !dataLike(records[0].Cells) {
		at = 0
	}
	return at, words
}

// searchHeader looks for the header wherever it may be.
func searchHeader(p *profile, records []text.Row) (at, words int) {
	best, first := -1, firstData(records)
	for i, r := range records[:min(len(records), headSearch)] {
		if first >= 0 && i >= first && words >= 2 || dataLike(r.Cells) {
			continue
		}
		if score := headerScore(p, r.Cells); score > words {
			best, words = i, score
		}
	}
	if best > first && words > 2 {
		first = below(records, best)
	}
	if best >= 0 && first >= 0 && !wideEnough(records[best].Cells, records[first].Cells) &&
		(best != first-1 || !namesPayments(p, records[best].Cells)) {
		best, words = -1, 0
	}
	switch {
	case words >= 2 || best >= 0 && (best == first-1 || first < 0):
		return best, words
	case first == 0:
		return -1, 0
	case first < 0:
		return 0, 0
	case !p.open("has_header") || wordy(records[first-1].Cells) &&
		wideEnough(records[first-1].Cells, records[first].Cells):
		return first - 1, 0
	}
	return -1, 0
}

// below is the first record of data after a header; -1 when there is none.
func below(records []text.Row, header int) int {
	if at := firstData(records[header+1:]); at >= 0 {
		return header + 1 + at
	}
	return -1
}

// headerScore counts the cells that name something a file may hold; those that settings name count most.
func headerScore(p *profile, cells []string) int {
	if len(cells) < 2 {
		return 0
	}
	seen, score := map[lexicon.Role]bool{}, 0
	for _, cell := range cells {
		for r := range lexicon.ReadHeader(cell).Roles {
			if !seen[r] {
				seen[r] = true
				score++
				break
			}
		}
	}
	for name := range labelSettings() {
		if label := record.Given(*p.given.Members()[name]); label != "" &&
			len((table.Columns{Header: cells}).Matches(label)) > 0 {
			score += 10
		}
	}
	return score
}

// namesPayments reports whether a record is a header beyond doubt: it names a date and an amount outright. Then records
// with more cells are wrong, such as those in which the decimal comma parts an amount.
func namesPayments(p *profile, cells []string) bool {
	const outright = 900
	date, amount := false, false
	for _, cell := range cells {
		roles := lexicon.ReadHeader(cell).Roles
		date = date || roles[lexicon.RoleDate] >= outright
		amount = amount || max(roles[lexicon.RoleAmount], roles[lexicon.RoleDebit],
			roles[lexicon.RoleCredit]) >= outright
	}
	return date && amount
}

// wideEnough reports whether a header names all the cells of a record but blank ones at its end.
func wideEnough(header, cells []string) bool {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return len(header) >= len(cells)
}

// wordy reports whether a record could be a header that uses unknown words: there are some, and no numbers.
func wordy(cells []string) bool {
	filled := 0
	for _, cell := range cells {
		if cell != "" {
			filled++
		}
		if notation.ShapeOf(cell).Number || len(notation.PatternsOf(cell)) > 0 {
			return false
		}
	}
	return filled >= 2
}

// fingerprint is the same for files of the same make: same header or, without one, the same kinds of columns.
func fingerprint(s sheet, list []column) [32]byte {
	var b strings.Builder
	b.WriteByte(s.separator)
	for i := range list {
		b.WriteByte(0)
		if s.header != nil {
			b.WriteString(table.NormalLabel(list[i].header))
			continue
		}
		b.WriteString(list[i].content())
	}
	return sha256.Sum256([]byte(b.String()))
}
