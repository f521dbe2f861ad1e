package cmdtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Client is one of several clients that write at the same time. It makes, changes and deletes things of its own, and
// remembers what the last answers said of them.
type Client struct {
	*CommandLine
	*rand.Rand
	Client   LoadClient
	Label    string
	Accounts map[string]string // cash, other, broker, house: ids
	made     int
	Things   []*thing
	open     *request // was sent and never answered
}

// thing is what a client has made.
type thing struct {
	Kind    *kind
	ID      string
	mark    string         // with which its texts begin; no other thing has it
	want    map[string]any // members, as they were answered last
	deleted bool
	linked  bool // to a transfer, and therefore left alone
	Touched bool // since it was looked at
}

// request is a request that writes.
type request struct {
	Method, path, body string
	once               string // the Idempotency-Key
	Kind               *kind
	mark               string
	rows               int64    // that it makes
	of                 []*thing // that it changes, deletes or joins
}

// kind is a kind of things: where it is, how it is made and changed, what only the client that has made it can change.
type kind struct {
	Resource string
	weight   int // how often it is made
	rows     int64
	make     func(h *Client, mark string) (path, body string)
	change   func(mark string) string // nil: it cannot be changed
	members  []string
	stored   string // in which table and column its mark is
}

func kinds() []*kind {
	return []*kind{
		{"transactions", 12, 1, (*Client).transaction, patch("transaction", "name", "notes"),
			[]string{"date", "signed_amount_cents", "name", "notes"}, "transactions.name"},
		{"transactions", 3, 30, (*Client).bulk, patch("transaction", "name", "notes"),
			[]string{"date", "signed_amount_cents", "name", "notes"}, "transactions.name"},
		{"transfers", 2, 1, (*Client).transfer, patch("transfer", "notes"), []string{"status", "amount_cents", "notes"},
			"transfers.notes"},
		{"trades", 3, 1, (*Client).trade, patch("trade", "notes"),
			[]string{"date", "qty", "signed_amount_cents", "notes"}, "trades.notes"},
		{"valuations", 3, 1, (*Client).valuation, patch("valuation", "notes"), []string{"date", "amount", "notes"},
			"valuations.notes"},
		{"tags", 1, 1, named("tag"), patch("tag", "name"), []string{"name"}, "tags.name"},
		{"categories", 1, 1, named("category"), patch("category", "name"), []string{"name"}, "categories.name"},
		{"merchants", 1, 1, named("merchant"), patch("merchant", "name"), []string{"name"}, "merchants.name"},
		{"chats", 1, 1, (*Client).chat, func(mark string) string {
			return fmt.Sprintf(`{"title":%q}`,
				mark+" renamed")
		}, []string{"title"}, "chats.title"},
		{"imports", 1, 40, (*Client).file, nil, nil, "transactions.name"},
	}
}

// patch changes texts, which begin with the mark as before.
func patch(wrap string, members ...string) func(string) string {
	return func(mark string) string {
		texts := map[string]string{}
		for _, m := range members {
			texts[m] = mark + " changed"
		}
		body, _ := json.Marshal(map[string]any{wrap: texts}) // plain texts
		return string(body)
	}
}

func named(wrap string) func(*Client, string) (string, string) {
	return func(_ *Client, mark string) (string, string) {
		path := map[string]string{"tag": "/tags", "category": "/categories", "merchant": "/merchants"}[wrap]
		return path, fmt.Sprintf(`{%q:{"name":%q}}`, wrap, mark)
	}
}

func (h *Client) date() string { return fmt.Sprintf("2026-%02d-%02d", 1+h.IntN(10), 1+h.IntN(28)) }

func (h *Client) row(name string) string {
	return fmt.Sprintf(`{"account_id":%q,"date":%q,"amount":%d.%02d,"nature":"expense","name":%q,"tag_names":["all"]}`,
		h.Accounts["cash"], h.date(), 1+h.IntN(500), h.IntN(100), name)
}

func (h *Client) transaction(mark string) (path, body string) {
	return "/transactions", `{"transaction":` + h.row(mark) + `}`
}

func (h *Client) bulk(mark string) (path, body string) {
	rows := make([]string, 30)
	for i := range rows {
		rows[i] = h.row(fmt.Sprint(mark, i, "."))
	}
	return "/transactions/bulk", `{"transactions":[` + strings.Join(rows, ",") + `]}`
}

// transfer is a transfer of a new pair of transactions; blank when these could not be made.
func (h *Client) transfer(mark string) (path, body string) {
	rows := []string{}
	for account, amount := range map[string]string{"cash": "250.00", "other": "-248.50"} {
		rows = append(rows, fmt.Sprintf(`{"account_id":%q,"date":"2026-05-05","amount":%s,"name":"Side"}`,
			h.Accounts[account], amount))
	}
	status, answer := h.Client.Ask("POST", "/transactions/bulk", `{"transactions":[`+strings.Join(rows, ",")+`]}`, "")
	var made struct {
		Transactions []struct {
			ID    string
			Cents int64 `json:"signed_amount_cents"`
		}
	}
	if status != 201 || json.Unmarshal([]byte(answer), &made) != nil || len(made.Transactions) != 2 {
		return "", ""
	}
	in, out := made.Transactions[0], made.Transactions[1]
	if in.Cents < 0 {
		in, out = out, in
	}
	return "/transfers", fmt.Sprintf(`{"transfer":{"inflow_transaction_id":%q,"outflow_transaction_id":%q,"notes":%q}}`,
		in.ID, out.ID, mark)
}

