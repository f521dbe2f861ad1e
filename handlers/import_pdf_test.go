package handlers

import (
	"strings"
	"testing"
)

// TestImportPDF: a statement comes in as the bytes of a form's file. What reads it here gives the words of
// testdata/statement.words, whatever the file; the real reader is tested where it is.
func TestImportPDF(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	account := h.fill("{Checking}")
	before := h.balance(t, "Checking")
	bytes := "%PDF-1.4\n\xFF\xFE\x00"
	body, header := importForm(t, [2]string{"type", "PdfImport"}, [2]string{"file", bytes}, [2]string{"account_id", account}, [2]string{"publish", "true"})
	preflight := h.call(t, "POST", "/imports/preflight", body, header)
	if preflight.StatusCode != 200 || !strings.Contains(preflight.Text, `"valid":true`) || !strings.Contains(preflight.Text, `"headers":["Datum","Buchungstext","Betrag"]`) {
		t.Errorf("preflight: %d %s", preflight.StatusCode, preflight.Text)
	}
	made := importOf(t, h.call(t, "POST", "/imports", body, header), 201)
	if label := made.Configuration["amount_col_label"]; label == nil || *label != "Betrag" || made.Type != "PdfImport" {
		t.Errorf("made: %+v", made)
	}
	stop := h.work(t)
	if done := h.settled(t, made.ID); done.Status != "complete" {
		t.Errorf("settled: %+v", done)
	}
	stop()
	rows := h.call(t, "GET", "/imports/"+made.ID+"/rows", "")
	if !strings.Contains(rows.Text, `"date":"2026-08-02","amount":"-12.50","currency":"EUR","name":"Buchladen"`) || !strings.Contains(rows.Text, `"raw":["02.08.2026","Buchladen","-12,50"]`) {
		t.Errorf("rows: %s", rows.Text)
	}
	if after := h.balance(t, "Checking"); before != 0 || after != 10000-1250 { // the opening balance is that of the statement
		t.Errorf("balance %d, want %d", after, 10000-1250)
	}
}

// TestImportPDFNeedsAnAccount: no field of the body is required, so a statement without an account waits for one.
func TestImportPDFNeedsAnAccount(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	body, header := importForm(t, [2]string{"type", "PdfImport"}, [2]string{"file", "%PDF-1.4\n"}, [2]string{"publish", "true"})
	const question = "account_id must be given: a statement is of one account"
	has(t, h.call(t, "POST", "/imports/preflight", body, header), `"errors":[{"code":"missing_settings","message":"`+question+`"}]`)
	made := importOf(t, h.call(t, "POST", "/imports", body, header), 201)
	if made.Status != "failed" || made.Error == nil || *made.Error != question {
		t.Errorf("got %+v", made)
	}
	h.refuses(t, unprocessable("account_id"), "POST", "/imports/"+made.ID+"/publish", "")
	if found := importOf(t, h.call(t, "PATCH", "/imports/"+made.ID, `{"account_id":"{Checking}"}`), 200); found.Error != nil || found.Stats.Valid != 1 {
		t.Errorf("got %+v", found)
	}
}
