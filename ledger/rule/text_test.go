package rule_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
)

// called is a household whose things have ids by their names.
func called() *ledger.Refs {
	id := func(name string) uuid.UUID { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)) }
	refs := &ledger.Refs{Accounts: ledger.NewRefSet[ledger.AccountRef](1), Categories: ledger.NewRefSet[ledger.CategoryRef](1),
		Merchants: ledger.NewRefSet[ledger.MerchantRef](1), Tags: ledger.NewRefSet[ledger.TagRef](1)}
	refs.Accounts.ByKey[1] = &ledger.AccountRef{ID: id("giro"), Name: "Giro"}
	refs.Accounts.ByKey[2] = &ledger.AccountRef{ID: id("twin"), Name: "Twin"}
	refs.Accounts.ByKey[3] = &ledger.AccountRef{ID: id("twin 2"), Name: "twin"}
	refs.Categories.ByKey[1] = &ledger.CategoryRef{ID: id("food and drink"), Name: "Food and drink"}
	refs.Merchants.ByKey[1] = &ledger.MerchantRef{ID: id("rewe"), Name: "Rewe"}
	refs.Tags.ByKey[1] = &ledger.TagRef{ID: id("trip"), Name: "Trip"}
	return refs
}

func TestParseText(t *testing.T) {
	t.Parallel()
	ids := strings.NewReplacer(
		uuid.NewSHA1(uuid.NameSpaceURL, []byte("giro")).String(), "GIRO", uuid.NewSHA1(uuid.NameSpaceURL, []byte("food and drink")).String(), "FOOD",
		uuid.NewSHA1(uuid.NameSpaceURL, []byte("rewe")).String(), "REWE", uuid.NewSHA1(uuid.NameSpaceURL, []byte("trip")).String(), "TRIP")
	for text, want := range map[string]string{
		`name contains rewe -> category "Food and drink"`: `[{"transaction_name","like","rewe"}] [{"set_transaction_category","FOOD"}]`,
		`NAME is "REWE and Co" and amount >= 12.50 → merchant rewe, tag trip`: `[{"transaction_name","=","REWE and Co"},{"transaction_amount",">=","12.50"}] ` +
			`[{"set_transaction_merchant","REWE"},{"set_transaction_tags","TRIP"}]`,
		`amount <50 and amount != 3 -> name Small change`:                    `[{"transaction_amount","<","50"},{"transaction_amount","!=","3"}] [{"set_transaction_name","Small change"}]`,
		`notes contains two  words and name is blank -> name x and tag Trip`: `[{"transaction_notes","like","two words"},{"transaction_name","is_null"}] [{"set_transaction_name","x"},{"set_transaction_tags","TRIP"}]`,
		`is income and account is giro -> transfer Giro`:                     `[{"transaction_type","=","income"},{"transaction_account","=","GIRO"}] [{"set_as_transfer_or_payment","GIRO"}]`,
		`category is blank and tag = trip -> merchant Rewe`:                  `[{"transaction_category","is_null"},{"transaction_tag","=","TRIP"}] [{"set_transaction_merchant","REWE"}]`,
		`everything -> tag trip`:                                             `[] [{"set_transaction_tags","TRIP"}]`,
		`name contains "->" -> name "a, b"`:                                  `[{"transaction_name","like","->"}] [{"set_transaction_name","a, b"}]`,
	} {
		in, err := rule.ParseText(called(), text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		conditions, _ := json.Marshal(in.Conditions.Value)
		actions, _ := json.Marshal(in.Actions.Value)
		got := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(ids.Replace(string(conditions) + " " + string(actions)))
		for _, member := range []string{`"condition_type":`, `"operator":`, `"value":`, `"action_type":`} {
			got = strings.ReplaceAll(got, member, "")
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                                        "needs an arrow",
		"name contains rewe":                      "needs an arrow",
		"-> name x":                               `has "" for a condition`,
		"name contains rewe ->":                   `has "" for what it does`,
		"name contains -> name x":                 `has "name contains" for a condition: name contains TEXT, is TEXT or is blank`,
		"name begins a -> name x":                 "name contains TEXT, is TEXT or is blank",
		"account contains giro -> name x":         "account is NAME or is blank",
		"payee is giro -> name x":                 "it must begin with name, notes, amount, account, category, merchant, tag or is",
		"everything -> payee x":                   `has "payee x" for what it does`,
		"everything -> category Drinks":           `names no category of the household: "Drinks"; nearest: Food and drink`,
		"account is twin -> name x":               `names 2 of the kind account by "twin": give the id instead`,
		"everything and is income -> name x":      `has "everything" for a condition`,
		"name is a and and name is b -> tag trip": `has "" for a condition`,
	} {
		_, err := rule.ParseText(called(), text)
		if e := ledger.AsError(err); e == nil || e.Kind != ledger.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParseJSON(t *testing.T) {
	t.Parallel()
	const bare = `{"name": "Bread", "effective_date": "2026-01-02", "active": false, "conditions": [{"condition_type": "compound", "operator": "or", "sub_conditions": [
		{"condition_type": "transaction_amount", "operator": "<", "value": 20.50}, {"condition_type": "transaction_name", "operator": "is_null"}]}],
		"actions": [{"action_type": "set_transaction_name", "value": "Bread"}]}`
	for _, text := range []string{bare, `{"rule": ` + bare + `}`} {
		in, err := rule.ParseJSON([]byte(text))
		if err != nil || in.Name.Value != "Bread" || in.Active != ledger.Some(false) || in.EffectiveDate.Value.String() != "2026-01-02" ||
			in.Actions.Value[0] != (rule.Action{Type: "set_transaction_name", Value: "Bread"}) {
			t.Fatalf("%+v, %v", in, err)
		}
		either := in.Conditions.Value[0]
		if either.Type != "compound" || either.Operator != "or" || either.Conditions[0].Value != "20.50" || either.Conditions[1].Operator != "is_null" {
			t.Errorf("%+v", either)
		}
	}
	for _, text := range []string{"", "[]", `{"conditions": 1}`, `{"actions": [{"value": {}}]}`} {
		if _, err := rule.ParseJSON([]byte(text)); !ledger.IsKind(err, ledger.Invalid) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzParseText: no text breaks it, and what it takes for a rule has something that it does.
func FuzzParseText(f *testing.F) {
	for _, seed := range []string{"name contains a -> name b", `"a" -> "b`, "-> ->", "amount > 5 and is income -> tag trip, category Food", "everything -> name ,"} {
		f.Add(seed)
	}
	refs := called()
	f.Fuzz(func(t *testing.T, text string) {
		in, err := rule.ParseText(refs, text)
		if err == nil && len(in.Actions.Value) == 0 {
			t.Errorf("%q does nothing", text)
		}
	})
}
