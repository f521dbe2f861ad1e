package importer

import (
	"errors"
	"io"
	"slices"
)

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

// format is how the files of one type of import are read.
//
// To add one that is no CSV, write how it opens a file as a source of rows, and name it in formatNamed; see [kind]
// for the rest.
type format interface {
	// settings fills in what a request leaves out, where the type knows better than the general defaults.
	settings(s Settings) Settings
	// open begins to read a file. The error is a validation error of the settings, a *[FileError] for content
	// that cannot be read, or that of the reader.
	open(file io.Reader, s Settings, d Defaults) (source, error)
}

// source gives the rows of a file one by one.
type source interface {
	// Next is the following row. The error is io.EOF after the last row, a *[FileError] for content that ends
	// the file, or that of the reader; it is repeated by every further call.
	Next() (Row, error)
	// Header is the header line; nil when the file has none.
	Header() []string
	// Encoding is the character set the file was read in. It is final after the last row.
	Encoding() string
}

// doubtful is a source that may know that its rows, though each can be read, must not be published. It is final
// after the last row; blank: there is no doubt. The text continues a sentence that begins with the file.
type doubtful interface{ doubt() string }

// doubtOf is the doubt of any source.
func doubtOf(rows source) string {
	if d, ok := rows.(doubtful); ok {
		return d.doubt()
	}
	return ""
}

// settled is a source that found out how the file is to be read, where the request left that open; ok is false when
// it did not. It is final after the last row. Reading with these settings gives the same rows.
type settled interface{ settings() (s Settings, ok bool) }

// settledBy are the settings that a file was read with.
func settledBy(rows source, given Settings) Settings {
	if s, ok := rows.(settled); ok {
		if found, sure := s.settings(); sure {
			return found
		}
	}
	return given
}

// formatNamed is nil for a type that this version does not read.
func formatNamed(name string) format {
	switch name {
	case QifImport:
		return qif{}
	case PdfImport:
		return statementFormat{}
	case ServiceImport:
		return backup{}
	}
	if kindNamed(name, Defaults{}) != nil {
		return table{name}
	}
	return nil
}

// readable are the types that this version reads.
func readable() []string {
	return slices.DeleteFunc(Types(), func(name string) bool { return formatNamed(name) == nil })
}

// table is the format of all kinds of CSV.
type table struct{ kind string }

func (t table) settings(s Settings) Settings { return kindNamed(t.kind, Defaults{}).settings(s) }

func (t table) open(file io.Reader, s Settings, d Defaults) (source, error) {
	d.Type = t.kind
	rows, err := NewRows(file, s, d)
	if rows == nil {
		return nil, err
	}
	return rows, err
}

// complete fills in the defaults of formats that have some. Statements and QIF have none: what is not given is found.
func complete(kind string, s Settings) Settings {
	if kind == PdfImport || kind == QifImport {
		return s
	}
	return s.withDefaults()
}

// hasAccount says whether the rows of a type belong to accounts, so that an import may have one.
func hasAccount(name string) bool {
	switch name {
	case AccountImport, CategoryImport, RuleImport, ServiceImport:
		return false
	}
	return true
}

// each shows every row that is left, until visit gives an error, which it returns.
func each(rows source, visit func(Row) error) error {
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
