// Package pdf reads statements of banks as records, given the words of a PDF with their places. What is read is proved
// by the balances that the statement prints; what they do not prove is not taken.
//
// It knows no file format: the package extract turns bytes into words, in a process of its own.
package pdf

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"finsvc/importer/pdf/extract"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Format reads bank statements in PDF; words reads the words of one, which is nil when the account is not known.
type Format struct {
	Words func(file io.Reader) ([]extract.Word, error)
}

func (Format) Settings(s record.Settings) record.Settings { return s }

func (f Format) Open(file *source.File, s record.Settings, d record.Defaults) (record.Reader, error) {
	if f.Words == nil {
		return nil, &record.OpenQuestion{Setting: "account_id", Message: "must be given: a statement is of one account"}
	}
	content, err := file.Open()
	if err != nil {
		return nil, err
	}
	words, err := f.Words(content)
	if err != nil {
		return nil, err
	}
	account := StatementAccount{Currency: d.Currency, Liability: d.Liability}
	return &statementRows{Statement: Read(words, s, account), currency: d.Currency}, nil
}

// statementRows gives the rows of a statement one by one.
type statementRows struct {
	Statement
	currency money.Currency
	next     int
}

// Next is the following row.
func (r *statementRows) Next() (record.Record, error) {
	if r.next == len(r.Rows) {
		return record.Record{}, io.EOF
	}
	// Make the row a transaction.
	s := r.Rows[r.next]
	number := r.next + 1
	currency := r.currency
	name := text.OneLine(s.Name)
	row := record.Record{Number: number, Line: s.Line, Body: record.Transaction{}, Date: s.Date, Minor: s.Minor,
		Currency: currency, Raw: s.Raw, Key: s.key()}
	row.Name, row.Notes = ledger.FitName(cmp.Or(name, record.DefaultName), text.Notes(s.Notes))
	if text.Longer(row.Notes, ledger.MaxNotes) {
		row.Notes = string([]rune(row.Notes)[:ledger.MaxNotes])
	}
	r.next++
	return row, nil
}

// Header is the header of the table, as far as there is one.
func (r *statementRows) Header() []string { return r.Statement.Header }

// Encoding is always the same: a PDF says itself what its letters are.
func (r *statementRows) Encoding() string { return "pdf" }

// Unfit says why the rows must not be published; see doubtful.
func (r *statementRows) Unfit() string { return r.Doubt }

// Balances are those that the statement prints and its rows lead between; see stated.
func (r *statementRows) Balances() (opening, closing int64, ok bool) {
	return r.Opening, r.Closing, r.Proven && r.Doubt == ""
}

// ReadWith are the settings that the statement was read with; see settled.
func (r *statementRows) ReadWith() (record.Settings, bool) { return r.Found, r.Doubt == "" }

// key is the source hash of three cells, in this order: the date as YYYY-MM-DD, for banks leave the year out; the text
// without white space, for PDF has none; the minor units, positive for money into the account. It is stored, so it
// must never change.
func (s StatementRow) key() int64 {
	text := strings.Join(strings.Fields(s.Raw[1]), "")
	key, _ := record.SourceHash(nil, []string{s.Date.String(), text, strconv.FormatInt(s.Minor, 10)})
	return key
}
