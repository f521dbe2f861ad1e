package rule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/queries"
)

// ruleHome is what rules of these tests can name: key n of each kind has the id whose last digit is n.
func ruleHome() *ledger.Refs {
	refs := &ledger.Refs{Accounts: ledger.NewRefSet[ledger.AccountRef](3), Categories: ledger.NewRefSet[ledger.CategoryRef](3), Merchants: ledger.NewRefSet[ledger.MerchantRef](3), Tags: ledger.NewRefSet[ledger.TagRef](3)}
	for n := int64(1); n <= 3; n++ {
		id := ruleID(n)
		refs.Accounts.ByKey[n], refs.Accounts.Keys[id] = &ledger.AccountRef{ID: id, Name: fmt.Sprint("account ", n)}, n
		refs.Categories.ByKey[n], refs.Categories.Keys[id] = &ledger.CategoryRef{ID: id, Name: fmt.Sprint("category ", n)}, n
		refs.Merchants.ByKey[n], refs.Merchants.Keys[id] = &ledger.MerchantRef{ID: id, Name: fmt.Sprint("merchant ", n)}, n
		refs.Tags.ByKey[n], refs.Tags.Keys[id] = &ledger.TagRef{ID: id, Name: fmt.Sprint("tag ", n)}, n
	}
	return refs
}

func ruleID(n int64) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("00000000-0000-7000-8000-%012d", n))
}

// EngineOf compiles rules, each with its conditions and actions as JSON in which #n is the id of key n. They have the
// keys 1, 2 and so on.
func ruleBook(tb testing.TB, rules ...[2]string) *Engine {
	tb.Helper()
	var rows []queries.Rule
	for i, r := range rules {
		row := queries.Rule{ID: int64(i + 1), Active: 1, Conditions: withRuleIDs(r[0]), Actions: withRuleIDs(r[1])}
		if _, err := readRule(row); err != nil {
			tb.Fatal(r, err)
		}
		rows = append(rows, row)
	}
	return CompileRules(rows, ruleHome())
}

func withRuleIDs(text string) string {
	for n := int64(1); n <= 4; n++ {
		text = strings.ReplaceAll(text, fmt.Sprint("#", n), ruleID(n).String())
	}
	return text
}

const rename = `[{"action_type":"set_transaction_name","value":"hit"}]`

func cond(kind, operator, value string) string {
	return fmt.Sprintf(`{"condition_type":%q,"operator":%q,"value":%q}`, kind, operator, value)
}

