package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"finsvc/queries"
)

// explained is what tests look at of an explanation.
type explained struct {
	Total, Difference, From struct {
		Date  string
		Total struct {
			AmountCents int64 `json:"amount_cents"`
		}
		AmountCents int64 `json:"amount_cents"`
	}
	SumOfParts struct {
		AmountCents int64 `json:"amount_cents"`
	} `json:"sum_of_parts"`
	Parts, Entries []explainedPart
	Pagination     struct {
		TotalCount int `json:"total_count"`
	}
}

type explainedPart struct {
	Kind, Date, Name  string
	Security, Account *struct{ Ticker, Name string }
	AmountCents       int64 `json:"amount_cents"`
	Count             int
	QtyAfter          json.Number `json:"qty_after"`
	Cost, Ratio       string
	Original          *struct {
		AmountCents int64 `json:"amount_cents"`
		Currency    string
		Rates       []struct{ Date, Rate string }
	}
}

// String is the kind, whatever else there is, and the amount.
func (p explainedPart) String() string {
	words := []string{p.Kind}
	if p.Date != "" {
		words = append(words, p.Date[8:])
	}
	if p.Account != nil {
		words = append(words, p.Account.Name)
	}
	if p.Security != nil {
		words = append(words, p.Security.Ticker)
	}
	if p.Count > 0 {
		words = append(words, fmt.Sprintf("(%d)", p.Count))
	}
	if p.QtyAfter != "" {
		return strings.Join(append(words, p.Ratio+"-> "+p.QtyAfter.String(), p.Cost), " ")
	}
	if o := p.Original; o != nil {
		words = append(words, fmt.Sprintf("[%d %s %v]", o.AmountCents, o.Currency, o.Rates))
	}
	return strings.Join(append(words, fmt.Sprint(p.AmountCents)), " ")
}

func (h *fixture) explain(t *testing.T, query string) (e explained) {
	t.Helper()
	p := h.as(t, h.readKey, "GET", "/explain?"+query, "")
	if err := json.Unmarshal([]byte(p.Text), &e); err != nil || p.StatusCode != 200 {
		t.Fatalf("%s: %d %s", query, p.StatusCode, p.Text)
	}
	return e
}

