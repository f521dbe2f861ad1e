package qif

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// qifFacts are what has to be known of a whole file before its first row can be read.
type qifFacts struct {
	dates      dateProof
	numbers    numberProof
	securities map[string]string // symbols by folded name
	aliases    map[int]string    // accounts that opening balances name, by section
	slots      []*qifSlot        // the accounts of the file
	byKey      map[string]*qifSlot
	transfers  bool           // some entry names another account
	section    int            // the number of the one that was seen last
	home       money.Currency // of the import's account, else of the household
}

// qifSlot is an account of a file.
type qifSlot struct {
	name        string // blank when the file does not say
	accountType string
	title       string // of its first section
	line        int
	taker       bool // it can be the import's account
	home        qifHome
}

// qifHome says where the rows of a slot go.
type qifHome struct {
	account  string // by name; blank for the account of the import
	byName   bool
	currency money.Currency
	refused  string // why it cannot have trades; blank when it can
}

// read reads a whole file.
func (f *qifFacts) read(reader *qifReader) error {
	for {
		record, err := reader.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch record.section.purpose {
		case qifSecurities:
			name, symbol := ledger.Fold(record.get('N')), strings.TrimSpace(record.get('S'))
			if _, known := f.securities[name]; !known && name != "" && symbol != "" {
				f.securities[name] = symbol
			}
		case qifEntries, qifTrades:
			f.addEntry(record)
		case qifPrices:
			f.addPrices(record)
		}
	}
}

func (f *qifFacts) addEntry(record qifRecord) {
	if s := record.section; s.number != f.section {
		f.section = s.number
		if s.account == "" && isOpening(record.get('P')) {
			if _, own := cutCategory(record.get('L')); own != "" {
				f.aliases[s.number] = own
			}
		}
		f.addSlot(s)
	}
	f.dates.add(record.get('D'), record.line)
	for _, field := range record.fields {
		switch field.letter {
		case 'T', 'U', '$', 'O':
			f.numbers.add(field.text, record.line, true)
		case 'I', 'Q':
			if record.section.purpose == qifTrades {
				f.numbers.add(field.text, record.line, false)
			}
		case 'L':
			f.transfers = f.transfers || strings.Contains(field.text, "[")
		}
	}
}

// nameOf is the account that a section belongs to, blank when the file does not say.
func (f *qifFacts) nameOf(s *qifSection) string { return cmp.Or(s.account, f.aliases[s.number]) }

// slot is the account of a section; nil when it was not seen yet.
func (f *qifFacts) slot(s *qifSection) *qifSlot { return f.byKey[f.keyOf(s)] }

// keyOf tells accounts apart: by name, and those without a name by the kind of their sections.
func (f *qifFacts) keyOf(s *qifSection) string {
	if name := f.nameOf(s); name != "" {
		return "name " + ledger.Fold(name)
	}
	return "kind " + s.kind
}

func (f *qifFacts) addSlot(s *qifSection) {
	slot := f.slot(s)
	if slot == nil {
		slot = &qifSlot{name: f.nameOf(s), accountType: s.accountType, title: s.title, line: s.line}
		f.slots = append(f.slots, slot)
		f.byKey[f.keyOf(s)] = slot
	}
	if s.purpose == qifTrades {
		slot.accountType = s.accountType
	}
}

// investments is the account of securities that a file does not name, beside an import's account that
// cannot hold any.
const investments = "Investments"

// nameBeside is the name of an account that is not the import's own; blank when nobody can tell.
func (s *qifSlot) nameBeside(own *ledger.AccountRef) string {
	if s.name == "" && own != nil && !isInvesting(own.AccountType) && isInvesting(s.accountType) {
		return investments
	}
	return s.name
}

// markTakers finds the accounts of the file that the import's own can be: those that hold securities, if it can, else
// those that do not. Where two of them have no name, it is none.
func (f *qifFacts) markTakers(own *ledger.AccountRef) (takers int) {
	if own == nil {
		return 0
	}
	nameless := 0
	for _, slot := range f.slots {
		slot.taker = isInvesting(slot.accountType) == isInvesting(own.AccountType) ||
			isInvesting(own.AccountType) && len(f.slots) == 1
		if slot.taker {
			takers++
		}
		if slot.taker && slot.name == "" {
			nameless++
		}
	}
	for _, slot := range f.slots {
		slot.taker = slot.taker && nameless < 2
	}
	return takers
}

// homeless asks for the account.
func (s *qifSlot) homeless(own *ledger.AccountRef) error {
	if own == nil {
		return &record.OpenQuestion{Setting: "account_id", Message: fmt.Sprintf("must be given: the section %s (line %d) does not say which account it belongs to", s.title, s.line)}
	}
	return &record.OpenQuestion{Setting: "account_id", Message: fmt.Sprintf("must be given for each account by itself: the section %s (line %d) is not the only one that does not say which account it belongs to. Send one file per account", s.title, s.line)}
}

// check says why an account that exists takes no trades.
func (h *qifHome) check(account *ledger.AccountRef) {
	if account != nil && !isInvesting(account.AccountType) {
		h.refused = fmt.Sprintf("must be of type investment or crypto to hold securities, %s is %s",
			ledger.Quote(account.Name), account.AccountType)
	}
}

// isOpening reports whether a payee means an opening balance.
func isOpening(payee string) bool {
	plain := text.Plain(payee)
	return lexicon.HasPlain(lexicon.BookedOpeningBalance, plain) || lexicon.HasPlain(lexicon.OpeningBalance, plain) ||
		lexicon.HasPlain(lexicon.OpeningEntry, plain)
}

// cutCategory parts the text of L and S: Category:Sub/Class, [record.Account]/Class, Category|[record.Account]. The
// classes stand with the category still. Where the text names an account, it is the other side of a transfer.
func cutCategory(cell string) (category, account string) {
	for part := range strings.SplitSeq(cell, "|") {
		part = strings.TrimSpace(part)
		inner, bracketed := strings.CutPrefix(part, "[")
		name, rest, closed := strings.Cut(inner, "]")
		switch {
		case bracketed && closed && account == "":
			account = text.OneLine(name)
			category += strings.TrimSpace(rest)
		default:
			category += part
		}
	}
	return category, account
}
