package importing

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/queries"
)

// importJSON is an import in JSON.
type importJSON struct {
	ID          string  `json:"id"`
	Type        string  `json:"type"`
	Status      string  `json:"status"`
	Error       *string `json:"error"`
	File        *string `json:"file"`
	Rows        int64   `json:"rows"`
	ValidRows   int64   `json:"valid_rows"`
	InvalidRows int64   `json:"invalid_rows"`
	DoneRows    int64   `json:"done_rows"`
	BookedRows  *int64  `json:"booked_rows"` // null where it has not been published
	Account     *string `json:"account"`     // that all rows are of; null where the file names accounts
	CreatedAt   *string `json:"created_at"`
	// as the preflight has it; empty where the file proves nothing, and before it is published
	Proved  json.RawMessage `json:"reconciliation"`
	RowList []importRowJSON `json:"row_list,omitempty"`
}

// importRowJSON is a row of an import. The amount is in minor units, into the account positive; it and
// the date are null where the row is not valid.
type importRowJSON struct {
	Row         int      `json:"row"`
	Line        int      `json:"line"`
	Status      string   `json:"status"`
	Date        *string  `json:"date"`
	AmountCents *int64   `json:"amount_cents"`
	Currency    string   `json:"currency"`
	Name        string   `json:"name"`
	Errors      []string `json:"errors"`
	Transaction *string  `json:"transaction_id"`
}

func asImportJSON(imp queries.Import) importJSON {
	out := importJSON{ID: uuid.UUID(imp.PublicID).String(), Type: imp.Type, Status: imp.Status, Error: imp.Error,
		File: imp.FileName,
		Rows: imp.RowsCount, ValidRows: imp.ValidRowsCount, InvalidRows: imp.InvalidRowsCount,
		DoneRows:  imp.DoneRowsCount,
		CreatedAt: term.Stamp(time.UnixMilli(imp.CreatedAt)), Proved: json.RawMessage("[]")}
	if imp.Reconciliation != nil {
		out.Proved = json.RawMessage(*imp.Reconciliation)
	}
	if imp.Status == importer.StatusComplete {
		out.BookedRows = new(bookedRows(&imp))
	}
	return out
}

func (j *Job) List(ctx context.Context, asJSON bool) error {
	all, err := everyPage(func(page ledger.Page) ([]queries.Import, error) {
		list, _, err := j.Importer.List(ctx, j.Who, importer.Filter{}, page)
		return list, err
	})
	if err != nil {
		return err
	}
	labels, err := j.ledger.Intake.AccountLabels(ctx, j.Who)
	if err != nil {
		return err
	}
	accounts := map[int64]string{} // names, of disabled ones too
	for key, label := range labels {
		accounts[key] = label.Name
	}
	if asJSON {
		rows := []importJSON{}
		for _, imp := range all {
			row := asImportJSON(imp)
			if name, known := accounts[orZero(imp.AccountID)]; known {
				row.Account = &name
			}
			rows = append(rows, row)
		}
		return j.PrintJSON(rows)
	}
	return term.PrintTable(j.Terminal, term.Columns("created", "status", "account", "#rows", "#booked", "#invalid",
		"file", "id"), all, func(imp queries.Import) []string {
		return []string{term.Moment(time.UnixMilli(imp.CreatedAt)), imp.Status,
			term.Dash(accounts[orZero(imp.AccountID)]), strconv.FormatInt(imp.RowsCount, 10),
			bookedText(imp), strconv.FormatInt(imp.InvalidRowsCount, 10), term.Dash(OrBlank(imp.FileName)),
			uuid.UUID(imp.PublicID).String()}
	})
}

// bookedText is how many rows an import has booked; a dash where it has not been published.
func bookedText(imp queries.Import) string {
	if imp.Status != importer.StatusComplete {
		return "-"
	}
	return strconv.FormatInt(bookedRows(&imp), 10)
}

func orZero(key *int64) int64 {
	if key == nil {
		return 0
	}
	return *key
}

