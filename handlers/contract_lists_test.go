package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

// pagedLists is every list that comes in pages, and the name of its rows.
func pagedLists() map[string]string {
	return map[string]string{
		"/transactions": "transactions", "/trades": "trades", "/holdings": "holdings", "/categories": "categories", "/accounts": "accounts",
		"/valuations": "valuations", "/balances": "balances", "/transfers": "transfers", "/rejected_transfers": "rejected_transfers",
		"/securities": "securities", "/security_prices": "security_prices", "/security_splits": "security_splits", "/rules": "data", "/rule_runs": "data",
		"/imports": "data", "/syncs": "data", "/imports/{settled}/rows": "data", "/chats": "chats", "/chats/{Chat}": "messages",
	}
}

// pageSeen is what a list says of its page.
type pageSeen struct{ page, size, total, pages, rows int64 }

// seenPage reads the pagination object of a list, or its meta object.
func seenPage(t *testing.T, p apitest.Reply, rows string) pageSeen {
	t.Helper()
	var list map[string]json.RawMessage
	var all []json.RawMessage
	var page map[string]*int64
	if err := json.Unmarshal([]byte(p.Text), &list); err != nil || p.StatusCode != 200 {
		t.Fatalf("got %d %s", p.StatusCode, p.Text)
	}
	about := list["pagination"]
	if about == nil {
		about = []byte(strings.Replace(string(list["meta"]), `"current_page"`, `"page"`, 1))
	}
	if err := json.Unmarshal(about, &page); err != nil {
		t.Fatal(err, p.Text)
	}
	if err := json.Unmarshal(list[rows], &all); err != nil {
		t.Fatal(err, p.Text)
	}
	return pageSeen{*page["page"], *page["per_page"], *page["total_count"], *page["total_pages"], int64(len(all))}
}

// TestPagesOfEveryList: the default page is 1 with 25 rows, at most 100 are given, nothing is refused, a page past the
// end is empty, and there is always one page.
//
// Decision, Transport: a page past the end is empty and says which it is; there is always one page.
// Decision, Assistant: pages of chats and messages as everywhere, with true numbers.
// Contract, GET /api/v1/imports: page and per_page: 1 and 25 by default, at most 100.
// Contract, GET /api/v1/holdings: page and per_page: 1 and 25 by default, at most 100.
// Contract, GET /api/v1/categories: page and per_page: 1 and 25 by default, at most 100.
// Contract, Limits: the default page is 1, with 25 items, 100 at most.
func TestPagesOfEveryList(t *testing.T) {
	t.Parallel()
	h := newContractHouse(t)
	for path, rows := range pagedLists() {
		whole := seenPage(t, h.call(t, "GET", path, ""), rows)
		for query, want := range map[string]pageSeen{
			"": {1, 25, 0, 0, 0}, "page=1&per_page=25": {1, 25, 0, 0, 0}, "page=2&per_page=1": {2, 1, 0, 0, 0}, "per_page=100": {1, 100, 0, 0, 0}, "per_page=101": {1, 100, 0, 0, 0},
			"page=0&per_page=0": {1, 25, 0, 0, 0}, "page=-1&per_page=-1": {1, 25, 0, 0, 0}, "page=x&per_page=x": {1, 25, 0, 0, 0}, "page=&per_page=": {1, 25, 0, 0, 0},
			"page=1.5&per_page=1.5": {1, 25, 0, 0, 0}, "page=1000000": {1_000_000, 25, 0, 0, 0}, "page=1000000&per_page=1": {1_000_000, 1, 0, 0, 0},
		} {
			want.total, want.pages = whole.total, max(1, (whole.total+want.size-1)/want.size)
			want.rows = max(0, min(want.size, whole.total-(want.page-1)*want.size))
			if got := seenPage(t, h.call(t, "GET", path+"?"+query, ""), rows); got != want {
				t.Errorf("%s?%s: got %+v, want %+v", path, query, got, want)
			}
		}
	}
	for path, rows := range pagedLists() {
		if strings.Contains(path, "{") {
			continue
		}
		if got := seenPage(t, h.as(t, h.neighbour, "GET", path+"?page=3", ""), rows); got.total == 0 && got != (pageSeen{3, 25, 0, 1, 0}) {
			t.Errorf("%s with nothing in it: got %+v", path, got)
		}
	}
}

// TestOrderOfNames: accounts, categories, tags and merchants come by name, whatever its case.
//
// Decision, Transport: accounts, categories, tags, merchants: by name, whatever its case.
func TestOrderOfNames(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for path, c := range map[string]struct{ kind, more, want string }{
		"accounts":   {"account", `,"account_type":"depository"`, "alpha Beta Checking Dinars epsilon Savings"},
		"categories": {"category", "", "alpha Beta epsilon Food Salary"},
		"tags":       {"tag", "", "Alltag alpha Beta epsilon fun"},
		"merchants":  {"merchant", "", "alpha Beta Bäcker epsilon Kiosk"},
	} {
		for _, name := range []string{"epsilon", "Beta", "alpha"} {
			h.make(t, h.key, path, `{"`+c.kind+`":{"name":"`+name+`"`+c.more+`}}`)
		}
		body := h.call(t, "GET", "/"+path, "").Text
		last := -1
		for name := range strings.FieldsSeq(c.want) {
			at := strings.Index(body, `"name":"`+name+`"`)
			if at <= last {
				t.Errorf("%s: %q is not behind what comes before it: %s", path, name, body)
			}
			last = at
		}
	}
}

// TestOrderByTime: imports and chats come with the newest first, those of one moment as well; messages with the oldest.
//
// Decision, Transport: imports and chats: the newest first; messages: the oldest first.
func TestOrderByTime(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	var imports, chats []string
	for range 3 {
		imports = append([]string{importOf(t, h.call(t, "POST", "/imports", "{}"), 201).ID}, imports...)
		chats = append([]string{h.newChat(t, `{"message":"x"}`).ID}, chats...)
	}
	h.answer(t, "a")
	question := decoded[messageSeen](t, h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"y"}`), 201)
	for path, want := range map[string][]string{"/imports": imports, "/chats": chats, "/chats/{Chat}": {h.ids["Chat"], h.ids["Last"], question.ID}} {
		body := h.call(t, "GET", path, "").Text
		last := -1
		for i, id := range want {
			at := strings.Index(body, `"id":"`+id+`"`)
			if at <= last {
				t.Errorf("%s: number %d is not behind what comes before it: %s", path, i, body)
			}
			last = at
		}
	}
}
