package handlers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

// rule makes a rule and remembers its id under its name.
func (h *fixture) rule(t *testing.T, name, members string) apitest.Reply {
	t.Helper()
	p := h.call(t, "POST", "/rules", fmt.Sprintf(`{"rule":{"name":%q,%s}}`, name, members))
	var made struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(p.Text), &made); err != nil || p.StatusCode != 201 || made.Data.ID == "" {
		t.Fatalf("%v %d %s", err, p.StatusCode, p.Text)
	}
	h.ids[name] = made.Data.ID
	return p
}

const kioskRule = `"effective_date":"2026-01-31","conditions":[{"condition_type":"transaction_name","operator":"like","value":"kiosk"},
	{"condition_type":"compound","operator":"or","sub_conditions":[{"condition_type":"transaction_amount","operator":"<","value":20},
	{"condition_type":"transaction_category","operator":"is_null"}]}],
	"actions":[{"action_type":"set_transaction_category","value":"{Food}"},{"action_type":"set_transaction_tags","value":"{fun}"}]`

func TestRuleBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Kiosk early", `"account_id":"{Checking}","date":"2026-01-30","amount":3`)
	h.add(t, "Kiosk before", `"account_id":"{Checking}","date":"2026-02-01","amount":3`)
	h.golden(t, "rule_create", h.rule(t, "snacks", kioskRule))
	h.add(t, "Kiosk after", `"account_id":"{Checking}","date":"2026-02-02","amount":3`)
	h.golden(t, "rule_transaction", h.call(t, "GET", "/transactions/{Kiosk after}", ""))
	p := h.call(t, "POST", "/rules", `{"name":"bare","active":false,"conditions":[],"actions":[{"action_type":"set_as_transfer_or_payment","value":"{Savings}"}]}`)
	p.Is(t, 201, "")
	h.golden(t, "rule_list", h.call(t, "GET", "/rules?per_page=2", ""))
	for query, want := range map[string]string{"active=true": `"total_count":1`, "active=0": `"total_count":1`, "resource_type=transaction": `"total_count":2`,
		"resource_type=account": `"total_count":0`, "page=2&per_page=1": `"name":"bare"`} {
		if p := h.call(t, "GET", "/rules?"+query, ""); p.StatusCode != 200 || !strings.Contains(p.Text, want) {
			t.Errorf("%s: %d %s", query, p.StatusCode, p.Text)
		}
	}
	h.golden(t, "rule_update", h.call(t, "PATCH", "/rules/{snacks}", `{"rule":{"name":null,"effective_date":null,"active":"false"}}`))
	if p := h.call(t, "PUT", "/rules/{snacks}", `{"name":"snacks","active":true}`); p.StatusCode != 200 || !strings.Contains(p.Text, `"active":true`) {
		t.Errorf("%d %s", p.StatusCode, p.Text)
	}
	before := h.print(t)
	h.golden(t, "rule_preview", h.call(t, "POST", "/rules/{snacks}/run", `{"preview":true}`))
	if h.print(t) != before {
		t.Error("the preview has stored something")
	}
	h.golden(t, "rule_run", h.call(t, "POST", "/rules/run", "", "Idempotency-Key: once"))
	h.golden(t, "rule_run", h.call(t, "POST", "/rules/run", "", "Idempotency-Key: once"))
	h.golden(t, "rule_runs", h.call(t, "GET", "/rule_runs?rule_id={snacks}&status=success&start_executed_at=2026-08-22T12:00:00Z&end_executed_at=2026-08-22T12:00:00Z", ""))
	for _, query := range []string{"status=failed", "execution_type=scheduled", "start_executed_at=2026-08-22T12:00:01Z", "rule_id={Food}"} {
		if p := h.call(t, "GET", "/rule_runs?"+query, ""); p.StatusCode != 200 || !strings.Contains(p.Text, `"data":[],`) {
			t.Errorf("%s: %d %s", query, p.StatusCode, p.Text)
		}
	}
	h.call(t, "DELETE", "/rules/{snacks}", "").Is(t, 200, `{"message":"Rule deleted successfully"}`)
	h.call(t, "GET", "/rules/{snacks}", "").Is(t, 404, "")
	if p := h.call(t, "GET", "/transactions/{Kiosk before}", ""); !strings.Contains(p.Text, `"name":"Food"`) || !strings.Contains(p.Text, `"applied_rules":[]`) {
		t.Errorf("after the rule is gone: %s", p.Text)
	}
}

