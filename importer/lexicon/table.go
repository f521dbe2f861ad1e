// Package lexicon knows the words of statements and exports in the languages of their banks: what columns are called
// and months, what says that a payment is pending, what a currency is written as.
//
// The words stand in one table, embed/lexicon.txt, one list for each meaning, and every reader asks for them here; a
// word that is added there is understood in every format. The package knows words and nothing of files: what follows
// from a word is decided by who asks.
package lexicon

import (
	"strings"
	"sync"
	"unicode/utf8"

	"finsvc/embed"
	"finsvc/importer/text"
)

// Meaning is what the words of a list of the table mean; the table says it of each.
type Meaning string

// The meanings of lists without keys.
const (
	Neutral              Meaning = "neutral"
	NeverBooked          Meaning = "never booked"
	Reversed             Meaning = "reversed"
	Pending              Meaning = "pending"
	PendingLessSure      Meaning = "pending, less sure"
	PendingMark          Meaning = "pending mark"
	PendingBeginning     Meaning = "pending beginning"
	PendingSection       Meaning = "pending section"
	BookedSection        Meaning = "booked section"
	Booked               Meaning = "booked"
	OrderOpen            Meaning = "order open"
	PurchaseDay          Meaning = "purchase day"
	BookingDay           Meaning = "booking day"
	Total                Meaning = "total"
	TotalOrBalance       Meaning = "total or balance"
	PrintedTotal         Meaning = "printed total"
	BookedOpeningBalance Meaning = "booked opening balance"
	OpeningBalance       Meaning = "opening balance"
	ClosingBalance       Meaning = "closing balance"
	BalanceRow           Meaning = "balance row"
	BareBalance          Meaning = "bare balance"
	PrintedOpening       Meaning = "printed opening balance"
	PrintedClosing       Meaning = "printed closing balance"
	PrintedDayBalance    Meaning = "printed balance of a day"
	PrintedCarried       Meaning = "printed balance carried"
	PrintedCredits       Meaning = "printed credits"
	PrintedDebits        Meaning = "printed debits"
	PrintedStatement     Meaning = "printed statement"
	OpeningEntry         Meaning = "opening entry"
	Card                 Meaning = "card"
	CardPurchaseDay      Meaning = "card purchase day"
	CardBookingDay       Meaning = "card booking day"
	Shop                 Meaning = "shop"
	Gain                 Meaning = "gain"
	Loss                 Meaning = "loss"
	Thanks               Meaning = "thanks"
	AmountWord           Meaning = "amount word"
	CurrencyWord         Meaning = "currency word"
	JoiningWord          Meaning = "joining word"
	AmountEnding         Meaning = "amount ending"
	CurrencyEnding       Meaning = "currency ending"
	OtherSum             Meaning = "other sum"
	CurrencyPart         Meaning = "currency part"
	PricePart            Meaning = "price part"
	Home                 Meaning = "home"
	FeeHeader            Meaning = "fee header"
	ChargeHeader         Meaning = "charge header"
	FeeWord              Meaning = "fee word"
	FeeEnding            Meaning = "fee ending"
	FeeBeginning         Meaning = "fee beginning"
	FeePart              Meaning = "fee part"
	BesideFee            Meaning = "beside fee"
	BesideFeePart        Meaning = "beside fee part"
	TradeFeeHeader       Meaning = "trade fee header"
	TradeTotalHeader     Meaning = "trade total header"
	AccruedHeader        Meaning = "accrued interest header"
	TradeKindHeader      Meaning = "trade kind header"
	SymbolHeader         Meaning = "symbol header"
	SecurityNameHeader   Meaning = "security name header"
	SecurityTextHeader   Meaning = "security text header"
	PurposeHeader        Meaning = "purpose header"
	NoteHeader           Meaning = "note header"
	IDWord               Meaning = "id word"
	BookingWord          Meaning = "booking word"
	IDHeader             Meaning = "id header"
	ReferenceHeader      Meaning = "reference header"
	OtherNumber          Meaning = "other number"
	TradeInShares        Meaning = "trade in shares"
	TradeUndone          Meaning = "trade undone"
	UnitsMoved           Meaning = "units moved"

	languages       Meaning = "languages"
	yearBeforeMonth Meaning = "year before month"
	monthBeforeDay  Meaning = "month before day"
)

// The meanings of lists with keys, see [Entries].
const (
	TradeWord      Meaning = "trade word"
	TradeBeginning Meaning = "trade beginning"
	TradePart      Meaning = "trade part"
	Charsets       Meaning = "charsets"
	Letters        Meaning = "letters"
	AccountTypes   Meaning = "account types"

	Months         Meaning = "months"
	weekdays       Meaning = "weekdays"
	headers        Meaning = "headers"
	printedHeaders Meaning = "printed headers"
	directions     Meaning = "directions"
	letterPairs    Meaning = "direction letters"
	signs          Meaning = "currency signs"
	abbreviations  Meaning = "currency abbreviations"
	currencyNames  Meaning = "currency names"
	currencyMarks  Meaning = "currency marks"
	hundredths     Meaning = "currency hundredths"
	formerCodes    Meaning = "former codes"
)

