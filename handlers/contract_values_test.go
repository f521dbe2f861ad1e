package handlers

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant/model"
	"finsvc/handlers/apitest"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// TestEnumeratedValues sends every value that the contract lists for imports; each comes back as it was sent. What is
// not in the lists is refused in TestBadImportRequests.
//
// Decision, Imports: all nine types work, from the API and the command line; an unknown one is 422.
// Contract, Import detail: type is one of nine; the service's own has a neutral name and its old one as an alias.
// Contract, POST /api/v1/imports: no field of the body is required; type is TransactionImport by default; type is one
// of nine, and works for each; number_format is one of four; signage_convention is inflows_positive or
// inflows_negative; col_sep is a comma or a semicolon, at least.
// Contract, GET /api/v1/imports: filter by type, one of nine.
func TestEnumeratedValues(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	if made := importOf(t, h.call(t, "POST", "/imports", "{}"), 201); made.Type != "TransactionImport" || made.Status != "pending" {
		t.Errorf("without a type: got %+v", made)
	}
	for sent, want := range map[string]string{
		"TransactionImport": "", "TradeImport": "", "AccountImport": "", "MintImport": "", "CategoryImport": "", "RuleImport": "", "PdfImport": "", "QifImport": "", "ServiceImport": "",
		"SureImport": "ServiceImport",
	} {
		made := importOf(t, h.call(t, "POST", "/imports", `{"type":"`+sent+`"}`), 201)
		if want == "" {
			want = sent
		}
		if made.Type != want {
			t.Errorf("%s: got %+v", sent, made)
		}
		if list := h.importList(t, "type="+sent); len(list.Data) == 0 || list.Data[0].Type != want {
			t.Errorf("the list of %s: got %+v", sent, list)
		}
	}
	for setting, values := range map[string][]string{
		"number_format":      {"1,234.56", "1.234,56", "1 234,56", "1,234"},
		"signage_convention": {"inflows_positive", "inflows_negative"},
		"col_sep":            {",", ";"},
	} {
		for _, value := range values {
			made := importOf(t, h.call(t, "POST", "/imports", fmt.Sprintf(`{%q:%q}`, setting, value)), 201)
			if got := made.Configuration[setting]; got == nil || *got != value {
				t.Errorf("%s %q: got %+v", setting, value, made)
			}
		}
	}
}

// TestImportStatuses: an import in each state is shown in it, and found by it alone.
//
// Contract, Import detail: status is one of six.
// Contract, GET /api/v1/imports: filter by status, one of six.
func TestImportStatuses(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := importOf(t, h.call(t, "POST", "/imports", "{}"), 201).ID
	statuses := []string{"pending", "complete", "importing", "reverting", "revert_failed", "failed"}
	for _, status := range statuses {
		h.exec(t, "UPDATE imports SET status = '"+status+"'")
		if got := importOf(t, h.call(t, "GET", "/imports/"+id, ""), 200); got.Status != status {
			t.Errorf("%s: got %+v", status, got)
		}
		for _, asked := range statuses {
			if got := h.importList(t, "status="+asked); (got.Meta.Count == 1) != (asked == status) || len(got.Data) != got.Meta.Count {
				t.Errorf("%s, asked for %s: got %+v", status, asked, got)
			}
		}
	}
}

// home is who the house's own books are kept for.
func (h *fixture) home(t *testing.T) ledger.Actor {
	t.Helper()
	homes, err := h.ledger.Tenants.ListHouseholds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, home := range homes {
		if home.Name == "Home" {
			return ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
		}
	}
	t.Fatal("there is no household of that name")
	return ledger.Actor{}
}

// TestLanguageOfAmounts: amounts are written as the household's locale says, and as the request says only where the
// household lets it.
//
// Decision, Money: Accept-Language counts only where the household says so.
func TestLanguageOfAmounts(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "Car", `"account_id":"{Checking}","date":"2026-01-31","amount":12345.6`)
	shows := func(language, want string) {
		t.Helper()
		if p := h.call(t, "GET", "/transactions/{Car}", "", "Accept-Language: "+language); !strings.Contains(p.Text, `"amount":"`+want+`"`) {
			t.Errorf("%s: got %s, want %s", language, p.Text, want)
		}
	}
	const german = "12.345,60\u00a0€"
	shows("en-US", german)
	change := tenant.HouseholdChange{LocaleFromRequest: ledger.Some(true)}
	if _, err := h.ledger.Tenants.UpdateHousehold(t.Context(), h.home(t), change); err != nil {
		t.Fatal(err)
	}
	h.clock.move(2 * time.Second) // by then a running server knows
	shows("en-US", "€12,345.60")
	shows("fr-FR;q=0.5, en-IE;q=0.9", "€12,345.60")
	shows("", german)
	shows("*", german)
	shows("!", german)
}

