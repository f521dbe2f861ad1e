package detect

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/table"
)

// purposes are the columns that say what was paid for, the likeliest first.
func (f *detector) purposes(holds func(c *column) bool) []int {
	place := func(at int) int {
		plain, _ := lexicon.PlainHeader(f.columns[at].header)
		return lexicon.Place(lexicon.PurposeHeader, plain)
	}
	var list []int
	for at := range f.columns {
		if holds(&f.columns[at]) && place(at) >= 0 {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return place(a) - place(b) })
	return list
}

// unused are the columns with something in them that nothing is made of. The balance is used where it proves the reading.
func (f *detector) unused() []string {
	c, err := table.FindColumns(f.out, f.kind, f.sheet.header, 1)
	if err != nil {
		return nil // reading the file says what is wrong
	}
	used := slices.Clone(c.At[:])
	if f.chain != nil {
		if p := f.chain.proof(); p.hits() > 0 {
			used = append(used, p.balance)
		}
	}
	list := []string{}
	for at := range f.columns {
		if f.columns[at].filled > 0 && !slices.Contains(used, at) {
			list = append(list, table.Columns{Header: f.sheet.header}.TitleAt(at))
		}
	}
	return list
}