func (h *Client) trade(mark string) (path, body string) {
	return "/trades", fmt.Sprintf(`{"trade":{"account_id":%q,"manual_ticker":"T%d","type":"buy","date":%q,"qty":%d.5,"price":%d.25,"notes":%q}}`,
		h.Accounts["broker"], h.IntN(4), h.date(), 1+h.IntN(9), 10+h.IntN(90), mark)
}

// valuation is of a day that no other one is of.
func (h *Client) valuation(mark string) (path, body string) {
	day := fmt.Sprintf("%d-%02d-%02d", 2018+h.made/336%8, 1+h.made/28%12, 1+h.made%28)
	return "/valuations", fmt.Sprintf(`{"valuation":{"account_id":%q,"date":%q,"amount":%d,"notes":%q}}`,
		h.Accounts["house"], day, 1000+h.made, mark)
}

func (h *Client) chat(mark string) (path, body string) {
	return "/chats", fmt.Sprintf(`{"title":%q,"message":"What is my net worth?"}`, mark)
}

func (h *Client) file(mark string) (path, body string) {
	file := "date,amount,name\n"
	for i := range 40 {
		file += fmt.Sprintf("%s,-%d.%02d,%s%d.\n", h.date(), i+1, h.IntN(100), mark, i)
	}
	content, _ := json.Marshal(file) // a text
	return "/imports", fmt.Sprintf(`{"account_id":%q,"publish":true,"raw_file_content":%s}`, h.Accounts["cash"],
		content)
}

// Next thinks of something to do.
func (h *Client) Next() *request {
	live := h.Live()
	switch n := h.IntN(10); {
	case n < 2 && len(live) > 0:
		if t := live[h.IntN(len(live))]; t.Kind.change != nil {
			return h.Request("PATCH", "/"+t.Kind.Resource+"/"+t.ID, t.Kind.change(t.mark), t)
		}
	case n < 4 && len(live) > 0 || len(live) > 100:
		if t := live[h.IntN(len(live))]; t.Kind.Resource != "imports" {
			return h.Request("DELETE", "/"+t.Kind.Resource+"/"+t.ID, "", t)
		}
	}
	return h.creation()
}

func (h *Client) Live() []*thing {
	return slices.DeleteFunc(slices.Clone(h.Things), func(t *thing) bool { return t.deleted || t.linked })
}

func (h *Client) Request(method, path, body string, t *thing) *request {
	h.made++
	return &request{method, path, body, fmt.Sprintf("%s-%d", h.Label, h.made), t.Kind, t.mark, 0, []*thing{t}}
}

// creation makes a thing of a kind, the more often the more it weighs.
func (h *Client) creation() *request {
	all := []*kind{}
	for _, k := range kinds() {
		all = append(all, slices.Repeat([]*kind{k}, k.weight)...)
	}
	k := all[h.IntN(len(all))]
	h.made++
	mark := fmt.Sprintf("%s-%d.", h.Label, h.made)
	path, body := k.make(h, mark)
	if path == "" {
		return nil
	}
	return &request{"POST", path, body, mark, k, mark, k.rows, nil}
}

// Do sends a request and notes what is answered. It says whether an answer came.
func (h *Client) Do(d *request) bool {
	status, answer := h.Client.Ask(d.Method, d.path, d.body, d.once)
	switch {
	case status == 0:
		h.open = d
		return false
	case status >= 300:
		h.Errorf("%s %s %s: %d %s", d.Method, d.path, d.body, status, answer)
	default:
		h.note(d, answer)
	}
	h.open = nil
	return true
}

// note remembers what was acknowledged.
func (h *Client) note(d *request, answer string) {
	for _, t := range d.of {
		t.Touched, t.deleted = true, d.Method == "DELETE"
	}
	if d.Method == "DELETE" {
		return
	}
	for _, seen := range objects(answer) {
		t := &thing{Kind: d.Kind, ID: fmt.Sprint(seen["id"]), mark: d.mark}
		if len(d.of) > 0 {
			t = d.of[0]
		} else {
			h.Things = append(h.Things, t)
		}
		if d.rows > 1 && d.Kind.Resource == "transactions" {
			t.mark = fmt.Sprint(seen["name"])
		}
		t.want, t.Touched = d.Kind.of(seen), true
	}
}

// of are the members of an answer that must stay as they are.
func (k *kind) of(answer map[string]any) map[string]any {
	answer = maps.Clone(answer)
	maps.DeleteFunc(answer, func(name string, _ any) bool { return !slices.Contains(k.members, name) })
	return answer
}

// objects are what an answer is about: itself, what is in data, or a list of transactions.
func objects(answer string) []map[string]any {
	var whole struct {
		Data         map[string]any
		Transactions []map[string]any
	}
	var plain map[string]any
	if json.Unmarshal([]byte(answer), &plain) != nil || json.Unmarshal([]byte(answer), &whole) != nil {
		return nil
	}
	switch {
	case whole.Transactions != nil:
		return whole.Transactions
	case whole.Data != nil:
		return []map[string]any{whole.Data}
	}
	return []map[string]any{plain}
}
