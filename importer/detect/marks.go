package detect

import (
	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
)

// signMarks counts the signs of amounts beside what a column of words says of their direction, and the amounts beside which it says
// nothing.
type signMarks struct {
	in, out spoken
	silent  int
}

func (m signMarks) agreeing() int { return m.in.plus + m.out.minus }

func (m signMarks) contrary() int { return m.in.minus + m.out.plus }

// settled says whether the words of both sides go with the signs in every row, or against them in every row.
func (m signMarks) settled() bool {
	return m.in.plus > 0 && m.out.minus > 0 && m.contrary() == 0 || m.in.minus > 0 && m.out.plus > 0 && m.agreeing() == 0
}

// opposed says whether the signs are against the words in every row, also where all rows are on one side.
func (m signMarks) opposed() bool { return m.contrary() > 0 && m.agreeing() == 0 && m.silent == 0 }

// mixed says whether the words go with the signs in some rows and against them in so many others that these are no slips.
func (m signMarks) mixed() bool { return m.contrary() > 0 && 3*m.contrary() > m.agreeing() }

// countMarks looks at the columns that say in or out beside an amount that has signs of its own.
func (f *detector) countMarks() (m signMarks) {
	for _, at := range f.wordColumns() {
		in, out, _, ok := f.sides(at)
		if !ok {
			continue
		}
		for _, r := range f.headRows() {
			s := notation.ShapeOf(text.CellAt(r.Cells, f.amount))
			if !s.Number || s.Zero {
				continue
			}
			heard := map[string]*spoken{in: &m.in, out: &m.out}[text.CellAt(r.Cells, at)]
			if heard == nil {
				m.silent++
				continue
			}
			heard.minus, heard.plus = heard.minus+one(s.Minus), heard.plus+one(!s.Minus)
		}
	}
	return m
}

// wordColumns are the columns of words that may say in or out: those that are called so, then those without a known name.
func (f *detector) wordColumns() []int {
	list := f.byRole(lexicon.RoleDirection, func(c *column) bool { return c.isWord && len(c.words) > 0 })
	return append(list, f.where(func(c *column) bool { return c.isWord && len(c.Roles) == 0 && len(c.words) > 0 })...)
}
