package rule

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Engine is rules of a household in the form in which they are applied: in their order, with the keys of what
// they name. It never changes and may be used by many at a time. A nil book has no rules.
//
// The service keeps it, so a household without rules pays nothing. A run reads the transactions by ranges of
// keys and looks at each row once more in the short write that changes it.
type Engine struct{ Rules []compiledRule }

type compiledRule struct {
	Key        int64
	from       ledger.Date
	conditions []ruleTest
	actions    []compiledAction
}

// ruleTest is a condition.
type ruleTest func(f *Subject) bool

// compiledAction sets a field. key is what of, text is the name or that of the merchant.
type compiledAction struct {
	field Field
	key   int64
	text  string
}

// Engine gives the active rules of the household; nil when it has none.
func (s *Service) Engine(ctx context.Context, who ledger.Actor) (book *Engine, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(_ context.Context, tx *ledger.Tx) error {
		book = s.EngineOf(tx.HouseholdID, tx.Refs)
		return nil
	})
	return book, err
}

// engineCache keeps what the rules of the households that were asked for last were compiled to.
type engineCache struct {
	mu         sync.Mutex
	households map[int64]compiledEngine
}

// compiledEngine is a book and the labels that its rules were found in.
type compiledEngine struct {
	refs *ledger.Refs
	book *Engine
}

// EngineOf gives the active rules among the labels; nil when there are none.
func (s *Service) EngineOf(householdID int64, refs *ledger.Refs) *Engine {
	if len(refs.RuleRows) == 0 {
		return nil
	}
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	have := s.books.households[householdID]
	if have.refs != refs {
		have = compiledEngine{refs, CompileRules(refs.RuleRows, refs)}
		if s.books.households == nil || len(s.books.households) >= ledger.MaxCachedHouseholds {
			s.books.households = map[int64]compiledEngine{}
		}
		s.books.households[householdID] = have
	}
	return have.book
}

// Apply lets the rules change the facts and says what they have set; the result lasts until the next call. The rules
// have their turns in order, each sees what those before it have done, and the first that sets a field has it. They
// have another turn as long as anything changes: where the effects are noted, nothing is left for a second call.
func (b *Engine) Apply(f *Subject) []RuleEffect {
	if b == nil {
		return nil
	}
	f.was = f.snapshot()
	// A field goes from rule to rule only towards the first of them, so that this ends; the bound is for safety.
	for turns := 0; b.pass(f) && turns <= len(b.Rules)*int(RuleFieldCount); turns++ {
	}
	return f.effects
}

func (b *Engine) pass(f *Subject) (changed bool) {
	for i := range b.Rules {
		r := &b.Rules[i]
		if !r.matches(f) {
			continue
		}
		if f.Hits != nil {
			f.Hits[i] = true
		}
		for a := range r.actions {
			changed = r.actions[a].take(f, r.Key) || changed
		}
	}
	return changed
}

