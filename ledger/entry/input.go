package entry

import (
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// TransactionInput is what a client says about a transaction, new or changed. Amount is in major units as
// written; what its sign means is said at newTransaction. Problems are what decoding found, reported together
// with what the ledger finds.
type TransactionInput struct {
	AccountID              ledger.Opt[uuid.UUID]
	Date                   ledger.Opt[ledger.Date]
	Amount                 ledger.Opt[decimal.Decimal]
	AmountIsNumber         bool               // a JSON number and no text, see [money.Currency.Nearest]
	Nature                 ledger.Opt[string] // income, inflow, expense, outflow
	Name, Description      ledger.Opt[string] // Description stands in for a Name that is absent
	Notes                  ledger.Opt[string]
	Currency               ledger.Opt[string]
	CategoryID, MerchantID ledger.Opt[uuid.UUID]
	TagIDs                 ledger.Opt[[]uuid.UUID]
	SplitLines             ledger.Opt[[]SplitLineInput] // null and the empty list: not split
	ExternalID, Source     ledger.Opt[string]
	Problems               ledger.Problems
}

// Direction is which way money goes; unsaid when the client did not say.
type Direction int

const (
	Unsaid Direction = iota
	Inflow
	Outflow
)

// DirectionOf reads a nature.
func DirectionOf(p *ledger.Problems, nature ledger.Opt[string]) Direction {
	switch strings.ToLower(nature.Or("")) {
	case "":
		return Unsaid
	case "income", "inflow":
		return Inflow
	case "expense", "outflow":
		return Outflow
	}
	p.Add("nature", "must be income, inflow, expense or outflow, got %s", ledger.Quote(nature.Value))
	return Unsaid
}

// checker resolves an input against a household.
type checker struct {
	refs *ledger.Refs
	in   *TransactionInput
}

func (c checker) name() string {
	in := c.in
	switch {
	case in.Problems.Has("name") || in.Problems.Has("description"):
		return ""
	case !in.Name.Has() && in.Description.Has():
		return c.required("description", unbroken(in.Description.Value))
	}
	return c.required("name", unbroken(in.Name.Or("")))
}

func (c checker) required(field, text string) string {
	name := c.in.Problems.EntryName(field, text)
	c.in.Problems.Require(name != "", field, "is required and must not be blank")
	return name
}

// unbroken has a space for each line break and tab: programs pass on what banks write.
func unbroken(text string) string {
	if !strings.ContainsAny(text, "\r\n\t") {
		return text
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(text)
}

// currency is the zero value when the one that was given is none, or none was given and otherwise is
// empty.
func (c checker) currency(otherwise string) money.Currency {
	if c.in.Problems.Has("currency") || otherwise == "" && !c.in.Currency.Has() {
		return money.Currency{}
	}
	code := c.in.Currency.Or(otherwise)
	currency, ok := money.LookupCurrency(code)
	if !ok {
		c.in.Problems.Add("currency", "must be an ISO 4217 code such as EUR, got %s", ledger.Quote(code))
		return money.Currency{}
	}
	return currency
}

func (c checker) accountCurrency(key int64) string {
	if account := c.refs.Accounts.ByKey[key]; account != nil {
		return account.Currency
	}
	return ""
}

// minor is the absolute amount in minor units.
func (c checker) minor(amount decimal.Decimal, currency money.Currency) int64 {
	if currency.Code == "" || c.in.Problems.Has("amount") {
		return 0
	}
	minor, err := currency.Minor(amount.Abs())
	if err != nil {
		c.in.Problems.Add("amount", "%s", err)
	}
	return minor
}

func (c checker) category() *int64 {
	return c.in.Problems.Reference("category_id", c.in.CategoryID, c.refs.Categories.Keys)
}

func (c checker) merchant() *int64 {
	return c.in.Problems.Reference("merchant_id", c.in.MerchantID, c.refs.Merchants.Keys)
}

// tags are the keys of the tags, each once.
func (c checker) tags() []int64 { return c.tagKeys("tag_ids", c.in.TagIDs) }

func (c checker) tagKeys(field string, ids ledger.Opt[[]uuid.UUID]) []int64 {
	seen := map[int64]bool{}
	var keys []int64
	for _, id := range ids.Or(nil) {
		key, ok := c.refs.Tags.Keys[id]
		if !ok {
			c.in.Problems.Add(field, "has an id that is not one of the household's own: %s", id)
			continue
		}
		if !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// external are the client's own id and where it comes from; source is api when only the id is given.
func (c checker) external() (id, source *string) {
	in := c.in
	if in.Source.Has() && !in.ExternalID.Has() {
		in.Problems.Add("source", "needs an external_id beside it")
		return nil, nil
	}
	if !in.ExternalID.Has() {
		return nil, nil
	}
	text, from := in.Problems.CheckName("external_id", in.ExternalID.Value),
		in.Problems.CheckName("source", in.Source.Or("api"))
	return &text, &from
}

// newTransaction checks a new transaction as a whole. The key is given when it is stored.
//
// The sign of a written amount: with a nature it does not matter; without, positive is an expense and
// negative an income, the convention of the application whose API this is (decisions, section 5).
//
// Without an account, which is a problem noted before, the rest is checked all the same.
func (c checker) newTransaction(who ledger.Actor, accountKey int64) queries.Transaction {
	in := c.in
	t := queries.Transaction{HouseholdID: who.HouseholdID, AccountID: accountKey}
	t.Name, t.Notes = in.Problems.FitName("name", c.name(), in.Problems.Notes(in.Notes))
	if !in.Date.Has() && !in.Problems.Has("date") {
		in.Problems.Add("date", "is required, such as 2026-01-31")
	}
	if !in.Amount.Has() && !in.Problems.Has("amount") {
		in.Problems.Add("amount", "is required, such as 12.50")
	}
	currency := c.currency(c.accountCurrency(accountKey))
	t.Date, t.Currency = int64(in.Date.Value), currency.Code
	t.Amount = -c.minor(currency.Meant(in.Amount.Value, in.AmountIsNumber), currency)
	switch way := DirectionOf(&in.Problems, in.Nature); {
	case way == Inflow, way == Unsaid && in.Amount.Value.IsNegative():
		t.Amount = -t.Amount
	}
	t.CategoryID, t.MerchantID = c.category(), c.merchant()
	t.ExternalID, t.Source = c.external()
	return t
}

// change applies what is given to an existing transaction.
func (c checker) change(t queries.Transaction) queries.Transaction {
	in := c.in
	if in.Notes.Set {
		t.Notes = in.Problems.Notes(in.Notes)
	}
	if in.Name.Has() || in.Description.Has() {
		t.Name, t.Notes = in.Problems.FitName("name", c.name(), t.Notes)
	}
	if in.CategoryID.Set {
		t.CategoryID = c.category()
	}
	if in.MerchantID.Set {
		t.MerchantID = c.merchant()
	}
	if in.Date.Has() {
		t.Date = int64(in.Date.Value)
	}
	t.Amount, t.Currency = c.changedAmount(t)
	return t
}

// changedAmount is the amount after a change: a positive value without nature keeps the direction, a
// negative one makes it an income; nature alone sets the direction; a currency alone keeps the figure.
func (c checker) changedAmount(t queries.Transaction) (int64, string) {
	in := c.in
	before, _ := money.LookupCurrency(t.Currency)
	after := c.currency(t.Currency)
	value := before.Decimal(t.Amount)
	way := DirectionOf(&in.Problems, in.Nature)
	if way == Unsaid && (in.Amount.Value.IsNegative() || t.Amount > 0) {
		way = Inflow
	}
	if in.Amount.Has() {
		value = in.Amount.Value
	}
	minor := c.minor(after.Meant(value, in.AmountIsNumber), after)
	if way != Inflow {
		minor = -minor
	}
	return minor, after.Code
}
