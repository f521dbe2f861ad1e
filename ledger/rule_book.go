package ledger

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// RuleBook is rules of a household in the form in which they are applied: in their order, with the keys of what
// they name. It never changes and may be used by many at a time. A nil book has no rules.
//
// The service keeps it, so a household without rules pays nothing. A run reads the transactions by ranges of
// keys and looks at each row once more in the short write that changes it.
type RuleBook struct{ rules []compiledRule }

type compiledRule struct {
	key        int64
	from       Date
	conditions []ruleTest
	actions    []compiledAction
}

// ruleTest is a condition.
type ruleTest func(f *RuleFacts) bool

// compiledAction sets a field. key is what of, text is the name or that of the merchant.
type compiledAction struct {
	field RuleField
	key   int64
	text  string
}

// RuleBook gives the active rules of the household; nil when it has none.
func (l *Ledger) RuleBook(ctx context.Context, who Actor) (book *RuleBook, err error) {
	err = l.withLabels(ctx, l.db.Read, who, func(_ context.Context, _ *queries.Queries, names *labels) error {
		book = l.ruleBook(who.HouseholdID, names)
		return nil
	})
	return book, err
}

// ruleBooks keeps what the rules of the households that were asked for last were compiled to.
type ruleBooks struct {
	mu         sync.Mutex
	households map[int64]compiledBook
}

// compiledBook is a book and the labels that its rules were found in.
type compiledBook struct {
	names *labels
	book  *RuleBook
}

// ruleBook gives the active rules among the labels; nil when there are none.
func (l *Ledger) ruleBook(householdID int64, names *labels) *RuleBook {
	if len(names.ruleRows) == 0 {
		return nil
	}
	l.books.mu.Lock()
	defer l.books.mu.Unlock()
	have := l.books.households[householdID]
	if have.names != names {
		have = compiledBook{names, compileRules(names.ruleRows, names)}
		if l.books.households == nil || len(l.books.households) >= maxCachedHouseholds {
			l.books.households = map[int64]compiledBook{}
		}
		l.books.households[householdID] = have
	}
	return have.book
}

// Apply lets the rules change the facts and says what they have set; the result lasts until the next call. The rules
// have their turns in order, each sees what those before it have done, and the first that sets a field has it. They
// have another turn as long as anything changes: where the effects are noted, nothing is left for a second call.
func (b *RuleBook) Apply(f *RuleFacts) []RuleEffect {
	if b == nil {
		return nil
	}
	f.was = f.snapshot()
	// A field goes from rule to rule only towards the first of them, so that this ends; the bound is for safety.
	for turns := 0; b.turn(f) && turns <= len(b.rules)*int(ruleFieldCount); turns++ {
	}
	return f.effects
}

func (b *RuleBook) turn(f *RuleFacts) (changed bool) {
	for i := range b.rules {
		r := &b.rules[i]
		if !r.matches(f) {
			continue
		}
		if f.hits != nil {
			f.hits[i] = true
		}
		for a := range r.actions {
			changed = r.actions[a].take(f, r.key) || changed
		}
	}
	return changed
}

func (r *compiledRule) matches(f *RuleFacts) bool {
	if f.Date < r.from {
		return false
	}
	for _, test := range r.conditions {
		if !test(f) {
			return false
		}
	}
	return true
}

// take does the action as far as it is free to.
func (a *compiledAction) take(f *RuleFacts, rule int64) (changed bool) {
	if !f.free(a.field, rule) {
		return false
	}
	switch a.field {
	case RuleName:
		if changed = f.Name != a.text; changed {
			f.setName(a.text)
		}
	case RuleCategory:
		changed, f.CategoryID = f.CategoryID != a.key, a.key
	case RuleMerchant:
		changed, f.MerchantID, f.merchantName = f.MerchantID != a.key, a.key, a.text
	case RuleTags:
		if changed = len(f.Tags) != 1 || f.Tags[0] != a.key; changed {
			f.Tags = []int64{a.key}
		}
	case RuleTransfer:
		if f.InTransfer || a.key == f.AccountID || f.Minor == 0 {
			return false
		}
		changed, f.transferTo = f.transferTo != a.key, a.key
	}
	if changed {
		f.note(a.field, rule)
	}
	return changed
}

// hasTransfers says whether any rule calls transactions one side of a transfer.
func (b *RuleBook) hasTransfers() bool {
	return b != nil && slices.ContainsFunc(b.rules, func(r compiledRule) bool { return r.transferAccount() != 0 })
}

func (r *compiledRule) transferAccount() int64 {
	for _, a := range r.actions {
		if a.field == RuleTransfer {
			return a.key
		}
	}
	return 0
}

// compileRules makes a book of the rules that are active; nil when none is.
func compileRules(rules []queries.Rule, names *labels) *RuleBook {
	var b RuleBook
	for _, r := range rules {
		if r.Active == 0 {
			continue
		}
		b.rules = append(b.rules, compileRule(r, names))
	}
	if b.rules == nil {
		return nil
	}
	return &b
}

// compileRule takes a rule as it is stored. What it names and is gone makes a condition that is never true, and an
// action that does nothing.
func compileRule(stored queries.Rule, names *labels) compiledRule {
	r := compiledRule{key: stored.ID, from: MinDate}
	rule, err := readRule(stored)
	if err != nil {
		r.conditions = []ruleTest{untrue}
		return r
	}
	if rule.EffectiveDate != nil {
		r.from = Date(*rule.EffectiveDate)
	}
	r.conditions = compileConditions(rule.Conditions, names)
	for _, a := range rule.Actions {
		if action, ok := compileAction(a, names); ok {
			r.actions = append(r.actions, action)
		}
	}
	return r
}

