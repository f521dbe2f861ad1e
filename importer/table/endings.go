package table

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
)

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
