package qif

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"finsvc/importer/text"
	"finsvc/ledger"
)

// qifField is one line of a record: what its first letter says, and the rest.
type qifField struct {
	letter byte
	text   string // without surrounding white space
}

// qifRecord is what stands between two lines that begin with ^. One without fields announces a section that
// is not read.
type qifRecord struct {
	section *qifSection
	line    int // of the file, where it begins
	fields  []qifField
}

// get is the first field with a letter; blank when there is none.
func (r qifRecord) get(letter byte) string {
	for _, f := range r.fields {
		if f.letter == letter {
			return f.text
		}
	}
	return ""
}

func (r qifRecord) blank() bool {
	for _, f := range r.fields {
		if f.text != "" {
			return false
		}
	}
	return true
}

// qifPurpose is what the records of a section are for.
type qifPurpose int

const (
	qifEntries    qifPurpose = iota // of an account
	qifTrades                       // of an account that holds securities
	qifAccounts                     // lists
	qifSecurities                   //
	qifPrices                       // of securities
	qifNames                        // of categories, classes and tags, which the entries name as well
	qifUnread
)

// qifSection is a part of the file with a header.
type qifSection struct {
	purpose     qifPurpose
	kind        string // the header without white space, case and !, such as type:bank
	title       string // the header as people know it
	number      int    // of the section, from 1
	line        int    // of the header
	account     string // that a block before it names
	accountType string // of the ledger, what the section or the block says
}

// qifReader cuts lines into records, in constant memory.
type qifReader struct {
	lines     *text.LineReader
	section   *qifSection // nil before the first header
	header    string      // that ended the record before it, and is still to be opened
	current   qifAccount  // the one that the last block of accounts names alone
	listed    int         // accounts in the present block
	number    int         // of sections
	announced bool        // the present section is not read, and a record said so
	fields    []qifField  // of the present record
	size      int         // of the fields in bytes
	line      int         // where the present record begins
	err       error
}

// qifAccount is an account as a file declares it. The type is one of the ledger's, blank when it is not said.
type qifAccount struct{ name, accountType string }

func newQIFReader(file io.Reader) *qifReader { return &qifReader{lines: text.NewLineReader(file)} }

// next is the following record that says anything; io.EOF after the last. The error is repeated by every further call.
func (r *qifReader) next() (qifRecord, error) {
	for {
		record, err := r.record()
		if err != nil {
			return record, err
		}
		unread := record.section.purpose == qifUnread
		if record.blank() || unread && r.announced {
			continue
		}
		if record.section.purpose == qifAccounts {
			// One of several is not the next section's.
			r.current = qifAccount{}
			r.listed++
			if r.listed == 1 {
				_, accountType := qifPurposeOf("type:" + strings.ReplaceAll(ledger.Fold(record.get('T')), " ", ""))
				r.current = qifAccount{text.OneLine(record.get('N')), accountType}
			}
		}
		r.announced = unread
		if unread {
			record.fields = nil
		}
		return record, nil
	}
}

// record is what ends at the next ^, header or end of the file; blank where there is nothing.
func (r *qifReader) record() (qifRecord, error) {
	if r.header != "" {
		r.open(r.header)
		r.header = ""
	}
	for r.err == nil {
		line, err := r.lines.Next()
		if err != nil {
			r.err = err
			break
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '!' && len(r.fields) > 0:
			r.header = string(line)
			return r.take(), nil
		case line[0] == '!':
			r.open(string(line))
		case r.section == nil:
			r.err = text.BrokenAt(r.lines.Number, "must be a header such as !Type:Bank: this is no QIF file, or it is in another character set")
		case line[0] == '^':
			return r.take(), nil
		default:
			r.add(line)
		}
	}
	if errors.Is(r.err, io.EOF) && len(r.fields) > 0 {
		return r.take(), nil
	}
	return qifRecord{}, r.err
}

// add takes in a line of the present record; of what is not read one line is enough.
func (r *qifReader) add(line []byte) {
	if len(r.fields) == 0 {
		r.line, r.size = r.lines.Number, 0
	} else if r.section.purpose == qifUnread {
		return
	}
	r.size += len(line)
	if r.size > text.MaxRecord {
		r.err = text.BrokenAt(r.line, "begins a record that is longer than 1 MiB; is a line with ^ missing?")
		return
	}
	r.fields = append(r.fields, qifField{line[0], string(bytes.TrimSpace(line[1:]))})
}

// take gives the present record, and begins the next.
func (r *qifReader) take() qifRecord {
	record := qifRecord{section: r.section, line: r.line, fields: r.fields}
	r.fields = nil
	return record
}

// open begins the section that a header names. Switches are no sections.
func (r *qifReader) open(header string) {
	name := strings.ReplaceAll(ledger.Fold(strings.Join(strings.Fields(header[1:]), "")), "-", "")
	switch {
	case name == "clear:autoswitch":
		r.current = qifAccount{}
	case strings.HasPrefix(name, "option:"), strings.HasPrefix(name, "clear:"):
	default:
		r.number++
		r.section = &qifSection{number: r.number, kind: name, line: r.lines.Number,
			title: text.CutName(text.OneLine(header))}
		r.section.purpose, r.section.accountType = qifPurposeOf(name)
		r.listed, r.announced = 0, false
		r.assign()
	}
}

// assign gives a section of an account the account that the block before it names, unless one has securities
// and the other has not.
func (r *qifReader) assign() {
	s, declared := r.section, r.current
	if s.purpose != qifEntries && s.purpose != qifTrades || declared.accountType != "" &&
		isInvesting(declared.accountType) != (s.purpose == qifTrades) {
		return
	}
	s.account = declared.name
	if s.purpose == qifEntries && declared.accountType != "" {
		s.accountType = declared.accountType
	}
}

// qifPurposeOf knows the headers, and with them the types of accounts.
func qifPurposeOf(name string) (purpose qifPurpose, accountType string) {
	switch name {
	case "type:bank", "type:cash":
		return qifEntries, "depository"
	case "type:ccard", "type:creditcard":
		return qifEntries, "credit_card"
	case "type:otha":
		return qifEntries, "other_asset"
	case "type:othl":
		return qifEntries, "other_liability"
	case "type:invst", "type:port", "type:mutual", "type:401(k)/403(b)", "type:invest":
		return qifTrades, "investment"
	case "account":
		return qifAccounts, ""
	case "type:security":
		return qifSecurities, ""
	case "type:prices":
		return qifPrices, ""
	case "type:cat", "type:class", "type:tag":
		return qifNames, ""
	}
	return qifUnread, ""
}

// isInvesting reports whether accounts of a type of the ledger hold securities.
func isInvesting(accountType string) bool {
	return accountType == "investment" || accountType == "crypto"
}
