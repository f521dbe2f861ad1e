// Package backup reads backups as records: lines of JSON as [export.Service.WriteBackup] writes them, and as the
// application does whose API this is, or a zip archive that holds them.
package backup

import (
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// The types of records. The last three are this program's own.
const (
	recordAccount        = "Account"
	recordBalance        = "Balance"
	recordCategory       = "Category"
	recordTag            = "Tag"
	recordMerchant       = "Merchant"
	recordRecurring      = "RecurringTransaction"
	recordTransaction    = "Transaction"
	recordTransfer       = "Transfer"
	recordRejected       = "RejectedTransfer"
	recordTrade          = "Trade"
	recordHolding        = "Holding"
	recordValuation      = "Valuation"
	recordBudget         = "Budget"
	recordBudgetCategory = "BudgetCategory"
	recordRule           = "Rule"
	recordSecurity       = "Security"
	recordSecuritySplit  = "SecuritySplit"
	recordSecurityPrice  = "SecurityPrice"
)

// Format is the format of backups.
type Format struct{}

func (Format) Settings(s record.Settings) record.Settings { return s }

func (Format) Open(file *source.File, _ record.Settings, d record.Defaults) (record.Reader, error) {
	content, err := openBackup(file, d.Max)
	if err != nil {
		return nil, err
	}
	index, err := indexBackup(content, d.Currency)
	if err != nil {
		return nil, err
	}
	lines, err := newBackupLines(content)
	if err != nil {
		return nil, err
	}
	return &rowReader{lines: lines, index: index, home: d.Currency}, nil
}

// rowReader gives the rows of a backup: one for each record.
type rowReader struct {
	lines *lineReader
	index *index
	home  money.Currency
	record.Counter
	err error // that ended the file
}

// Header is nil: there is none.
func (*rowReader) Header() []string { return nil }

// Encoding is the character set of the file.
func (r *rowReader) Encoding() string { return r.lines.text.Name }

// Next is the following row.
func (r *rowReader) Next() (record.Record, error) {
	if r.err != nil {
		return record.Record{}, r.err
	}
	rec, err := r.lines.next()
	if err != nil {
		r.err = err
		return record.Record{}, err
	}
	row := record.Record{Number: rec.number, Line: rec.line, Undated: true}
	line := &line{rec, &row, r.index, r.home}
	if rec.wrong != "" {
		row.Body = record.NotKept{Of: record.EntityUnknown}
		row.AddIssue("line", string(rec.text), rec.wrong)
		return row, nil
	}
	id, _ := rec.plainText("id")
	row.Raw, row.Key = []string{rec.kind, id}, rec.recordKey()
	// Read the record.
	switch line.kind {
	case recordAccount:
		planAccount(line)
	case recordCategory:
		planCategory(line)
	case recordTag:
		body := &record.Tag{ID: line.text("id"), Color: strings.ToLower(line.text("color"))}
		line.row.Body = body
		checkUnique(line, line.required("id"))
		line.row.Name = line.name("name", line.required("name"))
		line.report(record.TagInput(line.row.Name, *body).Check())
	case recordMerchant:
		planMerchant(line)
	case recordTransaction:
		planTransaction(line)
	case recordTransfer:
		planTransfer(line, false)
	case recordRejected:
		planTransfer(line, true)
	case recordTrade:
		planTrade(line)
	case recordValuation:
		planValuation(line)
	case recordRule:
		planRule(line)
	default:
		line.planOther()
	}
	r.err = r.Counter.Count(&row)
	if r.err != nil {
		return record.Record{}, r.err
	}
	return row, nil
}

// planOther reads what is of this program's own, what is compared only, and what is not kept.
func (b *line) planOther() {
	switch b.kind {
	case recordSecurity:
		planSecurity(b)
	case recordSecuritySplit:
		planSplit(b)
	case recordSecurityPrice:
		planPrice(b)
	case recordBalance:
		b.row.Body, b.row.Skipped = record.Balance{}, record.SkippedDerived
		readEntry(b)
		b.row.Minor = b.minor("balance", true)
	case recordHolding:
		holding := &record.Holding{}
		b.row.Body, b.row.Skipped = holding, record.SkippedDerived
		readEntry(b)
		holding.Instrument = readSecurity(b)
		holding.Quantity, _ = b.number("qty")
		b.row.Minor = b.minor("amount", true)
	case recordRecurring:
		b.row.Body, b.row.Skipped = record.NotKept{Of: record.EntityRecurring}, record.SkippedNotKept
	case recordBudget:
		b.row.Body, b.row.Skipped = record.NotKept{Of: record.EntityBudget}, record.SkippedNotKept
	case recordBudgetCategory:
		b.row.Body, b.row.Skipped = record.NotKept{Of: record.EntityBudgeted}, record.SkippedNotKept
	default:
		b.row.Body = record.NotKept{Of: record.EntityUnknown}
		b.row.AddIssue("type", b.kind, "must be one of "+strings.Join(recordTypes(),
			", ")+", got "+ledger.Quote(b.kind))
	}
}

func recordTypes() []string {
	return []string{recordAccount, recordBalance, recordCategory, recordTag, recordMerchant, recordRecurring,
		recordTransaction, recordTransfer,
		recordRejected, recordTrade, recordHolding, recordValuation, recordBudget, recordBudgetCategory, recordRule,
		recordSecurity,
		recordSecuritySplit, recordSecurityPrice}
}
