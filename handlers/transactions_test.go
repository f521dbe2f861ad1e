package handlers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/handlers/apitest"
)

// TestTransactionBodies holds whole bodies against files worked out by hand.
//
// Decision, Transport: unknown members are ignored.
// Decision, Money: amounts in cents are whole numbers in minor units of the row's own currency.
// Decision, Transactions: the currency is the account's unless it is given; 201; the formatted amount prints an expense
// without a minus, an income with one; tag_ids [] or null clears them; GET and DELETE by id; DELETE is 200 with a
// message.
// Contract, Transaction: amount is written by the locale and currency of the row; amount_cents is absolute, in minor
// units of the row's own currency; signed_amount_cents is positive for income, negative for expense; notes come back as
// they were written.
// Contract, POST /api/v1/transactions: answers the transaction: 201; notes, currency, category_id, merchant_id,
// tag_ids.
// Contract, PATCH /api/v1/transactions/{id}: answers the transaction: 200.
// Contract, GET /api/v1/transactions: transactions and pagination.
func TestTransactionBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	full := h.call(t, "POST", "/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-01-31","amount":1234.56,"name":"Brot \"frisch\"",
		"notes":"Zeile 1\nZeile 2 | <x> [y]","category_id":"{Food}","merchant_id":"{Bäcker}","tag_ids":["{fun}","{Alltag}"],
		"external_id":"bank-1","source":"bank","nature":"outflow","user_modified":true}}`)
	h.golden(t, "transaction_create", full)
	h.ids["Bread"] = idOf(t, full)
	h.add(t, "Yen", `"account_id":"{Checking}","date":"2026-01-30","amount":"-1500","currency":"JPY"`)
	h.add(t, "Dinar", `"account_id":"{Dinars}","date":"2026-01-29","amount":1.234`)
	h.add(t, "Out", `"account_id":"{Checking}","date":"2026-01-28","amount":100`)
	h.add(t, "In", `"account_id":"{Dinars}","date":"2026-01-28","amount":"-30.5"`)
	h.link(t, "Out", "In")
	list := h.call(t, "GET", "/transactions", "")
	h.golden(t, "transaction_list", list)
	if head := h.call(t, "HEAD", "/transactions", ""); list.ContentLength != int64(len(list.Text)) || head.ContentLength != list.ContentLength || head.Text != "" {
		t.Errorf("%d bytes are announced as %d, to HEAD as %d", len(list.Text), list.ContentLength, head.ContentLength)
	}
	h.golden(t, "transaction_transfer", h.call(t, "GET", "/transactions/{Out}", ""))
	h.clock.move(time.Hour)
	h.golden(t, "transaction_update", h.call(t, "PATCH", "/transactions/{Bread}", `{"transaction":{"account_id":"{Savings}","date":"2026-02-01",
		"amount":-7.5,"description":"Rolls","notes":null,"category_id":null,"merchant_id":"{Kiosk}","tag_ids":[]}}`))
	h.call(t, "DELETE", "/transactions/{Bread}", "", "Content-Type: application/json").Is(t, 200, `{"message":"Transaction deleted successfully"}`)
	h.call(t, "DELETE", "/transactions/{Bread}", "").Is(t, 404, "")
	h.call(t, "DELETE", "/transactions/{Out}", "").Is(t, 200, "")
	if left := h.call(t, "GET", "/transactions/{In}", ""); !strings.Contains(left.Text, `"transfer":null`) {
		t.Errorf("half a transfer: %s", left.Text)
	}
	h.golden(t, "transaction_gone", h.call(t, "GET", "/transactions/{Bread}", ""))
}

func idOf(t *testing.T, p apitest.Reply) string {
	t.Helper()
	var v struct{ ID string }
	if err := json.Unmarshal([]byte(p.Text), &v); err != nil || v.ID == "" {
		t.Fatalf("no id in %d %s", p.StatusCode, p.Text)
	}
	return v.ID
}

// TestTransactionStatuses holds what was decided.
//
// Decision, Errors: the account of a new transaction or trade: 404.
func TestTransactionStatuses(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Mine", `"account_id":"{Checking}","date":"2026-01-31","amount":5`)
	const good = `{"transaction":{"account_id":"{Checking}","date":"2026-01-31","amount":5,"name":"x"}}`
	for _, c := range []struct {
		key, method, path, body string
		status                  int
		code                    string
	}{
		{h.key, "GET", "/transactions/{Mine}", "", 200, ""},
		{h.key, "GET", "/transactions/{Mine}.json", "", 200, ""},
		{h.key, "GET", "/transactions/", "", 200, ""},
		{h.key, "PUT", "/transactions/{Mine}", `{"transaction":{"name":"Mine"}}`, 200, ""},
		{h.key, "PATCH", "/transactions/{Mine}", `{"transaction":{}}`, 200, ""},
		{h.key, "POST", "/transactions", good, 201, ""},
		{h.key, "POST", "/transactions", strings.Replace(good, "{Checking}", "{their Checking}", 1), 404, "not_found"},
		{h.key, "POST", "/transactions", strings.Replace(good, "{Checking}", "00000000-0000-4000-8000-000000000000", 1), 404, "not_found"},
		{h.key, "GET", "/transactions/00000000-0000-4000-8000-000000000000", "", 404, "not_found"},
		{h.key, "GET", "/transactions/7", "", 404, "not_found"},
		{h.neighbour, "GET", "/transactions/{Mine}", "", 404, "not_found"},
		{h.neighbour, "PATCH", "/transactions/{Mine}", `{"transaction":{"name":"x"}}`, 404, "not_found"},
		{h.neighbour, "DELETE", "/transactions/{Mine}", "", 404, "not_found"},
		{h.key, "POST", "/transactions", strings.TrimSuffix(strings.TrimPrefix(good, `{"transaction":`), "}"), 400, "bad_request"},
		{h.key, "POST", "/transactions", "", 400, "bad_request"},
		{h.key, "POST", "/transactions", `[]`, 400, "bad_request"},
		{h.key, "POST", "/transactions", `{"transaction":[]}`, 400, "bad_request"},
		{h.key, "POST", "/transactions", `{"transaction":null}`, 400, "bad_request"},
		{h.key, "PATCH", "/transactions/{Mine}", `{"name":"x"}`, 400, "bad_request"},
		{h.key, "POST", "/transactions/{Mine}", "", 405, "method_not_allowed"},
		{h.key, "DELETE", "/transactions", "", 405, "method_not_allowed"},
		{"", "GET", "/transactions", "", 401, "unauthorized"},
		{"nonsense", "POST", "/transactions", good, 401, "unauthorized"},
		{h.readKey, "POST", "/transactions", good, 403, "insufficient_scope"},
		{h.readKey, "PATCH", "/transactions/{Mine}", `{"transaction":{"name":"x"}}`, 403, "insufficient_scope"},
		{h.readKey, "DELETE", "/transactions/00000000-0000-4000-8000-000000000000", "", 403, "insufficient_scope"},
	} {
		before := h.print(t)
		p := h.as(t, c.key, c.method, c.path, c.body)
		if p.StatusCode != c.status || p.Code() != c.code {
			t.Errorf("%s %s %s: got %d %s\nwant %d %s", c.method, c.path, c.body, p.StatusCode, p.Text, c.status, c.code)
		}
		if c.status >= 400 && h.print(t) != before {
			t.Errorf("%s %s %s: refused, but something changed", c.method, c.path, c.body)
		}
	}
}

// TestTransactionForm holds what was decided.
//
// Decision, Transport: forms with bracketed keys are taken as bodies.
func TestTransactionForm(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	p := h.call(t, "POST", "/transactions", "transaction[account_id]={Checking}&transaction%5Bdate%5D=2026-01-31&transaction[amount]=12.50"+
		"&transaction[name]=Bread+and+Br%C3%B6tchen&transaction[notes]=a;b%0Ac&transaction[tag_ids][]={fun}&transaction[tag_ids][]={Alltag}"+
		"&transaction[category_id]=", "Content-Type: application/x-www-form-urlencoded")
	h.golden(t, "transaction_form", p)
	h.ids["Bread"] = idOf(t, p)
	cleared := h.call(t, "PATCH", "/transactions/{Bread}", "transaction[tag_ids][]=&transaction[name]=Rolls", "Content-Type: application/x-www-form-urlencoded")
	if cleared.StatusCode != 200 || !strings.Contains(cleared.Text, `"tags":[]`) || !strings.Contains(cleared.Text, `"name":"Rolls"`) {
		t.Errorf("got %d %s", cleared.StatusCode, cleared.Text)
	}
}

// TestExternalIDIsUsedOnce holds what was decided.
//
// Decision, Transactions: external_id and source are unique for each account: 201, then 200 with the row unchanged.
func TestExternalIDIsUsedOnce(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const first = `{"transaction":{"account_id":"{Checking}","date":"2026-01-31","amount":5,"name":"first","external_id":"e1"}}`
	made := h.call(t, "POST", "/transactions", first)
	made.Is(t, 201, "")
	before := h.print(t)
	for _, again := range []string{first, strings.Replace(first, `"first"`, `"other"`, 1), strings.Replace(first, `"e1"`, `"e1","source":"api"`, 1)} {
		h.call(t, "POST", "/transactions", again).Is(t, 200, made.Text)
	}
	if h.print(t) != before {
		t.Error("a repeat changed something")
	}
	h.call(t, "POST", "/transactions", strings.Replace(first, `"e1"`, `"e1","source":"bank"`, 1)).Is(t, 201, "")
	h.call(t, "POST", "/transactions", strings.Replace(first, "{Checking}", "{Savings}", 1)).Is(t, 201, "")
	h.call(t, "POST", "/transactions", strings.Replace(first, `"e1"`, "17", 1)).Is(t, 201, "")
	h.call(t, "POST", "/transactions", strings.Replace(first, `"e1"`, `"17"`, 1)).Is(t, 200, "")
	one := strings.TrimSuffix(strings.TrimPrefix(strings.Replace(first, `"e1"`, `"e2"`, 1), `{"transaction":`), "}")
	var batch struct{ Transactions []struct{ ID, Name string } }
	list := h.call(t, "POST", "/transactions/bulk", `{"transactions":[`+one+`,`+strings.Replace(one, `"e2"`, `"e1"`, 1)+`,`+one+`]}`)
	list.Is(t, 201, "")
	if err := json.Unmarshal([]byte(list.Text), &batch); err != nil {
		t.Fatal(err)
	}
	if got := batch.Transactions; len(got) != 3 || got[0] != got[2] || got[0] == got[1] || !strings.Contains(made.Text, got[1].ID) {
		t.Errorf("the batch is %+v", got)
	}
	if got := h.list(t, "").Pagination.TotalCount; got != 5 || h.balance(t, "Checking") != -2000 {
		t.Errorf("got %d and a balance of %d", got, h.balance(t, "Checking"))
	}
}

// writeBalance is what GET /accounts says of an account.
func (h *fixture) balance(t *testing.T, name string) int64 {
	t.Helper()
	p := h.as(t, h.readKey, "GET", "/accounts", "")
	var list struct {
		Accounts []struct {
			Name    string
			Balance int64 `json:"balance_cents"`
		}
	}
	if err := json.Unmarshal([]byte(p.Text), &list); err != nil {
		t.Fatal(err, p.Text)
	}
	for _, a := range list.Accounts {
		if a.Name == name {
			return a.Balance
		}
	}
	t.Fatalf("no account %s in %s", name, p.Text)
	return 0
}

// TestBalanceFollowsAtOnce: every write counts in the very next request.
//
// Decision, Transactions: every write is visible to the very next request.
func TestBalanceFollowsAtOnce(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	check := func(when string, want int64) {
		t.Helper()
		if got := h.balance(t, "Checking"); got != want {
			t.Errorf("%s: got %d, want %d", when, got, want)
		}
	}
	check("at first", 0)
	h.add(t, "Bread", `"account_id":"{Checking}","date":"2026-01-31","amount":12.50`)
	check("created", -1250)
	h.call(t, "PATCH", "/transactions/{Bread}", `{"transaction":{"amount":20}}`).Is(t, 200, "")
	check("another amount", -2000)
	h.call(t, "PATCH", "/transactions/{Bread}", `{"transaction":{"nature":"income"}}`).Is(t, 200, "")
	check("turned", 2000)
	h.call(t, "PATCH", "/transactions/{Bread}", `{"transaction":{"date":"2026-02-28"}}`).Is(t, 200, "")
	check("another day", 2000)
	h.call(t, "PATCH", "/transactions/{Bread}", `{"transaction":{"date":"2027-01-01"}}`).Is(t, 200, "")
	check("in the future", 0)
	h.call(t, "PATCH", "/transactions/{Bread}", `{"transaction":{"date":"2026-08-22"}}`).Is(t, 200, "")
	check("today", 2000)
	h.call(t, "DELETE", "/transactions/{Bread}", "").Is(t, 200, "")
	check("deleted", 0)
	h.call(t, "POST", "/transactions/bulk", `{"transactions":[{"account_id":"{Checking}","date":"2026-01-01","amount":-3,"name":"x"},{"account_id":"{Checking}","date":"2026-01-01","amount":1,"name":"y"}]}`).Is(t, 201, "")
	check("a batch", 200)
}

// TestConcurrentCreates: whatever is created at once is all there, once, and adds up.
func TestConcurrentCreates(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const clients, each = 16, 5
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := range each {
				body := fmt.Sprintf(`{"transaction":{"account_id":"{Checking}","date":"2026-01-%02d","amount":-1.01,"name":"c%d-%d","external_id":"shared-%d"}}`, 1+c, c, i, i)
				if i > 0 {
					body = strings.Replace(body, fmt.Sprintf(`,"external_id":"shared-%d"`, i), "", 1)
				}
				if p := h.call(t, "POST", "/transactions", body); p.StatusCode != 201 && !(i == 0 && p.StatusCode == 200) {
					t.Errorf("client %d: %d %s", c, p.StatusCode, p.Text)
				}
			}
		})
	}
	all.Wait()
	const want = clients*(each-1) + 1 // one of the first with the shared external id
	got := h.list(t, "per_page=100")
	if got.Pagination.TotalCount != want || len(got.Transactions) != want {
		t.Errorf("got %d rows, %d in all, want %d", len(got.Transactions), got.Pagination.TotalCount, want)
	}
	if income := h.list(t, "type=income&account_id={Checking}").Pagination.TotalCount; income != want {
		t.Errorf("%d are counted as incomes of the account, want %d", income, want)
	}
	if b := h.balance(t, "Checking"); b != 101*want {
		t.Errorf("balance %d, want %d", b, 101*want)
	}
	if !slices.IsSortedFunc(got.Transactions, func(a, b wireTransaction) int { return cmp.Compare(b.Date, a.Date) }) {
		t.Error("not newest first")
	}
}

// TestReadsDuringChanges: a transaction that is moved from day to day all the time can be read at any time.
func TestReadsDuringChanges(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Moving", `"account_id":"{Checking}","date":"2026-01-01","amount":5`)
	const moves = 100
	var all sync.WaitGroup
	all.Go(func() {
		for i := range moves {
			h.call(t, "PATCH", "/transactions/{Moving}", fmt.Sprintf(`{"transaction":{"date":"2026-01-%02d"}}`, 1+i%28)).Is(t, 200, "")
		}
	})
	for range 3 {
		all.Go(func() {
			for range moves {
				h.as(t, h.readKey, "GET", "/transactions/{Moving}", "").Is(t, 200, "")
			}
		})
	}
	all.Wait()
	if b := h.balance(t, "Checking"); b != -500 || h.list(t, "").Pagination.TotalCount != 1 {
		t.Errorf("balance %d after all moves", b)
	}
}

// TestAmountsOfFloats: a JSON number with the noise of binary floating point is the amount that was meant, in every body that has
// one; a text is taken at its word, and so is what lies further away.
func TestAmountsOfFloats(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.make(t, h.key, "accounts", `{"account":{"name":"Depot","account_type":"investment"}}`)
	list := h.call(t, "GET", "/accounts?per_page=100", "")
	_, rest, _ := strings.Cut(list.Text, `"name":"Depot"`)
	if rest == "" {
		t.Fatal(list.Text)
	}
	h.ids["Depot"] = list.Text[strings.LastIndex(list.Text[:len(list.Text)-len(rest)], `"id":"`)+len(`"id":"`):][:36]
	for name, c := range map[string]struct{ path, body, want string }{
		"transaction": {"/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-08-20","name":"Sum","amount":%s}}`, `"amount_cents":30030`},
		"split lines": {"/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-08-20","name":"Sum","amount":400,"split_lines":[{"amount":%s},{"amount":99.7}]}}`, `"amount_cents":30030`},
		"valuation":   {"/valuations", `{"valuation":{"account_id":"{Savings}","date":"2026-08-20","amount":%s}}`, `300,30`},
		"account":     {"/accounts", `{"account":{"name":"Jar","account_type":"other_asset","balance":%s}}`, `"opening_balance_cents":30030`},
		"dividend":    {"/trades", `{"trade":{"account_id":"{Depot}","date":"2026-08-20","type":"dividend","ticker":"ACME","amount":%s}}`, `"signed_amount_cents":30030`},
		"fee":         {"/trades", `{"trade":{"account_id":"{Depot}","date":"2026-08-20","qty":1,"price":1,"ticker":"ACME","fee":%s}}`, `"fee_cents":30030`},
		"deposit":     {"/trades", `{"trade":{"account_id":"{Depot}","date":"2026-08-20","type":"deposit","amount":%s}}`, `"signed_amount_cents":30030`},
	} {
		for _, amount := range []string{"300.29999999999995", "300.3000000000000007", "300.3000009"} {
			p := h.call(t, "POST", c.path, strings.ReplaceAll(c.body, "%s", amount))
			if name != "split lines" && (p.StatusCode != 201 || !strings.Contains(p.Text, c.want)) {
				t.Errorf("%s of %s: got %d %s, want %s", name, amount, p.StatusCode, p.Text, c.want)
			}
			if name == "split lines" && p.StatusCode != 201 {
				t.Errorf("%s of %s: got %d %s", name, amount, p.StatusCode, p.Text)
			}
		}
		for _, amount := range []string{`"300.29999999999995"`, "300.300001", "300.2999"} {
			if p := h.call(t, "POST", c.path, strings.ReplaceAll(c.body, "%s", amount)); p.StatusCode != 422 {
				t.Errorf("%s of %s: got %d %s, want 422", name, amount, p.StatusCode, p.Text)
			}
		}
	}
}

// TestLongNames: a name beyond 255 characters is cut at a word, and the whole of it stands in front of the notes, once.
func TestLongNames(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	long := strings.Repeat("word ", 52) + "end" // 263 characters, of which the 255th ends the 51st word
	short := strings.TrimSpace(strings.Repeat("word ", 51))
	shown := func(name, notes string) string { return `"name":"` + name + `","notes":"` + notes + `"` }
	p := h.call(t, "POST", "/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-08-20","amount":1,"name":"`+long+`","notes":"own"}}`)
	if p.StatusCode != 201 || !strings.Contains(p.Text, shown(short, long+`\nown`)) {
		t.Fatalf("got %d %s", p.StatusCode, p.Text)
	}
	h.ids["Long"] = idOf(t, p)
	for body, want := range map[string]string{
		`{"name":"` + long + `"}`:                                  shown(short, long+`\nown`),
		`{"name":"` + long + `","notes":"` + long + `\nown"}`:      shown(short, long+`\nown`),
		`{"description":"` + long + `"}`:                           shown(short, long+`\nown`),
		`{"name":"` + strings.Repeat("x", 255) + `","notes":null}`: `"name":"` + strings.Repeat("x", 255) + `","notes":null`,
	} {
		p := h.call(t, "PATCH", "/transactions/{Long}", `{"transaction":`+body+`}`)
		if p.StatusCode != 200 || !strings.Contains(p.Text, want) {
			t.Errorf("%s: got %d %s", body, p.StatusCode, p.Text)
		}
		h.call(t, "PATCH", "/transactions/{Long}", `{"transaction":{"notes":"`+long+`\nown"}}`).Is(t, 200, "")
	}
	h.refuses(t, unprocessable("name"), "PATCH", "/transactions/{Long}", `{"transaction":{"name":"`+long+`","notes":"`+strings.Repeat("n", 9_740)+`"}}`)
	if p := h.call(t, "POST", "/transactions", `{"transaction":{"account_id":"{Checking}","date":"2026-08-20","amount":2,"name":"whole","split_lines":[{"amount":1,"name":"`+long+`"},{"amount":1}]}}`); p.StatusCode != 201 || !strings.Contains(p.Text, shown(short, long)) {
		t.Errorf("a split line: got %d %s", p.StatusCode, p.Text)
	}
}
