package handlers

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// newContractHouse has of every resource of the contract one with all that it can have, and one with as little as may be.
func newContractHouse(t *testing.T) *fixture {
	t.Helper()
	h := newFixture(t)
	h.ids["Snacks"] = h.make(t, h.key, "categories", `{"category":{"name":"Snacks","parent_id":"{Food}"}}`)
	h.add(t, "Full", `"account_id":"{Checking}","date":"2026-03-01","amount":100,"notes":"n","category_id":"{Food}","merchant_id":"{Kiosk}","tag_ids":["{fun}"],"external_id":"e"`)
	h.add(t, "Other side", `"account_id":"{Savings}","date":"2026-03-01","amount":-100`)
	h.add(t, "Bare", `"account_id":"{Checking}","date":"2026-03-02","amount":5`)
	h.fillInvestments(t)
	h.ids["Noted"] = h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Savings}","date":"2026-04-01","amount":7,"notes":"n"}}`)
	h.ids["Plain"] = h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Savings}","date":"2026-04-02","amount":7}}`)
	h.fillImports(t)
	h.fillChats(t)
	return h
}

// fillInvestments books trades: one with all, one of a security without a name, one of none; and what is paid for in
// two currencies between which no rate is known has no average cost.
func (h *fixture) fillInvestments(t *testing.T) {
	t.Helper()
	h.open(t, "Broker", "investment", "EUR", "100")
	h.make(t, h.key, "securities", `{"security":{"ticker":"NAMED","name":"Named plc"}}`)
	h.trade(t, "Bought", "Broker", `"qty":"2.5","price":10,"date":"2026-08-20","ticker":"NAMED","notes":"n","category_id":"{Food}"`)
	h.trade(t, "Anonymous", "Broker", `"qty":2,"price":10,"date":"2026-08-20","ticker":"MIX"`)
	h.trade(t, "Dollars", "Broker", `"qty":2,"price":10,"date":"2026-08-21","ticker":"MIX","currency":"USD"`)
	h.trade(t, "Interest", "Broker", `"type":"interest","amount":5,"date":"2026-08-20"`)
	h.ids["Opening"] = decoded[struct{ Valuations []struct{ ID string } }](t, h.call(t, "GET", "/valuations?account_id={Broker}", ""), 200).Valuations[0].ID
}

// fillImports sends files: one that is booked, one without content, one with every setting, a backup, and one that waits
// for the worker.
func (h *fixture) fillImports(t *testing.T) {
	t.Helper()
	send := func(name, body string) {
		h.clock.move(time.Second)
		h.ids[name] = importOf(t, h.call(t, "POST", "/imports", body), 201).ID
	}
	const file = "date,amount,name\n2026-05-01,-1.00,Bread\n"
	send("settled", importBody(file, `"publish":"true"`, `"account_id":"{Checking}"`))
	send("backup", importBody(`{"type":"Tag","data":{"id":"1","name":"kept"}}`+"\n", `"type":"ServiceImport"`, `"publish":"true"`))
	stop := h.work(t)
	h.settled(t, h.ids["settled"])
	h.settled(t, h.ids["backup"])
	stop()
	send("import", `{}`)
	given, err := json.Marshal(everySetting())
	if err != nil {
		t.Fatal(err)
	}
	send("given", importBody("Tag;Betrag\n", string(given[1:len(given)-1])))
	send("running", importBody(file, `"publish":"true"`, `"account_id":"{Savings}"`))
}

// everySetting has a value for each setting of the contract.
func everySetting() map[string]string {
	return map[string]string{
		"date_col_label": "Tag", "amount_col_label": "Betrag", "name_col_label": "Zweck", "category_col_label": "Art", "tags_col_label": "Marken",
		"notes_col_label": "Notiz", "account_col_label": "Konto", "qty_col_label": "Stück", "ticker_col_label": "Kürzel", "price_col_label": "Kurs",
		"entity_type_col_label": "Richtung", "currency_col_label": "Währung", "exchange_operating_mic_col_label": "Börse", "date_format": "%d.%m.%Y",
		"number_format": "1.234,56", "signage_convention": "inflows_negative", "col_sep": ";", "amount_type_strategy": "custom_column", "amount_type_inflow_value": "Haben",
	}
}

// fillChats asks in one chat, which is answered, lets an answer fail in another one, and leaves a third empty.
func (h *fixture) fillChats(t *testing.T) {
	t.Helper()
	h.newChat(t, `{"title":"Empty"}`)
	h.newChat(t, `{"message":"x"}`)
	h.ids["Failed"] = h.ids["Chat"]
	h.exec(t, "UPDATE messages SET status = 'failed' WHERE status = 'pending'")
	h.exec(t, fmt.Sprintf("UPDATE chats SET error = 'Failed to generate a response. Please try again.' WHERE public_id = x'%x'", publicID(h.ids["Failed"])))
	h.newChat(t, `{"message":"How much?"}`)
	h.answer(t, "12,50 €")
}
