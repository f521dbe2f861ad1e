package record

import (
	"errors"
	"io"
	"slices"
)

// ServiceImport is the type of imports whose files are backups: lines of JSON as [export.Service.WriteBackup] writes
// them, and as the application does whose API this is.
const ServiceImport = "ServiceImport"

// Question names a setting that must be given, and the values that fit.
type Question struct {
	Setting    string   `json:"setting"`
	Text       string   `json:"text"` // continues "SETTING must be given: "
	Candidates []string `json:"candidates"`
}

// The types of import that this version reads.
const (
	TransactionImport = "TransactionImport" // the type that an import has unless it says otherwise
	MintImport        = "MintImport"
	CategoryImport    = "CategoryImport"
	AccountImport     = "AccountImport"
	RuleImport        = "RuleImport"
	TradeImport       = "TradeImport"
	QifImport         = "QifImport"
)

// Reader gives the rows of a file one by one.
type Reader interface {
	// Next is the following row. The error is io.EOF after the last row, a *[text.FileError] for content that ends
	// the file, or that of the reader; it is repeated by every further call.
	Next() (Record, error)
	// Header is the header line; nil when the file has none.
	Header() []string
	// Encoding is the character set the file was read in. It is final after the last row.
	Encoding() string
}

// doubtful is a source that may know that its rows, though each can be read, must not be published. It is final
// after the last row; blank: there is no doubt. The text continues a sentence that begins with the file.
type doubtful interface{ Unfit() string }

// DoubtOf is the doubt of any source.
func DoubtOf(rows Reader) string {
	if d, ok := rows.(doubtful); ok {
		return d.Unfit()
	}
	return ""
}

// settled is a source that found out how the file is to be read, where the request left that open; ok is false when
// it did not. It is final after the last row. Reading with these settings gives the same rows.
type settled interface{ ReadWith() (s Settings, ok bool) }

// SettledBy are the settings that a file was read with.
func SettledBy(rows Reader, given Settings) Settings {
	if s, ok := rows.(settled); ok {
		if found, sure := s.ReadWith(); sure {
			return found
		}
	}
	return given
}

// Complete fills in the defaults of formats that have some. Statements and QIF have none: what is not given is found.
func Complete(kind string, s Settings) Settings {
	if kind == PdfImport || kind == QifImport {
		return s
	}
	return s.WithDefaults()
}

// HasAccount reports whether the rows of a type belong to accounts, so that an import may have one.
func HasAccount(name string) bool {
	switch name {
	case AccountImport, CategoryImport, RuleImport, ServiceImport:
		return false
	}
	return true
}

// Each shows every row that is left, until visit gives an error, which it returns.
func Each(rows Reader, visit func(Record) error) error {
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
}

// PdfImport is the type of bank statements in PDF.
const PdfImport = "PdfImport"

// OpenQuestion says that a file can be read in several ways, and that nothing in it proves one. The import
// waits until somebody gives the setting. It is the error with which a reader ends that finds out by itself how its
// file is read, QIF's; what detection asks of a table is a question: there may be several, with the values that fit,
// and they are kept with the import.
type OpenQuestion struct {
	Setting string // its name in the API, such as date_format
	Message string // continues the sentence that the name begins
}

// Error is a sentence for people.
func (q *OpenQuestion) Error() string { return q.Setting + " " + q.Message }

// Types are the import types of the contract.
func Types() []string {
	return []string{TransactionImport, TradeImport, AccountImport, MintImport, CategoryImport, RuleImport, PdfImport,
		QifImport, ServiceImport}
}

// TypeNamed gives the type that a client means: SureImport is another name of ServiceImport.
func TypeNamed(name string) (string, bool) {
	if name == "SureImport" {
		name = ServiceImport
	}
	return name, slices.Contains(Types(), name)
}

// Stated is a source that proves the balances of its only account itself. It is final after the last row.
type Stated interface {
	Balances() (opening, closing int64, ok bool)
}