// TestHeadersOfAnswers: whatever the answer to a key that is known, it says its type and length and how much of the rate
// is used, and has an id.
//
// Decision, Transport: answers are UTF-8 JSON with their type, and always a length; X-RateLimit-*, Retry-After and
// X-Request-Id are exposed.
// Decision, Keys, scopes, limits: X-RateLimit-Limit, -Remaining, -Reset on every answer to a key.
func TestHeadersOfAnswers(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, c := range []struct {
		status             int
		key, method, path  string
		body, contentTyped string
	}{
		{200, h.key, "GET", "/tags", "", ""}, {200, h.key, "DELETE", "/merchants/{Kiosk}", "", "application/xml"}, {201, h.key, "POST", "/tags", `{"tag":{"name":"x"}}`, "application/json"},
		{202, h.key, "POST", "/sync", "", ""}, {204, h.key, "DELETE", "/tags/{fun}", "", ""}, {400, h.key, "POST", "/tags", "{", "application/json"}, {403, h.readKey, "POST", "/tags", "", ""},
		{404, h.key, "GET", "/tags/x", "", ""}, {415, h.key, "POST", "/tags", "x", "text/plain"}, {422, h.key, "POST", "/tags", `{"tag":{}}`, ""}, {422, h.key, "GET", "/transactions?type=x", "", ""},
	} {
		headers := []string{}
		if c.contentTyped != "" {
			headers = append(headers, "Content-Type: "+c.contentTyped)
		}
		p := h.as(t, c.key, c.method, c.path, c.body, headers...)
		p.Is(t, c.status, "")
		apitest.CheckHeaders(t, p, map[string]string{"X-RateLimit-Limit": "1000000", "Access-Control-Allow-Origin": "*"})
		exposed := p.Header.Get("Access-Control-Expose-Headers") + ","
		for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"} {
			if p.Header.Get(name) == "" || !strings.Contains(exposed, name+",") || !strings.Contains(exposed, "Retry-After,") {
				t.Errorf("%d %s: no %s, or it is not exposed", c.status, c.path, name)
			}
		}
		if c.status != 204 && (p.Header.Get("Content-Type") != "application/json; charset=utf-8" || p.ContentLength != int64(len(p.Text)) || p.ContentLength == 0) {
			t.Errorf("%d %s: %d bytes, %v", c.status, c.path, len(p.Text), p.Header)
		}
	}
}

// TestChatErrorTexts: of what a chat may say of a failure there are four texts, in the chat and in the list.
func TestChatErrorTexts(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"message":"x"}`)
	for kind, text := range map[model.FailureKind]string{
		model.FailureRateLimited:   "The AI provider is rate limited right now. Please try again in a few minutes.",
		model.FailureUnavailable:   "The AI provider is temporarily unavailable right now. Please try again in a few minutes.",
		model.FailureMisconfigured: "The AI provider is not configured correctly. Please contact your administrator.",
		model.FailureOther:         "Failed to generate a response. Please try again.",
	} {
		h.exec(t, "UPDATE chats SET error = '"+kind.Text()+"'")
		for _, path := range []string{"/chats/{Chat}", "/chats"} {
			has(t, h.call(t, "GET", path, ""), `"error":"`+text+`"`)
		}
	}
	h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"y"}`).Is(t, 201, "")
	for _, path := range []string{"/chats/{Chat}", "/chats"} {
		has(t, h.call(t, "GET", path, ""), `"error":null`)
	}
}

// TestNewIDs: ids are of version 7, in lower case, and rise.
//
// Decision, Transport: ids are lower-case UUIDs of version 7.
func TestNewIDs(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	last := ""
	for i := range 5 {
		h.clock.move(time.Millisecond)
		id := h.make(t, h.key, "tags", fmt.Sprintf(`{"tag":{"name":"t%d"}}`, i))
		if parsed, err := uuid.Parse(id); err != nil || parsed.Version() != 7 || parsed.String() != id || id <= last {
			t.Errorf("got %s after %s", id, last)
		}
		last = id
	}
}

// TestStoredKeysAreHashes: a key cannot be had from the file; what is kept of it is a hash and its first characters.
func TestStoredKeysAreHashes(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	hash := fmt.Sprintf("%X", sha256.Sum256([]byte(h.key)))
	if got := column(t, h.file, "SELECT count(*) FROM api_keys WHERE hex(hash) = '"+hash+"' AND prefix = '"+h.key[:12]+"'"); got[0] != "1" {
		t.Errorf("%s keys with the hash", got[0])
	}
	everything := dump(t, h.file) + strings.Join(column(t, h.file, "SELECT quote(hash) || quote(prefix) || quote(name) FROM api_keys"), "\n")
	if strings.Contains(everything, h.key) || strings.Contains(everything, h.key[13:]) {
		t.Error("the key itself is in the file")
	}
}
