package handlers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
)

// shows checks the status and the whole body, in which ids stand by name.
func (h *fixture) shows(t *testing.T, p apitest.Reply, status int, want string) {
	t.Helper()
	got := strings.TrimSpace(h.nameIDs(p.Text))
	if p.StatusCode != status || got != want {
		t.Errorf("got %d %s\nwant %d %s", p.StatusCode, got, status, want)
	}
}

const stamps = `"created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:00.000Z"`

// TestAccountsOnTheWire holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: GET /accounts and /accounts/{id} with all members; POST /accounts
// with an opening balance, 0 by default, on the day before the first entry.
func TestAccountsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.shows(t, h.call(t, "GET", "/accounts/{Dinars}", ""), 200, `{"id":"<Dinars>","name":"Dinars","balance":"0,000`+"\u00a0"+`KWD","balance_cents":0,`+
		`"cash_balance":"0,000`+"\u00a0"+`KWD","cash_balance_cents":0,"currency":"KWD","classification":"asset","account_type":"depository","subtype":"checking",`+
		`"status":"active","institution_name":null,"institution_domain":null,"notes":null,"opening_balance_cents":0,"opening_date":null,"unconverted":[],"stale_rates":[],`+stamps+`}`)
	made := h.call(t, "POST", "/accounts", `{"account":{"name":" Visa \"Gold\" ","account_type":"credit_card","currency":"eur","balance":"1234.5","date":"2026-01-31",`+
		`"institution_name":"Bank","institution_domain":"bank.example","notes":"a\nb","surplus":1}}`)
	const visa = `"name":"Visa \"Gold\"","balance":"1.234,50` + "\u00a0" + `€","balance_cents":123450,"cash_balance":"1.234,50` + "\u00a0" + `€","cash_balance_cents":123450,` +
		`"currency":"EUR","classification":"liability","account_type":"credit_card","subtype":"credit_card","status":"active","institution_name":"Bank",` +
		`"institution_domain":"bank.example","notes":"a\nb","opening_balance_cents":123450,"opening_date":"2026-01-31","unconverted":[],"stale_rates":[],`
	h.shows(t, made, 201, `{"id":"<id 1>",`+visa+stamps+`}`)
	h.ids["Visa"] = made.Text[len(`{"id":"`):][:36]
	h.call(t, "POST", "/transactions", `{"transaction":{"account_id":"{Visa}","name":"Flight","date":"2026-08-22","amount":10}}`).Is(t, 201, "")
	h.call(t, "POST", "/transactions", `{"transaction":{"account_id":"{Visa}","name":"Taxi","date":"2026-08-21","amount":5,"currency":"USD"}}`).Is(t, 201, "")
	h.call(t, "POST", "/transactions", `{"transaction":{"account_id":"{Visa}","name":"Tomorrow","date":"2026-08-23","amount":10}}`).Is(t, 201, "")
	h.shows(t, h.call(t, "PUT", "/accounts/"+strings.ToUpper(h.ids["Visa"]), `{"account":{"notes":null,"institution_name":"","institution_domain":null,"subtype":null}}`), 200,
		`{"id":"<Visa>","name":"Visa \"Gold\"","balance":"1.244,50`+"\u00a0"+`€","balance_cents":124450,"cash_balance":"1.244,50`+"\u00a0"+`€","cash_balance_cents":124450,`+
			`"currency":"EUR","classification":"liability","account_type":"credit_card","subtype":null,"status":"active","institution_name":null,`+
			`"institution_domain":null,"notes":null,"opening_balance_cents":123450,"opening_date":"2026-01-31","unconverted":[{"currency":"USD","amount_cents":500,"reason":"no_rate"}],"stale_rates":[],`+
			`"created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:00.001Z"}`)
}