func TestBadRules(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	good := members{"name": `"x"`, "conditions": `[{"condition_type":"transaction_name","operator":"=","value":"a"}]`, "actions": `[{"action_type":"set_transaction_name","value":"b"}]`}
	h.rule(t, "mine", good.with("name", ""))
	condition := func(kind, operator, value string) string {
		return fmt.Sprintf(`[{"condition_type":%q,"operator":%q,"value":%s}]`, kind, operator, value)
	}
	action := func(kind, value string) string { return fmt.Sprintf(`[{"action_type":%q,"value":%s}]`, kind, value) }
	for _, c := range []struct{ member, value, field string }{
		{"name", "7", "name"},
		{"name", `"a\u0007"`, "name"},
		{"resource_type", `"account"`, "resource_type"},
		{"active", `"maybe"`, "active"},
		{"effective_date", `"2026-02-30"`, "effective_date"},
		{"conditions", `{}`, "conditions"},
		{"conditions", `null`, "conditions"},
		{"conditions", `[7]`, "conditions[0]"},
		{"conditions", `[{"operator":"=","value":"a"}]`, "conditions[0].condition_type"},
		{"conditions", condition("transaction_mood", "=", `"a"`), "conditions[0].condition_type"},
		{"conditions", condition("transaction_details", "like", `"a"`), "conditions[0].condition_type"},
		{"conditions", condition("transaction_name", "!=", `"a"`), "conditions[0].operator"},
		{"conditions", condition("transaction_name", "like", `" "`), "conditions[0].value"},
		{"conditions", condition("transaction_notes", "=", "null"), "conditions[0].value"},
		{"conditions", condition("transaction_name", "=", "[]"), "conditions[0].value"},
		{"conditions", condition("transaction_amount", "like", "1"), "conditions[0].operator"},
		{"conditions", condition("transaction_amount", ">", `"much"`), "conditions[0].value"},
		{"conditions", condition("transaction_type", "is_null", `""`), "conditions[0].operator"},
		{"conditions", condition("transaction_type", "=", `"gift"`), "conditions[0].value"},
		{"conditions", condition("transaction_category", "like", `"{Food}"`), "conditions[0].operator"},
		{"conditions", condition("transaction_category", "=", `"Food"`), "conditions[0].value"},
		{"conditions", condition("transaction_category", "=", `"{fun}"`), "conditions[0].value"},
		{"conditions", condition("transaction_tag", "=", `"{their fun}"`), "conditions[0].value"},
		{"conditions", condition("transaction_account", "=", `"{their Checking}"`), "conditions[0].value"},
		{"conditions", `[{"condition_type":"compound","operator":"=","sub_conditions":[{"condition_type":"transaction_name","operator":"is_null"}]}]`, "conditions[0].operator"},
		{"conditions", `[{"condition_type":"compound","operator":"and"}]`, "conditions[0].sub_conditions"},
		{"conditions", `[{"condition_type":"compound","operator":"and","sub_conditions":7}]`, "conditions[0].sub_conditions"},
		{"conditions", `[{"condition_type":"compound","operator":"or","sub_conditions":[{"condition_type":"transaction_name","operator":"~","value":"a"}]}]`, "conditions[0].sub_conditions[0].operator"},
		{"conditions", `[{"condition_type":"compound","operator":"or","sub_conditions":[{"condition_type":"compound","operator":"or"}]}]`, "conditions[0].sub_conditions[0].condition_type"},
		{"conditions", `[{"condition_type":"transaction_name","operator":"=","value":"a","sub_conditions":[{}]}]`, "conditions[0].sub_conditions"},
		{"conditions", "[" + strings.Repeat(`{"condition_type":"transaction_name","operator":"is_null"},`, 100) + `{"condition_type":"transaction_name","operator":"is_null"}]`, "conditions"},
		{"actions", "", "actions"},
		{"actions", "null", "actions"},
		{"actions", "[]", "actions"},
		{"actions", `"set_transaction_name"`, "actions"},
		{"actions", action("set_mood", `"a"`), "actions[0].action_type"},
		{"actions", action("send_email_notification", "null"), "actions[0].action_type"},
		{"actions", action("auto_categorize", "null"), "actions[0].action_type"},
		{"actions", action("auto_detect_merchants", "null"), "actions[0].action_type"},
		{"actions", action("set_investment_activity_label", `"Buy"`), "actions[0].action_type"},
		{"actions", action("exclude_transaction", "null"), "actions[0].action_type"},
		{"actions", action("transaction_category", `"{Food}"`), "actions[0].action_type"},
		{"actions", action("set_transaction_name", "null"), "actions[0].value"},
		{"actions", action("set_transaction_category", `"{their Food}"`), "actions[0].value"},
		{"actions", action("set_transaction_merchant", `"Kiosk"`), "actions[0].value"},
		{"actions", action("set_transaction_tags", "null"), "actions[0].value"},
		{"actions", action("set_as_transfer_or_payment", `"{Food}"`), "actions[0].value"},
		{"actions", `[{"action_type":"set_transaction_name","value":"a"},{"action_type":"set_transaction_name","value":"b"}]`, "actions[1].action_type"},
	} {
		h.refuses(t, unprocessable(c.field), "POST", "/rules", h.fill(`{"rule":{`+good.with(c.member, c.value)+`}}`))
		if c.value != "" {
			h.refuses(t, unprocessable(c.field), "PATCH", "/rules/{mine}", h.fill(`{"rule":{`+members{}.with(c.member, c.value)+`}}`))
		}
	}
	h.refuses(t, unprocessable("conditions"), "POST", "/rules", `{"rule":{`+good.with("conditions", "")+`}}`)
	for _, body := range []string{"", "[]", `{"rule":7}`, `{"rule":null}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/rules", body)
		h.refuses(t, refusal{400, "bad_request", ""}, "PATCH", "/rules/{mine}", body)
	}
	h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/rules/run", "[]")
	h.refuses(t, unprocessable("preview"), "POST", "/rules/{mine}/run", `{"preview":"perhaps"}`)
	for query, field := range map[string]string{"/rules?active=maybe": "active", "/rule_runs?rule_id=7": "rule_id", "/rule_runs?start_executed_at=today": "start_executed_at"} {
		h.refuses(t, unprocessable(field), "GET", query, "")
	}
}

func TestRulesOfNeighbours(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.rule(t, "mine", kioskRule)
	h.call(t, "POST", "/rules/{mine}/run", "").Is(t, 200, `{"preview":false,"matched":0,"changed":0,"change_id":null}`)
	var runs struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(h.call(t, "GET", "/rule_runs", "").Text), &runs); err != nil || len(runs.Data) != 1 {
		t.Fatal(err, runs)
	}
	h.ids["run"] = runs.Data[0].ID
	h.call(t, "GET", "/rule_runs/{run}", "").Is(t, 200, "")
	for _, c := range [][2]string{{"GET", "/rules/{mine}"}, {"PATCH", "/rules/{mine}"}, {"DELETE", "/rules/{mine}"}, {"POST", "/rules/{mine}/run"}, {"GET", "/rule_runs/{run}"}} {
		if p := h.as(t, h.neighbour, c[0], c[1], `{"rule":{}}`); p.StatusCode != 404 {
			t.Errorf("%s %s: %d %s", c[0], c[1], p.StatusCode, p.Text)
		}
		if p := h.call(t, c[0], strings.NewReplacer("{mine}", "7", "{run}", "{Food}").Replace(c[1]), `{"rule":{}}`); p.StatusCode != 404 {
			t.Errorf("%s %s with another id: %d %s", c[0], c[1], p.StatusCode, p.Text)
		}
		if c[0] != "GET" {
			h.as(t, h.readKey, c[0], c[1], `{"rule":{}}`).Is(t, 403, "")
		}
	}
	for _, path := range []string{"/rules", "/rule_runs"} {
		if p := h.as(t, h.neighbour, "GET", path, ""); !strings.Contains(p.Text, `"total_count":0`) {
			t.Errorf("%s: %s", path, p.Text)
		}
	}
}
