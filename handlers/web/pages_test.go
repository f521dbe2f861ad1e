package web_test

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/trade"
)

// TestEveryPage: every page of an empty, a small and a nasty household is HTML that browsers and people with other means
// can use, and asks for nothing from elsewhere.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	for name, furnish := range map[string]func(*house, *testing.T) []string{
		"empty": func(*house, *testing.T) []string { return nil }, "small": small, "nasty": nasty} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			more := furnish(h, t)
			pages := append([]string{"/", "/?period=All", "/?period=1M&month=2026-02", "/transactions", "/transactions?q=no:category+%3E5",
				"/holdings", "/holdings?by=type", "/holdings?by=currency", "/trades", "/trades/new",
				"/transactions?q=%40nowhere", "/transactions?page=7", "/transactions/new", "/accounts", "/accounts/new", "/history", "/more", "/sort", "/categories", "/tags", "/merchants", "/chats", "/rules", "/settings",
				"/settings/you", "/settings/keys", "/settings/household", "/transactions/words?q=%40g", "/transactions/new?name=Rent", "/settings/people", "/settings/export", "/confirm", "/explain?figure=net_worth", "/explain?figure=net_worth&from=2026-01-31",
				"/explain?figure=income&month=2026-02&by=account", "/explain?figure=expenses&month=2026-02"}, more...)
			for _, path := range pages {
				page := h.get(t, path)
				for _, problem := range problemsOf(page.text) {
					t.Errorf("%s: %s", path, problem)
				}
			}
			missing := h.ask(t, "/nothing")
			if missing.StatusCode != http.StatusNotFound || len(problemsOf(missing.text)) > 0 {
				t.Errorf("/nothing: %s %v", missing.Status, problemsOf(missing.text))
			}
		})
	}
}

// small is a household with an account and a few bookings.
func small(h *house, t *testing.T) []string {
	giro := h.Account(h.Who, "Giro", "EUR")
	in := ledgertest.Entry(giro, "2026-02-01", "640", "Rent")
	in.CategoryID = ledger.Some(h.Category(h.Who, "Home"))
	rent := h.Create(in)
	salary := ledgertest.Entry(giro, "2026-02-26", "-1950", "Salary")
	h.Create(salary)
	id := uuid.UUID(rent.PublicID).String()
	ops, _, err := h.Books.History.List(t.Context(), h.Who, ledger.Page{Number: 1, Size: 1})
	if err != nil || len(ops) == 0 {
		t.Fatal(ops, err)
	}
	return []string{"/categories/" + in.CategoryID.Value.String(), "/explain?figure=balance&account_id=" + giro.String(), "/transactions/" + id, "/transactions/" + id + "/split", "/accounts/" + giro.String(), "/accounts/" + giro.String() + "/edit",
		"/accounts/" + giro.String() + "/merge", "/accounts/" + giro.String() + "/delete",
		"/history/" + ops[0].ID.String()}
}

// nasty is a household with names that are markup or run from right to left, amounts of twelve digits, currencies without
// and with three decimals, no rates, debts beyond everything, and a split transaction.
func nasty(h *house, t *testing.T) []string {
	script := `</script><script>alert("1")</script>`
	var paths []string
	for name, currency := range map[string]string{script: "JPY", "حساب جاري": "KWD", strings.Repeat("Long name ", 20): "EUR", `" onload="x`: "USD"} {
		account := h.Account(h.Who, name, currency)
		in := ledgertest.Entry(account, "2026-02-01", "999999999999", name)
		in.CategoryID = ledger.Some(h.Category(h.Who, name))
		in.TagIDs = ledger.Some([]uuid.UUID{h.Tag(h.Who, name)})
		in.MerchantID = ledger.Some(h.Merchant(h.Who, name))
		in.Notes = ledger.Some(script)
		id := uuid.UUID(h.Create(in).PublicID).String()
		paths = append(paths, "/categories/"+in.CategoryID.Value.String(), "/tags/"+in.TagIDs.Value[0].String(), "/merchants/"+in.MerchantID.Value.String(), "/explain?figure=balance&account_id="+account.String(), "/transactions/"+id, "/transactions/"+id+"/split", "/accounts/"+account.String(), "/accounts/"+account.String()+"/edit",
			"/accounts/"+account.String()+"/merge", "/accounts/"+account.String()+"/delete")
	}
	broker, err := h.Accounts.CreateAccount(t.Context(), h.Who, catalog.AccountInput{Name: ledger.Some("Broker"),
		AccountType: ledger.Some("investment"), Currency: ledger.Some("EUR")})
	if err != nil {
		t.Fatal(err)
	}
	booked, err := h.Trades.CreateTrade(t.Context(), h.Who, trade.Input{AccountID: ledger.Some(uuid.UUID(broker.PublicID)),
		Date: ledger.Some(ledger.NewDate(2026, 2, 1)), Quantity: ledger.Some(decimal.RequireFromString("0.00000001")),
		Price: ledger.Some(decimal.RequireFromString("12345.678")), ManualTicker: ledger.Some("<T>")})
	if err != nil {
		t.Fatal(err)
	}
	chat, err := h.chats.CreateChat(t.Context(), h.Who, assistant.ChatInput{Message: ledger.Some(script + " net worth?")})
	if err != nil {
		t.Fatal(err)
	}
	return append(paths, "/chats/"+uuid.UUID(chat.PublicID).String(), "/accounts/"+uuid.UUID(broker.PublicID).String(), "/trades/"+uuid.UUID(booked.Trade.PublicID).String(),
		"/securities/"+booked.Trade.Security.ID.String())
}

