package ledger

import (
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// AccountInput is what a client says about an account, new or changed. Balance and Date are the opening
// balance, in major units and in the written sign (see [Account]), at the end of the day; without a date
// or with a null one it lies on the day before the first entry; a null Balance is 0. Status is active or
// disabled and counts in changes only.
// Problems are what decoding found, reported together with what the ledger finds.
type AccountInput struct {
	Name, AccountType, Subtype         Opt[string]
	Currency                           Opt[string] // the household's when absent
	Balance                            Opt[decimal.Decimal]
	BalanceIsNumber                    bool // a JSON number and no text, see [Currency.Nearest]
	Date                               Opt[Date]
	InstitutionName, InstitutionDomain Opt[string]
	Notes                              Opt[string]
	Status                             Opt[string]
	Problems                           Problems
}

// accountState is all that can be changed of an account; OpeningAmount is in the ledger's sign.
type accountState struct {
	queries.Account
	OpeningAmount int64
	OpeningDate   *int64
	OpeningStated bool // somebody has said what it is, 0 included
}

func (a accountState) equal(b accountState) bool {
	return a.Name == b.Name && a.AccountType == b.AccountType && same(a.Subtype, b.Subtype) && a.Currency == b.Currency &&
		a.Status == b.Status && same(a.InstitutionName, b.InstitutionName) && same(a.InstitutionDomain, b.InstitutionDomain) &&
		same(a.Notes, b.Notes) && a.OpeningAmount == b.OpeningAmount && same(a.OpeningDate, b.OpeningDate)
}

// newAccount checks a new account as a whole.
func (in *AccountInput) newAccount(home queries.Household) accountState {
	a := accountState{Account: queries.Account{HouseholdID: home.ID, Status: "active"}}
	in.setName(&a)
	kind := in.accountType("")
	if !in.Subtype.Has() {
		in.Subtype = Opt[string]{} // null leaves the choice to us, as absence does
	}
	a.AccountType, a.Subtype = kind.Name, in.subtype(kind, nil)
	currency := in.currency(home.Currency)
	a.Currency = currency.Code
	in.setTexts(&a)
	in.setOpening(&a, kind, currency)
	return a
}

// changeAccount applies what is given. Used says what was booked in the account.
func (in *AccountInput) changeAccount(a accountState, used queries.HasAccountEntriesRow) accountState {
	if in.Name.Set {
		in.setName(&a)
	}
	kind, _ := LookupAccountType(a.AccountType)
	if in.AccountType.Set {
		kind = in.changedType(kind, used.HasTrades != 0)
	}
	a.AccountType, a.Subtype = kind.Name, in.subtype(kind, a.Subtype)
	in.setTexts(&a)
	in.setStatus(&a)
	currency := in.changedCurrency(&a, used.HasEntries != 0)
	in.setOpening(&a, kind, currency)
	return a
}

func (in *AccountInput) setName(a *accountState) {
	if in.Problems.Has("name") {
		return
	}
	a.Name = in.Problems.CheckName("name", in.Name.Or(""))
	a.NameKey = Fold(a.Name)
}

// accountType is the kind that was given; within a classification unless that is empty, because what was
// had would become what is owed.
func (in *AccountInput) accountType(within string) AccountType {
	kind, known := LookupAccountType(in.AccountType.Or(""))
	switch {
	case in.Problems.Has("account_type"):
	case !in.AccountType.Has():
		in.Problems.Add("account_type", "is required and must be %s", typeNames(within))
	case !known:
		in.Problems.Add("account_type", "must be %s, got %s", typeNames(within), Quote(in.AccountType.Value))
	case within != "" && kind.Classification != within:
		in.Problems.Add("account_type", "of an account that is %s must be %s, got %s", article(within), typeNames(within), kind.Name)
	}
	return kind
}

// changedType is the kind after a change.
func (in *AccountInput) changedType(before AccountType, trades bool) AccountType {
	after := in.accountType(before.Classification)
	if trades && !after.takesTrades() && !in.Problems.Has("account_type") {
		in.Problems.Add("account_type", "must be %s, because the account has trades, got %s", tradingTypes, after.Name)
	}
	return after
}

func article(classification string) string {
	if classification == Asset {
		return "an asset"
	}
	return "a liability"
}

// subtype is the one that was given; else the present one where the kind has it, else the kind's default.
func (in *AccountInput) subtype(kind AccountType, present *string) *string {
	given := strings.TrimSpace(in.Subtype.Or(""))
	switch {
	case kind.Name == "" || in.Problems.Has("subtype"):
		return present
	case given != "" && len(kind.Subtypes) == 0:
		in.Problems.Add("subtype", "must be absent or null, since accounts of type %s have none, got %s", kind.Name, Quote(given))
		return present
	case given != "" && !kind.has(given):
		in.Problems.Add("subtype", "must be one of those of %s (%s), got %s", kind.Name, strings.Join(kind.Subtypes, ", "), Quote(given))
		return present
	case given != "":
		return &given
	case in.Subtype.Set:
		return nil
	case present != nil && kind.has(*present):
		return present
	case kind.DefaultSubtype != "":
		return &kind.DefaultSubtype
	}
	return nil
}

func (in *AccountInput) currency(otherwise string) Currency {
	code := in.Currency.Or(otherwise)
	currency, known := LookupCurrency(code)
	if !known && !in.Problems.Has("currency") {
		in.Problems.Add("currency", "must be an ISO 4217 code such as EUR, got %s", Quote(code))
	}
	return currency
}

// changedCurrency is the currency after a change. The figure of an opening balance stays: 100.00 EUR
// becomes 100.00 USD.
func (in *AccountInput) changedCurrency(a *accountState, used bool) Currency {
	before, _ := LookupCurrency(a.Currency)
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
func (in *AccountInput) setOpening(a *accountState, kind AccountType, currency Currency) {
	a.OpeningStated = a.OpeningStated || in.Balance.Has() || in.Date.Has()
	if in.Date.Has() {
		a.OpeningDate = new(int64(in.Date.Value))
	} else if in.Date.Set {
		a.OpeningDate = nil
	}
	if !in.Balance.Set || currency.Code == "" {
		return
	}
	minor, err := currency.Minor(currency.meant(in.Balance.Or(decimal.Zero), in.BalanceIsNumber))
	if err != nil {
		in.Problems.Add("balance", "%s", err)
	}
	a.OpeningAmount = kind.sign() * minor
}

// setTexts takes the optional texts; null and blank clear them.
func (in *AccountInput) setTexts(a *accountState) {
	if in.InstitutionName.Set {
		a.InstitutionName = optionalText(in.Problems.CheckLine("institution_name", in.InstitutionName.Or("")))
	}
	if in.InstitutionDomain.Set {
		a.InstitutionDomain = in.domain()
	}
	if in.Notes.Set {
		a.Notes = optionalText(in.Problems.CheckNotes("notes", in.Notes.Or("")))
	}
}

func (in *AccountInput) domain() *string {
	text := strings.ToLower(in.Problems.CheckLine("institution_domain", in.InstitutionDomain.Or("")))
	if strings.ContainsAny(text, " \t/:@?#") {
		in.Problems.Add("institution_domain", "must be a domain such as bank.example, got %s", Quote(text))
	}
	return optionalText(text)
}

// optionalText is nil for an empty text.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (in *AccountInput) setStatus(a *accountState) {
	if !in.Status.Set {
		return
	}
	switch status := in.Status.Or(""); status {
	case "active", "disabled":
		a.Status = status
	default:
		in.Problems.Add("status", "must be active or disabled, got %s", Quote(status))
	}
}
