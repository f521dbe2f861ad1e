package catalog

import (
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// AccountInput is what a client says about an account, new or changed. Balance and Date are the opening
// balance, in major units and in the written sign (see [Account]), at the end of the day; without a date
// or with a null one it lies on the day before the first entry; a null Balance is 0. Status is active or
// disabled and counts in changes only.
// Problems are what decoding found, reported together with what the ledger finds.
type AccountInput struct {
	Name, AccountType, Subtype         ledger.Opt[string]
	Currency                           ledger.Opt[string] // the household's when absent
	Balance                            ledger.Opt[decimal.Decimal]
	BalanceIsNumber                    bool // a JSON number and no text, see [money.Currency.Nearest]
	Date                               ledger.Opt[ledger.Date]
	InstitutionName, InstitutionDomain ledger.Opt[string]
	Notes                              ledger.Opt[string]
	Status                             ledger.Opt[string]
	Problems                           ledger.Problems
}

// AccountState is all that can be changed of an account; OpeningAmount is in the ledger's sign.
type AccountState struct {
	queries.Account
	OpeningAmount int64
	OpeningDate   *int64
	OpeningStated bool // somebody has said what it is, 0 included
	// OpeningRow is the valuation that the opening balance stands in; nil where there is none: somebody has removed it.
	OpeningRow *openingRow `json:",omitempty"`
}

func (a AccountState) Equal(b AccountState) bool {
	return a.Name == b.Name && a.AccountType == b.AccountType && ledger.Same(a.Subtype, b.Subtype) &&
		a.Currency == b.Currency &&
		a.Status == b.Status && ledger.Same(a.InstitutionName, b.InstitutionName) &&
		ledger.Same(a.InstitutionDomain, b.InstitutionDomain) &&
		ledger.Same(a.Notes, b.Notes) && a.OpeningAmount == b.OpeningAmount && ledger.Same(a.OpeningDate, b.OpeningDate)
}

func (in *AccountInput) setName(a *AccountState) {
	if in.Problems.Has("name") {
		return
	}
	a.Name = in.Problems.CheckName("name", in.Name.Or(""))
	a.NameKey = ledger.Fold(a.Name)
}

// accountType is the kind that was given; within a classification unless that is empty, because what was
// had would become what is owed.
func (in *AccountInput) accountType(within string) ledger.AccountType {
	kind, known := ledger.LookupAccountType(in.AccountType.Or(""))
	switch {
	case in.Problems.Has("account_type"):
	case !in.AccountType.Has():
		in.Problems.Add("account_type", "is required and must be %s", ledger.TypeNames(within))
	case !known:
		in.Problems.Add("account_type", "must be %s, got %s", ledger.TypeNames(within),
			ledger.Quote(in.AccountType.Value))
	case within != "" && kind.Classification != within:
		in.Problems.Add("account_type", "of an account that is %s must be %s, got %s", article(within),
			ledger.TypeNames(within), kind.Name)
	}
	return kind
}

func article(classification string) string {
	if classification == ledger.Asset {
		return "an asset"
	}
	return "a liability"
}

// subtype is the one that was given; else the present one where the kind has it, else the kind's default.
func (in *AccountInput) subtype(kind ledger.AccountType, present *string) *string {
	given := strings.TrimSpace(in.Subtype.Or(""))
	switch {
	case kind.Name == "" || in.Problems.Has("subtype"):
		return present
	case given != "" && len(kind.Subtypes) == 0:
		in.Problems.Add("subtype", "must be absent or null, since accounts of type %s have none, got %s", kind.Name,
			ledger.Quote(given))
		return present
	case given != "" && !kind.Has(given):
		in.Problems.Add("subtype", "must be one of those of %s (%s), got %s", kind.Name,
			strings.Join(kind.Subtypes, ", "), ledger.Quote(given))
		return present
	case given != "":
		return &given
	case in.Subtype.Set:
		return nil
	case present != nil && kind.Has(*present):
		return present
	case kind.DefaultSubtype != "":
		return &kind.DefaultSubtype
	}
	return nil
}

func (in *AccountInput) currency(otherwise string) money.Currency {
	code := in.Currency.Or(otherwise)
	currency, known := money.LookupCurrency(code)
	if !known && !in.Problems.Has("currency") {
		in.Problems.Add("currency", "must be an ISO 4217 code such as EUR, got %s", ledger.Quote(code))
	}
	return currency
}

// changedCurrency is the currency after a change. The figure of an opening balance stays: 100.00 EUR
// becomes 100.00 USD.
func (in *AccountInput) changedCurrency(a *AccountState, used bool) money.Currency {
	before, _ := money.LookupCurrency(a.Currency)
	after := in.currency(a.Currency)
	if in.Currency.Set && in.Currency.Null {
		in.Problems.Add("currency", "must not be null")
	}
	if after == before || after.Code == "" {
		return after
	}
	if used {
		in.Problems.Add("currency", "must stay %s, because the account has entries", before.Code)
		return before
	}
	minor, err := after.Minor(before.Decimal(a.OpeningAmount))
	if err != nil && !in.Balance.Has() {
		in.Problems.Add("currency", "does not fit the opening balance, which %s", err)
	}
	a.Currency, a.OpeningAmount = after.Code, minor
	return after
}

// setOpening takes a balance in its written sign, and a day; null lets the opening balance lie before the
// first entry.
func (in *AccountInput) setOpening(a *AccountState, kind ledger.AccountType, currency money.Currency) {
	a.OpeningStated = a.OpeningStated || in.Balance.Has() || in.Date.Has()
	if in.Date.Has() {
		a.OpeningDate = new(int64(in.Date.Value))
	} else if in.Date.Set {
		a.OpeningDate = nil
	}
	if !in.Balance.Set || currency.Code == "" {
		return
	}
	minor, err := currency.Minor(currency.Meant(in.Balance.Or(decimal.Zero), in.BalanceIsNumber))
	if err != nil {
		in.Problems.Add("balance", "%s", err)
	}
	a.OpeningAmount = kind.Sign() * minor
}

// setTexts takes the optional texts; null and blank clear them.
func (in *AccountInput) setTexts(a *AccountState) {
	if in.InstitutionName.Set {
		a.InstitutionName = ledger.OptionalText(in.Problems.CheckLine("institution_name", in.InstitutionName.Or("")))
	}
	if in.InstitutionDomain.Set {
		text := strings.ToLower(in.Problems.CheckLine("institution_domain", in.InstitutionDomain.Or("")))
		if strings.ContainsAny(text, " \t/:@?#") {
			in.Problems.Add("institution_domain", "must be a domain such as bank.example, got %s", ledger.Quote(text))
		}
		a.InstitutionDomain = ledger.OptionalText(text)
	}
	if in.Notes.Set {
		a.Notes = ledger.OptionalText(in.Problems.CheckNotes("notes", in.Notes.Or("")))
	}
}

func (in *AccountInput) setStatus(a *AccountState) {
	if !in.Status.Set {
		return
	}
	switch status := in.Status.Or(""); status {
	case "active", "disabled":
		a.Status = status
	default:
		in.Problems.Add("status", "must be active or disabled, got %s", ledger.Quote(status))
	}
}
