package table

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/export"
	"finsvc/ledger/intake"
)

// accounts is the kind of files that list accounts with their opening balances. It knows the folded names
// that are taken: by accounts of the household, and by which row.
type accounts struct {
	existing map[string]intake.AccountKind
	rows     map[string]int
}

func (*accounts) Settings(s record.Settings) record.Settings { return s }

func (*accounts) Headers(f record.Field, _ []string) []string {
	return map[record.Field][]string{
		record.FieldName: {"name", "account_name", "account"}, record.FieldAmount: {"balance", "amount"},
		record.FieldCurrency: {"currency"},
		record.FieldDate:     {"balance_date", "date"}, record.FieldDirection: {"account_type", "entity_type", "type"},
	}[f]
}

func (*accounts) vital(record.Settings) []record.Field {
	return []record.Field{record.FieldName, record.FieldAmount}
}

func (a *accounts) plan(r *Rows, row *record.Record) {
	body := &record.Account{}
	row.Body = body
	row.Name = lineOf(r, row, record.FieldName)
	row.Undated = r.Columns.cell(row.Raw, record.FieldDate) == ""
	if !row.Undated {
		r.readDate(row)
	}
	word := text.OneLine(r.Columns.cell(row.Raw, record.FieldDirection))
	body.Type, body.Subtype = accountType(word)
	if body.Type == "" {
		r.issue(row, record.FieldDirection, fmt.Sprintf("must be a type of account, such as depository, credit card or loan, got %s", ledger.Quote(word)))
	}
	if r.readCurrency(row) {
		a.readBalance(r, row)
	}
	if row.Name == "" {
		r.issue(row, record.FieldName, "is required and must not be blank")
		return
	}
	// Note the name of a row that is in order. Two accounts of one name could not be told apart by the files
	// that name them. An account that exists as the row has it is there already; its balance is left alone.
	name := ledger.Fold(row.Name)
	kind, exists := a.existing[name]
	before, taken := a.rows[name]
	switch {
	case taken:
		r.issue(row, record.FieldName, fmt.Sprintf("is the name of the account of row %d already: give another name",
			before))
	case exists && kind != intake.AccountKind{Type: body.Type, Currency: row.Currency.Code}:
		r.issue(row, record.FieldName, fmt.Sprintf("is the name of an account that exists already, a %s in %s: leave the row out, or give another name",
			strings.ReplaceAll(kind.Type, "_", " "), kind.Currency))
	case len(row.Issues) == 0:
		a.rows[name], row.Exists = row.Number, exists
	}
}

// readBalance reads the balance in its written sign: of a liability it is what is owed.
func (a *accounts) readBalance(r *Rows, row *record.Record) {
	if r.Columns.cell(row.Raw, record.FieldAmount) == "" {
		r.issue(row, record.FieldAmount, "is required and must not be blank")
		return
	}
	row.Minor, _ = r.money(row, record.FieldAmount)
}

var plainWords = strings.NewReplacer(" ", "", "_", "", "-", "")

// accountType understands the name of a type, however its words are parted (CreditCard, credit_card,
// "credit card"), and everyday words; blank is depository. The type is blank when nothing is meant.
func accountType(word string) (name, subtype string) {
	key := plainWords.Replace(ledger.Fold(word))
	if key == "" {
		return "depository", ""
	}
	for _, entry := range lexicon.Entries(lexicon.AccountTypes) {
		if slices.Contains(entry.Words, key) {
			name, subtype, _ = strings.Cut(entry.Key, " ")
			return name, subtype
		}
	}
	return typeOfSubtype(key)
}

// typeOfSubtype is the one type that has a subtype of that name, such as investment for 401k.
func typeOfSubtype(key string) (name, subtype string) {
	for _, candidate := range ledger.AccountTypes() {
		kind, _ := export.AccountTypeNamed(export.AccountableName(candidate))
		for _, s := range kind.Subtypes {
			switch {
			case plainWords.Replace(s) != key:
			case name != "":
				return "", ""
			default:
				name, subtype = kind.Name, s
			}
		}
	}
	return name, subtype
}
