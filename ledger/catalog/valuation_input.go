package catalog

import (
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// ValuationInput is what a client says about a valuation, new or changed. Amount is in major units of the
// account's currency and in the written sign (see [Account]). A null Amount or Date counts as absent, null
// Notes are none; AccountID counts in new ones only.
// Problems are what decoding found, reported together with what the ledger finds.
type ValuationInput struct {
	AccountID      ledger.Opt[uuid.UUID]
	Amount         ledger.Opt[decimal.Decimal]
	AmountIsNumber bool // a JSON number and no text, see [money.Currency.Nearest]
	Date           ledger.Opt[ledger.Date]
	Notes          ledger.Opt[string]
	Problems       ledger.Problems
}

// newValuation checks a new valuation as a whole.
func (in *ValuationInput) newValuation(who ledger.Actor, refs *ledger.Refs) (queries.Valuation, error) {
	key, known := refs.Accounts.Keys[in.AccountID.Value]
	if in.AccountID.Has() && !known {
		return queries.Valuation{}, ledger.NewNotFound("Account")
	}
	in.Problems.Require(in.AccountID.Has(), "account_id", "is required")
	in.Problems.Require(in.Date.Has(), "date", "is required, such as 2026-01-31")
	in.Problems.Require(in.Amount.Has(), "amount", "is required, such as 12.50")
	v := queries.Valuation{HouseholdID: who.HouseholdID, AccountID: key, Kind: "reconciliation"}
	in.apply(&v, refs.Accounts.ByKey[key])
	return v, in.Problems.Err()
}

// apply takes what is given. The account is nil when it is not known.
func (in *ValuationInput) apply(v *queries.Valuation, account *ledger.AccountRef) {
	if in.Date.Has() {
		v.Date = new(int64(in.Date.Value))
	}
	if in.Amount.Has() && account != nil {
		currency, _ := money.LookupCurrency(account.Currency) // what is stored was looked up
		minor, err := currency.Minor(currency.Meant(in.Amount.Value, in.AmountIsNumber))
		if err != nil {
			in.Problems.Add("amount", "%s", err)
		}
		v.Amount = account.Sign() * minor
	}
	if in.Notes.Set {
		v.Notes = nil
	}
	if in.Notes.Has() {
		v.Notes = new(in.Problems.CheckNotes("notes", in.Notes.Value))
	}
}
