package importer

import (
	"io"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// ServiceImport is the type of imports whose files are backups: lines of JSON as [export.Service.WriteBackup] writes
// them, and as the application does whose API this is.
const ServiceImport = "ServiceImport"

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

// backup is the format of backups.
type backup struct{}

func (backup) settings(s Settings) Settings { return s }

func (backup) open(file io.Reader, _ Settings, d Defaults) (source, error) {
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
	return &backupRows{lines: lines, index: index, home: d.Currency}, nil
}

// backupRows gives the rows of a backup: one for each record.
type backupRows struct {
	lines *backupLines
	index *backupIndex
	home  money.Currency
	census
	err error // that ended the file
}

// Header is nil: there is none.
func (*backupRows) Header() []string { return nil }

// Encoding is the character set of the file.
func (r *backupRows) Encoding() string { return r.lines.text.name }

// Next is the following row.
func (r *backupRows) Next() (Row, error) {
	if r.err != nil {
		return Row{}, r.err
	}
	record, err := r.lines.next()
	if err != nil {
		r.err = err
		return Row{}, err
	}
	row := Row{Number: record.number, Line: record.line, Undated: true}
	line := &backupLine{record, &row, r.index, r.home}
	if record.wrong != "" {
		row.Body = NotKept{entityUnknown}
		row.addIssue("line", string(record.text), record.wrong)
		return row, nil
	}
	id, _ := record.plainText("id")
	row.Raw, row.Key = []string{record.kind, id}, record.recordKey()
	line.plan()
	if r.err = r.census.take(&row); r.err != nil {
		return Row{}, r.err
	}
	return row, nil
}

// plan reads the record.
func (b *backupLine) plan() {
	switch b.kind {
	case recordAccount:
		b.planAccount()
	case recordCategory:
		b.planCategory()
	case recordTag:
		b.planTag()
	case recordMerchant:
		b.planMerchant()
	case recordTransaction:
		b.planTransaction()
	case recordTransfer:
		b.planTransfer(false)
	case recordRejected:
		b.planTransfer(true)
	case recordTrade:
		b.planTrade()
	case recordValuation:
		b.planValuation()
	case recordRule:
		b.planRule()
	default:
		b.planOther()
	}
}

// planOther reads what is of this program's own, what is compared only, and what is not kept.
func (b *backupLine) planOther() {
	switch b.kind {
	case recordSecurity:
		b.planSecurity()
	case recordSecuritySplit:
		b.planSplit()
	case recordSecurityPrice:
		b.planPrice()
	case recordBalance:
		b.planBalance()
	case recordHolding:
		b.planHolding()
	case recordRecurring:
		b.row.Body, b.row.Skipped = NotKept{entityRecurring}, skippedNotKept
	case recordBudget:
		b.row.Body, b.row.Skipped = NotKept{entityBudget}, skippedNotKept
	case recordBudgetCategory:
		b.row.Body, b.row.Skipped = NotKept{entityBudgeted}, skippedNotKept
	default:
		b.row.Body = NotKept{entityUnknown}
		b.row.addIssue("type", b.kind, "must be one of "+strings.Join(recordTypes(), ", ")+", got "+ledger.Quote(b.kind))
	}
}

// Why a record of a backup becomes nothing.
const (
	skippedNotKept = "not_kept" // there is no such thing here
	skippedDerived = "derived"  // it follows from the others, and is compared with what does
	skippedMissing = "missing_reference"
)

func recordTypes() []string {
	return []string{recordAccount, recordBalance, recordCategory, recordTag, recordMerchant, recordRecurring, recordTransaction, recordTransfer,
		recordRejected, recordTrade, recordHolding, recordValuation, recordBudget, recordBudgetCategory, recordRule, recordSecurity,
		recordSecuritySplit, recordSecurityPrice}
}