// TestAccountByOtherNames: what other servers of this API call the type and the day of the opening balance.
func TestAccountByOtherNames(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for body, want := range map[string]string{
		`{"account":{"name":"Card","accountable_type":"CreditCard","balance":12.5,"opening_balance_date":"2026-01-31"}}`:                                     `"account_type":"credit_card","subtype":"credit_card"`,
		`{"account":{"name":"House","accountable_type":"other_asset","opening_balance_date":"2026-01-31","balance":"12.50"}}`:                                `"account_type":"other_asset"`,
		`{"account":{"name":"Both","account_type":"loan","accountable_type":"Loan","date":"2026-01-31","opening_balance_date":"2026-01-31","balance":12.5}}`: `"account_type":"loan"`,
	} {
		p := h.call(t, "POST", "/accounts", body)
		if p.StatusCode != 201 || !strings.Contains(p.Text, want) || !strings.Contains(p.Text, `"opening_balance_cents":1250,"opening_date":"2026-01-31"`) {
			t.Errorf("%s: got %d %s", body, p.StatusCode, p.Text)
		}
	}
	for body, want := range map[string]string{
		`{"account":{"name":"x","account_type":"loan","accountable_type":"CreditCard"}}`:                             "accountable_type must be absent or the same as account_type",
		`{"account":{"name":"x","accountable_type":"Piggy"}}`:                                                        `account_type must be depository`,
		`{"account":{"name":"x","accountable_type":"Loan","date":"2026-01-31","opening_balance_date":"2026-02-01"}}`: "opening_balance_date must be absent or the same as date",
		`{"account":{"name":"x","accountable_type":"Loan","opening_balance_date":"31.01.2026"}}`:                     "opening_balance_date must be a calendar date",
	} {
		if p := h.call(t, "POST", "/accounts", body); p.StatusCode != 422 || !strings.Contains(p.Text, want) {
			t.Errorf("%s: got %d %s, want %s", body, p.StatusCode, p.Text, want)
		}
	}
}

func TestAccountListOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.call(t, "PATCH", "/accounts/{Savings}", `{"account":{"status":"disabled"}}`).Is(t, 200, "")
	for query, want := range map[string]string{
		"": "[Checking Dinars] 1 25 2 1", "?include_disabled=true": "[Checking Dinars Savings] 1 25 3 1",
		"?include_disabled=1&per_page=2&page=2": "[Savings] 2 2 3 2", "?page=9&per_page=500": "[] 9 100 2 1", "?page=x&per_page=-1": "[Checking Dinars] 1 25 2 1",
		"?include_disabled=false&other=1": "[Checking Dinars] 1 25 2 1",
	} {
		p := h.as(t, h.readKey, "GET", "/accounts"+query, "")
		if got := namesIn(t, p, "accounts"); got != want {
			t.Errorf("%q: got %s, want %s", query, got, want)
		}
	}
	h.call(t, "GET", "/accounts?include_disabled=perhaps", "").Is(t, 422, "")
}

// namesIn lists the names in a page and its pagination.
func namesIn(t *testing.T, p apitest.Reply, list string) string {
	t.Helper()
	tree, err := wire.ParseJSON([]byte(p.Text), nil)
	if err != nil || p.StatusCode != 200 {
		t.Fatal(p.StatusCode, p.Text, err)
	}
	names := []string{}
	for _, v := range tree.Members()[list].Items() {
		names = append(names, string(v.Members()["name"].Bytes))
	}
	at := tree.Members()["pagination"].Members()
	return fmt.Sprintf("%v %s %s %s %s", names, at["page"].Bytes, at["per_page"].Bytes, at["total_count"].Bytes, at["total_pages"].Bytes)
}

