package pdf

import (
	"math"
	"slices"
)

// column is a column of amounts below one header: where its amounts stand.
type column struct {
	header      int
	left, right float64
}

func addColumns(all []column, header int, pieces []*piece) []column {
	first := len(all)
	for _, p := range pieces {
		last := len(all) - 1
		if last < first || p.amount.left >= all[last].right {
			all, last = append(all, column{header: header, left: p.amount.left, right: p.amount.right}), last+1
		}
		all[last].right = max(all[last].right, p.amount.right)
		p.column = last
	}
	return all
}

// joinHeaders makes one of the headers that tables on several pages repeat.
func (s *sheet) joinHeaders() {
	same := make([]int, len(s.headers))
	for i, h := range s.headers {
		same[i] = slices.IndexFunc(s.headers, func(other header) bool {
			return slices.EqualFunc(other.cells, h.cells, func(a, b cell) bool {
				return a.text == b.text && math.Abs(a.left-b.left) < 2 && math.Abs(a.right-b.right) < 2
			})
		})
	}
	for _, e := range s.entries {
		if e.header >= 0 {
			e.header = same[e.header]
		}
	}
}

// distance is how far a column is from a header; negative where one is above the other.
func (c cell) distance(column column) float64 {
	return max(c.left-column.right, column.left-c.right)
}

// columnGuesses are the ways in which columns without names may be meant, the rightmost ones of up to five.
func columnGuesses(columns []column) [][]role {
	const most = 5
	var out [][]role
	first := max(0, len(columns)-most)
	for a := first; a < len(columns); a++ {
		for b := -1; b < len(columns); b++ {
			for balance := -1; balance < len(columns); balance++ {
				if b == a || balance == a || b >= 0 && b < first || balance >= 0 && (balance < first || balance == b) {
					continue
				}
				roles := make([]role, len(columns))
				roles[a] = pdfRoleAmount
				if b >= 0 {
					roles[a], roles[b] = pdfRoleDebit, pdfRoleCredit
				}
				if balance >= 0 {
					roles[balance] = pdfRoleBalance
				}
				out = append(out, roles)
			}
		}
	}
	return out
}