// TestRuleConditions names for each condition the transactions that it selects.
func TestRuleConditions(t *testing.T) {
	t.Parallel()
	day := ledger.NewDate(2026, 3, 1)
	rows := []Subject{
		{Name: "  Corner\t BAKERY  ", Notes: "two loaves", Minor: -1250, Currency: "EUR", AccountID: 1, CategoryID: 1, MerchantID: 1, Tags: []int64{1, 2}},
		{Name: "Bäckerei ÄÖ", Notes: " \n ", Minor: 1250, Currency: "EUR", AccountID: 2, CategoryID: 2},
		{Name: "Rent", Minor: 0, Currency: "JPY", AccountID: 1, MerchantID: 2, Tags: []int64{3}},
		{Name: "Move", Minor: -12_500, Currency: "KWD", AccountID: 3, InTransfer: true},
		{Name: "Corner Bakery", Minor: -1251, Currency: "EUR", AccountID: 2},
	}
	for condition, want := range map[string]string{
		cond("transaction_name", "like", "corner  bakery"):                                      "04",
		cond("transaction_name", "like", "BÄCKEREI äö"):                                         "1",
		cond("transaction_name", "like", "%"):                                                   "",
		cond("transaction_name", "=", "Corner Bakery"):                                          "4",
		cond("transaction_name", "=", " Corner   BAKERY "):                                      "0",
		cond("transaction_name", "=", "Corner"):                                                 "",
		cond("transaction_name", "is_null", ""):                                                 "",
		cond("transaction_notes", "like", "LOAVES"):                                             "0",
		cond("transaction_notes", "=", "two loaves"):                                            "0",
		cond("transaction_notes", "is_null", ""):                                                "1234",
		cond("transaction_notes", "like", ""):                                                   "",
		cond("transaction_amount", "=", "12.5"):                                                 "013",
		cond("transaction_amount", "!=", "12.50"):                                               "24",
		cond("transaction_amount", ">", "12.50"):                                                "4",
		cond("transaction_amount", ">", "12.499"):                                               "0134",
		cond("transaction_amount", ">=", "12.505"):                                              "4",
		cond("transaction_amount", ">=", "12.51"):                                               "4",
		cond("transaction_amount", "<", "12.505"):                                               "0123",
		cond("transaction_amount", "<", "12.50"):                                                "2",
		cond("transaction_amount", "<=", "12.50"):                                               "0123",
		cond("transaction_amount", "=", "12.505"):                                               "",
		cond("transaction_amount", "=", "0"):                                                    "2",
		cond("transaction_amount", ">", "-1"):                                                   "01234",
		cond("transaction_amount", "<", "99999999999999999999"):                                 "01234",
		cond("transaction_amount", ">=", "99999999999999999999"):                                "",
		cond("transaction_type", "=", "income"):                                                 "1",
		cond("transaction_type", "=", "expense"):                                                "024",
		cond("transaction_type", "=", "transfer"):                                               "3",
		cond("transaction_account", "=", "#1"):                                                  "02",
		cond("transaction_account", "is_null", ""):                                              "",
		cond("transaction_category", "=", "#2"):                                                 "1",
		cond("transaction_category", "is_null", ""):                                             "234",
		cond("transaction_merchant", "=", "#1"):                                                 "0",
		cond("transaction_merchant", "is_null", ""):                                             "134",
		cond("transaction_tag", "=", "#2"):                                                      "0",
		cond("transaction_tag", "is_null", ""):                                                  "134",
		cond("transaction_category", "=", "#4"):                                                 "", // deleted meanwhile
		cond("transaction_category", "=", "Food"):                                               "",
		cond("transaction_account", "=", "#1") + "," + cond("transaction_type", "=", "expense"): "02",
		"": "01234",
		`{"condition_type":"compound","operator":"or","sub_conditions":[` + cond("transaction_name", "=", "Rent") + "," + cond("transaction_type", "=", "transfer") + `]}`: "23",
		`{"condition_type":"compound","operator":"and","sub_conditions":[` + cond("transaction_account", "=", "#2") + "," + cond("transaction_type", "=", "income") + `]}`: "1",
		cond("transaction_tag", "is_null", "") + `,{"condition_type":"compound","operator":"or","sub_conditions":[` + cond("transaction_account", "=", "#4") + `]}`:        "",
	} {
		book, got := ruleBook(t, [2]string{"[" + condition + "]", rename}), ""
		for i, row := range rows {
			row.Imported, row.Date = true, day
			if len(book.Apply(&row)) > 0 {
				got += fmt.Sprint(i)
			}
		}
		if got != want {
			t.Errorf("%s selects %q, want %q", condition, got, want)
		}
	}
}

// TestRuleTextsAreFolded: what a rule looks for in a name is what [ledger.Fold] would find.
func TestRuleTextsAreFolded(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.SampledFrom([]rune("aAbBäÄßſKkİıΣσς  \t\u00a0étT\u0301\u0308\u0323한\u1112\u1161\u11ab\u212b")))
	rapid.Check(t, func(r *rapid.T) {
		name, part := text.Draw(r, "name"), text.Draw(r, "part")
		if got := string(appendCollapsed(nil, name, true)); got != ledger.Fold(name) {
			r.Fatalf("%q is folded to %q, not to %q", name, got, ledger.Fold(name))
		}
		if strings.TrimSpace(part) == "" {
			return
		}
		f := Subject{Name: name, Imported: true}
		test := compileCondition(Condition{Type: "transaction_name", Operator: "like", Value: part}, ruleHome())
		if got, want := test(&f), strings.Contains(ledger.Fold(name), ledger.Fold(part)); got != want {
			r.Fatalf("%q in %q: %t", part, name, got)
		}
	})
}

// what shows the facts that rules can set, and the effects.
func what(f *Subject, effects []RuleEffect) string {
	out := fmt.Sprintf("%s %d %d %v", f.Name, f.CategoryID, f.MerchantID, f.Tags)
	for _, e := range effects {
		out += fmt.Sprintf(" %s:%d", e.Field, e.Rule)
	}
	return out
}

func act(kind, value string) string { return fmt.Sprintf(`{"action_type":%q,"value":%q}`, kind, value) }