func listed(parts []explainedPart) string {
	lines := make([]string, len(parts))
	for i, p := range parts {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// newExplainHouse is a holding house whose Broker is worth 1,000.00 on the 13th by statement, and paid 12.50 USD on
// the 20th, when a euro was 1.25 dollars.
func newExplainHouse(t *testing.T) *fixture {
	t.Helper()
	h := newHoldingHouse(t)
	h.rates(t, "2026-08-19,EUR,USD,1.25")
	h.add(t, "Data feed", `"account_id":"{Broker}","date":"2026-08-20","amount":12.5,"currency":"USD"`)
	h.ids["Statement"] = h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Broker}","date":"2026-08-13","amount":1000}}`)
	return h
}

// TestExplainBalance: of the 1,000.00 on the 13th, 18 x 64.20 = 1,155.60 and 3 x 11.00 = 33.00 were held, which
// leaves -188.60 in cash; a dividend of 9.00 and 12.50 / 1.25 = 10.00 later that is -189.60, beside
// 18 x 81.00 = 1,458.00 and 33.00: 1,301.40.
//
// Decision, Transport: but for what its kind says: parts of an explanation, fields of an import's row, sub-conditions,
// the changes of a rule's preview.
func TestExplainBalance(t *testing.T) {
	t.Parallel()
	h := newExplainHouse(t)
	e := h.explain(t, "figure=balance&account_id={Broker}")
	want := "valuation 13 100000\nheld_then 13 ACME -115560\nheld_then 13 ZIG -3300\nentries (2) -100\nholding 22 ACME 145800\nholding 22 ZIG 3300"
	if got := listed(e.Parts); got != want || e.Total.AmountCents != 130140 || e.SumOfParts.AmountCents != 130140 {
		t.Errorf("got %d\n%s", e.Total.AmountCents, got)
	}
	want = "dividend 14 ACME 900\ntransaction 20 [-1250 USD [{2026-08-19 1.25}]] -1000"
	if got := listed(e.Entries); got != want || e.Pagination.TotalCount != 2 {
		t.Errorf("got %d\n%s", e.Pagination.TotalCount, got)
	}
	h.golden(t, "explain_balance", h.call(t, "GET", "/explain?figure=balance&account_id={Broker}&per_page=1&page=2", ""))
	e = h.explain(t, "figure=balance&account_id={Broker}&date=2026-08-12&per_page=1&page=6")
	// 0 - 1,001.50 - 40.00 - 650.00 + 48.00 - 33.00 + 960.00 = -716.50
	if got := listed(e.Parts); got != "opening 0\nentries (6) -71650\nholding 12 ACME 115560\nholding 12 ZIG 3300" || listed(e.Entries) != "sell 12 ACME 96000" {
		t.Errorf("got\n%s\n%s", got, listed(e.Entries))
	}
}

// TestExplainChange: on the 9th there were -1,001.50 - 650.00 - 40.00 + 48.00 = -1,643.50 in cash and 15 x 128.40 =
// 1,926.00 in ACME, 282.50. Since then 1,301.40 - 282.50 = 1,018.90 came about: -33.00 + 960.00 + 9.00 - 10.00 = 926.00
// were booked; the cash of -716.50 on the 13th was -188.60 by statement, 527.90 more; ACME for 960.00 were sold
// and lost 1,926.00 - 1,458.00 = 468.00 in value, so the price made 492.00; for 33.00 ZIG were bought.
func TestExplainChange(t *testing.T) {
	t.Parallel()
	h := newExplainHouse(t)
	e := h.explain(t, "figure=balance&account_id={Broker}&from=2026-08-09")
	want := "entries (4) 92600\nadjustment 13 52790\ntrades ACME (1) -96000\nmarket ACME 49200\ntrades ZIG (1) 3300"
	if got := listed(e.Parts); got != want || e.Difference.AmountCents != 101890 || e.From.Total.AmountCents != 28250 || e.Total.AmountCents != 130140 {
		t.Errorf("got %d, %d, %d\n%s", e.Total.AmountCents, e.From.Total.AmountCents, e.Difference.AmountCents, got)
	}
	want = "buy 11 ZIG -3300\nsell 12 ACME 96000\ndividend 14 ACME 900\ntransaction 20 [-1250 USD [{2026-08-19 1.25}]] -1000"
	if got := listed(e.Entries); got != want {
		t.Errorf("got\n%s", got)
	}
	e = h.explain(t, "figure=net_worth&from=2026-08-09&date=2026-08-22")
	for _, p := range e.Parts {
		if p.Account == nil {
			t.Errorf("%s has no account", p)
		}
	}
	if e.Difference.AmountCents != 101890 || e.SumOfParts.AmountCents != 101890 {
		t.Errorf("got %d of %s", e.Difference.AmountCents, listed(e.Parts))
	}
	e = h.explain(t, "figure=balance&account_id={Broker}&from=2026-08-22")
	if got := listed(e.Parts); got != "entries 0" || e.Difference.AmountCents != 0 {
		t.Errorf("nothing changes within a day, got %s", got)
	}
}

func TestExplainHolding(t *testing.T) {
	t.Parallel()
	h := newExplainHouse(t)
	rows, _ := h.holdings(t, "date=2026-08-22")
	acme := "figure=holding&account_id={Broker}&security_id=" + rows[0].Security.ID
	e := h.explain(t, acme)
	if got := listed(e.Parts); got != "holding 22 ACME 145800" || e.Total.AmountCents != 145800 {
		t.Error(got)
	}
	want := "buy 03 -> 10 1001.5\nbuy 05 -> 15 1651.5\nsplit 10 2:1-> 30 1651.5\nsell 12 -> 18 990.9"
	if got := listed(e.Entries); got != want {
		t.Error(got)
	}
	h.golden(t, "explain_holding", h.call(t, "GET", "/explain?"+acme+"&page=2&per_page=2", ""))
	// 15 x 128.40 = 1,926.00 before; 960.00 were taken out; 1,458.00 - 1,926.00 + 960.00 = 492.00.
	e = h.explain(t, acme+"&from=2026-08-09")
	if got := listed(e.Parts); got != "trades (1) -96000\nmarket 49200" || e.Difference.AmountCents != -46800 {
		t.Error(got)
	}
	if got := listed(e.Entries); got != "split 10 2:1-> 30 1651.5\nsell 12 -> 18 990.9" {
		t.Error(got)
	}
}

// TestExplainNetWorth: Broker has 1,301.40; Wallet paid 7,530.93 for what is worth that; the neighbours of the figure
// are a card that owes 40.00 and 10.000 KWD at 0.4 a euro, 25.00; 700 JPY have no rate.
func TestExplainNetWorth(t *testing.T) {
	t.Parallel()
	h := newExplainHouse(t)
	h.open(t, "Card", "credit_card", "EUR", "40")
	h.open(t, "Yen", "depository", "JPY", "700")
	h.rates(t, "2026-08-21,EUR,KWD,0.4")
	h.add(t, "Pay", `"account_id":"{Dinars}","date":"2026-08-20","amount":-10`)
	e := h.explain(t, "figure=net_worth")
	want := "account Broker 130140\naccount Card -4000\naccount Checking 0\naccount Dinars [10000 KWD [{2026-08-21 0.4}]] 2500\naccount Savings 0\naccount Wallet 0\naccount Yen [700 JPY []] 0"
	if got := listed(e.Parts); got != want || e.Total.AmountCents != 128640 {
		t.Errorf("got %d\n%s", e.Total.AmountCents, got)
	}
	h.golden(t, "explain_net_worth", h.call(t, "GET", "/explain?figure=net_worth&from=2026-08-19&date=2026-08-22", ""))
	h.as(t, h.neighbour, "GET", "/explain?figure=net_worth", "").Is(t, 200, "")
}

func TestBadExplanations(t *testing.T) {
	t.Parallel()
	h := newHoldingHouse(t)
	const nobody = "0198f2a0-1234-7abc-8def-0123456789ab"
	rows, _ := h.holdings(t, "date=2026-08-22")
	for query, field := range map[string]string{
		"": "figure", "figure=": "figure", "figure=cash": "figure", "figure=balance&figure=holding": "figure",
		"figure=balance": "account_id", "figure=balance&account_id=x": "account_id", "figure=holding&account_id={Broker}": "security_id",
		"figure=holding&security_id=" + nobody: "account_id", "figure=holding&account_id={Broker}&security_id=ACME": "security_id",
		"figure=net_worth&date=today": "date", "figure=net_worth&from=2026-02-30": "from", "figure=net_worth&from=2026-08-23": "from",
		"figure=balance&account_id={Broker}&date=2026-08-01&from=2026-08-02": "from",
	} {
		h.refuses(t, unprocessable(field), "GET", "/explain?"+query, "")
	}
	h.call(t, "GET", "/explain?figure=balance&account_id="+nobody, "").Is(t, 404, `{"error":"not_found","message":"Account not found","details":null}`)
	h.call(t, "GET", "/explain?figure=balance&account_id={their Checking}", "").Is(t, 404, "")
	holding := "/explain?figure=holding&account_id={Broker}&security_id="
	h.call(t, "GET", holding+nobody, "").Is(t, 404, `{"error":"not_found","message":"Security not found","details":null}`)
	h.call(t, "GET", holding+rows[0].Security.ID+"&date=2026-08-02", "").Is(t, 404, `{"error":"not_found","message":"Holding not found","details":null}`)
	h.as(t, h.neighbour, "GET", holding+rows[0].Security.ID, "").Is(t, 404, "")
}

// TestUnexplained: where what is stored does not add up, there is no answer instead of a wrong one, and the log
// says what is missing.
func TestUnexplained(t *testing.T) {
	t.Parallel()
	h := newExplainHouse(t)
	err := h.db.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, "UPDATE holding_values SET value = value + 1 WHERE value = 149100")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"figure=balance&account_id={Broker}", "figure=balance&account_id={Broker}&from=2026-08-09", "figure=net_worth&from=2026-08-09"} {
		h.call(t, "GET", "/explain?"+query, "").Is(t, 500, "")
	}
	if !strings.Contains(h.log.String(), "the parts of the balance on 2026-08-22 come to 130140, not to 130141") {
		t.Errorf("the log says %s", h.log)
	}
	h.call(t, "GET", "/explain?figure=balance&account_id={Broker}&date=2026-08-16", "").Is(t, 200, "")
}

// TestExplainNetWorthOfEveryRange: 100,000 yen at 160.25 to the euro are 624.02, and twice as many 1,248.05. What changed the
// net worth from any day to any other, a day and itself among them, adds up.
func TestExplainNetWorthOfEveryRange(t *testing.T) {
	t.Parallel()
	h := newSheetHouse(t)
	h.add(t, "Rice", `"account_id":"{Yen}","date":"2026-08-22","amount":333`)
	days := []string{"2026-08-20", "2026-08-21", "2026-08-22", "2026-08-23"}
	for i, day := range days {
		for _, from := range days[:i+1] {
			e := h.explain(t, "figure=net_worth&date="+day+"&from="+from)
			if e.SumOfParts.AmountCents != e.Difference.AmountCents || e.Difference.AmountCents != e.Total.AmountCents-e.From.Total.AmountCents || from == day && e.Difference.AmountCents != 0 {
				t.Errorf("from %s to %s: %d by parts of %d\n%s", from, day, e.Difference.AmountCents, e.SumOfParts.AmountCents, listed(e.Parts))
			}
		}
	}
}
