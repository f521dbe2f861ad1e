package importer

import (
	"finsvc/ledger"
	"finsvc/ledger/export"
)

// kind is what one type of CSV import does differently from the others. It may remember the rows it has seen:
// there is a new one for every reading of a file.
//
// To add one, write what columns it has and how it reads a row, and name it in kindNamed. A row becomes a transaction
// unless plan gives it another Body; what becomes of that says [applier.apply]. Row.Key is what recognises the
// row again: choose it once. Then come tests with files of your own, a fuzz target, and a row in the handbook's table
// of types.
type kind interface {
	// settings fills in what a request leaves out, where the type knows better than the general defaults.
	settings(s Settings) Settings
	// headers are taken for a field when no label was given; usual are those of transactions.
	headers(f field, usual []string) []string
	// vital are the fields without which a file cannot be read.
	vital(s Settings) []field
	// plan reads the cells of a row.
	plan(r *Rows, row *Row)
}

// kindNamed is nil for a type that is no CSV, or that this version does not read.
func kindNamed(name string, d Defaults) kind {
	switch name {
	case "", TransactionImport:
		return transactions{}
	case MintImport:
		return mint{}
	case CategoryImport:
		return newCategories(d.Categories)
	case AccountImport:
		return newAccounts(d.Accounts)
	case TradeImport:
		return &trades{}
	case RuleImport:
		return ruleKind{d.Accounts}
	}
	return nil
}

// transactions is the kind of any bank's CSV.
type transactions struct{}

func (transactions) settings(s Settings) Settings { return s }

func (transactions) headers(f field, usual []string) []string {
	if f == fieldOwn {
		return []string{export.TransactionIDColumn}
	}
	return usual
}

func (transactions) vital(s Settings) []field {
	if given(s.DebitColLabel) != "" {
		return []field{fieldDate, fieldDebit, fieldCredit}
	}
	return []field{fieldDate, fieldAmount}
}

func (transactions) plan(r *Rows, row *Row) {
	row.Body = Transaction{}
	r.readDate(row)
	r.readAccount(row)
	if r.readCurrency(row) {
		r.readAmount(row)
		r.takeFee(row)
		r.readBalance(row)
	}
	r.readTexts(row)
	r.readLabels(row)
	row.Own, _ = ledger.ParseID(r.columns.cell(row.Raw, fieldOwn)) // a row of which the id is gone is known by the rest, or new
}

// mint is the kind of the files that Mint wrote: transactions with fixed headers and unsigned amounts.
type mint struct{ transactions }

func (mint) settings(s Settings) Settings {
	labels := map[**string][2]string{&s.DateColLabel: {"Date", "1"}, &s.NameColLabel: {"Description", "2"}}
	if given(s.DebitColLabel) == "" && given(s.CreditColLabel) == "" {
		labels[&s.AmountColLabel] = [2]string{"Amount", "4"}
		otherwise(&s.AmountTypeStrategy, customColumn)
	}
	if given(s.AmountTypeStrategy) == customColumn {
		labels[&s.EntityTypeColLabel] = [2]string{"Transaction Type", "5"}
		if given(s.AmountTypeInflowValue) == "" {
			otherwise(&s.AmountTypeInflowValue, "credit")
			otherwise(&s.OutflowValue, "debit")
		}
	}
	otherwise(&s.DateFormat, "%m/%d/%Y")
	at := 0
	if !s.header(&ledger.Problems{}) {
		at = 1
		labels[&s.CategoryColLabel], labels[&s.AccountColLabel] = [2]string{1: "6"}, [2]string{1: "7"}
		labels[&s.TagsColLabel], labels[&s.NotesColLabel] = [2]string{1: "8"}, [2]string{1: "9"}
	}
	for setting, label := range labels {
		otherwise(setting, label[at])
	}
	return s
}

func (mint) headers(f field, usual []string) []string {
	switch f {
	case fieldAccount:
		return []string{"Account Name"}
	case fieldTags:
		return []string{"Labels"}
	}
	return usual
}

// otherwise gives a setting that is absent or blank a value.
func otherwise(setting **string, value string) {
	if given(*setting) == "" {
		*setting = pointer(value)
	}
}
