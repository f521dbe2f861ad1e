package pdf

import "slices"

// takeBalances reports whether the line names balances; n is how many words its dates take. They stand behind their
// names, or below them in the following line.
func (s *sheet) takeBalances(i, n int) bool {
	line, found := s.lines[i], false
	for at := s.afterDates(line, n); at < len(line.words); at++ {
		kind, words := s.lexicon.balance(line.words[at:])
		if kind == noBalance {
			if n > 0 {
				break // a row may speak of balances in its text
			}
			continue
		}
		if !s.takeBalance(i, at, min(at+words, len(line.words)), kind) {
			continue
		}
		if !found {
			s.close()
		}
		found = true
	}
	return found
}

// afterDates is the first word behind the dates that a line begins with.
func (s *sheet) afterDates(line *pdfRow, n int) int {
	if n == 0 {
		return 0
	}
	at := n
	if at < len(line.words) {
		if _, more := s.dates.at(line.words, at); more > 0 {
			at += more
		}
	}
	return at
}

// takeBalance takes the amounts up to the next name; which of several is meant is for the sum to tell.
func (s *sheet) takeBalance(i, from, to int, kind balanceKind) bool {
	line, found := s.lines[i], false
	for at := to; at < len(line.words); {
		if next, _ := s.lexicon.balance(line.words[at:]); next != noBalance {
			break
		}
		amount, n := s.amounts.at(line.words, at) // 31.12 may be a date as well: the sum tells
		if n > 0 {
			s.balances, found = append(s.balances, pdfBalance{kind, amount, len(s.entries)}), true
		} else {
			_, n = s.dates.at(line.words, at)
		}
		at += max(n, 1)
	}
	return found || kind == carriedBalance && to == len(line.words) || s.takeBelow(i, from, to, kind)
}

// takeBelow takes the amount that stands in the next line below the name.
func (s *sheet) takeBelow(i, from, to int, kind balanceKind) bool {
	if i+1 >= len(s.lines) || s.lines[i+1].page != s.lines[i].page {
		return false
	}
	below := s.lines[i+1]
	if _, n := s.dates.at(below.words, 0); n > 0 {
		return false
	}
	left, right := s.lines[i].words[from].X, s.lines[i].words[to-1].Right()
	for at := range below.words {
		amount, n := s.amounts.at(below.words, at)
		if n > 0 && amount.left < right && amount.right > left {
			s.balances = append(s.balances, pdfBalance{kind, amount, len(s.entries)})
			return true
		}
	}
	return false
}

// ends are the balances that the rows may lead from and to, each once. Unmarked is the sign of those without a mark.
func (s *sheet) ends(unmarked int64) (openings, closings []int64) {
	var plain []int64
	for _, b := range s.balances {
		value := b.amount.signed(unmarked)
		switch b.kind {
		case openingBalance:
			openings = addOnce(openings, value)
		case closingBalance:
			closings = addOnce(closings, value)
		case plainBalance:
			plain = append(plain, value)
		case noBalance, carriedBalance:
		}
	}
	if len(plain) > 1 || len(plain) == 1 && len(closings) > 0 {
		openings = addOnce(openings, plain[0])
	}
	if len(plain) > 1 || len(plain) == 1 && len(openings) > 0 {
		closings = addOnce(closings, plain[len(plain)-1])
	}
	return openings, closings
}

// carried are the balances that were brought forward to the first page and carried forward from the last one. Where
// none is called opening or closing, as on many British statements, they are those of the statement.
func (s *sheet) carried(unmarked int64) (first, last []int64) {
	for _, b := range s.balances {
		if b.kind != carriedBalance {
			continue
		}
		last = []int64{b.amount.signed(unmarked)}
		if first == nil {
			first = last
		}
	}
	return first, last
}

func addOnce(list []int64, value int64) []int64 {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}
