package handlers

import (
	"strings"
	"testing"
	"time"
)

// TestImportBackup: a backup comes as text under either name of its type, and says how it was read back.
func TestImportBackup(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = `{"type":"Account","data":{"id":"1","name":"Restored","balance":"95.20","accountable_type":"Depository","currency":"EUR"}}` + "\n" +
		`{"type":"Transaction","data":{"id":"x1","account_id":"1","date":"2026-08-02","amount":"4.80","name":"Bread"}}` + "\n" +
		`{"type":"Budget","data":{"id":"b1"}}` + "\n" + `{"type":"Tag","data":{"id":"t1"}}` + "\n"
	more := []string{`"type":"SureImport"`, `"skip_invalid_rows":"true"`}
	made := h.call(t, "POST", "/imports", importBody(file, append(more, `"publish":"true"`)...))
	id := importOf(t, made, 201).ID
	if !strings.Contains(made.Text, `"type":"ServiceImport"`) || !strings.Contains(made.Text, `"verification":{"expected_record_counts":{"accounts":1,"balances":0,`) ||
		!strings.Contains(made.Text, `"readback":{"status":"not_verified","checked_at":null,`) {
		t.Errorf("made %s", made.Text)
	}
	stop := h.work(t)
	if done := h.settled(t, id); done.Status != "complete" {
		t.Errorf("%+v", done)
	}
	shown := made.Text
	for deadline := time.Now().Add(5 * time.Minute); strings.Contains(shown, "not_verified"); {
		shown = h.call(t, "GET", "/imports/"+id, "").Text
		if time.Now().After(deadline) {
			t.Fatal("the import was not read back")
		}
	}
	stop()
	for _, want := range []string{`"readback":{"status":"mismatch","checked_at":"`, `"mismatches":{"tags":{"expected":1,"actual":0}}`, `"not_kept":{"budgets":1}`, `"differences":[]`} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %s in %s", want, shown)
		}
	}
	if b := h.balance(t, "Restored"); b != 9520 {
		t.Errorf("the account has %d", b)
	}
	rows := h.call(t, "GET", "/imports/"+id+"/rows", "").Text
	for _, want := range []string{`"status":"skipped","errors":[],`, `"errors":["Tag name is required and must not be blank"]`,
		`"fields":{"account":"Restored","date":"2026-08-02","amount":"-4.80","currency":"EUR","name":"Bread",`} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %s in %s", want, rows)
		}
	}
	h.refuses(t, unprocessable("account_id"), "POST", "/imports", h.fill(importBody(file, `"type":"ServiceImport"`, `"account_id":"{Checking}"`)))
}
