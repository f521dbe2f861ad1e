package table

import (
	"cmp"
	"fmt"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/export"
)

// readTexts sets name and notes. A name that is too long is cut, and kept whole in front of the notes.
func readTexts(r *Rows, row *record.Record) {
	row.Notes = text.Notes(textOf(r, row, record.FieldNotes))
	if text.Longer(row.Notes, ledger.MaxNotes) {
		r.issue(row, record.FieldNotes, text.TooLong(row.Notes, ledger.MaxNotes))
	}
	name := text.OneLine(textOf(r, row, record.FieldName))
	if name == "" {
		row.Name = text.CutName(cmp.Or(text.OneLine(row.Notes), record.DefaultName))
		return
	}
	row.Name, row.Notes = ledger.FitName(name, row.Notes)
	if row.Name != name && len(row.Issues) == 0 && text.Longer(row.Notes, ledger.MaxNotes) {
		r.issue(row, record.FieldName, fmt.Sprintf("is kept whole in front of the notes, and must have at most %d characters together with them", ledger.MaxNotes))
	}
}

// readLabels sets category and tags.
func readLabels(r *Rows, row *record.Record) {
	row.Category = text.CategoryPath(lineOf(r, row, record.FieldCategory))
	cell := textOf(r, row, record.FieldTags)
	if cell == "" {
		return
	}
	row.Tags = text.SplitTags(cell)
	for _, tag := range row.Tags {
		if text.Longer(tag, ledger.MaxName) {
			r.issue(row, record.FieldTags, text.TooLong(tag, ledger.MaxName))
		}
	}
}

// lineOf is a cell as a text of one line, of the length that names may have.
func lineOf(r *Rows, row *record.Record, f record.Field) string {
	cell := text.OneLine(textOf(r, row, f))
	if text.Longer(cell, ledger.MaxName) {
		r.issue(row, f, text.TooLong(cell, ledger.MaxName))
	}
	return cell
}

// textOf is a cell without the apostrophe that keeps spreadsheets from running it.
func textOf(r *Rows, row *record.Record, f record.Field) string {
	return export.FromHarmless(r.Columns.cell(row.Raw, f))
}
