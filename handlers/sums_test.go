package handlers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/ledger/books"
)

// 1,024 amounts of 90,000,000,000,000.00 fit into 64 bits, as 9,216,000,000,000,000,000 minor units; the 1,025th does not.
const (
	largest            = "90000000000000.00"
	mostOfThem         = 1024
	fullAccount  int64 = 9_216_000_000_000_000_000
	beyondCents        = `between -92233720368547758.07 and 92233720368547758.07 EUR`
	beyondDay          = `on 2026-01-05 it would be 92250000000000000.00`
	beyondOneDay       = `must keep what is booked in the account \"Checking\" on 2026-01-05 ` + beyondCents + `; together it would be beyond that`
	beyondFifth        = `must keep the balance of the account \"Checking\" ` + beyondCents + `; ` + beyondDay
)

// batch is a body of count transactions of the largest amount, on the days in turn.
func batch(count int, account, nature, currency string, days ...string) string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf(`{"account_id":"{%s}","date":%q,"amount":%s,"nature":%q,"name":"Big","currency":%q}`,
			account, days[i*len(days)/count], largest, nature, currency)
	}
	return `{"transactions":[` + strings.Join(list, ",") + `]}`
}

// bulk books a batch.
func (h *fixture) bulk(t *testing.T, count int, account, nature, currency string, days ...string) {
	t.Helper()
	if p := h.call(t, "POST", "/transactions/bulk", batch(count, account, nature, currency, days...)); p.StatusCode != 201 {
		t.Fatalf("%d %s", p.StatusCode, p.Text[:min(len(p.Text), 400)])
	}
}

// is422 reports whether a request was refused with a text, and that everything can be read all the same.
func (h *fixture) is422(t *testing.T, p apitest.Reply, want string) {
	t.Helper()
	if p.StatusCode != 422 || !strings.Contains(p.Text, `"error":"validation_failed"`) || !strings.Contains(p.Text, want) {
		t.Errorf("got %d %s\nwant %s", p.StatusCode, p.Text[:min(len(p.Text), 600)], want)
	}
	h.reads(t)
}

// reads asks for every figure.
func (h *fixture) reads(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/accounts", "/balances?per_page=100", "/balance_sheet", "/net_worth", "/net_worth?interval=day&start_date=2025-12-25",
		"/income_statement?start_date=2026-01-01&end_date=2026-12-31", "/transactions", "/explain?figure=balance&account_id={Checking}", "/explain?figure=net_worth"} {
		if p := h.call(t, "GET", path, ""); p.StatusCode != 200 {
			t.Errorf("%s: %d %s", path, p.StatusCode, p.Text)
		}
	}
}

