package handlers

import (
	"fmt"
	"strings"
	"testing"
)

// TestPaymentsWithCounterAccount: a deposit or withdrawal that names where the money comes from or goes to is a
// confirmed transfer, in the counter-account's currency at the rate of the day: 250.00 EUR x 160.25 = 40062.5 JPY,
// half up 40063.
func TestPaymentsWithCounterAccount(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.open(t, "Visa", "credit_card", "EUR", "100")
	h.rates(t, "2026-08-03,EUR,JPY,160.25")
	h.golden(t, "trade_transfer", h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Broker}","transfer_account_id":"{Checking}","date":"2026-08-03","type":"deposit","amount":250,"category_id":"{Salary}","notes":"n"}}`))
	for _, c := range []struct{ members, want string }{
		{`"account_id":"{Broker}","transfer_account_id":"{Visa}","type":"withdrawal","amount":30`, "Broker EUR -3000 Payment to Visa, Visa EUR 3000 Payment from Broker"},
		{`"account_id":"{Broker}","transfer_account_id":"{Visa}","type":"deposit","amount":31`, "Broker EUR 3100 Transfer from Visa, Visa EUR -3100 Transfer to Broker"},
		{`"account_id":"{Broker}","transfer_account_id":"{Tokyo}","type":"withdrawal","amount":250,"name":"Over there"`, "Broker EUR -25000 Over there, Tokyo JPY 40063 Over there"},
		{`"account_id":"{Tokyo}","transfer_account_id":"{Wallet}","type":"deposit","amount":250,"currency":"eur"`, "Tokyo EUR 25000 Transfer from Wallet, Wallet EUR -25000 Transfer to Tokyo"},
	} {
		p := h.call(t, "POST", "/trades", `{"trade":{"date":"2026-08-03",`+c.members+`}}`)
		if p.StatusCode != 201 || !strings.Contains(p.Text, `"status":"confirmed"`) {
			t.Fatalf("%s: got %d %s", c.members, p.StatusCode, p.Text)
		}
		got := column(t, h.file, fmt.Sprintf(`SELECT a.name || ' ' || t.currency || ' ' || t.amount || ' ' || t.name FROM transactions t JOIN accounts a ON a.id = t.account_id
			JOIN transfers f ON f.id = t.transfer_id WHERE f.public_id = x'%s' ORDER BY 1`, strings.ReplaceAll(idOf(t, p), "-", "")))
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.members, text, c.want)
		}
	}
	for field, members := range map[string][]string{
		"transfer_account_id": {`"transfer_account_id":"{Broker}","amount":5`, `"transfer_account_id":"{their Checking}","amount":5`, `"transfer_account_id":"x","amount":5`,
			`"transfer_account_id":"{Dinars}","amount":5`, `"transfer_account_id":"{Tokyo}","amount":5,"currency":"CHF"`},
		"amount": {`"transfer_account_id":"{Checking}","amount":0`, `"transfer_account_id":"{Checking}"`, `"transfer_account_id":"{Checking}","amount":0.001,"currency":"JPY"`,
			`"transfer_account_id":"{Tokyo}","amount":"0.001"`},
		"currency":    {`"transfer_account_id":"{Checking}","amount":5,"currency":"XXQ"`},
		"category_id": {`"transfer_account_id":"{Checking}","amount":5,"category_id":"{their Food}"`},
	} {
		for _, m := range members {
			h.refuses(t, unprocessable(field), "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","type":"withdrawal",`+m+`}}`)
		}
	}
	h.refuses(t, unprocessable("date"), "POST", "/trades", `{"trade":{"account_id":"{Broker}","type":"withdrawal","transfer_account_id":"{Checking}","amount":5}}`)
	h.refuses(t, unprocessable("account_id"), "POST", "/trades", `{"trade":{"date":"2026-08-03","type":"withdrawal","transfer_account_id":"{Checking}","amount":5}}`)
}
