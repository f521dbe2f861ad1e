package importer

import (
	"context"
	"fmt"
	"strings"

	"finsvc/ledger"
	"finsvc/queries"
)

// accounts is the kind of files that list accounts with their opening balances. It knows the folded names
// that are taken: since when by a row, else 0 by an account of the household.
type accounts struct{ taken map[string]int }

func newAccounts(existing map[string]bool) *accounts {
	a := &accounts{taken: map[string]int{}}
	for name := range existing {
		a.taken[name] = 0
	}
	return a
}

func (*accounts) settings(s Settings) Settings { return s }

func (*accounts) headers(f field, _ []string) []string {
	return map[field][]string{
		fieldName: {"name", "account_name", "account"}, fieldAmount: {"balance", "amount"}, fieldCurrency: {"currency"},
		fieldDate: {"balance_date", "date"}, fieldDirection: {"account_type", "entity_type", "type"},
	}[f]
}

func (*accounts) vital(Settings) []field { return []field{fieldName, fieldAmount} }

func (a *accounts) plan(r *Rows, row *Row) {
	row.Entity = "account"
	row.Name = r.line(row, fieldName)
	row.Undated = r.columns.cell(row.Raw, fieldDate) == ""
	if !row.Undated {
		r.readDate(row)
	}
	a.readType(r, row)
	if r.readCurrency(row) {
		a.readBalance(r, row)
	}
	if row.Name == "" {
		r.issue(row, fieldName, "is required and must not be blank")
		return
	}
	a.take(r, row)
}

// readBalance reads the balance in its written sign: of a liability it is what is owed.
func (a *accounts) readBalance(r *Rows, row *Row) {
	if r.columns.cell(row.Raw, fieldAmount) == "" {
		r.issue(row, fieldAmount, "is required and must not be blank")
		return
	}
	row.Minor, _ = r.money(row, fieldAmount)
}

func (a *accounts) readType(r *Rows, row *Row) {
	word := oneLine(r.columns.cell(row.Raw, fieldDirection))
	row.AccountType, row.Subtype = accountType(word)
	if row.AccountType == "" {
		r.issue(row, fieldDirection, fmt.Sprintf("must be a type of account, such as depository, credit card or loan, got %s", ledger.Quote(word)))
	}
}

// take notes the name of a row that is in order. Two accounts of one name could not be told apart by the
// files that name them.
func (a *accounts) take(r *Rows, row *Row) {
	name := ledger.Fold(row.Name)
	before, taken := a.taken[name]
	switch {
	case taken && before == 0:
		r.issue(row, fieldName, "is the name of an account that exists already: leave the row out, or give another name")
	case taken:
		r.issue(row, fieldName, fmt.Sprintf("is the name of the account of row %d already: give another name", before))
	case len(row.Issues) == 0:
		a.taken[name] = row.Number
	}
}

func (*accounts) rank(Row) int { return 0 }

func (*accounts) make(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	in := ledger.AccountInput{Name: ledger.Some(row.Name), AccountType: ledger.Some(row.AccountType), Subtype: said(row.Subtype),
		Currency: ledger.Some(row.Currency.Code), Balance: ledger.Some(row.Currency.Decimal(row.Minor))}
	if !row.Undated {
		in.Date = ledger.Some(row.Date)
	}
	return m.ledger.OpenAccount(ctx, q, m.who, in)
}

// accountType understands the name of a type, however its words are parted (CreditCard, credit_card,
// "credit card"), and everyday words; blank is depository. The type is blank when nothing is meant.
func accountType(word string) (name, subtype string) {
	key := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(ledger.Fold(word))
	switch key {
	case "", "depository", "bank", "bankaccount", "cash", "current", "currentaccount", "girokonto":
		return "depository", ""
	case "checking", "checkingaccount", "chequing":
		return "depository", "checking"
	case "savings", "saving", "savingsaccount":
		return "depository", "savings"
	case "investment", "investments":
		return "investment", ""
	case "brokerage", "brokerageaccount":
		return "investment", "brokerage"
	case "crypto", "cryptocurrency":
		return "crypto", ""
	case "property", "realestate", "house", "home":
		return "property", ""
	case "vehicle", "car":
		return "vehicle", ""
	case "otherasset", "asset":
		return "other_asset", ""
	case "creditcard", "card":
		return "credit_card", ""
	case "loan":
		return "loan", ""
	case "mortgage":
		return "loan", "mortgage"
	case "otherliability", "liability", "debt":
		return "other_liability", ""
	}
	return "", ""
}