// TestWritesBeyondRange: a write that would leave a balance, or what is booked on a day, that is no amount is refused with
// account and day, and stores nothing.
func TestWritesBeyondRange(t *testing.T) {
	t.Parallel()
	const first, second = "2026-01-04", "2026-01-05"
	one := func(members string) string {
		return `{"transaction":{"account_id":"{Checking}","date":"2026-01-05","amount":` + largest + `,"nature":"income","name":"One"` + members + `}}`
	}
	for name, c := range map[string]struct {
		before             func(t *testing.T, h *fixture)
		method, path, body string
		want               string
		balance            int64 // which stays
	}{
		"incomes of one day at once": {nil, "POST", "/transactions/bulk", batch(1030, "Checking", "income", "EUR", second), beyondOneDay, 0},
		"incomes of several days at once": {nil, "POST", "/transactions/bulk", batch(1030, "Checking", "income", "EUR", first, second),
			`on 2026-01-05 it would be 92700000000000000.00`, 0},
		"expenses": {nil, "POST", "/transactions/bulk", batch(1030, "Checking", "expense", "EUR", first, second),
			`on 2026-01-05 it would be -92700000000000000.00`, 0},
		"one more on the day": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", second)
		}, "POST", "/transactions", one(""), beyondOneDay, fullAccount},
		"one more on another day": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", first)
		}, "POST", "/transactions", one(""), beyondFifth, fullAccount},
		"an update": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", first)
			h.add(t, "Small", `"account_id":"{Checking}","date":"2026-01-05","amount":1,"nature":"income"`)
		}, "PATCH", "/transactions/{Small}", `{"transaction":{"amount":` + largest + `}}`, beyondFifth, fullAccount + 100},
		"a deletion of what kept it low": {func(t *testing.T, h *fixture) {
			h.add(t, "Down", `"account_id":"{Checking}","date":"2026-01-03","amount":`+largest+`,"nature":"expense"`)
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", first)
			h.call(t, "POST", "/transactions", one("")).Is(t, 201, "")
		}, "DELETE", "/transactions/{Down}", "", beyondFifth, fullAccount},
		"a split transaction": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", first)
		}, "POST", "/transactions", one(`,"split_lines":[{"amount":45000000000000},{"amount":45000000000000}]`), beyondFifth, fullAccount},
		"another currency by its rate": {func(t *testing.T, h *fixture) {
			h.rates(t, "2026-01-04,USD,EUR,2", "2026-01-05,USD,EUR,2")
			h.bulk(t, 510, "Checking", "income", "USD", first)
		}, "POST", "/transactions/bulk", batch(10, "Checking", "income", "USD", second), `on 2026-01-05 it would be 93600000000000000.00`, 9_180_000_000_000_000_000},
		"another currency that one day's rate makes too large": {func(t *testing.T, h *fixture) {
			h.rates(t, "2026-01-05,USD,EUR,2")
		}, "POST", "/transactions/bulk", batch(520, "Checking", "income", "USD", second), `on 2026-01-05 it would be 93600000000000000.00`, 0},
		"a valuation before": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", second)
		}, "POST", "/valuations", `{"valuation":{"account_id":"{Checking}","date":"2026-01-04","amount":` + largest + `}}`, beyondFifth, fullAccount},
		"a valuation that adjusts by too much": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", second)
		}, "POST", "/valuations", `{"valuation":{"account_id":"{Checking}","date":"2026-01-06","amount":-` + largest + `}}`,
			`must keep what a valuation adjusts the balance of the account \"Checking\" ` + beyondCents + `; on 2026-01-06 it would be -92250000000000000.00`, fullAccount},
		"a valuation that goes": {func(t *testing.T, h *fixture) {
			h.bulk(t, 600, "Checking", "income", "EUR", "2026-01-03")
			h.ids["Stated"] = h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Checking}","date":"2026-01-04","amount":0}}`)
			h.bulk(t, 425, "Checking", "income", "EUR", second)
		}, "DELETE", "/valuations/{Stated}", "", beyondFifth, 3_825_000_000_000_000_000},
		"an opening balance": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Checking", "income", "EUR", second)
		}, "PATCH", "/accounts/{Checking}", `{"account":{"balance":` + largest + `}}`, beyondFifth, fullAccount},
		"the cash of a trade": {func(t *testing.T, h *fixture) {
			h.bulk(t, mostOfThem, "Broker", "expense", "EUR", first)
		}, "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-01-05","manual_ticker":"ACME","qty":1000,"price":90000000000,"type":"buy"}}`,
			`must keep the balance of the account \"Broker\" ` + beyondCents + `; on 2026-01-05 it would be -92250000000000000.00`, 0},
		"one trade": {nil, "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-01-05","manual_ticker":"ACME","qty":1000000000,"price":1000000000,"type":"buy"}}`,
			`-90000000000000.00 and 90000000000000.00 EUR`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			h.ids["Broker"] = h.make(t, h.key, "accounts", `{"account":{"name":"Broker","account_type":"investment","currency":"EUR"}}`)
			if c.before != nil {
				c.before(t, h)
			}
			before := h.print(t)
			h.is422(t, h.call(t, c.method, c.path, c.body), c.want)
			if after := h.print(t); after != before {
				t.Error("something was stored")
			}
			if got := h.balance(t, "Checking"); got != c.balance {
				t.Errorf("the balance is %d, want %d", got, c.balance)
			}
		})
	}
}

// TestWritesWithinRange: what counts is what a write leaves, not what lies between its parts, nor what came in and went out.
func TestWritesWithinRange(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const day = "2026-01-05"
	h.bulk(t, mostOfThem, "Checking", "income", "EUR", day)
	h.add(t, "Down", `"account_id":"{Checking}","date":"2026-01-05","amount":1,"nature":"expense"`)
	h.bulk(t, mostOfThem, "Checking", "expense", "EUR", day) // now the day is level, and all of it together is twice too large
	h.bulk(t, mostOfThem, "Checking", "income", "EUR", day)
	h.call(t, "PATCH", "/transactions/{Down}", `{"transaction":{"amount":2}}`).Is(t, 200, "") // without it the day would be full
	if got := h.balance(t, "Checking"); got != fullAccount-200 {
		t.Errorf("the balance is %d", got)
	}
	h.bulk(t, mostOfThem, "Checking", "expense", "EUR", "2026-01-06", "2026-02-06", "2026-03-06")
	h.bulk(t, 1000, "Checking", "expense", "EUR", "2026-04-06")
	if got := h.balance(t, "Checking"); got != -9_000_000_000_000_000_200 {
		t.Errorf("the balance is %d", got)
	}
	h.reads(t)
}

// TestImportsBeyondRange: a preflight says what would leave the range, publishing ends failed with the reason, and the
// server can be written to at once.
func TestImportsBeyondRange(t *testing.T) {
	t.Parallel()
	rows := func(count int, days ...string) string {
		lines := []string{"date,amount,name"}
		for i := range count {
			lines = append(lines, fmt.Sprintf("%s,%s,Row %d", days[i*len(days)/count], largest, i))
		}
		return strings.Join(lines, "\n") + "\n"
	}
	const settings = `"account_id":"{Checking}","signage_convention":"inflows_positive"`
	for name, c := range map[string]struct{ file, want string }{
		"one day":      {rows(1030, "2026-01-05"), `must keep what is booked in the account "Checking" on 2026-01-05 `},
		"several days": {rows(1030, "2026-01-04", "2026-01-05"), `on 2026-01-05 it would be 92700000000000000.00`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			out := h.call(t, "POST", "/imports/preflight", h.fill(importBody(c.file, settings)))
			if escaped, _ := json.Marshal(c.want); out.StatusCode != 200 || !strings.Contains(out.Text, string(escaped[1:len(escaped)-1])) || !strings.Contains(out.Text, `"valid":false`) {
				t.Errorf("%d %s", out.StatusCode, out.Text)
			}
			made := importOf(t, h.call(t, "POST", "/imports", h.fill(importBody(c.file, settings, `"publish":"true"`))), 201)
			stop := h.work(t)
			done := h.settled(t, made.ID)
			if done.Status != "failed" || done.Error == nil || !strings.Contains(*done.Error, c.want) {
				t.Errorf("%+v", done)
			}
			h.add(t, "After", `"account_id":"{Checking}","date":"2026-01-05","amount":5,"nature":"income"`)
			stop()
			h.reads(t)
			if got := h.balance(t, "Checking"); got != 500 {
				t.Errorf("the balance is %d", got)
			}
			stop = h.work(t) // as after a restart
			h.add(t, "Later", `"account_id":"{Checking}","date":"2026-01-05","amount":5,"nature":"income"`)
			stop()
			if again := importOf(t, h.call(t, "GET", "/imports/"+made.ID, ""), 200); again.Status != "failed" {
				t.Errorf("taken up again: %+v", again)
			}
		})
	}
}

// TestRevertBeyondRange: an import that kept a balance within its range cannot be reverted.
func TestRevertBeyondRange(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := h.published(t, "date,amount,name\n2026-01-03,-"+largest+",Down\n", h.fill(`"account_id":"{Checking}"`), `"signage_convention":"inflows_positive"`)
	h.bulk(t, mostOfThem, "Checking", "income", "EUR", "2026-01-04")
	h.add(t, "One", `"account_id":"{Checking}","date":"2026-01-05","amount":`+largest+`,"nature":"income"`)
	h.is422(t, h.call(t, "POST", "/imports/"+id+"/revert", ""), beyondFifth)
	if got := importOf(t, h.call(t, "GET", "/imports/"+id, ""), 200).Status; got != "complete" {
		t.Error(got)
	}
	h.call(t, "DELETE", "/transactions/{One}", "").Is(t, 200, "")
	h.call(t, "POST", "/imports/"+id+"/revert", "").Is(t, 202, "")
	h.reverted(t, id)
	if got := h.balance(t, "Checking"); got != fullAccount {
		t.Errorf("the balance is %d", got)
	}
}

// TestTotalsBeyondRange: two accounts that cannot be added up are each right, and totals say what they leave out.
func TestTotalsBeyondRange(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.bulk(t, mostOfThem, "Checking", "income", "EUR", "2026-08-05")
	h.bulk(t, mostOfThem, "Savings", "income", "EUR", "2026-08-05")
	h.reads(t)
	if h.balance(t, "Checking") != fullAccount || h.balance(t, "Savings") != fullAccount {
		t.Error("an account is wrong")
	}
	gap := fmt.Sprintf(`"unconverted":[{"currency":"EUR","amount_cents":%d,"reason":"out_of_range","accounts":["%s"]`, fullAccount, h.ids["Savings"])
	for path, want := range map[string][]string{
		"/balance_sheet": {`"net_worth":{"amount":"92160000000000000.00"`, gap},
		"/net_worth?interval=day&start_date=2026-08-04": {fmt.Sprintf(`"net_worth_cents":%d`, fullAccount), gap, `"points":18,"first_date":"2026-08-05"`},
		"/income_statement?start_date=2026-08-01&end_date=2026-08-31": {`"income":{"amount":"92160000000000000.00"`,
			fmt.Sprintf(`"unconverted":[{"currency":"EUR","amount_cents":%d,"income_cents":%d,"expenses_cents":0,"reason":"out_of_range"}]`, fullAccount, fullAccount)},
		"/explain?figure=net_worth": {`"sum_of_parts":{"amount":"92160000000000000.00"`, gap},
	} {
		p := h.call(t, "GET", path, "")
		for _, w := range want {
			if p.StatusCode != 200 || !strings.Contains(p.Text, w) {
				t.Errorf("%s: no %s in %d %s", path, w, p.StatusCode, p.Text)
			}
		}
	}
	h.is422(t, h.call(t, "GET", "/explain?figure=net_worth&from=2026-08-01", ""), "not all accounts can be added up")
	if found, err := books.New(h.db, h.clock.read).Audits.Audit(t.Context()); err != nil || len(found.Defects) > 0 {
		t.Errorf("audit: %v %+v", err, found.Defects)
	}
}

// TestRatesBeyondRangeInSum: where each day of an account is an amount at a later rate and their sum is none, all of it is left out,
// in the account's currency.
func TestRatesBeyondRangeInSum(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.rates(t, "2026-01-05,USD,EUR,1")
	h.bulk(t, 800, "Checking", "income", "USD", "2026-01-05", "2026-01-06")
	h.rates(t, "2026-01-05,USD,EUR,2")
	for _, path := range []string{"/accounts", "/balances?per_page=100", "/balance_sheet", "/net_worth", "/transactions", "/explain?figure=net_worth"} {
		h.call(t, "GET", path, "").Is(t, 200, "")
	}
	const parts = `one of them would be 144000000000000000.00 EUR`
	if p := h.call(t, "GET", "/explain?figure=balance&account_id={Checking}", ""); p.StatusCode != 422 || !strings.Contains(p.Text, parts) {
		t.Error(p.StatusCode, p.Text)
	}
	const gap = `"unconverted":[{"currency":"EUR","amount_cents":9223372036854775807,"reason":"out_of_range"}` +
		`,{"currency":"EUR","amount_cents":5176627963145224193,"reason":"out_of_range"}]`
	if p := h.call(t, "GET", "/accounts/{Checking}", ""); !strings.Contains(p.Text, `"balance_cents":0`) || !strings.Contains(p.Text, gap) {
		t.Error(p.Text)
	}
	if found, err := books.New(h.db, h.clock.read).Audits.Audit(t.Context()); err != nil || len(found.Defects) > 0 {
		t.Errorf("audit: %v %+v", err, found.Defects)
	}
	h.rates(t, "2026-01-05,USD,EUR,0.5")
	if got := h.balance(t, "Checking"); got != 3_600_000_000_000_000_000 {
		t.Errorf("the balance is %d", got)
	}
}

// TestRatesBeyondRange: what a later exchange rate makes too large is left out of the balance and said, with the reason, and
// nothing fails.
func TestRatesBeyondRange(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.rates(t, "2026-01-05,USD,EUR,1")
	h.bulk(t, 600, "Checking", "income", "USD", "2026-01-05")
	if got := h.balance(t, "Checking"); got != 5_400_000_000_000_000_000 {
		t.Errorf("the balance is %d", got)
	}
	h.rates(t, "2026-01-05,USD,EUR,2")
	h.reads(t)
	const gap = `"unconverted":[{"currency":"USD","amount_cents":5400000000000000000,"reason":"out_of_range"`
	for path, want := range map[string][]string{
		"/accounts/{Checking}": {`"balance_cents":0`, gap},
		"/balances?account_id={Checking}&start_date=2026-01-05&end_date=2026-01-05": {`"end_balance_cents":0`, gap},
		"/balance_sheet": {`"net_worth":{"amount":"0.00"`, gap},
		"/net_worth":     {gap},
		"/income_statement?start_date=2026-01-01&end_date=2026-12-31": {`"currency":"USD","amount_cents":5400000000000000000,"income_cents":5400000000000000000,"expenses_cents":0,"reason":"out_of_range"`},
		"/explain?figure=balance&account_id={Checking}":               {gap},
		"/explain?figure=net_worth":                                   {gap},
	} {
		p := h.call(t, "GET", path, "")
		for _, w := range want {
			if p.StatusCode != 200 || !strings.Contains(p.Text, w) {
				t.Errorf("%s: no %s in %d %s", path, w, p.StatusCode, p.Text)
			}
		}
	}
	if found, err := books.New(h.db, h.clock.read).Audits.Audit(t.Context()); err != nil || len(found.Defects) > 0 {
		t.Errorf("audit: %v %+v", err, found.Defects)
	}
	h.rates(t, "2026-01-05,USD,EUR,1")
	h.bulk(t, 400, "Checking", "income", "USD", "2026-01-06")
	if got := h.balance(t, "Checking"); got != 9_000_000_000_000_000_000 {
		t.Errorf("the balance is %d", got)
	}
}
