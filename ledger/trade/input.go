package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// The kinds of trades. A purchase and a sale move a quantity; the others have none and only move cash, a fee
// out of the account, the others into it.
const (
	KindBuy      = "buy"
	KindSell     = "sell"
	kindDividend = "dividend"
	kindInterest = "interest"
	kindFee      = "fee"
)

// What a new trade may be as well: a transaction of its account, in or out.
const (
	typeDeposit    = "deposit"
	typeWithdrawal = "withdrawal"
)

// Types are what a new trade may be: the kinds, and what becomes a transaction of its account.
func Types() []string {
	return []string{KindBuy, KindSell, kindDividend, kindInterest, kindFee, typeDeposit, typeWithdrawal}
}

// MovesUnits reports whether trades of the kind move a quantity.
func MovesUnits(kind string) bool { return kind == KindBuy || kind == KindSell }

// Input is what a client says about a trade, new or changed. Blank and null count as absent, but null Notes
// and CategoryID are none, and a Name or Label that is blank or null is the one that says what the trade is.
// Price, Fee and Amount are in major units of the currency, which is the account's when a new trade names none.
//
// Type is one of the kinds, deposit or withdrawal, in any case. A new trade without one is a purchase, or with
// a negative Quantity a sale; see changedKind for what turns one into the other later. Purchases and sales
// need Quantity and Price, the others Amount. A new trade ignores what its kind has no use for, as the
// application does whose API this is, but not a fee; a change refuses it.
//
// SecurityID, Ticker and ManualTicker name the security, the first that is given; see resolveSecurity. They,
// AccountID and TransferAccountID count in new trades only. Problems are what decoding found.
type Input struct {
	AccountID, TransferAccountID ledger.Opt[uuid.UUID]
	Type, Nature                 ledger.Opt[string]
	Date                         ledger.Opt[ledger.Date]
	Quantity, Price, Fee, Amount ledger.Opt[decimal.Decimal]
	FeeIsNumber, AmountIsNumber  bool // JSON numbers and no texts, see [money.Currency.Nearest]
	Currency                     ledger.Opt[string]
	SecurityID                   ledger.Opt[uuid.UUID]
	Ticker, ManualTicker         ledger.Opt[string]
	Label                        ledger.Opt[string] // one of activityLabels, in any case
	CategoryID                   ledger.Opt[uuid.UUID]
	Name, Notes                  ledger.Opt[string]
	AllowShort                   ledger.Opt[bool] // a sale may take more than is held
	Problems                     ledger.Problems
}

// given is a text without surrounding white space; "" when there is none.
func given(text ledger.Opt[string]) string { return strings.TrimSpace(text.Or("")) }

// newKind is what a new trade is; "" when its type is none.
func (in *Input) newKind() string {
	kind := strings.ToLower(given(in.Type))
	switch {
	case in.Problems.Has("type"):
		return ""
	case kind == "" && in.Quantity.Value.IsNegative():
		return KindSell
	case kind == "":
		return KindBuy
	case !slices.Contains(Types(), kind):
		in.Problems.Add("type", "must be buy, sell, dividend, interest, fee, deposit or withdrawal, got %s",
			ledger.Quote(in.Type.Value))
		return ""
	}
	return kind
}

// account is the one that a new trade is booked in; nil when there is none, which is noted.
func (in *Input) account(refs *ledger.Refs) (key int64, account *ledger.AccountRef, err error) {
	key, known := refs.Accounts.Keys[in.AccountID.Value]
	if in.AccountID.Has() && !known {
		return 0, nil, ledger.NewNotFound("Account")
	}
	in.Problems.Require(in.AccountID.Has(), "account_id", "is required")
	account = refs.Accounts.ByKey[key]
	if account == nil {
		return 0, nil, nil
	}
	if kind, _ := ledger.LookupAccountType(account.AccountType); !kind.TakesTrades() {
		in.Problems.Add("account_id", "must be that of an account of type %s, %s is of type %s", ledger.TradingTypes,
			ledger.Quote(account.Name), account.AccountType)
	}
	return key, account, nil
}

// newTrade checks a new trade as a whole, but for its security. Without an account, which is a problem noted
// before, the rest is checked all the same.
func (in *Input) newTrade(who ledger.Actor, refs *ledger.Refs, kind string) (queries.Trade, error) {
	key, account, err := in.account(refs)
	if err != nil {
		return queries.Trade{}, err
	}
	t := queries.Trade{HouseholdID: who.HouseholdID, AccountID: key, Date: int64(in.Date.Value),
		CategoryID: in.category(refs), Notes: in.Problems.Notes(in.Notes)}
	in.Problems.Require(in.Date.Has(), "date", "is required, such as 2026-01-31")
	in.newTerms(kind, in.currency(account)).cash(&t, &in.Problems)
	t.AllowShort = ledger.AsInteger(in.AllowShort.Value)
	t.ActivityLabel = new(in.label(kind))
	t.Name, t.Notes = in.Problems.FitName("name", in.name(), t.Notes)
	return t, nil
}

// currency is the given one, else the account's; the zero value when there is none.
func (in *Input) currency(account *ledger.AccountRef) money.Currency {
	code := given(in.Currency)
	if in.Problems.Has("currency") || code == "" && account == nil {
		return money.Currency{}
	}
	if code == "" {
		code = account.Currency
	}
	currency, err := fx.ParseCode(code)
	in.Problems.Note("currency", err)
	return currency
}

func (in *Input) category(refs *ledger.Refs) *int64 {
	return in.Problems.Reference("category_id", in.CategoryID, refs.Categories.Keys)
}

// name is the given one, "" when there is none.
func (in *Input) name() string { return in.Problems.EntryName("name", in.Name.Or("")) }

// defaultName says in words what a trade is; a ticker may be empty.
func defaultName(t queries.Trade, ticker string) string {
	title := strings.ToUpper(t.Kind[:1]) + t.Kind[1:]
	switch {
	case MovesUnits(t.Kind):
		return fmt.Sprintf("%s %s shares of %s", title, strings.TrimPrefix(t.Quantity, "-"), ticker)
	case ticker != "":
		return title + ": " + ticker
	}
	return title
}

// activityLabels are the words that a trade may be labelled with.
func activityLabels() []string {
	return []string{"Buy", "Sell", "Sweep In", "Sweep Out", "Dividend", "Reinvestment", "Interest", "Fee", "Transfer",
		"Contribution", "Withdrawal",
		"Exchange", "Other"}
}

// label is the given one as it is stored, else that of the kind.
func (in *Input) label(kind string) string {
	text := given(in.Label)
	if text == "" {
		return defaultLabel(kind)
	}
	labels := activityLabels()
	at := slices.IndexFunc(labels, func(label string) bool { return ledger.Fold(label) == ledger.Fold(text) })
	if at < 0 {
		in.Problems.Add("investment_activity_label", "must be one of %s, got %s", strings.Join(labels, ", "),
			ledger.Quote(text))
		return ""
	}
	return labels[at]
}

// defaultLabel is the label whose word is the kind.
func defaultLabel(kind string) string {
	labels := activityLabels()
	at := slices.IndexFunc(labels, func(label string) bool { return ledger.Fold(label) == kind })
	if at < 0 {
		return ""
	}
	return labels[at]
}
