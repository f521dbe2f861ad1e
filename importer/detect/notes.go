package detect

import (
	"slices"

	"finsvc/importer/lexicon"
	"finsvc/importer/table"
)

// purposeColumns are the columns that say what was paid for, the likeliest first.
func purposeColumns(p *profile, holds func(c *column) bool) []int {
	place := func(at int) int {
		plain, _ := lexicon.PlainHeader(p.columns[at].header)
		return lexicon.Place(lexicon.PurposeHeader, plain)
	}
	var list []int
	for at := range p.columns {
		if holds(&p.columns[at]) && place(at) >= 0 {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return place(a) - place(b) })
	return list
}

// unusedColumns are the columns with something in them that nothing is made of. The balance is used where it proves the reading.
func unusedColumns(d *decisions) []string {
	c, err := table.FindColumns(d.out, d.kind, d.sheet.header, 1)
	if err != nil {
		return nil // reading the file says what is wrong
	}
	used := slices.Clone(c.At[:])
	if d.running != nil {
		if p := d.running.proof(); p.hits() > 0 {
			used = append(used, p.balance)
		}
	}
	list := []string{}
	for at := range d.columns {
		if d.columns[at].filled > 0 && !slices.Contains(used, at) {
			list = append(list, table.Columns{Header: d.sheet.header}.TitleAt(at))
		}
	}
	return list
}
