package handlers

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTradeImportOverHTTP: what is bought and sold, what each row became, and what a preflight warns of.
func TestTradeImportOverHTTP(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Broker"] = h.make(t, h.key, "accounts", `{"account":{"name":"Broker","account_type":"investment","currency":"EUR"}}`)
	const file = "date,ticker,qty,price,fee,exchange_operating_mic,side\n2026-01-02,ACME,10,12.345,1.50,xnas,Kauf\n" +
		"2026-01-05,ACME,4,13,,xnas,Verkauf\n2026-01-06,ACME,\"0,5\",13,,xnas,Buy\n2026-01-07,ACME,400,0.10,,,Dividende\n"
	body := h.fill(importBody(file, `"type":"TradeImport"`, `"account_id":"{Broker}"`, `"skip_invalid_rows":"true"`, `"trade_side_col_label":"side"`, `"publish":"true"`))
	made := h.call(t, "POST", "/imports", body)
	id := importOf(t, made, 201).ID
	stop := h.work(t)
	if done := h.settled(t, id); done.Status != "complete" || done.Stats.Rows != 4 || done.Stats.Valid != 2 {
		t.Errorf("%+v", done)
	}
	stop()
	rows := h.call(t, "GET", "/imports/"+id+"/rows", "").Text
	for _, want := range []string{
		`"name":"Buy 10 shares of ACME","category":"","tags":"","notes":"","type":"buy","qty":"10","ticker":"ACME","exchange_operating_mic":"XNAS","price":"12.345","fee":"1.50","raw":`,
		`"amount":"52.00","currency":"EUR","name":"Sell 4 shares of ACME","category":"","tags":"","notes":"","type":"sell","qty":"-4"`,
		`"skipped":"no purchase or sale: Dividende","trade_id":null,"transaction_id":null`,
		`"column":"qty","cell":"0,5","message":"must be a number written as 1,234.56, got \"0,5\""`,
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %s in %s", want, rows)
		}
	}
	var trades struct{ Trades []struct{ ID string } }
	if err := json.Unmarshal([]byte(h.call(t, "GET", "/trades", "").Text), &trades); err != nil {
		t.Fatal(err)
	}
	if len(trades.Trades) != 2 || !strings.Contains(rows, `"trade_id":"`+trades.Trades[0].ID+`"`) || !strings.Contains(rows, `"trade_id":"`+trades.Trades[1].ID+`"`) {
		t.Errorf("%+v", trades)
	}
	h.refuses(t, unprocessable("account_id"), "POST", "/imports", strings.ReplaceAll(body, h.ids["Broker"], h.ids["Checking"]))
	out := h.call(t, "POST", "/imports/preflight", h.fill(importBody("date,ticker,qty,price\n2026-01-02,NEW,-1,5\n", `"type":"TradeImport"`, `"account_id":"{Broker}"`))).Text
	if !strings.Contains(out, `"warnings":["row 1 sells more than is held (rows that do: 1):`) || !strings.Contains(out, `"creates":[{"type":"security","name":"NEW","currency":null,"changes":[]}]`) {
		t.Error(out)
	}
}

// TestTradeImportCosts: what a broker takes is found by its header and leaves the cash; two such columns are asked, and so are
// quantities that may be thousands or decimals.
func TestTradeImportCosts(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Broker"] = h.make(t, h.key, "accounts", `{"account":{"name":"Broker","account_type":"investment","currency":"EUR"}}`)
	send := func(file string, more ...string) wireImport {
		body := importBody(file, append(more, `"type":"TradeImport"`, `"account_id":"{Broker}"`, `"publish":"true"`)...)
		return importOf(t, h.call(t, "POST", "/imports", h.fill(body)), 201)
	}
	made := send("Datum;ISIN;Typ;Stück;Kurs;Gebühr\n13.01.2026;DE0007164600;Kauf;1,5;100,20;1,00\n15.01.2026;DE0007164600;Verkauf;0,5;110,00;-1,00\n")
	h.work(t)
	h.settled(t, made.ID)
	rows := h.call(t, "GET", "/imports/"+made.ID+"/rows", "").Text
	if !strings.Contains(rows, `"amount":"-151.30"`) || !strings.Contains(rows, `"amount":"54.00"`) {
		t.Error(rows)
	}
	const two = "date,ticker,qty,price,commission,fees,total\n2026-02-13,ACME,10,5.50,1,0.30,-56.30\n"
	const vague = "date,ticker,qty,price\n2026-02-14,ACME,\"1,500\",10\n"
	for file, setting := range map[string]string{two: "fee_col_label", vague: "number_format"} {
		if asked := send(file); asked.Status != "failed" || asked.Error == nil || !strings.HasPrefix(*asked.Error, setting+" must be given: ") {
			t.Errorf("%s: %+v", setting, asked)
		}
	}
	h.settled(t, send(two, `"amount_col_label":"total"`).ID)
	if out := h.call(t, "GET", "/trades?start_date=2026-02-13", "").Text; !strings.Contains(out, `"fee_cents":130`) {
		t.Error(out)
	}
}
