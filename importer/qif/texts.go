package qif

import (
	"cmp"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// qifTitle names a field in an issue.
func qifTitle(letter byte) string {
	switch letter {
	case 'D':
		return "date"
	case 'T', 'U':
		return "amount"
	case 'P':
		return "payee"
	case 'M':
		return "memo"
	case 'L', 'S':
		return "category"
	case 'N':
		return "action"
	case 'Y':
		return "security"
	case 'Q':
		return "quantity"
	case 'I':
		return "price"
	case 'O':
		return "commission"
	}
	return "line " + string(rune(letter))
}

// bracket writes the name of an account as the file does.
func bracket(account string) string {
	if account == "" {
		return ""
	}
	return "[" + account + "]"
}

// lines joins the lines of a letter before the first split, without blank ones.
func lines(record qifRecord, letter byte, between string) string {
	var list []string
	for _, f := range record.fields {
		if f.letter == 'S' {
			break
		}
		if f.letter == letter && f.text != "" {
			list = append(list, f.text)
		}
	}
	return strings.Join(list, between)
}

// labels reads a category with its classes, which become tags. --Split-- names none.
func (r *rowReader) labels(row *record.Record, letter byte, cell string) (category string, tags []string) {
	category, classes, _ := strings.Cut(cell, "/")
	category = text.CategoryPath(text.OneLine(category))
	if strings.HasPrefix(category, "--") {
		category = ""
	}
	if text.Longer(category, ledger.MaxName) {
		qifIssue(row, letter, category, text.TooLong(category, ledger.MaxName))
	}
	for class := range strings.FieldsFuncSeq(classes, func(c rune) bool { return c == ':' || c == '/' }) {
		class = text.OneLine(class)
		if text.Longer(class, ledger.MaxName) {
			qifIssue(row, letter, class, text.TooLong(class, ledger.MaxName))
		}
		tags = append(tags, class)
	}
	return category, text.Distinct(tags)
}

// qifNotes gathers what has no place of its own.
type qifNotes struct{ list []string }

func (n *qifNotes) add(text string) {
	if text != "" {
		n.list = append(n.list, text)
	}
}

func (n *qifNotes) label(name, text string) {
	if text != "" {
		n.add(name + " " + text)
	}
}

// name sets name and notes: the payee, else the memo's, else what is left to go by. A payee that is too long is
// kept whole in front of the notes.
func (r *rowReader) name(row *record.Record, rec qifRecord, remarks *qifNotes, otherName string) {
	name := text.OneLine(rec.get('P'))
	row.Notes = text.Notes(strings.Join(remarks.list, "\n"))
	if name != "" {
		row.Name, row.Notes = ledger.FitName(name, row.Notes)
	} else {
		row.Name = text.CutName(cmp.Or(text.OneLine(rec.get('M')), cmp.Or(otherName, record.DefaultName)))
	}
	if text.Longer(row.Notes, ledger.MaxNotes) {
		qifIssue(row, 'M', row.Notes, text.TooLong(row.Notes, ledger.MaxNotes))
	}
}
