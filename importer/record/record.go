// Package record is the vocabulary between the readers of files and those who write what they read into the books: a
// record with the body that it makes, what is wrong with it, the settings with which a file is read, and the questions
// that it leaves open.
//
// A reader of a new format gives records through a [Reader]. Nothing here opens a file or writes a book.
package record

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/ledger/money"
)

// Why a record of a backup becomes nothing.
const (
	SkippedNotKept = "not_kept" // there is no such thing here
	SkippedDerived = "derived"  // it follows from the others, and is compared with what does
	SkippedMissing = "missing_reference"
)

// SourceHash is the first eight bytes, big-endian, of the SHA-256 of the cells joined by U+001F; room is used to
// join them in and given back. It is stored, so it must never change.
func SourceHash(room []byte, cells []string) (int64, []byte) {
	room = room[:0]
	for i, cell := range cells {
		if i > 0 {
			room = append(room, 0x1F)
		}
		room = append(room, cell...)
	}
	sum := sha256.Sum256(room)
	return int64(binary.BigEndian.Uint64(sum[:8])), room
}

// RowNames are what a row names besides tags.
type RowNames struct{ Account, Ref, Category, Merchant string }

// AccountName is the account of a row in the maps of a forecast. Like all that a forecast keeps of a row
// it is a copy: a text of the row would keep many rows in memory.
func AccountName(row Record) string {
	return "account " + row.AccountRef + " " + ledger.Fold(row.Account)
}

// JustNames is a row that has only what names are resolved by.
func JustNames(row Record) Record {
	first := Record{Account: strings.Clone(row.Account), Category: strings.Clone(row.Category), Currency: row.Currency,
		Minor:    row.Minor,
		Merchant: strings.Clone(row.Merchant), AccountType: row.AccountType, ByName: row.ByName,
		AccountRef: strings.Clone(row.AccountRef)}
	for _, tag := range row.Tags {
		first.Tags = append(first.Tags, strings.Clone(tag))
	}
	return first
}

// Dated reports whether the row is to become something that has a date, and says which.
func (r *Record) Dated() bool { return r.Valued() && !r.Undated && (r.Planned() || r.Date != 0) }

// Valued reports whether the row is to become something that has an amount.
func (r *Record) Valued() bool {
	return (r.Planned() || r.Skipped == SkippedPending || r.Skipped == SkippedNever) && r.Entity() != EntityCategory &&
		r.Entity() != EntityRule && r.Currency.Code != ""
}

// Planned reports whether the row is to become a transaction, or whatever else its type makes.
func (r *Record) Planned() bool { return len(r.Issues) == 0 && r.Skipped == "" }

// Sentences are what is wrong with the row, each begun by its column.
func (r *Record) Sentences() []string {
	list := []string{}
	for _, issue := range r.Issues {
		list = append(list, issue.Column+" "+issue.Message)
	}
	return list
}

// Record is the transaction planned from one record, or the category or account. Where Issues is not empty
// the row cannot be imported and only the members that could be read are set.
type Record struct {
	Number   int // of the data row, from 1
	Line     int // of the file, from 1
	Date     ledger.Date
	Minor    int64 // minor units of Currency; money into the account is positive
	Currency money.Currency
	Name     string
	Notes    string
	Category string // a name, or "Parent:Child"
	Tags     []string
	Account  string   // as the file names it; blank when it does not
	Raw      []string // the cells without surrounding white space
	Key      int64    // of the raw cells, see SourceHash; equal rows have equal keys
	// how many equal rows came before it; set when the row is made, of rows that become no transaction
	Occurrence int64
	Like       int64 // the same without what a bank changes later, see likeness
	Bank       int64 // a hash of the bank's own id of the booking; 0 where the file has none
	State      State // what the bank says of a payment that is not simply booked
	Balance    int64 // of the account after the row, as the file writes it, in minor units of Currency
	HasBalance bool
	Skipped    string // why the row is left out; blank when it is not
	Warning    Warning
	Exists     bool // the household has what the row says, so nothing is made of it
	Issues     []Issue
	Remarks    []string // what is imported otherwise than the file has it, each a sentence that its subject begins

	Merchant string      // a name
	Lines    []SplitLine // what a transaction is split into; their sum is Minor
	// number of the row that is the other side of a transfer; 0 when the file does not say
	Opposite           int
	AccountRef         string    // names the account by what the file calls it, where names may repeat
	ExternalID, Source string    // a transaction's id elsewhere, and where
	FinsvcID           uuid.UUID // the id that a transaction has here already, of a file that was exported from here
	Changes            []string  // sentences: what is made of the row other than it says

	Body        Body   // what the row makes; nil where it is not even known what it should
	AccountType string // of the account that the row names
	ByName      bool   // the row is of the account that it names, of AccountType, even where the import has an account
	Undated     bool   // what the row makes has no day
}