// TestCategoriesOnTheWire holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: create, change, delete; transactions lose what is deleted.
// Contract, Category: parent is there for sub-categories.
// Contract, GET /api/v1/categories: categories and pagination; classification is income or expense; roots only; by
// parent.
func TestCategoriesOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	made := h.call(t, "POST", "/categories", `{"category":{"name":"Snacks & more","parent_id":"{Food}"}}`)
	h.ids["Snacks"] = made.Text[len(`{"id":"`):][:36]
	h.shows(t, made, 201, `{"id":"<Snacks>","name":"Snacks & more","classification":"expense","color":"#112233","icon":"shapes",`+
		`"parent":{"id":"<Food>","name":"Food","classification":"expense","color":"#112233","icon":"utensils"},"subcategories_count":0,`+stamps+`}`)
	h.shows(t, h.call(t, "GET", "/categories?roots_only=true&per_page=1", ""), 200, `{"categories":[{"id":"<Food>","name":"Food","classification":"expense","color":"#112233",`+
		`"icon":"utensils","parent":null,"subcategories_count":1,`+stamps+`}],"pagination":{"page":1,"per_page":1,"total_count":2,"total_pages":2}}`)
	for query, want := range map[string]string{
		"": "[Food Salary Snacks & more] 1 25 3 1", "?classification=income": "[Salary] 1 25 1 1", "?parent_id={Food}": "[Snacks & more] 1 25 1 1",
		"?parent_id={their Food}": "[] 1 25 0 1", "?roots_only=0&classification=": "[Food Salary Snacks & more] 1 25 3 1",
	} {
		if got := namesIn(t, h.call(t, "GET", "/categories"+query, ""), "categories"); got != want {
			t.Errorf("%q: got %s, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"classification=both": "classification must be income or expense", "parent_id=7": "parent_id must be an id", "roots_only=maybe": "roots_only must be true or false",
	} {
		if p := h.call(t, "GET", "/categories?"+query, ""); p.StatusCode != 422 || !strings.Contains(p.Text, want) {
			t.Errorf("%s: got %d %s", query, p.StatusCode, p.Text)
		}
	}
	h.shows(t, h.call(t, "DELETE", "/categories/{Food}", ""), 422, `{"error":"validation_failed","message":"category must have no sub-categories to be deleted, has 1: delete them or give them another parent first",`+
		`"details":["category must have no sub-categories to be deleted, has 1: delete them or give them another parent first"],"errors":["category must have no sub-categories to be deleted, has 1: delete them or give them another parent first"]}`)
	h.shows(t, h.call(t, "PATCH", "/categories/{Snacks}", `{"category":{"parent_id":null,"name":"Snacks","color":"#ABCDEF"}}`), 200,
		`{"id":"<Snacks>","name":"Snacks","classification":"expense","color":"#abcdef","icon":"shapes","parent":null,"subcategories_count":0,`+
			`"created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:00.001Z"}`)
	h.shows(t, h.call(t, "DELETE", "/categories/{Food}", ""), 200, `{"message":"Category deleted successfully"}`)
	h.shows(t, h.call(t, "GET", "/categories/{Food}", ""), 404, `{"error":"not_found","message":"Category not found","details":null}`)
}

// TestTagsOnTheWire holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: tag names are unique whatever their case; 201, 200, 204.
// Contract, PATCH /api/v1/tags/{id}: {tag: {name, color}} answers the tag.
// Contract, GET /api/v1/tags/{id}: the tag, or an error body.
// Contract, GET /api/v1/tags: a bare list of tags: no wrapper, no pages.
func TestTagsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.clock.move(time.Second)
	h.shows(t, h.call(t, "PATCH", "/tags/{fun}", `{"tag":{"color":"#000000"}}`), 200,
		`{"id":"<fun>","name":"fun","color":"#000000","created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:01.000Z"}`)
	h.shows(t, h.call(t, "GET", "/tags?page=2&per_page=1", ""), 200, `[{"id":"<Alltag>","name":"Alltag","color":"#ddeeff",`+stamps+`},`+
		`{"id":"<fun>","name":"fun","color":"#000000","created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:01.000Z"}]`)
	h.shows(t, h.call(t, "GET", "/tags/{Alltag}.json", ""), 200, `{"id":"<Alltag>","name":"Alltag","color":"#ddeeff",`+stamps+`}`)
	h.shows(t, h.call(t, "POST", "/tags", `{"tag":{"name":"FUN"}}`), 422, `{"error":"validation_failed","message":"name is taken: another tag is named \"FUN\"",`+
		`"details":["name is taken: another tag is named \"FUN\""],"errors":["name is taken: another tag is named \"FUN\""]}`)
	h.shows(t, h.call(t, "DELETE", "/tags/{fun}", ""), 204, ``)
	h.shows(t, h.call(t, "DELETE", "/tags/{fun}", ""), 404, `{"error":"not_found","message":"Tag not found","details":null}`)
	h.call(t, "DELETE", "/tags/{Alltag}", "").Is(t, 204, "")
	h.shows(t, h.call(t, "GET", "/tags", ""), 200, `[]`)
}

