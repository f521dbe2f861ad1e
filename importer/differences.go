package importer

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Difference is what the entry that a row is, or may be, has otherwise than the row. Column is a header of the file where both came
// from files of one make, else date, amount, name or notes.
type Difference struct{ Column, Booked, File string }

// origins are entries by key, and the rows that they came from.
type origins map[int64]queries.ListEntryOriginsRow

// originsOf reads entries. Transactions and trades never share a key: both have their creation number from the same sequence.
func (im *Importer) originsOf(ctx context.Context, who ledger.Actor, found matches) (origins, error) {
	keys := []int64{}
	for _, m := range found {
		keys = append(keys, m.key)
	}
	text, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	entries := origins{}
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		list, err := q.ListEntryOrigins(ctx, queries.ListEntryOriginsParams{Ids: string(text), HouseholdID: who.HouseholdID})
		for _, e := range list {
			entries[e.ID] = e
		}
		return err
	})
	return entries, err
}

// compared is a row and the entry that it is compared with.
type compared struct {
	row   *Row
	entry queries.ListEntryOriginsRow
}

// differences say of each pair what differs. Where the entry came from a file of the same layout, all cells are compared: that file is
// read again for them.
func (im *Importer) differences(ctx context.Context, who ledger.Actor, layout int64, header []string, pairs []compared) ([][]Difference, error) {
	wanted := map[int64][]int{} // rows by import
	for _, p := range pairs {
		if p.entry.ImportID != 0 {
			wanted[p.entry.ImportID] = append(wanted[p.entry.ImportID], int(p.entry.ImportRow))
		}
	}
	before := map[[2]int64][]string{}
	for id, rows := range wanted {
		if err := im.rawRows(ctx, who, id, layout, rows, before); err != nil {
			return nil, err
		}
	}
	list := make([][]Difference, len(pairs))
	for i, p := range pairs {
		if cells, known := before[[2]int64{p.entry.ImportID, p.entry.ImportRow}]; known {
			list[i] = cellDifferences(header, cells, p.row.Raw)
			continue
		}
		list[i] = append(p.row.moneyDifferences(p.entry), p.row.textDifferences(p.entry)...)
	}
	return list, nil
}

// rawRows puts the cells of some rows of an import of a layout to the others.
func (im *Importer) rawRows(ctx context.Context, who ledger.Actor, importID, layout int64, rows []int, to map[[2]int64][]string) error {
	var imp queries.Import
	err := im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		imp, err = q.GetImportByKey(ctx, queries.GetImportByKeyParams{ID: importID, HouseholdID: who.HouseholdID})
		return err
	})
	if err != nil || imp.Layout != layout {
		return err
	}
	stored, err := im.stored(ctx, who, imp)
	if err != nil {
		return nil // its account is gone, say: then only what is booked can be compared
	}
	slices.Sort(rows)
	for last := rows[len(rows)-1]; ; {
		row, err := stored.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, found := slices.BinarySearch(rows, row.Number); found {
			to[[2]int64{importID, int64(row.Number)}] = slices.Clone(row.Raw)
		}
		if row.Number >= last {
			return nil
		}
	}
}

func cellDifferences(header, booked, file []string) []Difference {
	var list []Difference
	c := columns{header: header}
	for i := range max(len(booked), len(file)) {
		if before, now := cellAt(booked, i), cellAt(file, i); ledger.NormalText(before) != ledger.NormalText(now) {
			list = append(list, Difference{c.titleAt(i), before, now})
		}
	}
	return list
}

// moneyDifferences are those of day and amount.
func (row *Row) moneyDifferences(entry queries.ListEntryOriginsRow) []Difference {
	var list []Difference
	if day := ledger.Date(entry.Date); day != row.Date {
		list = append(list, Difference{"date", day.String(), row.Date.String()})
	}
	currency, known := money.LookupCurrency(entry.Currency)
	if known && (entry.Amount != row.Minor || currency.Code != row.Currency.Code) {
		list = append(list, Difference{"amount", currency.Plain(entry.Amount) + " " + currency.Code, row.Currency.Plain(row.Minor) + " " + row.Currency.Code})
	}
	return list
}

func (row *Row) textDifferences(entry queries.ListEntryOriginsRow) []Difference {
	var list []Difference
	if ledger.Fold(entry.Name) != ledger.Fold(row.Name) {
		list = append(list, Difference{"name", entry.Name, row.Name})
	}
	if ledger.Fold(entry.Notes) != ledger.Fold(row.Notes) {
		list = append(list, Difference{"notes", entry.Notes, row.Notes})
	}
	return list
}
