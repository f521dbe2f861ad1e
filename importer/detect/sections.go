package detect

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

// tradeSection is the record that is the header of trades in a file of several tables; -1 when there is none.
func (f *detector) tradeSection(records []text.Row) int {
	if !f.ofTrades() {
		return -1
	}
	return slices.IndexFunc(records, func(r text.Row) bool {
		said := map[lexicon.Role]bool{}
		for _, cell := range r.Cells {
			for role := range lexicon.ReadHeader(cell).Roles {
				said[role] = true
			}
		}
		return table.IsSectionHeader(r.Cells) && said[lexicon.RoleQuantity] && said[lexicon.RolePrice] && said[lexicon.RoleTicker] && (said[lexicon.RoleDate] || said[lexicon.RoleTradeDate])
	})
}

// ofSection keeps the records of the table that is read.
func (f *detector) ofSection(records []text.Row, header []string) []text.Row {
	f.parts = table.NewTradeSections(header)
	if !f.ofTrades() {
		f.parts = table.NewTradeSections(nil)
	}
	for _, r := range records {
		f.parts.See(r.Cells)
	}
	list := slices.DeleteFunc(slices.Clone(records), func(r text.Row) bool { return f.parts.LeftOut(r.Cells) != "" })
	f.parts.Again()
	return list
}