// SplitLine is a part of a transaction that has a category of its own. Minor is in the row's currency, signed like the
// row's.
type SplitLine struct {
	Minor       int64
	Name, Notes string
	Category    string // as in Row
	Merchant    string
	Tags        []string
}

// Entity names what the row makes, such as category, account or trade; it is blank for a transaction.
func (row *Record) Entity() string {
	if row.Body == nil {
		return ""
	}
	return row.Body.Entity()
}

// Trade is what a row says of a trade; nil for a row of something else.
func (row *Record) Trade() *Trade {
	trade, _ := row.Body.(*Trade)
	return trade
}

// Issue says what keeps a row from being imported.
type Issue struct {
	Row     int    // number of the data row
	Line    int    // of the file
	Column  string // its header, or "column 3"
	Cell    string // as it stands in the file, cut to 200 characters
	Message string // continues the sentence that the column begins
}

// String is the whole sentence.
func (i Issue) String() string {
	return fmt.Sprintf("row %d (line %d): %s %s", i.Row, i.Line, i.Column, i.Message)
}

// Defaults are what a file need not say.
type Defaults struct {
	Type string // of the import; blank: TransactionImport
	Max  int64  // the longest file in bytes
	// Categories says where the household's categories stand, by folded name.
	Categories map[string]intake.CategoryPlace
	// Accounts are the household's accounts by folded name, for an import of accounts.
	Accounts map[string]intake.AccountKind
	// AccountKeys are the inner keys of accounts, by folded name; not of names that several have.
	AccountKeys map[string]int64
	// Currency of the import's account; of the household, when the file names the accounts.
	Currency money.Currency
	// AccountCurrency finds the currency of an account that a row names; false when there is none of
	// that name yet. It is nil when the import has one account: then the file's account column is
	// reported, but decides nothing.
	AccountCurrency func(name string) (money.Currency, bool)

	Liability bool // the import's account is a card or a loan
	// Account is the import's; nil when it has none. Named finds one of the household's. Both only for QIF.
	Account *ledger.AccountRef
	Named   func(name string) *ledger.AccountRef
}

// DefaultName is the name of a transaction that has none.
const DefaultName = "Imported item"

// Warning is what a preflight says of a row that can be imported, or is left out for a reason that changes what is
// held. It goes on after "row 5 ".
type Warning string

const (
	WarnUnits      Warning = "moves units without a purchase or sale and is left out: what is held will differ until that is entered"
	WarnReinvested Warning = "buys with income that is left out, so it is left out, too: give amount_col_label to have both booked"
	WarnTable      Warning = "stands below another header than the trades that are read and is left out: what is held may differ until that is entered"
	WarnRounded    Warning = "has a price with more decimals than can be stored, which is rounded"
	WarnHundredths Warning = "has a price in hundredths, per cent or pence, as its amount proves, which is divided by 100"
)

func (row *Record) AddIssue(column, cell, message string) {
	const most = 200
	if utf8.RuneCountInString(cell) > most {
		cell = string([]rune(cell)[:most])
	}
	row.Issues = append(row.Issues, Issue{row.Number, row.Line, column, cell, message})
}

// State is what a bank says of a payment that is not simply booked.
type State int

const (
	StateBooked  State = iota // or it says nothing
	StatePending              // it is to be booked, perhaps with another day or amount
	StateNever                // it was declined, reverted or given up, and is never booked
)

// Why rows are left out: values of Row.Skipped.
const (
	SkippedPending = "pending"
	SkippedNever   = "never_booked"
	SkippedSection = "section"
)