func TestRulesInOrder(t *testing.T) {
	t.Parallel()
	const any = "[]"
	name := func(text string) string { return "[" + cond("transaction_name", "=", text) + "]" }
	category := func(id string) string { return "[" + act("set_transaction_category", id) + "]" }
	rename := func(text string) string { return "[" + act("set_transaction_name", text) + "]" }
	for title, c := range map[string]struct {
		rules [][2]string
		facts Subject
		want  string
	}{
		"the first has it":                       {[][2]string{{any, category("#1")}, {any, category("#2")}}, Subject{}, " 1 0 [] category:1"},
		"later ones see it":                      {[][2]string{{any, rename("B")}, {name("B"), category("#2")}}, Subject{Name: "A", Imported: true}, "B 2 0 [] name:1 category:2"},
		"and earlier ones as well":               {[][2]string{{name("B"), category("#2")}, {any, rename("B")}}, Subject{Name: "A", Imported: true}, "B 2 0 [] name:2 category:1"},
		"the first in the end":                   {[][2]string{{name("B"), rename("C")}, {name("A"), rename("B")}}, Subject{Name: "A", Imported: true}, "C 0 0 [] name:1"},
		"back to what it was":                    {[][2]string{{name("B"), rename("A")}, {name("A"), rename("B")}}, Subject{Name: "A", Imported: true}, "A 0 0 [] name:1"},
		"what is so already counts":              {[][2]string{{any, rename("A")}, {any, rename("B")}}, Subject{Name: "A", Imported: true}, "A 0 0 [] name:1"},
		"a person's name":                        {[][2]string{{any, rename("B")}}, Subject{Name: "A"}, "A 0 0 []"},
		"a file's category":                      {[][2]string{{any, category("#1")}}, Subject{CategoryID: 3}, " 3 0 []"},
		"a file's tags":                          {[][2]string{{any, "[" + act("set_transaction_tags", "#1") + "]"}}, Subject{Tags: []int64{2}}, " 0 0 [2]"},
		"a file's merchant":                      {[][2]string{{any, "[" + act("set_transaction_merchant", "#1") + "]"}}, Subject{MerchantID: 2}, " 0 2 []"},
		"nothing, as a person says":              {[][2]string{{any, category("#1")}}, Subject{UserFields: RuleCategory.Bit()}, " 0 0 []"},
		"an imported name that a person has set": {[][2]string{{any, rename("B")}}, Subject{Name: "A", Imported: true, UserFields: RuleName.Bit()}, "A 0 0 []"},
		"what a later rule has set":              {[][2]string{{any, category("#1")}}, Subject{CategoryID: 2, SetByRule: [RuleFieldCount]int64{RuleCategory: 2}}, " 1 0 [] category:1"},
		"what an earlier rule has set":           {[][2]string{{name("x"), category("#1")}, {any, category("#2")}}, Subject{CategoryID: 3, SetByRule: [RuleFieldCount]int64{RuleCategory: 1}}, " 3 0 []"},
		"all fields": {[][2]string{{any, "[" + act("set_transaction_name", "N") + "," + act("set_transaction_category", "#1") + "," + act("set_transaction_merchant", "#2") + "," +
			act("set_transaction_tags", "#3") + "]"}}, Subject{Name: "A", Imported: true}, "N 1 2 [3] name:1 category:1 merchant:1 tags:1"},
		"what is gone": {[][2]string{{any, category("#4")}}, Subject{}, " 0 0 []"},
	} {
		book := ruleBook(t, c.rules...)
		if got := what(&c.facts, book.Apply(&c.facts)); got != c.want {
			t.Errorf("%s: %s, want %s", title, got, c.want)
		}
	}
}

func TestRulesBeforeTheirDay(t *testing.T) {
	t.Parallel()
	first := int64(ledger.NewDate(2026, 3, 1))
	book := CompileRules([]queries.Rule{{ID: 1, Active: 1, EffectiveDate: &first, Conditions: "[]", Actions: rename}, {ID: 2, Conditions: "[]", Actions: rename}}, ruleHome())
	for day, want := range map[ledger.Date]int{ledger.NewDate(2026, 2, 28): 0, ledger.NewDate(2026, 3, 1): 1} {
		if got := book.Apply(&Subject{Name: "A", Imported: true, Date: day}); len(got) != want {
			t.Errorf("%s: %v", day, got)
		}
	}
	if CompileRules([]queries.Rule{{ID: 1, Conditions: "[]", Actions: rename}}, ruleHome()) != nil {
		t.Error("a book of inactive rules is not nil")
	}
}