func (r *compiledRule) matches(f *Subject) bool {
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
func (a *compiledAction) take(f *Subject, rule int64) (changed bool) {
	if !f.free(a.field, rule) {
		return false
	}
	switch a.field {
	case RuleName:
		changed = f.Name != a.text
		if changed {
			name := a.text
			f.Name = name
			f.texts[0].reset()
		}
	case RuleCategory:
		changed, f.CategoryID = f.CategoryID != a.key, a.key
	case RuleMerchant:
		changed, f.MerchantID, f.MerchantName = f.MerchantID != a.key, a.key, a.text
	case RuleTags:
		changed = len(f.Tags) != 1 || f.Tags[0] != a.key
		if changed {
			f.Tags = []int64{a.key}
		}
	case RuleTransfer:
		if f.InTransfer || a.key == f.AccountID || f.Minor == 0 {
			return false
		}
		changed, f.TransferTo = f.TransferTo != a.key, a.key
	}
	if changed {
		f.note(a.field, rule)
	}
	return changed
}

// HasTransfers reports whether any rule calls transactions one side of a transfer.
func (b *Engine) HasTransfers() bool {
	return b != nil && slices.ContainsFunc(b.Rules, func(r compiledRule) bool { return r.transferAccount() != 0 })
}

func (r *compiledRule) transferAccount() int64 {
	for _, a := range r.actions {
		if a.field == RuleTransfer {
			return a.key
		}
	}
	return 0
}

// CompileRules makes a book of the rules that are active; nil when none is.
func CompileRules(rules []queries.Rule, refs *ledger.Refs) *Engine {
	var b Engine
	for _, r := range rules {
		if r.Active == 0 {
			continue
		}
		b.Rules = append(b.Rules, compileRule(r, refs))
	}
	if b.Rules == nil {
		return nil
	}
	return &b
}

// compileRule takes a rule as it is stored. What it names and is gone makes a condition that is never true, and an
// action that does nothing.
func compileRule(stored queries.Rule, refs *ledger.Refs) compiledRule {
	r := compiledRule{Key: stored.ID, from: ledger.MinDate}
	rule, err := readRule(stored)
	if err != nil {
		r.conditions = []ruleTest{untrue}
		return r
	}
	if rule.EffectiveDate != nil {
		r.from = ledger.Date(*rule.EffectiveDate)
	}
	r.conditions = compileConditions(rule.Conditions, refs)
	for _, a := range rule.Actions {
		if action, ok := compileAction(a, refs); ok {
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

func compileAction(a Action, refs *ledger.Refs) (compiledAction, bool) {
	if a.Type == "set_transaction_name" {
		return compiledAction{field: RuleName, text: a.Value}, true
	}
	field, known := map[string]Field{"set_transaction_category": RuleCategory, "set_transaction_merchant": RuleMerchant,
		"set_transaction_tags": RuleTags, "set_as_transfer_or_payment": RuleTransfer}[a.Type]
	key, own := ruleKey(refs, a.Type, a.Value)
	out := compiledAction{field: field, key: key}
	if field == RuleMerchant && own {
		out.text = refs.Merchants.ByKey[key].Name
	}
	return out, known && own
}

// ruleKey is the key of what a stored value names.
func ruleKey(refs *ledger.Refs, kind, value string) (int64, bool) {
	id, ok := ledger.ParseID(value)
	if !ok {
		id = uuid.Nil
	}
	return refs.RuleReference(RuleNoun(kind), id)
}

func compileConditions(list []Condition, refs *ledger.Refs) []ruleTest {
	tests := make([]ruleTest, len(list))
	for i, c := range list {
		tests[i] = compileCondition(c, refs)
	}
	return tests
}

func untrue(*Subject) bool { return false }

func compileCondition(c Condition, refs *ledger.Refs) ruleTest {
	switch c.Type {
	case "compound":
		return compileCompound(c, refs)
	case "transaction_name":
		return compileText(c, 0, func(f *Subject) string { return f.Name })
	case "transaction_notes":
		return compileText(c, 1, func(f *Subject) string { return f.Notes })
	case "transaction_amount":
		return compileAmount(c)
	case "transaction_type":
		return compileType(c.Value)
	}
	key := int64(0)
	if c.Operator != "is_null" {
		var own bool
		key, own = ruleKey(refs, c.Type, c.Value)
		if !own {
			return untrue
		}
	}
	switch RuleNoun(c.Type) {
	case "account":
		return func(f *Subject) bool { return f.AccountID == key }
	case "category":
		return func(f *Subject) bool { return f.CategoryID == key }
	case "merchant":
		return func(f *Subject) bool { return f.MerchantID == key }
	case "tag":
		return func(f *Subject) bool { return key == 0 && len(f.Tags) == 0 || slices.Contains(f.Tags, key) }
	}
	return untrue
}

func compileCompound(c Condition, refs *ledger.Refs) ruleTest {
	tests := compileConditions(c.Conditions, refs)
	every := c.Operator == "and"
	return func(f *Subject) bool {
		for _, test := range tests {
			if test(f) != every {
				return !every
			}
		}
		return every
	}
}

// compileText compares whatever the white space; like also whatever the case.
func compileText(c Condition, place int, get func(*Subject) string) ruleTest {
	value := appendCollapsed(nil, c.Value, c.Operator == "like")
	switch {
	case c.Operator == "is_null":
		return func(f *Subject) bool { return f.texts[place].equals(get(f), nil) }
	case len(value) == 0:
		return untrue
	case c.Operator == "like":
		return func(f *Subject) bool { return f.texts[place].contains(get(f), value) }
	}
	return func(f *Subject) bool { return f.texts[place].equals(get(f), value) }
}

// compileType: an amount of zero is an expense, and what is a side of a transfer is neither income nor expense.
func compileType(kind string) ruleTest {
	switch kind {
	case "transfer":
		return func(f *Subject) bool { return f.InTransfer }
	case "income":
		return func(f *Subject) bool { return !f.InTransfer && f.Minor > 0 }
	case "expense":
		return func(f *Subject) bool { return !f.InTransfer && f.Minor <= 0 }
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
func compileAmount(c Condition) ruleTest {
	value, err := money.ParseDecimal(c.Value)
	if err != nil {
		return untrue
	}
	var limits [maxExponent + 1]amountLimit
	for exponent := range limits {
		limits[exponent] = limitOf(value.Shift(int32(exponent)))
	}
	return func(f *Subject) bool {
		limit := limits[min(exponentOf(f.Currency), maxExponent)]
		// Compare a whole number with the limit.
		n := max(f.Minor, -f.Minor)
		equal := limit.exact && n == limit.floor
		switch c.Operator {
		case ">":
			return n > limit.floor
		case ">=":
			return n > limit.floor || equal
		case "<":
			return n <= limit.floor && !equal
		case "<=":
			return n <= limit.floor
		case "=":
			return equal
		}
		return !equal
	}
}

// exponentOf looks a stored code up, which is in upper case.
func exponentOf(code string) int { return money.Exponents[code] }

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

// FirstDay is the first that any of the rules is for.
func (b *Engine) FirstDay() ledger.Date {
	first := ledger.MaxDate
	for _, rule := range b.Rules {
		first = min(first, rule.from)
	}
	return first
}

func (b *Engine) TransferAccountOf(rule int64) int64 {
	for i := range b.Rules {
		if b.Rules[i].Key == rule {
			return b.Rules[i].transferAccount()
		}
	}
	return 0
}
