package importer

import (
	"fmt"
	"io"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/ledger/money"
)

// Row is the transaction planned from one record, or the category or account. Where Issues is not empty
// the row cannot be imported and only the members that could be read are set.
type Row struct {
	Number     int // of the data row, from 1
	Line       int // of the file, from 1
	Date       ledger.Date
	Minor      int64 // minor units of Currency; money into the account is positive
	Currency   money.Currency
	Name       string
	Notes      string
	Category   string // a name, or "Parent:Child"
	Tags       []string
	Account    string   // as the file names it; blank when it does not
	Raw        []string // the cells without surrounding white space
	Key        int64    // of the raw cells, see sourceHash; equal rows have equal keys
	Occurrence int64    // how many equal rows came before it; set when the row is made, of rows that become no transaction
	Like       int64    // the same without what a bank changes later, see likeness
	Bank       int64    // a hash of the bank's own id of the booking; 0 where the file has none
	State      state    // what the bank says of a payment that is not simply booked
	Balance    int64    // of the account after the row, as the file writes it, in minor units of Currency
	HasBalance bool
	Skipped    string // why the row is left out; blank when it is not
	Warning    rowWarning
	There      bool // the household has what the row says, so nothing is made of it
	Issues     []Issue
	Remarks    []string // what is imported otherwise than the file has it, each a sentence that its subject begins

	Merchant           string    // a name
	Lines              []Line    // what a transaction is split into; their sum is Minor
	Opposite           int       // number of the row that is the other side of a transfer; 0 when the file does not say
	AccountRef         string    // names the account by what the file calls it, where names may repeat
	ExternalID, Source string    // a transaction's id elsewhere, and where
	Own                uuid.UUID // the id that a transaction has here already, of a file that was exported from here
	Told               []string  // sentences: what is made of the row other than it says

	Body        Body   // what the row makes; nil where it is not even known what it should
	AccountType string // of the account that the row names
	ByName      bool   // the row is of the account that it names, of AccountType, even where the import has an account
	Undated     bool   // what the row makes has no day
}

// Line is a part of a transaction that has a category of its own. Minor is in the row's currency, signed like the row's.
type Line struct {
	Minor       int64
	Name, Notes string
	Category    string // as in Row
	Merchant    string
	Tags        []string
}

// Entity names what the row makes, such as category, account or trade; it is blank for a transaction.
func (row *Row) Entity() string {
	if row.Body == nil {
		return ""
	}
	return row.Body.Entity()
}

// Trade is what a row says of a trade; nil for a row of something else.
func (row *Row) Trade() *Trade {
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

	PDFWords  func(file io.Reader) ([]PDFWord, error) // reads a PDF, for an import of one
	Liability bool                                    // the import's account is a card or a loan
	// Account is the import's; nil when it has none. Named finds one of the household's. Both only for QIF.
	Account *ledger.AccountRef
	Named   func(name string) *ledger.AccountRef
}

// defaultName is the name of a transaction that has none.
const defaultName = "Imported item"
