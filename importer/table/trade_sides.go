package table

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
)

// Side is what a word or phrase says that a row of a broker's file is.
type Side string

const (
	SideUnsaid   Side = "" // nothing that is understood, or several things at once
	SideBuy      Side = "buy"
	SideSell     Side = "sell"
	sideReinvest Side = "reinvest" // a purchase when it has a quantity and a price, else the dividend that pays for it
	SideDividend Side = "dividend"
	SideInterest Side = "interest"
	sideOwed     Side = "interest that is paid" // a cost
	sideFee      Side = "fee"
	sideOther    Side = "other" // neither trade nor income: money or shares that come and go, splits, taxes
)

// What single words say besides. None of these is the meaning of a phrase.
const (
	wordTax    Side = "tax"    // of income as well: it is none then
	wordMove   Side = "move"   // money or shares that come and go, unless the phrase says for what income
	wordMoney  Side = "money"  // how something is paid, which a purchase, a sale or income may be said to be, too
	wordCredit Side = "credit" // likewise; interest on it is income
	wordDebt   Side = "debt"   // likewise; interest on it is a cost
	wordUndo   Side = "undone" // something is taken back
)

// Phrases understands what brokers call the sides of their trades. It remembers the phrases it has seen, which
// are few; there is one for every reading of a file. The zero value is ready.
type Phrases struct {
	words map[string]Side // whole words
	stems []stem          // beginnings of words, and parts of compounds
	seen  map[string]Side // by phrase
}

// stem is how words of a side begin; inside says that it may stand anywhere in a word.
type stem struct {
	text   string
	inside bool
	side   Side
}

// fill takes the words of the lexicon; it takes its time, and many files have no such column.
func (p *Phrases) fill() {
	p.words, p.seen = map[string]Side{}, map[string]Side{}
	for _, entry := range lexicon.Entries(lexicon.TradeWord) {
		for _, word := range entry.Words {
			p.words[text.Plain(word)] = Side(entry.Key)
		}
	}
	for _, entry := range lexicon.Entries(lexicon.TradeBeginning) {
		p.addStems(entry, false)
	}
	for _, entry := range lexicon.Entries(lexicon.TradePart) {
		p.addStems(entry, true)
	}
}

func (p *Phrases) addStems(entry lexicon.Entry, inside bool) {
	for _, word := range entry.Words {
		p.stems = append(p.stems, stem{text.Plain(word), inside, Side(strings.TrimPrefix(entry.Key, "both"))})
	}
}

// Of is what the phrase in a cell says besides the name of the security, which may stand in it as it stands in another
// cell: the word dividend in the name of a fund says nothing of the row.
func (p *Phrases) Of(cells []string, at int) Side {
	const shortest = 8
	phrase := text.OneLine(text.CellAt(cells, at))
	if !strings.Contains(phrase, " ") {
		return p.Meaning(phrase)
	}
	for i, cell := range cells {
		if i == at || len(cell) < shortest || len(cell) >= len(phrase) || !strings.Contains(cell, " ") {
			continue
		}
		if from := strings.Index(strings.ToUpper(phrase), strings.ToUpper(cell)); from >= 0 &&
			from+len(cell) <= len(phrase) {
			phrase = text.OneLine(phrase[:from] + " " + phrase[from+len(cell):])
		}
	}
	return p.Meaning(phrase)
}

// Meaning is what a phrase says.
func (p *Phrases) Meaning(phrase string) Side {
	if p.words == nil {
		p.fill()
	}
	s, known := p.seen[phrase]
	if !known {
		s = p.read(phrase)
		const most = 2_000 // phrases to remember
		if len(p.seen) < most {
			p.seen[strings.Clone(phrase)] = s
		}
	}
	return s
}

