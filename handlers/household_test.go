package handlers

import (
	"strings"
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
)

func TestFamilySettings(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	p := h.as(t, h.readKey, "GET", "/family_settings", "")
	all := `"enabled_currencies":["` + strings.Join(money.CurrencyCodes(), `","`) + `"]`
	if !strings.Contains(p.Text, all) || !strings.Contains(all, `"EUR"`) || !strings.Contains(all, `"KWD"`) {
		t.Errorf("got %s", p.Text)
	}
	p.Text = strings.Replace(p.Text, all, `"enabled_currencies":[]`, 1)
	h.shows(t, p, 200, `{"id":"<id 1>","name":"Home","currency":"EUR","locale":"de-DE","date_format":"%Y-%m-%d","country":"DE","timezone":"Europe/Berlin",`+
		`"month_start_day":1,"moniker":"Family","default_account_sharing":"shared","custom_enabled_currencies":false,"enabled_currencies":[],`+stamps+`}`)
}

func TestCountryOf(t *testing.T) {
	t.Parallel()
	for locale, want := range map[string]string{"en": "", "de-DE": "DE", "pt-br": "BR", "zh-Hant-TW": "TW", "zh-Hant": "", "es-419": "", "sl-rozaj-IT": "",
		"de-DE-u-co-phonebk": "DE", "en-u-ca-gregory": ""} {
		if got := countryOf(locale); got != want {
			t.Errorf("%s: got %q, want %q", locale, got, want)
		}
	}
}

