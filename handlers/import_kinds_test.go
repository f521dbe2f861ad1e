package handlers

import (
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

func TestImportKinds(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for kind, file := range map[string]string{
		"MintImport": "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes\n" +
			"8/02/2026,Corner Bakery,BAKERY 12,4.80,debit,Mint food,Mint wallet,trip,Two loaves\n",
		"CategoryImport": "name,parent,color,icon,classification\nLeaf,Stem,,leaf,\nStem,,#112233,tree-pine,income\nBad,,blue,,\n",
		"AccountImport":  "Account type,Name,Balance,Currency,Balance Date\nSavings,Rainy day,250.00,,2026-07-31\nspaceship,Ufo,1,,\n",
	} {
		more := []string{`"type":"` + kind + `"`, `"skip_invalid_rows":"true"`}
		h.golden(t, "preflight_"+kind, h.call(t, "POST", "/imports/preflight", importBody(file, more...)))
		made := h.call(t, "POST", "/imports", importBody(file, append(more, `"publish":"true"`)...))
		id := importOf(t, made, 201).ID
		stop := h.work(t)
		if done := h.settled(t, id); done.Status != "complete" {
			t.Errorf("%s: %+v", kind, done)
		}
		stop()
		showsFields(t, kind, h.call(t, "GET", "/imports/"+id+"/rows", ""))
	}
	if b := h.balance(t, "Mint wallet"); b != -480 {
		t.Errorf("the wallet has %d", b)
	}
	if b := h.balance(t, "Rainy day"); b != 25000 {
		t.Errorf("the new account has %d", b)
	}
	for _, kind := range []string{"CategoryImport", "AccountImport"} {
		h.refuses(t, unprocessable("account_id"), "POST", "/imports", h.fill(importBody("name,balance\nA,1\n", `"type":"`+kind+`"`, `"account_id":"{Checking}"`)))
	}
}

// showsFields compares the first row's fields.
func showsFields(t *testing.T, kind string, rows apitest.Reply) {
	t.Helper()
	want := map[string]string{
		"MintImport":     `{"account":"Mint wallet","date":"2026-08-02","amount":"-4.80","currency":"EUR","name":"Corner Bakery","category":"Mint food","tags":"trip","notes":"Two loaves","raw":`,
		"CategoryImport": `{"account":"","date":null,"amount":null,"currency":"","name":"Leaf","category":"","tags":"","notes":"","parent":"Stem","color":"","icon":"leaf","classification":"","raw":`,
		"AccountImport":  `{"account":"","date":"2026-07-31","amount":"250.00","currency":"EUR","name":"Rainy day","category":"","tags":"","notes":"","account_type":"depository","subtype":"savings","raw":`,
	}[kind]
	if !strings.Contains(rows.Text, `"fields":`+want) || !strings.Contains(rows.Text, `"status":"imported"`) {
		t.Errorf("%s: %s\nwant %s", kind, rows.Text, want)
	}
}

// TestImportWords: what people call their accounts is understood, and the words of Mint in any case.
func TestImportWords(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.work(t)
	for kind, file := range map[string]string{
		"AccountImport": "type,name,balance\nstocks,Depot,1\nbitcoin,Coins,1\ncar loan,Van,1\n401k,Later,1\nline of credit,Line,1\n",
		"MintImport": "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes\n" +
			"8/02/2026,A,A,4.80,Debit,,Purse,,\n8/02/2026,B,B,1.00,CREDIT,,Purse,,\n",
	} {
		made := h.call(t, "POST", "/imports", importBody(file, `"publish":"true"`, `"type":"`+kind+`"`))
		if done := h.settled(t, importOf(t, made, 201).ID); done.Status != "complete" {
			t.Errorf("%s: %+v", kind, done)
		}
	}
	if b := h.balance(t, "Purse"); b != -380 {
		t.Errorf("the purse has %d", b)
	}
	accounts := h.call(t, "GET", "/accounts?per_page=100", "").Text
	for _, want := range []string{`"account_type":"investment","subtype":"401k"`, `"account_type":"loan","subtype":"auto"`, `"account_type":"loan","subtype":"line_of_credit"`, `"account_type":"crypto"`} {
		if !strings.Contains(accounts, want) {
			t.Errorf("no %s in %s", want, accounts)
		}
	}
}
