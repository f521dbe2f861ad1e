package table

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// TradeSections reads files of several tables one below the other, as Interactive Brokers writes its statements: the
// first cell of a record is the name of its table, the second says whether it is a header or data. It keeps the
// records of the table that is read. Where the table has what makes up a trade beside it, such as single executions,
// only one of the levels is kept. It must see all records in their order.
type TradeSections struct {
	header []string // of the table that is read; nil when the file is one table
	level  int      // the column that says of what a record is one; -1 without
	levels map[string]bool
	other  bool // the records that follow are below another header
}

func NewTradeSections(header []string) TradeSections {
	s := TradeSections{level: -1, levels: map[string]bool{}}
	if IsSectionHeader(header) {
		s.header = header
	}
	for i, cell := range header {
		if name := strings.ReplaceAll(NormalLabel(cell), "_", ""); name == "datadiscriminator" ||
			name == "levelofdetail" {
			s.level = i
		}
	}
	return s
}

// IsSectionHeader reports whether a record is the header of one of several tables.
func IsSectionHeader(cells []string) bool { return len(cells) > 3 && cells[1] == "Header" }

// See notes, before the records are asked about, which levels there are.
func (s *TradeSections) See(cells []string) {
	if s.level >= 0 {
		s.levels[ledger.Fold(text.CellAt(cells, s.level))] = true
	}
}

// Again begins with the first record.
func (s *TradeSections) Again() { s.other = false }

// LeftOut says why a record is none of those to be read; blank for one that is.
func (s *TradeSections) LeftOut(cells []string) string {
	if s.header != nil {
		if IsSectionHeader(cells) {
			s.other = cells[0] != s.header[0] || !slices.Equal(trimBlank(cells), trimBlank(s.header))
		}
		if s.other || len(cells) < 2 || cells[0] != s.header[0] || cells[1] != "Data" {
			return "of another table, or no data of this one"
		}
	}
	level := ledger.Fold(text.CellAt(cells, s.level))
	for _, best := range []string{"order", "trade", "execution"} {
		if s.levels[best] && level != best {
			return "what orders are made up of, or add up to"
		}
		if s.levels[best] {
			return ""
		}
	}
	return ""
}

// tells reports whether a record that was left out is data of the table that is read, below a header with other columns.
func (s *TradeSections) tells(cells []string) bool {
	return s.other && len(cells) > 1 && cells[0] == s.header[0] && cells[1] == "Data" &&
		!slices.ContainsFunc(cells, isExchange)
}

// trimBlank takes the blank cells off the end.
func trimBlank(cells []string) []string {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// isExchange reports whether a ticker is a pair of currencies such as EUR.USD: money is exchanged, and no security
// traded. Coins are bought and sold.
func isExchange(ticker string) bool {
	letters := strings.NewReplacer(".", "", "/", "", "-", "", "_", "").Replace(strings.ToUpper(text.OneLine(ticker)))
	if len(letters) != 6 {
		return false
	}
	for _, code := range []string{letters[:3], letters[3:]} {
		if c, ok := money.LookupCurrency(code); !ok || c.Exponent > 4 {
			return false
		}
	}
	return true
}

// EndsTable reports whether a cell is what a row is called that sums up others, or tells a balance, at the end of a
// file.
func EndsTable(cell string) bool {
	return lexicon.Has(lexicon.Total, cell) || lexicon.Has(lexicon.TotalOrBalance, cell)
}

// Widened is a header with a blank name for each cell that the rows have beyond it, where most of the first ones have
// such cells with texts in them. A number there may be what follows a decimal comma, and a cell that only some rows
// have what follows a comma in a text.
func Widened(header []string, records []text.Row) []string {
	const looked = 20
	records = records[:min(len(records), looked)]
	wide, width := 0, len(header)
	for _, r := range records {
		cells := trimBlank(r.Cells)
		if len(cells) <= len(header) {
			continue
		}
		if slices.ContainsFunc(cells[len(header):], func(cell string) bool {
			return cell != "" &&
				!text.HasWord(cell)
		}) {
			return header
		}
		wide, width = wide+1, max(width, len(cells))
	}
	if header == nil || wide < 2 || 2*wide <= len(records) {
		return header
	}
	return append(slices.Clone(header), make([]string, width-len(header))...)
}
