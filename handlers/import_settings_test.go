package handlers

import (
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

const unclearDays = "Date,Payee,Amount\n02/03/2026,Store,-5.00\n02/01/2026,Payroll,900.00\n"

// What a file does not prove is asked, can be answered, and is remembered for the next file of the same make.
//
// Decision, Imports: where two readings fit, the import is pending and says which setting to give.
func TestImportQuestionsAreAnsweredAndRemembered(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	asked := importOf(t, h.call(t, "POST", "/imports", importBody(unclearDays, `"publish":true`, `"account_id":"{Checking}"`)), 201)
	if asked.Status != "failed" || asked.Error == nil || !strings.Contains(*asked.Error, "date_format must be given: 02/03/2026 (row 1) and every other date fit %d/%m/%Y and %m/%d/%Y") {
		t.Fatalf("got %+v", asked)
	}
	at := "/imports/" + asked.ID
	h.refuses(t, unprocessable("file"), "POST", at+"/publish", "")
	has(t, h.call(t, "GET", at+"/rows", ""), `"data":[]`)
	h.refuses(t, unprocessable("date_format"), "PATCH", at, `{"date_format":"%q"}`)
	answered := importOf(t, h.call(t, "PATCH", at, `{"date_format":"%m/%d/%Y"}`), 200)
	if answered.Status != "pending" || answered.Error != nil || answered.Stats.Valid != 2 {
		t.Fatalf("got %+v", answered)
	}
	h.call(t, "POST", at+"/publish", "").Is(t, 202, "")
	defer h.work(t)()
	h.settled(t, asked.ID)
	h.refuses(t, refusal{409, "conflict", ""}, "PATCH", at, `{"date_format":"%d/%m/%Y"}`)
	h.refuses(t, refusal{404, "not_found", ""}, "PATCH", "/imports/"+strings.Repeat("0", 8)+"-0000-7000-8000-000000000000", `{}`)

	again := strings.ReplaceAll(unclearDays, "2026", "2025")
	next := h.call(t, "POST", "/imports", importBody(again, `"account_id":"{Checking}"`))
	has(t, next, `"date_format":"%m/%d/%Y"`)
	has(t, next, `"date_format":"remembered from the import of `)
	elsewhere := importOf(t, h.call(t, "POST", "/imports", importBody(again, `"account_id":"{Savings}"`)), 201)
	if elsewhere.Error == nil {
		t.Error("remembered for another account")
	}
	other := strings.ReplaceAll(again, "02/03", "13/03")
	has(t, h.call(t, "POST", "/imports", importBody(other, `"account_id":"{Checking}"`)), `"date_format":"not as in the import of `)
}

func has(t *testing.T, p apitest.Reply, want string) {
	t.Helper()
	if !strings.Contains(p.Text, want) {
		t.Errorf("got %s\nwant %s", p.Text, want)
	}
}

// An import can be given its account afterwards, and nothing that is said of it is passed over in silence.
func TestImportIsGivenAnAccountAfterwards(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "date,amount,name\n2026-01-31,-5.00,Store\n"
	lost := importOf(t, h.call(t, "POST", "/imports", importBody(file)), 201)
	if lost.Stats.Valid != 0 {
		t.Fatalf("got %+v", lost)
	}
	at := "/imports/" + lost.ID
	h.refuses(t, unprocessable("account_id"), "PATCH", at, `{"account_id":"x"}`)
	h.refuses(t, unprocessable("account_id"), "PATCH", at, `{"account_id":"00000000-0000-7000-8000-000000000000"}`)
	h.refuses(t, unprocessable("type"), "PATCH", at, `{"type":"QifImport"}`)
	found := h.call(t, "PATCH", at, `{"account_id":"{Checking}","type":"TransactionImport"}`)
	if imp := importOf(t, found, 200); imp.Stats.Valid != 1 || imp.Error != nil {
		t.Errorf("got %+v", imp)
	}
	has(t, found, h.fill(`"account_id":"{Checking}"`))
}

// TestImportSkipsMoreThanThereIs: more lines to skip than a file has are the file's fault and not the server's.
func TestImportSkipsMoreThanThereIs(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, kind := range []string{"TransactionImport", "TradeImport", "MintImport", "CategoryImport"} {
		made := importOf(t, h.call(t, "POST", "/imports", importBody("date,amount\n2026-01-31,5\n", `"type":"`+kind+`"`, `"rows_to_skip":"99"`)), 201)
		if made.Status != "failed" || made.Error == nil || !strings.Contains(*made.Error, "only 2 lines, but rows_to_skip is 99") {
			t.Errorf("%s: %+v", kind, made)
		}
	}
}