// drawRule is a rule out of a few texts and ids, so that rules meet often.
func drawRule(r *rapid.T) [2]string {
	text, id := rapid.SampledFrom([]string{"a", "b", "c", "ab"}), rapid.SampledFrom([]string{"#1", "#2", "#3"})
	condition := rapid.Custom(func(r *rapid.T) string {
		switch rapid.IntRange(0, 4).Draw(r, "kind") {
		case 0:
			return cond("transaction_name", rapid.SampledFrom([]string{"like", "="}).Draw(r, "operator"), text.Draw(r, "text"))
		case 1:
			return cond("transaction_category", "=", id.Draw(r, "id"))
		case 2:
			return cond("transaction_merchant", "is_null", "")
		case 3:
			return cond("transaction_tag", "=", id.Draw(r, "id"))
		}
		return cond("transaction_category", "is_null", "")
	})
	actions := []string{}
	for _, kind := range []string{"set_transaction_name", "set_transaction_category", "set_transaction_merchant", "set_transaction_tags"} {
		if !rapid.Bool().Draw(r, kind) {
			continue
		}
		value := id.Draw(r, "id")
		if kind == "set_transaction_name" {
			value = text.Draw(r, "name")
		}
		actions = append(actions, act(kind, value))
	}
	conditions := rapid.SliceOfN(condition, 0, 2).Draw(r, "conditions")
	return [2]string{"[" + strings.Join(conditions, ",") + "]", "[" + strings.Join(actions, ",") + "]"}
}

// TestRulesTwice: when rules have been applied, with what they have set noted, there is nothing left for them to do.
func TestRulesTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		book := ruleBook(t, rapid.SliceOfN(rapid.Custom(drawRule), 1, 6).Draw(r, "rules")...)
		f := Subject{Name: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "name"), Imported: rapid.Bool().Draw(r, "imported"),
			CategoryID: rapid.Int64Range(0, 3).Draw(r, "category"), MerchantID: rapid.Int64Range(0, 1).Draw(r, "merchant"),
			UserFields: rapid.Int64Range(0, 31).Draw(r, "person")}
		was := f.snapshot()
		noted := [RuleFieldCount]int64{}
		for _, e := range book.Apply(&f) {
			noted[e.Field] = e.Rule
			if f.UserFields&e.Field.Bit() != 0 {
				r.Fatalf("%s is a person's", e.Field)
			}
		}
		if was.category != 0 && f.CategoryID != was.category {
			r.Fatalf("the category %d became %d", was.category, f.CategoryID)
		}
		again := f
		again.Reset()
		again.Name, again.Imported, again.CategoryID, again.MerchantID, again.Tags = f.Name, f.Imported, f.CategoryID, f.MerchantID, f.Tags
		again.UserFields, again.SetByRule = f.UserFields, noted
		if more := book.Apply(&again); len(more) > 0 {
			r.Fatalf("a second time changed %v to %s", more, what(&again, nil))
		}
	})
}

// fiftyRules look for words in names and notes, at amounts and accounts.
func fiftyRules(tb testing.TB) *Engine {
	var rules [][2]string
	for i := range 50 {
		conditions := cond("transaction_name", "like", fmt.Sprint("shop number ", i))
		if i%2 == 0 {
			conditions += "," + cond("transaction_amount", ">", "10.50") + "," + cond("transaction_account", "=", "#1")
		}
		rules = append(rules, [2]string{"[" + conditions + "]", "[" + act("set_transaction_category", "#1") + "]"})
	}
	return ruleBook(tb, rules...)
}

func TestRulesAllocateNothing(t *testing.T) {
	book, f := fiftyRules(t), Subject{}
	row := queries.Transaction{Name: "Bäckerei an der Ecke 17, card payment of the 3rd", Amount: -1250, Currency: "EUR", AccountID: 1}
	if n := testing.AllocsPerRun(100, func() { f.See(&row, nil); book.Apply(&f) }); n > 0 {
		t.Errorf("%v allocations for a row that no rule selects", n)
	}
}

// BenchmarkRules is one row under fifty rules, none of which selects it.
func BenchmarkRules(b *testing.B) {
	book, f := fiftyRules(b), Subject{}
	row := queries.Transaction{Name: "CORNER BAKERY 17, card payment of the 3rd of March", Amount: -1250, Currency: "EUR", AccountID: 1}
	b.ReportAllocs()
	for b.Loop() {
		f.See(&row, nil)
		book.Apply(&f)
	}
}