// TestMerchantsOnTheWire holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: merchants: a bare list of type FamilyMerchant; create, rename,
// merge.
func TestMerchantsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const plain = `"color":null,"website_url":null,`
	const kiosk = `{"id":"<Kiosk>","name":"Kiosk","type":"FamilyMerchant",` + plain + stamps + `}`
	h.shows(t, h.call(t, "GET", "/merchants", ""), 200, `[{"id":"<Bäcker>","name":"Bäcker","type":"FamilyMerchant",`+plain+stamps+`},`+kiosk+`]`)
	h.shows(t, h.call(t, "GET", "/merchants/{Kiosk}", ""), 200, kiosk)
	h.shows(t, h.call(t, "PATCH", "/merchants/{Bäcker}", `{"merchant":{"name":"Konditor"}}`), 200,
		`{"id":"<Bäcker>","name":"Konditor","type":"FamilyMerchant",`+plain+`"created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:00.001Z"}`)
	for body, want := range map[string]string{
		"": "target_id is required", "{}": "target_id is required", `{"target_id":"x"}`: "target_id must be an id", `{"target_id":"{Bäcker}"}`: "target_id must be another",
		`{"target_id":"{their Kiosk}"}`: "target_id is not the id",
	} {
		if p := h.call(t, "POST", "/merchants/{Bäcker}/merge", body); p.StatusCode != 422 || !strings.Contains(p.Text, want) {
			t.Errorf("%s: got %d %s", body, p.StatusCode, p.Text)
		}
	}
	h.shows(t, h.call(t, "POST", "/merchants/{Bäcker}/merge", `{"target_id":"{Kiosk}"}`), 200, kiosk)
	h.shows(t, h.call(t, "GET", "/merchants/{Bäcker}", ""), 404, `{"error":"not_found","message":"Merchant not found","details":null}`)
	h.shows(t, h.call(t, "DELETE", "/merchants/{Kiosk}", ""), 200, `{"message":"Merchant deleted successfully"}`)
	h.shows(t, h.call(t, "GET", "/merchants", ""), 200, `[]`)
}

// TestResourcesRefuseBadInput gives each field what it cannot be; nothing may change.
//
// Contract, Category: classification is income or expense.
// Contract, POST /api/v1/tags: failures are error bodies.
// Contract, PATCH /api/v1/tags/{id}: failures are error bodies.
func TestResourcesRefuseBadInput(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	long := strings.Repeat("x", 256)
	text := func(field string) []string {
		return []string{`7|` + field + ` must be text, got a number`, `["a"]|` + field + ` must be text, got a list`, `"` + long + `"|` + field + ` must have at most 255 characters, has 256`,
			`"a\u0000b"|` + field + ` must not contain control characters, has U+0000`, `"a\nb"|` + field + ` must not contain control characters, has U+000A`}
	}
	name := append(text("name"), `null|name is required`, `""|name is required`, `" "|name is required`)
	color := []string{`"red"|color must be a colour`, `""|color must be a colour`, `7|color must be text`, `"#12345"|color must be a colour`}
	for _, c := range []struct {
		kind, path, id string
		fields         map[string][]string
	}{
		{"account", "accounts", "{Checking}", map[string][]string{
			"name":         name,
			"account_type": {`null|account_type is required`, `"Depository"|account_type must be`, `7|account_type must be text`},
			"subtype":      {`"mortgage"|subtype must be one of those of depository`, `{}|subtype must be text, got an object`},
			"currency":     {`"XXQ"|currency must be an ISO 4217 code`, `""|currency must be an ISO 4217 code`, `false|currency must be text`},
			"balance": {`"1.005"|balance has more decimals`, `1e400|balance must`, `"NaN"|balance must`, `9e30|balance must`, `9223372036854775808|balance must`,
				`"a"|balance must be a number`, `[]|balance must be a number`, `1.005e0|balance has more decimals`},
			"date": {`"2026-02-30"|date must be a calendar date`, `"0001-01-01"|date must lie between 1900-01-01 and 2199-12-31`,
				`"9999-12-31"|date must lie between`, `20260101|date must be a calendar date`, `"01.02.2026"|date must be a calendar date`, `{}|date must be`},
			"institution_name":   text("institution_name"),
			"institution_domain": append(text("institution_domain"), `"http://x"|institution_domain must be a domain`),
			"notes":              {`"` + strings.Repeat("x", 10_001) + `"|notes must have at most 10000 characters, has 10001`, `"\u0007"|notes must not contain control`, `7|notes must be text`},
		}},
		{"category", "categories", "{Food}", map[string][]string{
			"name": name, "color": color, "classification": {`"both"|classification must be income or expense`, `7|classification must be text`},
			"icon":      append(text("icon"), `"A b"|icon must be the name of an icon`),
			"parent_id": {`"x"|parent_id must be an id`, `7|parent_id must be an id`, `"{their Salary}"|parent_id is not the id`, `"{Checking}"|parent_id is not the id`, `[]|parent_id must be an id`},
		}},
		{"tag", "tags", "{fun}", map[string][]string{"name": name, "color": color}},
		{"merchant", "merchants", "{Kiosk}", map[string][]string{"name": name}},
	} {
		before := h.print(t)
		least := map[string]string{"name": `"Fresh"`}
		if c.kind == "account" {
			least["account_type"] = `"depository"`
		}
		for field, cases := range c.fields {
			for _, pair := range cases {
				at := strings.LastIndex(pair, "|")
				h.refusesMember(t, "POST", "/"+c.path, c.kind, least, field, pair[:at], pair[at+1:])
				h.refusesMember(t, "PATCH", "/"+c.path+"/"+c.id, c.kind, nil, field, pair[:at], pair[at+1:])
			}
		}
		for _, body := range []string{``, `{}`, `[]`, `{"` + c.kind + `":7}`, `{"` + c.kind + `":null}`, `{"` + c.kind + `":{"name":"x"}`, `{"name":"x"}`,
			`{"` + c.kind + `":{"name":"x","name":"y"}}`, `{"` + c.kind + `":{"name":"` + "\xff" + `"}}`} {
			for _, target := range [][2]string{{"POST", "/" + c.path}, {"PATCH", "/" + c.path + "/" + c.id}} {
				if p := h.call(t, target[0], target[1], body); p.StatusCode != 400 || p.Code() != "bad_request" {
					t.Errorf("%s %s %q: got %d %s", target[0], target[1], body, p.StatusCode, p.Text)
				}
			}
		}
		if h.print(t) != before {
			t.Errorf("%s: something was written", c.kind)
		}
	}
}