// read takes a phrase for what its words agree on. What speaks of a purchase or sale and of something else, such as
// "buy fee", is not understood.
func (p *Phrases) read(phrase string) Side {
	said := map[Side]bool{}
	words := strings.FieldsFunc(text.Plain(phrase), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		// a letter in a phrase is somebody's name, one with digits a number
		if len(word) > 1 || text.Plain(phrase) == word {
			said[p.word(word)] = true
		}
	}
	income := said[SideDividend] || said[SideInterest] || said[sideOwed]
	trade, other := said[SideBuy] || said[SideSell], said[sideFee] || said[sideOther] || said[wordTax] ||
		said[wordMove] || said[wordUndo]
	switch {
	case said[sideReinvest] && (said[wordUndo] || said[wordTax]):
		return SideUnsaid
	case said[sideReinvest]:
		return sideReinvest
	case trade && (other || income), said[SideBuy] && said[SideSell]:
		return SideUnsaid
	case said[SideBuy]:
		return SideBuy
	case said[SideSell]:
		return SideSell
	case other || income:
		return telling(said, words)
	}
	s := shorting(words)
	if s == SideUnsaid && (said[wordMoney] || said[wordCredit] || said[wordDebt]) {
		return sideOther
	}
	return s
}

// telling chooses among what a phrase says besides trades. The most telling counts: "tax on dividend" is a tax. How
// income is paid, such as in cash or by a credit, changes nothing, but interest on a debt is a cost, and a dividend in
// shares is no money.
func telling(said map[Side]bool, words []string) Side {
	switch {
	case said[sideOther] || said[wordTax]:
		return sideOther
	case said[sideFee]:
		return sideFee
	case said[SideDividend] && inShares(words):
		return sideOther
	case said[SideDividend]:
		return SideDividend
	case said[sideOwed], said[SideInterest] && said[wordDebt] && !said[wordCredit]:
		return sideOwed
	case said[SideInterest]:
		return SideInterest
	}
	return sideOther
}

// inShares reports whether a dividend is one of shares: "stock dividend", "dividende en actions". "Dividend on stock" is
// money.
func inShares(words []string) bool {
	shares := lexicon.Words(lexicon.TradeInShares)
	for i, word := range words {
		before := i > 0 && slices.Contains(shares, words[i-1])
		within := i+2 < len(words) && slices.Contains([]string{"in", "en", "em"}, words[i+1]) &&
			slices.Contains(shares, words[i+2])
		if strings.HasPrefix(word, "divid") && (before || within) {
			return true
		}
	}
	return false
}

// shorting reads phrases that say nothing plainer: "short" is a sale, "cover", "short cover" and "savings plan" are
// purchases.
func shorting(words []string) Side {
	switch {
	case slices.Contains(words, "cover") || slices.Contains(words, "covered"):
		return SideBuy
	case slices.Contains(words, "short"):
		return SideSell
	case slices.Contains(words, "savings") && slices.Contains(words, "plan"):
		return SideBuy
	}
	return SideUnsaid
}

// word is what a word says by itself, the longest stem that fits deciding; that of a tax always does.
func (p *Phrases) word(word string) Side {
	if s, known := p.words[word]; known {
		return s
	}
	best := stem{}
	for _, s := range p.stems {
		fits := strings.HasPrefix(word, s.text) || s.inside && strings.Contains(word, s.text)
		if fits && s.side == wordTax {
			return wordTax
		}
		if fits && len(s.text) > len(best.text) {
			best = s
		}
	}
	if strings.HasSuffix(word, "kauf") && !strings.Contains(word, "verkauf") && !strings.Contains(word, "ruckkauf") ||
		strings.HasPrefix(word, "kauf") {
		return SideBuy
	}
	return best.side
}

// TakesBack reports whether a phrase speaks of a trade that is undone. It moves the units back, so to leave it out would
// be wrong, and of what it undoes it does not say whether it was a purchase.
func TakesBack(phrase string) bool {
	plain := text.Plain(phrase)
	return !strings.Contains(plain, "split") && slices.ContainsFunc(strings.Fields(plain), func(word string) bool {
		return slices.ContainsFunc(lexicon.Words(lexicon.TradeUndone),
			func(stem string) bool { return strings.HasPrefix(word, stem) })
	})
}
