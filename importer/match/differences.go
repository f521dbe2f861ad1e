package match

import (
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Difference is what the entry that a row is, or may be, has otherwise than the row. Column is a header of the file
// where both came from files of one make, else date, amount, name or notes.
type Difference struct{ Column, Booked, File string }

// CellDifferences are those of the cells of two rows of one layout.
func CellDifferences(header, booked, file []string) []Difference {
	var list []Difference
	c := table.Columns{Header: header}
	for i := range max(len(booked), len(file)) {
		if before, now := text.CellAt(booked, i), text.CellAt(file,
			i); ledger.NormalText(before) != ledger.NormalText(now) {
			list = append(list, Difference{c.TitleAt(i), before, now})
		}
	}
	return list
}

// MoneyDifferences are those of day and amount.
func MoneyDifferences(row *record.Record, entry queries.ListEntryOriginsRow) []Difference {
	var list []Difference
	if day := ledger.Date(entry.Date); day != row.Date {
		list = append(list, Difference{"date", day.String(), row.Date.String()})
	}
	currency, known := money.LookupCurrency(entry.Currency)
	if known && (entry.Amount != row.Minor || currency.Code != row.Currency.Code) {
		list = append(list, Difference{"amount", currency.Plain(entry.Amount) + " " + currency.Code,
			row.Currency.Plain(row.Minor) + " " + row.Currency.Code})
	}
	return list
}

// TextDifferences are those of name and notes.
func TextDifferences(row *record.Record, entry queries.ListEntryOriginsRow) []Difference {
	var list []Difference
	if ledger.Fold(entry.Name) != ledger.Fold(row.Name) {
		list = append(list, Difference{"name", entry.Name, row.Name})
	}
	if ledger.Fold(entry.Notes) != ledger.Fold(row.Notes) {
		list = append(list, Difference{"notes", entry.Notes, row.Notes})
	}
	return list
}