// everyPage reads a list page by page.
func everyPage[T any](read func(ledger.Page) ([]T, error)) ([]T, error) {
	const size = 1000
	var all []T
	for number := 1; ; number++ {
		part, err := read(ledger.Page{Number: number, Size: size})
		all = append(all, part...)
		if err != nil || len(part) < size {
			return all, err
		}
	}
}

func OrBlank(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (j *Job) ShowImport(ctx context.Context, id uuid.UUID, withRows, asJSON bool) error {
	imp, err := j.Importer.Get(ctx, j.Who, id)
	if err != nil {
		return err
	}
	var rows []importer.Result
	if withRows {
		rows, err = everyPage(func(page ledger.Page) ([]importer.Result, error) {
			_, list, err := j.Importer.Results(ctx, j.Who, id, page)
			return list, err
		})
	}
	if err != nil {
		return err
	}
	if asJSON {
		return j.printImportJSON(imp, rows)
	}
	if err := j.printImport(imp); err != nil || !withRows {
		return err
	}
	if err := j.Print(""); err != nil {
		return err
	}
	return term.PrintTable(j.Terminal, term.Columns("#row", "status", "date", "#amount", "name", "what is wrong"), rows,
		func(r importer.Result) []string {
			date, amount := "-", "-"
			if r.Dated() {
				date = r.Date.String()
			}
			if r.Valued() {
				amount = j.format.Money(r.Minor, r.Currency)
			}
			return []string{strconv.Itoa(r.Number), r.Fate(imp.Status), date, amount, term.Dash(r.Name),
				term.Dash(strings.Join(r.Sentences(), "; "))}
		})
}

func (j *Job) printImport(imp queries.Import) error {
	lines := [][2]string{
		{"id", uuid.UUID(imp.PublicID).String()}, {"type", imp.Type}, {"status", imp.Status},
		{"error", term.Dash(OrBlank(imp.Error))},
		{"file", term.Dash(OrBlank(imp.FileName))}, {"created", term.Moment(time.UnixMilli(imp.CreatedAt))},
		{"rows", strconv.FormatInt(imp.RowsCount, 10)}, {"valid rows", strconv.FormatInt(imp.ValidRowsCount, 10)},
		{"invalid rows", strconv.FormatInt(imp.InvalidRowsCount, 10)},
		{"done rows", strconv.FormatInt(imp.DoneRowsCount, 10)},
	}
	var proved []importer.Reconciliation
	if imp.Reconciliation != nil {
		if err := json.Unmarshal([]byte(*imp.Reconciliation), &proved); err != nil {
			return err
		}
	}
	for _, r := range proved {
		for _, line := range reconciliationLines(j.format, r) {
			lines = append(lines, [2]string{"balances", line})
		}
	}
	lines = append(lines, verificationLines(imp)...)
	return term.PrintTable(j.Terminal, term.Columns("field", "value"), lines,
		func(l [2]string) []string { return l[:] })
}

func (j *Job) printImportJSON(imp queries.Import, rows []importer.Result) error {
	out := asImportJSON(imp)
	for _, r := range rows {
		row := importRowJSON{Row: r.Number, Line: r.Line, Status: r.Fate(imp.Status), Currency: r.Currency.Code,
			Name: r.Name, Errors: r.Sentences()}
		if r.Dated() {
			row.Date = new(r.Date.String())
		}
		if r.Valued() {
			row.AmountCents = new(r.Minor)
		}
		if r.EntryID != uuid.Nil {
			row.Transaction = new(r.EntryID.String())
		}
		out.RowList = append(out.RowList, row)
	}
	return j.PrintJSON(out)
}

// verificationLines say whether a backup was found in the books as it was read; nothing for other imports.
func verificationLines(imp queries.Import) [][2]string {
	var report importer.BackupReport
	if imp.Report == nil || json.Unmarshal([]byte(*imp.Report), &report) != nil {
		return nil
	}
	lines := [][2]string{{"read back", report.Readback.Status}}
	for _, sentence := range report.Differences {
		lines = append(lines, [2]string{"difference", sentence})
	}
	return lines
}
