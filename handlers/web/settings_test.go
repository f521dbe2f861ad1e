package web_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestHouseholdSettings: a household is renamed and writes in another way, and that is taken back.
func TestHouseholdSettings(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.get(t, "/settings/household").shows(t, "−€1,234,567.89 and Sun Mar 1, 2026")
	changed := h.done(t, "/settings/household", "name=Hearth", "currency=CHF", "locale=de-CH", "timezone=Europe/Zurich")
	changed.shows(t, "−CHF 1'234'567.89 and Sun 01.03.2026")
	h.undo(t, changed).shows(t, "−€1,234,567.89 and Sun Mar 1, 2026")
	wrong := h.post(t, "/settings/household", "name=", "currency=EUR", "locale=xx-yy-zz-qq", "timezone=Mars")
	wrong.shows(t, "name is required", "locale ", "timezone must be a time zone such as Europe/Berlin, got \"Mars\"")
	if wrong.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a household without a name: %s", wrong.Status)
	}
}

// TestPeople: an admin adds a person, and makes a link that lets them in; a member does neither for others.
func TestPeople(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.done(t, "/settings/people", "email=bo@example.org", "role=member").shows(t, "bo@example.org member")
	if a := h.post(t, "/settings/people", "email=bo@example.org", "role=member"); a.StatusCode != http.StatusConflict {
		t.Errorf("the same once more: %s", a.Status)
	}
	if a := h.post(t, "/settings/people", "email=cy@example.org", "role=owner"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a role that there is not: %s", a.Status)
	}
	users, err := h.Tenants.ListUsers(t.Context(), h.Who)
	if err != nil || len(users) != 2 {
		t.Fatal(users, err)
	}
	made := h.post(t, "/settings/people/"+users[1].PublicID.String()+"/link")
	made.shows(t, "signs bo@example.org in on another device", "leads to this very machine")
	link := regexp.MustCompile(`http://127\.0\.0\.1:\d+(/link/[\w-]+)`).FindStringSubmatch(made.text)
	if link == nil || !strings.Contains(made.text, `<svg class="qr"`) {
		t.Fatal(made.words())
	}
	if problems := problemsOf(made.text); len(problems) > 0 {
		t.Error(problems)
	}
	if a := h.post(t, "/settings/people/"+uuid.NewString()+"/link"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a link for nobody: %s", a.Status)
	}
	followed := h.post(t, link[1])
	cookie := strings.SplitN(followed.Header.Get("Set-Cookie"), ";", 2)[0]
	h.client.Transport = asBrowser{cookie}
	h.get(t, "/settings/people").shows(t, "bo@example.org (you)", "An admin of the household can add people")
	for _, path := range []string{"/settings/people", "/settings/household", "/settings/people/" + users[0].PublicID.String() + "/link"} {
		if a := h.post(t, path, "email=dee@example.org", "role=admin", "name=Mine"); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s by a member: %s", path, a.Status)
		}
	}
}

// TestExportDownloads: the books come in each of their forms, after the password.
func TestExportDownloads(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	small(h, t)
	h.get(t, "/settings/export").shows(t, "Tables for a spreadsheet", "finsvc export beancount")
	for form, holds := range map[string]string{"ndjson": `"Salary"`, "hledger": "Salary", "beancount": "Salary"} {
		a := h.get(t, "/settings/export/"+form)
		if !strings.Contains(a.text, holds) || !strings.HasPrefix(a.Header.Get("Content-Disposition"), `attachment; filename="finsvc-2026-03-01.`) {
			t.Errorf("%s: %v %.200s", form, a.Header, a.text)
		}
	}
	packed := h.get(t, "/settings/export/csv").text
	archive, err := zip.NewReader(bytes.NewReader([]byte(packed)), int64(len(packed)))
	if err != nil || len(archive.File) < 8 {
		t.Errorf("the tables: %v", err)
	}
	if a := h.ask(t, "/settings/export/pdf"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a form that there is not: %s", a.Status)
	}
	h.Tick = h.Tick.Add(11 * 60e9) // after which the password is needed
	if a := h.ask(t, "/settings/export/ndjson"); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/confirm") {
		t.Errorf("without the password: %s", a.Status)
	}
}