// refusesMember sends one bad member beside good ones.
func (h *fixture) refusesMember(t *testing.T, method, path, kind string, least map[string]string, field, value, want string) {
	t.Helper()
	members := []string{`"` + field + `":` + value}
	for name, v := range least {
		if name != field {
			members = append(members, `"`+name+`":`+v)
		}
	}
	slices.Sort(members)
	p := h.call(t, method, path, `{"`+kind+`":{`+strings.Join(members, ",")+`}}`)
	if p.StatusCode != 422 || !strings.Contains(strings.ReplaceAll(p.Text, `\"`, `"`), want) {
		t.Errorf("%s %s %s=%.80s: got %d %.300s, want %s", method, path, field, value, p.StatusCode, p.Text, want)
	}
}

// TestResourcesOfNeighbours holds what was decided.
//
// Decision, Transport: a malformed id in a path is that resource's 404.
// Decision, Errors: 404 not_found: unknown, malformed and another household's are not told apart.
// Contract, General: everything is the household's of the key's user; another's does not exist.
func TestResourcesOfNeighbours(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	before := h.print(t)
	for _, c := range []struct{ kind, what, path, name string }{
		{"account", "Account", "accounts", "Checking"}, {"category", "Category", "categories", "Food"}, {"tag", "Tag", "tags", "fun"}, {"merchant", "Merchant", "merchants", "Kiosk"},
	} {
		want := `{"error":"not_found","message":"` + c.what + ` not found","details":null}`
		for _, id := range []string{"{their " + c.name + "}", "00000000-0000-7000-8000-000000000000", "7", strings.Repeat("a", 36)} {
			at := "/" + c.path + "/" + id
			h.call(t, "GET", at, "").Is(t, 404, want)
			h.call(t, "PATCH", at, `{"`+c.kind+`":{"name":"Mine"}}`).Is(t, 404, want)
			if c.kind != "account" {
				h.call(t, "DELETE", at, "").Is(t, 404, want)
			}
			if c.kind == "merchant" {
				h.call(t, "POST", at+"/merge", `{"target_id":"{Kiosk}"}`).Is(t, 404, want)
			}
		}
		list := h.call(t, "GET", "/"+c.path+"?include_disabled=true", "")
		if !strings.Contains(list.Text, h.ids[c.name]) || strings.Contains(list.Text, h.ids["their "+c.name]) {
			t.Errorf("%s: %s", c.path, list.Text)
		}
		for method, at := range map[string]string{"POST": "", "PATCH": "/{" + c.name + "}"} {
			p := h.as(t, h.readKey, method, "/"+c.path+at, `{"`+c.kind+`":{"name":"Mine"}}`)
			if p.StatusCode != 403 || p.Code() != "insufficient_scope" {
				t.Errorf("%s with a key that may read: %d %s", method, p.StatusCode, p.Text)
			}
		}
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
}

// A currency that is not known is one mistake: nothing is said of an amount that nobody can read without it.
func TestUnknownCurrencyIsOneMistake(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.refuses(t, unprocessable("currency"), "POST", "/accounts", `{"account":{"name":"x","account_type":"depository","currency":"XXQ","balance":"12.5"}}`)
	h.refuses(t, unprocessable("currency"), "POST", "/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-01-31","amount":"5.5","name":"x","currency":"XXQ"}}`)
}