// memberKey is a key of somebody in the house who is no admin.
func (h *fixture) memberKey(t *testing.T) string {
	t.Helper()
	homes, err := h.ledger.Tenants.ListHouseholds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, home := range homes {
		if home.Name != "Home" {
			continue
		}
		who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
		user, err := h.ledger.Tenants.CreateUser(t.Context(), who, tenant.UserInput{Email: "member@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		key, _, err := h.ledger.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{Name: "member", UserEmail: user.Email, Scope: "read_write"})
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	t.Fatal("no house")
	return ""
}

// TestEnableAssistant: an admin's key switches the assistant on; another one only finds that it is.
func TestEnableAssistant(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	member := h.memberKey(t)
	is := `"ai_enabled":true}}`
	h.as(t, member, "PATCH", "/auth/enable_ai", "").Is(t, 200, "")
	session, err := h.ledger.Keys.Authenticate(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.ledger.Tenants.UpdateHousehold(t.Context(), session.Actor, tenant.HouseholdChange{Assistant: ledger.Some(false)}); err != nil {
		t.Fatal(err)
	}
	h.call(t, "GET", "/chats", "").Is(t, 403, "")
	h.as(t, h.readKey, "PATCH", "/auth/enable_ai", "").Is(t, 403, "")
	h.as(t, member, "PATCH", "/auth/enable_ai", "").Is(t, 403, `{"error":"forbidden","message":"only an admin of the household may do this","details":null}`)
	h.call(t, "GET", "/chats", "").Is(t, 403, "")
	if p := h.call(t, "PATCH", "/auth/enable_ai", ""); p.StatusCode != 200 || !strings.HasSuffix(p.Text, is) || !strings.Contains(p.Text, `"role":"admin"`) {
		t.Errorf("got %d %s", p.StatusCode, p.Text)
	}
	h.call(t, "GET", "/chats", "").Is(t, 200, "")
}

// TestPhoneAppFindsTheServer: it asks where people would sign in, without a key.
func TestPhoneAppFindsTheServer(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	p := h.Do(t, "GET", "/sessions/new", "")
	if p.StatusCode != 200 || !strings.Contains(p.Text, `"status":"ok"`) || p.Header.Get("Content-Length") == "" {
		t.Errorf("got %d %s", p.StatusCode, p.Text)
	}
}

// TestResetIsRefused gives what must not empty a household; nothing may change.
func TestResetIsRefused(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	member := h.memberKey(t)
	before := h.print(t)
	const wrong = `household must be absent or the name of the household, \"Home\", all of whose data is to be removed, got `
	for _, c := range []struct {
		key, path, body string
		status          int
		want            string
	}{
		{h.key, "", `{"household":"home"}`, 422, wrong + `\"home\"`},
		{h.key, "?household=Neighbour", "", 422, wrong + `\"Neighbour\"`}, {h.key, "?household=Home&household=Home", "", 422, "household must be given once"},
		{h.key, "", `{"household":7}`, 422, "household must be text, got a number"}, {h.key, "?household=Home", `{"household":"Neighbour"}`, 422, wrong},
		{h.key, "", `[]`, 400, "bad_request"}, {h.key, "?household=%zz", "", 400, "bad_request"}, {h.neighbour, "", `{"household":"Home"}`, 422, `\"Neighbour\"`},
		{member, "", `{"household":"Home"}`, 403, `{"error":"forbidden","message":"only an admin of the household may do this","details":null}`},
		{h.readKey, "", `{"household":"Home"}`, 403, "insufficient_scope"},
	} {
		p := h.as(t, c.key, "DELETE", "/users/reset"+c.path, c.body)
		if p.StatusCode != c.status || !strings.Contains(p.Text, c.want) {
			t.Errorf("%s %s: got %d %s, want %d %s", c.path, c.body, p.StatusCode, p.Text, c.status, c.want)
		}
	}
	h.as(t, member, "GET", "/users/reset/status", "").Is(t, 403, `{"error":"forbidden","message":"only an admin of the household may do this","details":null}`)
	if h.print(t) != before {
		t.Error("something was written")
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	for how, send := range map[string][2]string{"nothing": {"", ""}, "null": {"", `{"household":null}`}, "body": {"", `{"household":"Home"}`}, "form": {"", "household=Home"}, "query": {"?household=Home", ""}} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			h.add(t, "Bread", `"account_id":"{Checking}","date":"2026-08-20","amount":5`)
			h.call(t, "POST", "/chats", `{"message":"How much?"}`).Is(t, 201, "")
			h.golden(t, "reset_status", h.as(t, h.readKey, "GET", "/users/reset/status", ""))
			headers := []string{"Content-Type: application/json", "Idempotency-Key: once"}
			if how == "form" {
				headers[0] = "Content-Type: application/x-www-form-urlencoded"
			}
			h.golden(t, "reset", h.call(t, "DELETE", "/users/reset"+send[0], send[1], headers...))
			h.isEmptied(t)
			for _, want := range []int{0, 1} {
				h.clock.move(tenant.ResetKept)
				if n, err := h.ledger.Tenants.PurgeAbandoned(t.Context()); n != want || err != nil {
					t.Fatal(n, err)
				}
			}
			h.isEmptied(t)
			h.call(t, "POST", "/accounts", `{"account":{"name":"Checking","account_type":"depository"}}`).Is(t, 201, "")
		})
	}
}

// isEmptied checks what the house shows once it was emptied, and that the neighbour still has everything.
func (h *fixture) isEmptied(t *testing.T) {
	t.Helper()
	h.golden(t, "reset_status_after", h.call(t, "GET", "/users/reset/status", ""))
	for path, want := range map[string]string{"/accounts": `"total_count":0`, "/transactions": `"total_count":0`, "/transactions?search=Bread": `"total_count":0`,
		"/tags": "[]", "/merchants": "[]", "/chats": `"total_count":0`, "/imports": `"total_count":0`, "/categories": `"name":"Groceries"`, "/family_settings": `"name":"Home"`} {
		if p := h.as(t, h.readKey, "GET", path, ""); p.StatusCode != 200 || !strings.Contains(p.Text, want) {
			t.Errorf("GET %s: got %d %.300s, want %s", path, p.StatusCode, p.Text, want)
		}
	}
	h.call(t, "GET", "/accounts/{Checking}", "").Is(t, 404, "")
	h.as(t, h.neighbour, "GET", "/accounts/{their Checking}", "").Is(t, 200, "")
	h.as(t, h.neighbour, "GET", "/tags/{their fun}", "").Is(t, 200, "")
}