// Entry is a key of a list and its words.
type Entry struct {
	Key   string
	Words []string
}

// list is what the table has of a meaning.
type list struct {
	entries []Entry
	words   []string       // of all entries
	places  map[string]int // of words without a key, in their plain form
}

// table is the file, taken apart.
type table struct {
	lists map[Meaning]*list

	months        map[string]int
	monthsBegun   map[string]int
	weekdays      map[string]int
	headers       headerNames
	directions    []Direction
	printed       map[string]Role
	currencyNames map[string]string // codes by folded names
	currencyMarks map[string]string // codes by marks in small letters, blank for those of several currencies
	signs         map[string][]string
	abbreviations map[string][]string
	hundredths    map[string]string
	formerCodes   map[string]string
}

// words takes the table apart when it is first needed; it is only read after that.
var words = sync.OnceValue(func() *table { return newTable(embed.Lexicon) })

func newTable(file string) *table {
	t := &table{lists: map[Meaning]*list{}}
	var l *list
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			l = &list{places: map[string]int{}}
			t.lists[Meaning(strings.Trim(line, "[]"))] = l
		case l != nil:
			l.add(line)
		}
	}
	t.months, t.weekdays = numbersOf(t.lists[Months]), numbersOf(t.lists[weekdays])
	// The numbers by what the names of one number begin with, three letters or more.
	numbers := t.months
	const shortest = 3
	begun := map[string]int{}
	for name, number := range numbers {
		for end := range name {
			if utf8.RuneCountInString(name[:end]) < shortest {
				continue
			}
			known, taken := begun[name[:end]]
			if taken && known != number {
				begun[name[:end]] = 0
			} else {
				begun[name[:end]] = number
			}
		}
	}
	t.monthsBegun = begun
	t.headers = newHeaderNames(t.lists[headers])
	t.directions = pairsOf(t.lists[directions])
	t.printed = printedRoles(t.lists[printedHeaders])
	t.currencyNames = codesByWord(t.lists[currencyNames], text.Fold)
	t.currencyMarks = codesByWord(t.lists[currencyMarks], strings.ToLower)
	t.signs, t.abbreviations = wordsByKey(t.lists[signs]), wordsByKey(t.lists[abbreviations])
	t.hundredths = codesByWord(t.lists[hundredths], func(mark string) string { return mark })
	t.formerCodes = codesByWord(t.lists[formerCodes], strings.ToUpper)
	return t
}

// add takes in a line of a list.
func (l *list) add(line string) {
	key, rest, keyed := strings.Cut(line, ":")
	if !keyed {
		key, rest = "", line
	}
	if strings.HasPrefix(line, " ") && len(l.entries) > 0 || !keyed && len(l.entries) == 1 && l.entries[0].Key == "" {
		rest = line
	} else {
		l.entries = append(l.entries, Entry{Key: key})
	}
	entry := &l.entries[len(l.entries)-1]
	for word := range strings.SplitSeq(rest, ";") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		entry.Words = append(entry.Words, word)
		l.words = append(l.words, word)
		if entry.Key == "" {
			l.places[text.Plain(word)] = len(l.words) - 1
		}
	}
}

func wordsByKey(l *list) map[string][]string {
	byKey := make(map[string][]string, len(l.entries))
	for _, entry := range l.entries {
		byKey[entry.Key] = entry.Words
	}
	return byKey
}

// Entries are the keys of a list with their words, as the table has them.
func Entries(m Meaning) []Entry { return words().lists[m].entries }

// Words are the words of a list, as the table has them.
func Words(m Meaning) []string { return words().lists[m].words }

// Has reports whether a cell, without what stands in parentheses and without a currency at its end, is a word of a
// list.
func Has(m Meaning, cell string) bool {
	plain, _ := PlainHeader(cell)
	return HasPlain(m, plain)
}

// HasPlain reports whether a text in its plain form is a word of a list.
func HasPlain(m Meaning, plain string) bool { return Place(m, plain) >= 0 }

// Place is where a list has a text in its plain form, from 0; -1 when it has not.
func Place(m Meaning, plain string) int {
	place, known := words().lists[m].places[plain]
	if !known {
		return -1
	}
	return place
}

// Begins reports whether a text in its plain form begins with a word of a list, whole.
func Begins(m Meaning, plain string) bool {
	for end := range len(plain) {
		if plain[end] == ' ' && HasPlain(m, plain[:end]) {
			return true
		}
	}
	return HasPlain(m, plain)
}

// Speaks reports whether a word of a list, or two beside each other, stand in a text. In scripts without spaces they
// may stand anywhere.
func Speaks(m Meaning, cell string) bool {
	plain := text.Fold(cell)
	if text.Wide(plain) {
		list := words().lists[m].words
		for _, word := range list {
			if text.Wide(word) && strings.Contains(plain, word) {
				return true
			}
		}
		return false
	}
	parts := strings.FieldsFunc(plain, func(r rune) bool { return strings.ContainsRune(" .,:;-/()[]*~#+（）【】", r) })
	for i, word := range parts {
		if HasPlain(m, word) || i > 0 && HasPlain(m, parts[i-1]+" "+word) {
			return true
		}
	}
	return false
}
