package handlers

import "testing"

// TestBalancesWithHoldings: of 2000.00 that came in on 2026-08-19, 10 units are bought for 1001.50 with the fee on the
// 20th, worth 1000.00, and 4 sold for 498.00 on the 21st at 125.00: the 6 left are worth 750.00 then, 248.00 more than
// the 1000.00 less the 498.00 that they were sold for. The day is 2026-08-22.
func TestBalancesWithHoldings(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.open(t, "Broker", "investment", "EUR", "0")
	h.add(t, "Deposit", `"account_id":"{Broker}","date":"2026-08-19","amount":-2000`)
	h.make(t, h.key, "trades", `{"trade":{"account_id":"{Broker}","manual_ticker":"ACME","type":"buy","date":"2026-08-20","qty":10,"price":100,"fee":1.5}}`)
	h.make(t, h.key, "trades", `{"trade":{"account_id":"{Broker}","manual_ticker":"ACME","type":"sell","date":"2026-08-21","qty":4,"price":125,"fee":2}}`)
	h.golden(t, "balance_list_holdings", h.as(t, h.readKey, "GET", "/balances?account_id={Broker}&start_date=2026-08-20&end_date=2026-08-21", ""))
	h.golden(t, "account_with_holdings", h.as(t, h.readKey, "GET", "/accounts/{Broker}", ""))
}