// readRule reads the lists of a stored rule.
func readRule(stored queries.Rule) (Rule, error) {
	r := Rule{Rule: stored}
	if err := json.Unmarshal([]byte(stored.Conditions), &r.Conditions); err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(stored.Actions), &r.Actions)
}

func compileAction(a RuleAction, names *labels) (compiledAction, bool) {
	if a.Type == "set_transaction_name" {
		return compiledAction{field: RuleName, text: a.Value}, true
	}
	field, known := map[string]RuleField{"set_transaction_category": RuleCategory, "set_transaction_merchant": RuleMerchant,
		"set_transaction_tags": RuleTags, "set_as_transfer_or_payment": RuleTransfer}[a.Type]
	key, own := names.ruleKey(a.Type, a.Value)
	out := compiledAction{field: field, key: key}
	if field == RuleMerchant && own {
		out.text = names.merchants.byKey[key].Name
	}
	return out, known && own
}

// ruleKey is the key of what a stored value names.
func (l *labels) ruleKey(kind, value string) (int64, bool) {
	id, ok := ParseID(value)
	if !ok {
		id = uuid.Nil
	}
	return l.ruleReference(ruleNoun(kind), id)
}

func compileConditions(list []RuleCondition, names *labels) []ruleTest {
	tests := make([]ruleTest, len(list))
	for i, c := range list {
		tests[i] = compileCondition(c, names)
	}
	return tests
}

func untrue(*RuleFacts) bool { return false }

func compileCondition(c RuleCondition, names *labels) ruleTest {
	switch c.Type {
	case "compound":
		return compileCompound(c, names)
	case "transaction_name":
		return compileText(c, 0, func(f *RuleFacts) string { return f.Name })
	case "transaction_notes":
		return compileText(c, 1, func(f *RuleFacts) string { return f.Notes })
	case "transaction_amount":
		return compileAmount(c)
	case "transaction_type":
		return compileType(c.Value)
	}
	return compileSelect(c, names)
}

func compileCompound(c RuleCondition, names *labels) ruleTest {
	tests := compileConditions(c.Conditions, names)
	every := c.Operator == "and"
	return func(f *RuleFacts) bool {
		for _, test := range tests {
			if test(f) != every {
				return !every
			}
		}
		return every
	}
}

// compileText compares whatever the white space; like also whatever the case.
func compileText(c RuleCondition, place int, get func(*RuleFacts) string) ruleTest {
	value := appendCollapsed(nil, c.Value, c.Operator == "like")
	switch {
	case c.Operator == "is_null":
		return func(f *RuleFacts) bool { return f.texts[place].equals(get(f), nil) }
	case len(value) == 0:
		return untrue
	case c.Operator == "like":
		return func(f *RuleFacts) bool { return f.texts[place].contains(get(f), value) }
	}
	return func(f *RuleFacts) bool { return f.texts[place].equals(get(f), value) }
}

// compileType: an amount of zero is an expense, and what is a side of a transfer is neither income nor expense.
func compileType(kind string) ruleTest {
	switch kind {
	case "transfer":
		return func(f *RuleFacts) bool { return f.InTransfer }
	case "income":
		return func(f *RuleFacts) bool { return !f.InTransfer && f.Minor > 0 }
	case "expense":
		return func(f *RuleFacts) bool { return !f.InTransfer && f.Minor <= 0 }
	}
	return untrue
}

func compileSelect(c RuleCondition, names *labels) ruleTest {
	key := int64(0)
	if c.Operator != "is_null" {
		var own bool
		if key, own = names.ruleKey(c.Type, c.Value); !own {
			return untrue
		}
	}
	switch ruleNoun(c.Type) {
	case "account":
		return func(f *RuleFacts) bool { return f.AccountID == key }
	case "category":
		return func(f *RuleFacts) bool { return f.CategoryID == key }
	case "merchant":
		return func(f *RuleFacts) bool { return f.MerchantID == key }
	case "tag":
		return func(f *RuleFacts) bool { return key == 0 && len(f.Tags) == 0 || slices.Contains(f.Tags, key) }
	}
	return untrue
}

// maxExponent is the most decimals that a currency has.
const maxExponent = 8

// amountLimit is a written amount in minor units, rounded down, and whether that is all of it.
type amountLimit struct {
	floor int64
	exact bool
}

// compileAmount compares the absolute amount with a decimal, which is brought into minor units of every kind of
// currency beforehand.
func compileAmount(c RuleCondition) ruleTest {
	value, err := ParseDecimal(c.Value)
	if err != nil {
		return untrue
	}
	var limits [maxExponent + 1]amountLimit
	for exponent := range limits {
		limits[exponent] = limitOf(value.Shift(int32(exponent)))
	}
	return func(f *RuleFacts) bool {
		limit := limits[min(exponentOf(f.Currency), maxExponent)]
		return limit.holds(c.Operator, max(f.Minor, -f.Minor))
	}
}

// exponentOf looks a stored code up, which is in upper case.
func exponentOf(code string) int { return exponents[code] }

func limitOf(minor decimal.Decimal) amountLimit {
	whole := minor.Floor()
	if !whole.BigInt().IsInt64() {
		if whole.IsNegative() {
			return amountLimit{math.MinInt64, false}
		}
		return amountLimit{math.MaxInt64, false}
	}
	return amountLimit{whole.IntPart(), whole.Equal(minor)}
}

// holds compares a whole number with the limit.
func (l amountLimit) holds(operator string, n int64) bool {
	equal := l.exact && n == l.floor
	switch operator {
	case ">":
		return n > l.floor
	case ">=":
		return n > l.floor || equal
	case "<":
		return n <= l.floor && !equal
	case "<=":
		return n <= l.floor
	case "=":
		return equal
	}
	return !equal
}
