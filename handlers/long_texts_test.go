package handlers

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"finsvc/ledger/entry"
)

// bodiesOf gives the texts and lists that a schema has, each as the body that has nothing else, with a % for the content.
func bodiesOf(schema *openapi3.Schema, depth int) (texts, lists map[string]string) {
	texts, lists = map[string]string{}, map[string]string{}
	if schema == nil || depth > 6 {
		return texts, lists
	}
	for _, ref := range slices.Concat(schema.OneOf, schema.AnyOf, schema.AllOf) {
		t, l := bodiesOf(ref.Value, depth+1)
		maps.Copy(texts, t)
		maps.Copy(lists, l)
	}
	kind := schema.Type
	if kind.Includes("string") {
		texts[""] = `"%"`
	}
	if kind.Includes("array") {
		lists[""] = "[%]"
		t, l := bodiesOf(schema.Items.Value, depth+1)
		for path, body := range t {
			texts["[0]"+path] = "[" + body + "]"
		}
		for path, body := range l {
			lists["[0]"+path] = "[" + body + "]"
		}
	}
	for name, property := range schema.Properties {
		t, l := bodiesOf(property.Value, depth+1)
		for path, body := range t {
			texts["."+name+path] = fmt.Sprintf("{%q:%s}", name, body)
		}
		for path, body := range l {
			lists["."+name+path] = fmt.Sprintf("{%q:%s}", name, body)
		}
	}
	return texts, lists
}

// TestLongTexts sends a text that is too long as each member of each body, and a list of too many members: each is refused
// with the name of the member, and nothing is changed. Members that hold a file have the limit of the body.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	things := map[string]string{"accounts": "{Checking}", "categories": "{Food}", "merchants": "{Kiosk}", "tags": "{fun}"}
	h.add(t, "first", `"account_id":"{Checking}","date":"2026-08-01","amount":5`)
	h.add(t, "in", `"account_id":"{Checking}","date":"2026-08-02","amount":-7`)
	h.add(t, "out", `"account_id":"{Savings}","date":"2026-08-02","amount":7`)
	things["transactions"] = "{first}"
	made := func(collection, path, body, member string) {
		t.Helper()
		p := h.call(t, "POST", "/"+path, body)
		var got map[string]json.RawMessage
		if err := json.Unmarshal([]byte(p.Text), &got); err != nil || p.StatusCode > 201 {
			t.Fatalf("%s: %d %s", path, p.StatusCode, p.Text)
		}
		if member != "" {
			var inner map[string]json.RawMessage
			if err := json.Unmarshal(got[member], &inner); err != nil {
				t.Fatalf("%s: %s", path, p.Text)
			}
			got = inner
		}
		things[collection] = strings.Trim(string(got["id"]), `"`)
	}
	h.ids["Depot"] = h.make(t, h.key, "accounts", `{"account":{"name":"Depot","account_type":"investment","currency":"EUR"}}`)
	made("securities", "securities", `{"security":{"ticker":"ACME","name":"Acme"}}`, "")
	made("trades", "trades", `{"trade":{"account_id":"{Depot}","date":"2026-08-03","qty":1,"price":2,"ticker":"ACME","type":"buy"}}`, "")
	made("valuations", "valuations", `{"valuation":{"account_id":"{Savings}","date":"2026-08-05","amount":9}}`, "")
	made("rules", "rules", `{"rule":{"name":"r","resource_type":"transaction","conditions":[{"condition_type":"transaction_name","operator":"like","value":"x"}],"actions":[{"action_type":"set_transaction_name","value":"y"}]}}`, "data")
	made("chats", "chats", `{"title":"t","message":"hello"}`, "")
	made("imports", "imports", `{"raw_file_content":"date,amount,name\n2026-08-01,1.00,x\n"}`, "data")
	p := h.call(t, "GET", "/transfers", "")
	if id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(p.Text); id != nil {
		things["transfers"] = id[1]
	} else {
		t.Fatal(p.Text)
	}
	before := h.print(t)
	files := []string{".raw_file_content", ".file"}
	tried := 0
	for name, operation := range operations(t) {
		if operation.RequestBody == nil {
			continue
		}
		method, template, _ := strings.Cut(name, " ")
		template = strings.TrimPrefix(template, "/api/v1")
		path := template
		if collection := strings.Split(template, "/")[1]; strings.Contains(path, "{id}") {
			if things[collection] == "" {
				t.Errorf("%s: there is no thing to ask for", name)
			}
			path = strings.Replace(path, "{id}", things[collection], 1)
		}
		path = strings.Replace(path, "{number}", "1", 1)
		long := strings.Repeat("x", int(min(2<<20, h.limit(h.routeOf(t, method, "/api/v1"+template))-1000)))
		many := strings.TrimSuffix(strings.Repeat("1,", entry.MaxBulk+1), ",")
		for kind, media := range operation.RequestBody.Value.Content {
			if !strings.Contains(kind, "json") {
				continue
			}
			texts, lists := bodiesOf(media.Schema.Value, 0)
			for content, bodies := range map[string]map[string]string{long: texts, many: lists} {
				for member, body := range bodies {
					if slices.Contains(files, member) {
						continue
					}
					tried++
					got := h.call(t, method, path, strings.Replace(body, "%", content, 1), "Content-Type: application/json")
					last := member[strings.LastIndex(strings.TrimSuffix(member, "[0]"), ".")+1:]
					last = strings.TrimSuffix(last, "[0]")
					if got.StatusCode < 400 || got.StatusCode >= 500 || !strings.Contains(got.Text, last) || len(got.Text) > 4096 {
						t.Errorf("%s%s: %d %.300s", name, member, got.StatusCode, got.Text)
					}
				}
			}
		}
	}
	if tried < 150 {
		t.Errorf("only %d members were tried", tried)
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
}