// problemsOf finds what is wrong with a page: it must be well formed in the way that XML is but for elements without an
// end, have one heading of the first rank, a language, a title and a landmark, name its controls, tables and pictures, and
// hold no script, no style and no address of elsewhere.
func problemsOf(page string) (problems []string) {
	for pattern, what := range map[string]string{`<script>`: "a script of its own", `<style`: "a style of its own",
		`(?:src|href|action)="(?:https?:)?//`: "an address of elsewhere", `ZgotmplZ`: "a value that the template refuses",
		`%!`: "a value that was formatted in a wrong way"} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			problems = append(problems, "has "+what+": "+found)
		}
	}
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "link", "input", "br", "hr", "img"}, xml.HTMLEntity
	headings, labels, ids := 0, map[string]bool{}, map[string]int{}
	type control struct{ name, id string }
	var controls []control
	var within []string
	tables, captions := 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return append(problems, "is not well formed: "+err.Error())
		}
		switch e := token.(type) {
		case xml.EndElement:
			if len(within) > 0 {
				within = within[:len(within)-1]
			}
		case xml.StartElement:
			within = append(within, e.Name.Local)
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
					problems = append(problems, "has a script or a style of its own: "+a.Name.Local)
				}
			}
			if id := at["id"]; id != "" {
				ids[id]++
			}
			switch e.Name.Local {
			case "html":
				if at["lang"] == "" {
					problems = append(problems, "has no language")
				}
			case "h1":
				headings++
			case "label":
				labels[at["for"]] = true
			case "table":
				tables++
			case "caption":
				captions++
			case "svg":
				if at["aria-hidden"] != "true" && at["role"] == "" && !slices.Contains(within[:len(within)-1], "svg") {
					problems = append(problems, "has a picture without a role")
				}
			case "input", "select", "textarea":
				if at["type"] != "hidden" && at["aria-label"] == "" && !slices.Contains(within, "label") {
					controls = append(controls, control{at["name"], at["id"]})
				}
			}
		}
	}
	if headings != 1 {
		problems = append(problems, "does not have one heading of the first rank")
	}
	if tables != captions {
		problems = append(problems, "has a table without a caption")
	}
	for _, c := range controls {
		if c.id == "" || !labels[c.id] {
			problems = append(problems, "has a control without a label: "+c.name+c.id)
		}
	}
	for id, n := range ids {
		if n > 1 {
			problems = append(problems, "has an id twice: "+id)
		}
	}
	return problems
}

// TestAccountsByHand: an account is opened, renamed, given a balance of a day, and closed.
func TestAccountsByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	page := h.done(t, "/accounts", "name=Everyday", "type=depository", "currency=EUR", "amount=1.200,5", "date=2026-01-31", "institution=", "notes=")
	page.shows(t, "€1,200.50", "depository")
	path := page.Request.URL.Path
	h.done(t, path+"/balance", "date=2026-02-15", "amount=900").shows(t, "€900.00", "Feb 15, 2026 reconciliation")
	if a := h.post(t, path+"/balance", "date=2026-02-31", "amount=900"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a day that does not exist: %s", a.Status)
	}
	h.done(t, path, "name=Daily", "institution=A bank", "notes=", "disabled=true").shows(t, "Daily", "closed")
	h.get(t, "/").shows(t, "€0.00", "unchanged over the last year")
}

// TestKeysByHand: a key is made and shown once, and revoked; it opens the API and nothing here.
func TestKeysByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	made := h.post(t, "/settings/keys", "name=phone", "scope=read")
	if made.StatusCode != http.StatusOK {
		t.Fatal(made.Status, made.words())
	}
	key := regexp.MustCompile(`fsk_[0-9A-Za-z]{43}`).FindString(made.text)
	session, err := h.Keys.Authenticate(t.Context(), key)
	if err != nil || session.KeyName != "phone" || session.Scope != "read" {
		t.Fatalf("the key opens %+v, error %v", session, err)
	}
	again := h.get(t, "/settings/keys")
	again.shows(t, "phone", key[:12], "look never")
	if strings.Contains(again.text, key) {
		t.Error("the key is shown again")
	}
	h.done(t, "/settings/keys/"+key[:12]+"/revoke").shows(t, "There are none yet")
	if _, err := h.Keys.Authenticate(t.Context(), key); err == nil {
		t.Error("a revoked key opens the books")
	}
	if a := h.post(t, "/settings/keys", "name=phone", "scope=everything"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a scope that there is not: %s", a.Status)
	}
}
