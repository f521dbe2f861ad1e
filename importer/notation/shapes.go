package notation

import "strings"

// shape is how one cell is written as a number.
type shape struct {
	Number, Minus, Plus, Zero, Marked bool
	Point, Comma, Spaced              bool // the formats that can read it
	Mark                              bool // it has a point or comma
	Side                              entrySide
	Decimals                          int
}

// The formats that are told apart. 1,234 without decimals is read by the first of them.
func ReadableFormats() [3]NumberFormat {
	return [3]NumberFormat{{"1,234.56", '.', ", "}, {"1.234,56", ',', "."}, {"1 234,56", ',', " "}}
}

// ShapeOf says what is seen of a cell as a number. It must agree with NumberFormat.parse.
func ShapeOf(cell string) shape {
	if s, ok := plainShape(cell); ok {
		return s
	}
	return triedShape(cell)
}

// IsSome reports whether a cell is a number other than zero.
func IsSome(cell string) bool {
	s := ShapeOf(cell)
	return s.Number && !s.Zero
}

// triedShape tries every format on a cell that is not plain.
func triedShape(cell string) shape {
	const longest = 32
	if len(cell) > longest || !strings.ContainsAny(cell, "0123456789") {
		return shape{}
	}
	var s shape
	for i, f := range ReadableFormats() {
		n, err := f.Parse(cell)
		if err != nil {
			continue
		}
		s.Number, s.Minus, s.Side = true, n.Text[0] == '-', n.side
		s.Zero = strings.Trim(n.Text, "-0.") == ""
		switch i {
		case 0:
			s.Point = true
		case 1:
			s.Comma = true
		case 2:
			s.Spaced = true
		}
		if _, fraction, found := strings.Cut(n.Text, "."); found {
			s.Decimals = len(fraction)
		}
	}
	s.Plus = strings.Contains(cell, "+")
	s.Mark = strings.ContainsAny(cell, ".,")
	s.Marked = strings.ContainsFunc(cell, func(r rune) bool {
		return !IsDigit(r) &&
			!strings.ContainsRune("+-−–.,'’ ()\u00a0\u202f", r)
	})
	return s
}

// Shapes gives the shapes of the cells of a column. Cells that only differ in their digits have the same shape but for
// zeros; most that are not plain are like the one before.
type Shapes struct {
	cell  string // that was looked at last
	shape shape
}

func (l *Shapes) Of(cell string) shape {
	if s, ok := plainShape(cell); ok {
		return s
	}
	if !alike(cell, l.cell) {
		l.cell, l.shape = cell, triedShape(cell)
	}
	s := l.shape
	s.Zero = s.Number && !strings.ContainsAny(cell, "123456789")
	return s
}

// alike reports whether two texts only differ in their digits.
func alike(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && !(IsDigit(rune(a[i])) && IsDigit(rune(b[i]))) {
			return false
		}
	}
	return true
}

// Zeros reports whether a text is nothing but zeros.
func Zeros(text string) bool {
	for i := range len(text) {
		if text[i] != '0' {
			return false
		}
	}
	return true
}

// plainShape reads the usual cell: a minus perhaps, digits, one mark perhaps, digits.
func plainShape(cell string) (shape, bool) {
	digits, minus := strings.CutPrefix(cell, "-")
	if digits == "" || len(digits) > 16 {
		return shape{}, false
	}
	at, zero := -1, true
	for i := 0; i < len(digits); i++ {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			zero = zero && c == '0'
		case (c == '.' || c == ',') && at < 0 && i > 0 && i < len(digits)-1:
			at = i
		default:
			return shape{}, false
		}
	}
	s := shape{Number: true, Minus: minus, Zero: zero, Point: true, Comma: true, Spaced: true}
	if at < 0 {
		return s, true
	}
	s.Mark, s.Decimals = true, len(digits)-at-1
	groups := s.Decimals == 3 && at <= 3 && digits[0] != '0'
	if digits[at] == '.' {
		s.Comma, s.Spaced = groups, false
	} else {
		s.Point = groups
	}
	return s, true
}
