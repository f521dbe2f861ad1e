package ledger

import (
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// TransactionInput is what a client says about a transaction, new or changed. Amount is in major units as
// written; what its sign means is said at newTransaction. Problems are what decoding found, reported together
// with what the ledger finds.
type TransactionInput struct {
	AccountID              Opt[uuid.UUID]
	Date                   Opt[Date]
	Amount                 Opt[decimal.Decimal]
	AmountIsNumber         bool        // a JSON number and no text, see [Currency.Nearest]
	Nature                 Opt[string] // income, inflow, expense, outflow
	Name, Description      Opt[string] // Description stands in for a Name that is absent
	Notes                  Opt[string]
	Currency               Opt[string]
	CategoryID, MerchantID Opt[uuid.UUID]
	TagIDs                 Opt[[]uuid.UUID]
	SplitLines             Opt[[]SplitLineInput] // null and the empty list: not split
	ExternalID, Source     Opt[string]
	Problems               Problems
}

// direction is which way money goes; unsaid when the client did not say.
type direction int

const (
	unsaid direction = iota
	inflow
	outflow
)

// direction reads a nature.
func (p *Problems) direction(nature Opt[string]) direction {
	switch strings.ToLower(nature.Or("")) {
	case "":
		return unsaid
	case "income", "inflow":
		return inflow
	case "expense", "outflow":
		return outflow
	}
	p.Add("nature", "must be income, inflow, expense or outflow, got %s", Quote(nature.Value))
	return unsaid
}

// checker resolves an input against a household.
type checker struct {
	labels *labels
	in     *TransactionInput
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
	name := c.in.Problems.entryName(field, text)
	c.in.Problems.require(name != "", field, "is required and must not be blank")
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
func (c checker) currency(otherwise string) Currency {
	if c.in.Problems.Has("currency") || otherwise == "" && !c.in.Currency.Has() {
		return Currency{}
	}
	code := c.in.Currency.Or(otherwise)
	currency, ok := LookupCurrency(code)
	if !ok {
		c.in.Problems.Add("currency", "must be an ISO 4217 code such as EUR, got %s", Quote(code))
		return Currency{}
	}
	return currency
}

func (c checker) accountCurrency(key int64) string {
	if account := c.labels.accounts.byKey[key]; account != nil {
		return account.Currency
	}
	return ""
}

// minor is the absolute amount in minor units.
func (c checker) minor(amount decimal.Decimal, currency Currency) int64 {
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
	return c.in.Problems.reference("category_id", c.in.CategoryID, c.labels.categories.keys)
}

func (c checker) merchant() *int64 {
	return c.in.Problems.reference("merchant_id", c.in.MerchantID, c.labels.merchants.keys)
}

// reference is the key of one of the household's own; nil when none is named.
func (p *Problems) reference(field string, id Opt[uuid.UUID], keys map[uuid.UUID]int64) *int64 {
	if !id.Has() {
		return nil
	}
	key, ok := keys[id.Value]
	if !ok {
		p.Add(field, "is not the id of one of the household's own: %s", id.Value)
		return nil
	}
	return &key
}

// tags are the keys of the tags, each once.
func (c checker) tags() []int64 { return c.tagKeys("tag_ids", c.in.TagIDs) }

func (c checker) tagKeys(field string, ids Opt[[]uuid.UUID]) []int64 {
	seen := map[int64]bool{}
	var keys []int64
	for _, id := range ids.Or(nil) {
		key, ok := c.labels.tags.keys[id]
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
	text, from := in.Problems.CheckName("external_id", in.ExternalID.Value), in.Problems.CheckName("source", in.Source.Or("api"))
	return &text, &from
}

// newTransaction checks a new transaction as a whole. The key is given when it is stored.
//
// The sign of a written amount: with a nature it does not matter; without, positive is an expense and
// negative an income, the convention of the application whose API this is (decisions, section 5).
//
// Without an account, which is a problem noted before, the rest is checked all the same.
func (c checker) newTransaction(who Actor, accountKey int64) queries.Transaction {
	in := c.in
	t := queries.Transaction{HouseholdID: who.HouseholdID, AccountID: accountKey}
	t.Name, t.Notes = in.Problems.fitName("name", c.name(), in.Problems.notes(in.Notes))
	if !in.Date.Has() && !in.Problems.Has("date") {
		in.Problems.Add("date", "is required, such as 2026-01-31")
	}
	if !in.Amount.Has() && !in.Problems.Has("amount") {
		in.Problems.Add("amount", "is required, such as 12.50")
	}
	currency := c.currency(c.accountCurrency(accountKey))
	t.Date, t.Currency = int64(in.Date.Value), currency.Code
	t.Amount = -c.minor(currency.meant(in.Amount.Value, in.AmountIsNumber), currency)
	switch way := in.Problems.direction(in.Nature); {
	case way == inflow, way == unsaid && in.Amount.Value.IsNegative():
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
		t.Notes = in.Problems.notes(in.Notes)
	}
	if in.Name.Has() || in.Description.Has() {
		t.Name, t.Notes = in.Problems.fitName("name", c.name(), t.Notes)
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
	before, _ := LookupCurrency(t.Currency)
	after := c.currency(t.Currency)
	value := before.Decimal(t.Amount)
	way := in.Problems.direction(in.Nature)
	if way == unsaid && (in.Amount.Value.IsNegative() || t.Amount > 0) {
		way = inflow
	}
	if in.Amount.Has() {
		value = in.Amount.Value
	}
	minor := c.minor(after.meant(value, in.AmountIsNumber), after)
	if way != inflow {
		minor = -minor
	}
	return minor, after.Code
}
