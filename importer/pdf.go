package importer

import (
	"io"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// PdfImport is the type of bank statements in PDF.
const PdfImport = "PdfImport"

// statementFormat reads bank statements in PDF.
type statementFormat struct{}

func (statementFormat) settings(s Settings) Settings { return s }

func (statementFormat) open(file io.Reader, s Settings, d Defaults) (source, error) {
	if d.PDFWords == nil { // which come with the account, see defaults
		return nil, &OpenQuestion{"account_id", "must be given: a statement is of one account"}
	}
	words, err := d.PDFWords(file)
	if err != nil {
		return nil, err
	}
	account := StatementAccount{Currency: d.Currency, Liability: d.Liability}
	return &statementRows{Statement: ReadStatement(words, s, account), currency: d.Currency}, nil
}

// statementRows gives the rows of a statement one by one.
type statementRows struct {
	Statement
	currency money.Currency
	next     int
}

// Next is the following row.
func (r *statementRows) Next() (Row, error) {
	if r.next == len(r.Rows) {
		return Row{}, io.EOF
	}
	row := r.Rows[r.next].plan(r.next+1, r.currency)
	r.next++
	return row, nil
}

// Header is the header of the table, as far as there is one.
func (r *statementRows) Header() []string { return r.Statement.Header }

// Encoding is always the same: a PDF says itself what its letters are.
func (r *statementRows) Encoding() string { return "pdf" }

// doubt says why the rows must not be published; see doubtful.
func (r *statementRows) doubt() string { return r.Doubt }

// balances are those that the statement prints and its rows lead between; see stated.
func (r *statementRows) balances() (opening, closing int64, ok bool) {
	return r.Opening, r.Closing, r.Proven && r.Doubt == ""
}

// settings are those that the statement was read with; see settled.
func (r *statementRows) settings() (Settings, bool) { return r.Found, r.Doubt == "" }

// plan makes the row a transaction.
func (s StatementRow) plan(number int, currency money.Currency) Row {
	name := oneLine(s.Name)
	row := Row{Number: number, Line: s.Line, Body: Transaction{}, Date: s.Date, Minor: s.Minor, Currency: currency, Raw: s.Raw, Key: s.key()}
	row.Name, row.Notes = ledger.FitName(or(name, defaultName), notes(s.Notes))
	if longer(row.Notes, ledger.MaxNotes) {
		row.Notes = string([]rune(row.Notes)[:ledger.MaxNotes])
	}
	return row
}

// key is the source hash of three cells, in this order: the date as YYYY-MM-DD, for banks leave the year out; the text
// without white space, for PDF has none; the minor units, positive for money into the account. It is stored, so it
// must never change.
func (s StatementRow) key() int64 {
	text := strings.Join(strings.Fields(s.Raw[1]), "")
	key, _ := sourceHash(nil, []string{s.Date.String(), text, strconv.FormatInt(s.Minor, 10)})
	return key
}
