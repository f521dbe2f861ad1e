package table

import (
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/ledger/export"
)

// Kind is what one type of CSV import does differently from the others. It may remember the rows it has seen:
// there is a new one for every reading of a file.
//
// To add one, write what columns it has and how it reads a row, and name it in KindNamed. A row becomes a transaction
// unless plan gives it another Body; what becomes of that says [apply.Applier]. Row.Key is what recognises the
// row again: choose it once. Then come tests with files of your own, a fuzz target, and a row in the handbook's table
// of types.
type Kind interface {
	// Settings fills in what a request leaves out, where the type knows better than the general defaults.
	Settings(s record.Settings) record.Settings
	// Headers are taken for a field when no label was given; usual are those of transactions.
	Headers(f record.Field, usual []string) []string
	// vital are the fields without which a file cannot be read.
	vital(s record.Settings) []record.Field
	// plan reads the cells of a row.
	plan(r *Rows, row *record.Record)
}

// KindNamed is nil for a type that is no CSV, or that this version does not read.
func KindNamed(name string, d record.Defaults) Kind {
	switch name {
	case "", record.TransactionImport:
		return Transactions{}
	case record.MintImport:
		return Mint{}
	case record.CategoryImport:
		return newCategories(d.Categories)
	case record.AccountImport:
		return &accounts{d.Accounts, map[string]int{}}
	case record.TradeImport:
		return &Trades{}
	case record.RuleImport:
		return ruleKind{d.Accounts}
	}
	return nil
}

// Transactions is the kind of any bank's CSV.
type Transactions struct{}

func (Transactions) Settings(s record.Settings) record.Settings { return s }

func (Transactions) Headers(f record.Field, usual []string) []string {
	if f == record.FieldFinsvcID {
		return []string{export.TransactionIDColumn}
	}
	return usual
}

func (Transactions) vital(s record.Settings) []record.Field {
	if record.Given(s.DebitColLabel) != "" {
		return []record.Field{record.FieldDate, record.FieldDebit, record.FieldCredit}
	}
	return []record.Field{record.FieldDate, record.FieldAmount}
}

func (Transactions) plan(r *Rows, row *record.Record) {
	row.Body = record.Transaction{}
	r.readDate(row)
	r.readAccount(row)
	if r.readCurrency(row) {
		r.readAmount(row)
		r.takeFee(row)
		r.readBalance(row)
	}
	readTexts(r, row)
	readLabels(r, row)
	// a row of which the id is gone is known by the rest, or new
	row.FinsvcID, _ = ledger.ParseID(r.Columns.cell(row.Raw, record.FieldFinsvcID))
}

// Mint is the kind of the files that Mint wrote: transactions with fixed headers and unsigned amounts.
type Mint struct{ Transactions }

func (Mint) Settings(s record.Settings) record.Settings {
	labels := map[**string][2]string{&s.DateColLabel: {"Date", "1"}, &s.NameColLabel: {"Description", "2"}}
	if record.Given(s.DebitColLabel) == "" && record.Given(s.CreditColLabel) == "" {
		labels[&s.AmountColLabel] = [2]string{"Amount", "4"}
		record.Otherwise(&s.AmountTypeStrategy, record.CustomColumn)
	}
	if record.Given(s.AmountTypeStrategy) == record.CustomColumn {
		labels[&s.EntityTypeColLabel] = [2]string{"Transaction Type", "5"}
		if record.Given(s.AmountTypeInflowValue) == "" {
			record.Otherwise(&s.AmountTypeInflowValue, "credit")
			record.Otherwise(&s.OutflowValue, "debit")
		}
	}
	record.Otherwise(&s.DateFormat, "%m/%d/%Y")
	at := 0
	if !s.Header(&ledger.Problems{}) {
		at = 1
		labels[&s.CategoryColLabel], labels[&s.AccountColLabel] = [2]string{1: "6"}, [2]string{1: "7"}
		labels[&s.TagsColLabel], labels[&s.NotesColLabel] = [2]string{1: "8"}, [2]string{1: "9"}
	}
	for setting, label := range labels {
		record.Otherwise(setting, label[at])
	}
	return s
}

func (Mint) Headers(f record.Field, usual []string) []string {
	switch f {
	case record.FieldAccount:
		return []string{"Account Name"}
	case record.FieldTags:
		return []string{"Labels"}
	}
	return usual
}

// Format is the format of all kinds of CSV.
type Format struct{ Kind string }

func (t Format) Settings(s record.Settings) record.Settings {
	return KindNamed(t.Kind, record.Defaults{}).Settings(s)
}

func (t Format) Open(file *source.File, s record.Settings, d record.Defaults) (record.Reader, error) {
	d.Type = t.Kind
	rows, err := NewRows(file, s, d)
	if rows == nil {
		return nil, err
	}
	return rows, err
}
