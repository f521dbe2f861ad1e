package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/market"
)

// is compares a result with what it should be, which may be written in several lines.
func (h *fixture) is(name, arguments, want string) {
	h.tb.Helper()
	lines := strings.Split(want, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	if got := h.call(name, arguments); got != strings.Join(lines, "") {
		h.tb.Errorf("%s %s:\ngot  %s\nwant %s", name, arguments, got, strings.Join(lines, ""))
	}
}

// The Giro has 1,000.00 - 40.00 - 25.50 + 2,500.00 - 60.10 - 300.00 - 100.00; the depot 400.00 in cash and 2 ABC at 60.00.
func TestAccountsTool(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.is("get_accounts", "", `{"total_results":5,"accounts":[
		{"name":"Card","type":"credit_card","classification":"liability","balance":"218.90","currency":"EUR"},
		{"name":"Depot","type":"investment","classification":"asset","balance":"520.00","currency":"EUR"},
		{"name":"Dollars","type":"depository","classification":"asset","balance":"-7.00","currency":"USD"},
		{"name":"Giro","type":"depository","classification":"asset","balance":"2974.40","currency":"EUR"},
		{"name":"Savings","type":"depository","classification":"asset","balance":"300.00","currency":"EUR"}]}`)
	h.account("giro", "depository", "EUR", "0")
	if got := h.call("get_accounts", "{}"); strings.Count(got, `"id":"`) != 2 {
		t.Errorf("two accounts have one name: %s", got)
	}
}

func TestListTools(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.is("get_categories", `{"classification":"expense"}`, `{"total_results":3,"categories":[{"name":"Food","classification":"expense"},
		{"name":"Groceries","classification":"expense","parent":"Food"},{"name":"Restaurants","classification":"expense","parent":"Food"}]}`)
	h.is("get_categories", `{"classification":"INCOME"}`, `{"total_results":1,"categories":[{"name":"Salary","classification":"income"}]}`)
	h.is("get_tags", `{}`, `{"total_results":1,"tags":[{"name":"party"}]}`)
	h.is("get_merchants", `{"search":"L"}`, `{"total_results":2,"merchants":[{"name":"Aldi"},{"name":"Lidl"}]}`)
	h.is("get_merchants", `{"search":"CAFÉ"}`, `{"total_results":1,"merchants":[{"name":"Café Ö"}]}`)
}

// Totals leave out the transfer, and the dollars for want of a rate. Of the split 60.00 are groceries.
func TestTransactionsTool(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	aldi := func(date, amount string) string {
		return `{"date":"` + date + `","name":"ALDI 4711","amount":"` + amount + `","currency":"EUR","type":"expense","account":"Giro","category":"Groceries","merchant":"Aldi"}`
	}
	lidl := `{"date":"2026-04-20","name":"LIDL","amount":"25.50","currency":"EUR","type":"expense","account":"Giro","category":"Groceries","merchant":"Lidl","tags":["party"]}`
	dinner := `{"date":"2026-05-09","name":"dinner","amount":"18.90","currency":"EUR","type":"expense","account":"Card","category":"Restaurants","merchant":"Café Ö","tags":["party"]}`
	hall := `{"date":"2026-06-01","name":"Market hall","amount":"60.00","currency":"EUR","type":"expense","account":"Giro","category":"Groceries","part_of_split_payment":true}`
	rest := `{"date":"2026-06-01","name":"Market hall","amount":"40.00","currency":"EUR","type":"expense","account":"Giro","part_of_split_payment":true}`
	pay := `{"date":"2026-05-01","name":"pay","amount":"2500.00","currency":"EUR","type":"income","account":"Giro","category":"Salary"}`
	put := func(direction, account, other string) string {
		return `{"date":"2026-05-15","name":"put by","amount":"300.00","currency":"EUR","type":"transfer","account":"` + account + `","direction":"` + direction + `","other_account":"` + other + `"}`
	}
	gum := `{"date":"2026-05-20","name":"gum","amount":"7.00","currency":"USD","type":"expense","account":"Dollars"}`
	head := func(total int, income, expenses string) string {
		return fmt.Sprintf(`{"total_results":%d,"page":1,"total_pages":1,"currency":"EUR","total_income":"%s","total_expenses":"%s",`, total, income, expenses)
	}
	list := func(rows ...string) string { return `"transactions":[` + strings.Join(rows, ",") + `]}` }
	const gap = `"left_out_without_exchange_rate":[{"currency":"USD","income":"0.00","expenses":"7.00"}],`
	for arguments, want := range map[string]string{
		`{"merchants":["aldi"]}`:                                            head(2, "0.00", "100.10") + list(aldi("2026-05-03", "60.10"), aldi("2026-04-10", "40.00")),
		`{"merchants":"ALDI","end_date":"2026-04-30"}`:                      head(1, "0.00", "40.00") + list(aldi("2026-04-10", "40.00")),
		`{"tags":["party"],"sort_by":"amount"}`:                             head(2, "0.00", "44.40") + list(lidl, dinner),
		`{"categories":["Groceries"],"start_date":"2026-05-01"}`:            head(2, "0.00", "120.10") + list(hall, aldi("2026-05-03", "60.10")),
		`{"categories":["Food"],"start_date":"2026-05-01"}`:                 head(3, "0.00", "139.00") + list(hall, dinner, aldi("2026-05-03", "60.10")),
		`{"categories":["Food:Restaurants"]}`:                               head(1, "0.00", "18.90") + list(dinner),
		`{"accounts":["card"]}`:                                             head(1, "0.00", "18.90") + list(dinner),
		`{"accounts":["` + h.ids["Card"].String() + `"]}`:                   head(1, "0.00", "18.90") + list(dinner),
		`{"type":"income"}`:                                                 head(1, "2500.00", "0.00") + list(pay),
		`{"type":"expense","sort_by":"amount","page_size":"9"}`:             head(7, "0.00", "244.50") + gap + list(aldi("2026-05-03", "60.10"), hall, rest, aldi("2026-04-10", "40.00"), lidl, dinner, gum),
		`{"min_amount":50,"max_amount":"100"}`:                              head(2, "0.00", "120.10") + list(hall, aldi("2026-05-03", "60.10")),
		`{"min_amount":2500}`:                                               head(1, "2500.00", "0.00") + list(pay),
		`{"search":"aldi","start_date":"2026-05-01"}`:                       head(1, "0.00", "60.10") + list(aldi("2026-05-03", "60.10")),
		`{"query":"@giro cat:groceries >50 -hall"}`:                         head(1, "0.00", "60.10") + list(aldi("2026-05-03", "60.10")),
		`{"query":"is:expense -@dollars","sort_by":"amount","page_size":9}`: head(6, "0.00", "244.50") + list(aldi("2026-05-03", "60.10"), hall, rest, aldi("2026-04-10", "40.00"), lidl, dinner),
		`{"search":"nothing of the kind"}`:                                  head(0, "0.00", "0.00") + list(),
		`{"type":"transfer"}`:                                               `{"total_results":2,"page":1,"total_pages":1,` + list(put("in", "Savings", "Giro"), put("out", "Giro", "Savings")),
		`{"start_date":"2026-05-02","end_date":"2026-05-20","page":1}`:      head(5, "0.00", "79.00") + gap + list(gum, put("in", "Savings", "Giro"), put("out", "Giro", "Savings"), dinner, aldi("2026-05-03", "60.10")),
		`{"merchants":["Aldi"],"page":2,"page_size":1}`: `{"total_results":2,"page":2,"total_pages":2,"currency":"EUR","total_income":"0.00","total_expenses":"100.10","transactions":[` +
			aldi("2026-04-10", "40.00") + `],"cut":"transactions: 1 of 2 shown, page and a smaller page_size give the rest"}`,
	} {
		h.is("get_transactions", arguments, want)
	}
}

// Assets are 2,974.40 + 300.00 + 520.00, owed are 218.90. At the end of March they were 1,000.00 + 500.00 and 200.00; of
// April 934.50 + 500.00; of May 3,074.40 + 300.00 + 400.00 and 2 ABC at 50.00, the price paid, and 218.90.
func TestBalanceSheetTool(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const gap = `"left_out_without_exchange_rate":[{"currency":"USD","amount":"-7.00","accounts":1}]`
	const head = `{"date":"2026-06-15","currency":"EUR","net_worth":"3575.50","assets":"3794.40","liabilities":"218.90",`
	h.is("get_balance_sheet", `{}`, head+gap+`}`)
	h.is("get_balance_sheet", `{"date":"2026-04-30"}`, `{"date":"2026-04-30","currency":"EUR","net_worth":"1234.50","assets":"1434.50","liabilities":"200.00"}`)
	h.is("get_balance_sheet", `{"start_date":"2026-03-31","interval":"month"}`, head+`"change":{"since":"2026-03-31","net_worth":"2275.50","assets":"2294.40","liabilities":"18.90"},`+gap+`,
		"series_left_out_without_exchange_rate":[{"currency":"USD","from":"2026-05-31","to":"2026-06-15","points":2}],
		"series":[{"date":"2026-06-15","net_worth":"3575.50","assets":"3794.40","liabilities":"218.90"},
		{"date":"2026-05-31","net_worth":"3655.50","assets":"3874.40","liabilities":"218.90"},
		{"date":"2026-04-30","net_worth":"1234.50","assets":"1434.50","liabilities":"200.00"},
		{"date":"2026-03-31","net_worth":"1300.00","assets":"1500.00","liabilities":"200.00"}]}`)
}

// In May 60.10 + 18.90 were spent, in April 40.00 + 25.50: 13.50 or 20.6 % less. Of the dollars nothing counts but that
// they are one. April to June are 65.50, 79.00 and 100.00: 244.50, a third of which is 81.50.
func TestIncomeTool(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const gap = `"left_out_without_exchange_rate":[{"currency":"USD","income":"0.00","expenses":"7.00"}]`
	const may = `{"currency":"EUR","start_date":"2026-05-01","end_date":"2026-05-31","income":"2500.00","expenses":"79.00","net":"2421.00",`
	h.is("get_income_statement", `{"start_date":"2026-05-01","end_date":"2026-05-31","compare_previous_period":"true"}`, may+`
		"previous":{"start_date":"2026-04-01","end_date":"2026-04-30","income":"0.00","expenses":"65.50","net":"-65.50"},
		"change":{"income":"2500.00","expenses":"13.50","net":"2486.50","expenses_percent":"20.6"},"transfers_left_out":1,`+gap+`,
		"by_category":[{"name":"Salary","income":"2500.00","previous_income":"0.00","income_change":"2500.00","count":1},
		{"name":"Groceries","parent":"Food","expenses":"60.10","previous_expenses":"65.50","expenses_change":"-5.40","count":1},
		{"name":"Restaurants","parent":"Food","expenses":"18.90","previous_expenses":"0.00","expenses_change":"18.90","count":1},
		{"name":"no category","expenses":"0.00","previous_expenses":"0.00","expenses_change":"0.00","count":1}]}`)
	h.is("get_income_statement", `{"start_date":"2026-05-01","end_date":"2026-05-31","group_by":"none"}`, may+`"transfers_left_out":1,`+gap+`}`)
	h.is("get_income_statement", `{"start_date":"2026-05-01","end_date":"2026-05-31","group_by":"tag","tags":["party"],"compare_previous_period":true}`,
		`{"currency":"EUR","start_date":"2026-05-01","end_date":"2026-05-31","income":"0.00","expenses":"18.90","net":"-18.90",
		"previous":{"start_date":"2026-04-01","end_date":"2026-04-30","income":"0.00","expenses":"25.50","net":"-25.50"},
		"change":{"income":"0.00","expenses":"-6.60","net":"6.60","expenses_percent":"-25.9"},
		"by_tag":[{"name":"party","expenses":"18.90","previous_expenses":"25.50","expenses_change":"-6.60","count":1}]}`)
	h.is("get_income_statement", `{"start_date":"2026-04-01","end_date":"2026-06-30","group_by":"month","categories":"food"}`,
		`{"currency":"EUR","start_date":"2026-04-01","end_date":"2026-06-30","income":"0.00","expenses":"204.50","net":"-204.50",
		"months":3,"average_income_per_month":"0.00","average_expenses_per_month":"68.17",
		"by_month":[{"month":"2026-04","expenses":"65.50","count":2},{"month":"2026-05","expenses":"79.00","count":2},{"month":"2026-06","expenses":"60.00","count":1}]}`)
	h.is("get_income_statement", `{"start_date":"2026-05-01","end_date":"2026-05-31","group_by":"merchant","accounts":["Giro","Card"]}`,
		may+`"transfers_left_out":1,"by_merchant":[{"name":"no merchant","income":"2500.00","count":1},{"name":"Aldi","expenses":"60.10","count":1},{"name":"Café Ö","expenses":"18.90","count":1}]}`)
	h.is("get_income_statement", `{"start_date":"2026-05-01","end_date":"2026-05-31","group_by":"account","categories":["Groceries","Restaurants"]}`,
		`{"currency":"EUR","start_date":"2026-05-01","end_date":"2026-05-31","income":"0.00","expenses":"79.00","net":"-79.00",
		"by_account":[{"name":"Giro","expenses":"60.10","count":1},{"name":"Card","expenses":"18.90","count":1}]}`)
}

// TestToolPreviousPeriods: whole months are compared with months, the same days of a month with each other, other days with
// as many before them.
func TestToolPreviousPeriods(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for period, want := range map[[2]string]string{
		{"2026-05-01", "2026-05-31"}: "2026-04-01 2026-04-30",
		{"2026-03-01", "2026-03-31"}: "2026-02-01 2026-02-28",
		{"2026-04-01", "2026-06-30"}: "2026-01-01 2026-03-31",
		{"2026-01-01", "2026-12-31"}: "2025-01-01 2025-12-31",
		{"2026-06-01", "2026-06-15"}: "2026-05-01 2026-05-15",
		{"2026-03-01", "2026-03-30"}: "2026-02-01 2026-02-28",
		{"2026-05-01", "2026-06-15"}: "2026-03-01 2026-04-15",
		{"2026-05-04", "2026-05-10"}: "2026-04-27 2026-05-03",
		{"2026-05-09", "2026-05-09"}: "2026-05-08 2026-05-08",
		{"2026-05-01", "2026-05-01"}: "2026-04-01 2026-04-01",
		{"1900-01-01", "1900-01-31"}: "1900-01-01 1900-01-01",
	} {
		var got struct {
			Previous struct {
				Start string `json:"start_date"`
				End   string `json:"end_date"`
			}
		}
		text := h.call("get_income_statement", fmt.Sprintf(`{"start_date":%q,"end_date":%q,"compare_previous_period":true}`, period[0], period[1]))
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Previous.Start+" "+got.Previous.End != want {
			t.Errorf("%s: got %s, want %s", period, text, want)
		}
	}
}

func TestHoldingsTool(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.is("get_holdings", `{"securities":["abc"]}`, `{"date":"2026-06-15","total_results":1,"total_value":[{"value":"120.00","currency":"EUR"}],
		"holdings":[{"ticker":"ABC","account":"Depot","quantity":"2","price":"60","value":"120.00","currency":"EUR","price_date":"2026-06-10","average_cost":"50","cost_currency":"EUR"}]}`)
	h.is("get_holdings", `{"date":"2026-05-03"}`, `{"date":"2026-05-03","total_results":0,"total_value":[],"holdings":[]}`)
	h.is("get_holdings", `{"accounts":["Giro"]}`, `{"date":"2026-06-15","total_results":0,"total_value":[],"holdings":[]}`)
}

// From the end of April to that of May the Giro gets 2,500.00 and spends 60.10 and 300.00.
func TestExplainTool(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.is("explain_figure", `{"figure":"balance","account":"giro","date":"2026-05-31","from":"2026-04-30"}`,
		`{"figure":"balance","account":"Giro","date":"2026-05-31","currency":"EUR","total":"3074.40","from":"2026-04-30","total_then":"934.50","change":"2139.90",
		"parts":[{"kind":"entries","amount":"2139.90","count":3}],
		"entries":[{"kind":"transaction","date":"2026-05-01","name":"pay","amount":"2500.00"},{"kind":"transaction","date":"2026-05-03","name":"ALDI 4711","amount":"-60.10"},
		{"kind":"transaction","date":"2026-05-15","name":"put by","amount":"-300.00"}]}`)
	h.is("explain_figure", `{"figure":"holding","account":"Depot","security":"ABC"}`,
		`{"figure":"holding","account":"Depot","security":"ABC","date":"2026-06-15","currency":"EUR","total":"120.00",
		"parts":[{"kind":"holding","date":"2026-06-15","security":"ABC","amount":"120.00","quantity":"2","price":"60 EUR","cost":"100 EUR"}],
		"entries":[{"kind":"buy","date":"2026-05-04","name":"Buy 2 shares of ABC","cash":"-100.00 EUR","quantity":"2","price":"50 EUR","quantity_after":"2","cost":"100 EUR"}]}`)
	h.is("explain_figure", `{"figure":"net_worth"}`, `{"figure":"net_worth","date":"2026-06-15","currency":"EUR","total":"3575.50",
		"left_out_without_exchange_rate":[{"currency":"USD","amount":"-7.00","accounts":1}],
		"parts":[{"kind":"account","account":"Card","amount":"-218.90"},{"kind":"account","account":"Depot","amount":"520.00"},
		{"kind":"account","account":"Dollars","amount":"0.00","original":"-7.00 USD"},{"kind":"account","account":"Giro","amount":"2974.40"},{"kind":"account","account":"Savings","amount":"300.00"}]}`)
}

// TestToolSpecs: together they must leave room for a conversation with a small model. Four bytes are about a token.
func TestToolSpecs(t *testing.T) {
	t.Parallel()
	h := emptyFixture(t)
	size := 0
	for _, spec := range h.Specs() {
		var schema struct {
			Type                 string
			Properties           map[string]struct{ Type, Format string }
			Required             []string
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(spec.Parameters, &schema); err != nil {
			t.Fatalf("%s: %v", spec.Name, err)
		}
		if schema.Type != "object" || schema.AdditionalProperties == nil || *schema.AdditionalProperties || !h.Has(spec.Name) || schema.Properties == nil {
			t.Errorf("%s is not strict: %s", spec.Name, spec.Parameters)
		}
		for _, name := range schema.Required {
			if schema.Properties[name].Type == "" {
				t.Errorf("%s requires %s, which it does not have", spec.Name, name)
			}
		}
		size += len(spec.Name) + len(spec.Description) + len(spec.Parameters)
	}
	if size/4 >= 1200 {
		t.Errorf("the tools are %d bytes, %d tokens", size, size/4)
	}
	if h.Has("get_everything") {
		t.Error("there is a tool for everything")
	}
}

// TestToolsAreScoped: neither names nor ids of another household find anything, in any tool.
func TestToolsAreScoped(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	stranger := h.household("Stranger")
	security := h.securityID("ABC")
	for _, name := range []string{"get_accounts", "get_categories", "get_tags", "get_merchants", "get_transactions", "get_holdings"} {
		if got := h.callIn(10_000, stranger, name, "{}"); !strings.Contains(got, `"total_results":0`) {
			t.Errorf("%s shows what is another's: %s", name, got)
		}
	}
	for _, call := range [][2]string{
		{"get_transactions", `{"accounts":[%q]}`}, {"get_income_statement", `{"accounts":[%q],"start_date":"2026-01-01","end_date":"2026-12-31"}`}, {"get_holdings", `{"accounts":[%q]}`},
		{"explain_figure", `{"figure":"balance","account":%q}`}, {"explain_figure", `{"figure":"holding","account":%q,"security":"ABC"}`},
	} {
		h.isRefused(stranger, call[0], fmt.Sprintf(call[1], h.ids["Giro"]), "there is no account")
	}
	for argument, name := range map[string]string{"categories": "Groceries", "merchants": "Aldi", "tags": "party"} {
		for _, text := range []string{name, h.ids[name].String()} {
			h.isRefused(stranger, "get_transactions", fmt.Sprintf(`{%q:[%q]}`, argument, text), "there is no ")
			h.isRefused(stranger, "get_income_statement", fmt.Sprintf(`{%q:[%q],"start_date":"2026-01-01","end_date":"2026-12-31"}`, argument, text), "there is no ")
		}
	}
	h.isRefused(stranger, "get_holdings", fmt.Sprintf(`{"securities":[%q]}`, security), "there is no security")
	for _, call := range [][3]string{
		{"get_balance_sheet", `{}`, `"net_worth":"0.00","assets":"0.00","liabilities":"0.00"}`}, {"explain_figure", `{"figure":"net_worth"}`, `"total":"0.00","parts":[]}`},
		{"get_income_statement", `{"start_date":"2026-01-01","end_date":"2026-12-31"}`, `"income":"0.00","expenses":"0.00","net":"0.00",`},
	} {
		if got := h.callIn(10_000, stranger, call[0], call[1]); !strings.Contains(got, call[2]) {
			t.Errorf("%s shows what is another's: %s", call[0], got)
		}
	}
}

func (h *fixture) securityID(ticker string) uuid.UUID {
	h.tb.Helper()
	list, _, err := h.books.Market.ListSecurities(h.ctx(), h.who, market.SecurityFilter{}, ledger.Page{Number: 1, Size: 10})
	h.must(err)
	for _, s := range list {
		if s.Ticker == ticker {
			return uuid.UUID(s.PublicID)
		}
	}
	h.tb.Fatalf("there is no %s", ticker)
	return uuid.Nil
}

// isRefused looks for words in the error of a result.
func (h *fixture) isRefused(who ledger.Actor, name, arguments string, words ...string) {
	h.tb.Helper()
	var got struct{ Error, Hint string }
	text := h.callIn(4000, who, name, arguments)
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Error == "" || got.Hint == "" {
		h.tb.Errorf("%s %s is not refused: %s", name, arguments, text)
		return
	}
	for _, word := range words {
		if !strings.Contains(got.Error, word) {
			h.tb.Errorf("%s %s: %q has no %q", name, arguments, got.Error, word)
		}
	}
}
