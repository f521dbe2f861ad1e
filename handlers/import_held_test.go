package handlers

import (
	"strings"
	"testing"
)

// TestPossibleDuplicatesAreHeldBack: a row that may be booked already is held back by who publishes without looking, told with what
// differs, and decided afterwards for one or for all.
func TestPossibleDuplicatesAreHeldBack(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	stop := h.work(t)
	defer stop()
	send := func(file string, more ...string) wireImport {
		t.Helper()
		body := importBody(file, append(more, `"publish":"true"`, `"account_id":"{Checking}"`)...)
		return h.settled(t, importOf(t, h.call(t, "POST", "/imports", body), 201).ID)
	}
	const before = "date,amount,name\n2026-01-30,-3.00,Espresso\n2026-01-31,-10.00,Novel\n"
	const file = "date,amount,name\n2026-01-30,-3.00,Coffee\n2026-01-31,-10.00,Book\n2026-02-01,-7.00,Bus\n"
	send(before)
	preflight := h.call(t, "POST", "/imports/preflight", importBody(file, `"account_id":"{Checking}"`))
	for _, part := range []string{`"possible_duplicates":2,`, `"differences":[{"column":"name","booked":"Espresso","file":"Coffee"}]`, `"out_cents":-700`} {
		has(t, preflight, part)
	}
	made := send(file)
	if made.Status != "complete" || h.balance(t, "Checking") != -2000 {
		t.Fatalf("%s, balance %d", made.Status, h.balance(t, "Checking"))
	}
	at := "/imports/" + made.ID
	has(t, h.call(t, "GET", at, ""), `"possible_duplicates":2`)
	rows := h.call(t, "GET", at+"/rows", "")
	has(t, rows, `"differences":[{"column":"name","booked":"Novel","file":"Book"}]`)
	if n := strings.Count(rows.Text, `"status":"possible_duplicate"`); n != 2 {
		t.Errorf("%d rows are held back", n)
	}
	h.refuses(t, unprocessable("decision"), "PATCH", at+"/rows", `{"decision":null}`)
	h.refuses(t, unprocessable("decision"), "PATCH", at+"/rows", `{"decision":"perhaps"}`)
	h.refuses(t, refusal{409, "conflict", ""}, "PATCH", at+"/rows/3", `{"decision":"new"}`)
	has(t, h.call(t, "PATCH", at+"/rows/1", `{"decision":"same"}`), `"status":"already_imported"`)
	has(t, h.call(t, "PATCH", at+"/rows", `{"decision":"new"}`), `"already_imported_rows_count":1,"possible_duplicates":0`)
	if got := h.balance(t, "Checking"); got != -3000 {
		t.Errorf("balance %d", got)
	}
	if again := send(file); again.Status != "complete" || h.balance(t, "Checking") != -3000 {
		t.Errorf("again: %s, balance %d", again.Status, h.balance(t, "Checking"))
	}
	said := send("date,amount,name\n2026-02-01,-7.00,Tram\n", `"possible_duplicates":"new"`)
	if said.Status != "complete" || h.balance(t, "Checking") != -3700 {
		t.Errorf("said: %s, balance %d", said.Status, h.balance(t, "Checking"))
	}
}
