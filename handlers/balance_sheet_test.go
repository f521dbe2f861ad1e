package handlers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/fx"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// rates publishes exchange rates: "date,from,to,rate" each.
func (h *fixture) rates(t *testing.T, lines ...string) {
	t.Helper()
	file, err := fx.ParseRates([]byte("date,from,to,rate\n" + strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := books.New(h.db, h.clock.read).Rates.ImportRates(t.Context(), file); err != nil {
		t.Fatal(err)
	}
}

// open opens an account and remembers its id under its name.
func (h *fixture) open(t *testing.T, name, kind, currency, balance string) {
	t.Helper()
	h.ids[name] = h.make(t, h.key, "accounts", fmt.Sprintf(`{"account":{"name":%q,"account_type":%q,"currency":%q,"balance":%q}}`, name, kind, currency, balance))
}

// newSheetHouse has 1000.00 EUR, 100000 JPY, 12.345 KWD and 77.00 CHF, and owes 250.00 EUR and 50000 JPY. Today is
// Saturday, 2026-08-22; what there is of rates is of Friday, and from the euro: 100000/160.25 = 624.02,
// 50000/160.25 = 312.01, 12.345/0.3213 = 38.42.
func newSheetHouse(t *testing.T) *fixture {
	t.Helper()
	h := newFixture(t)
	h.open(t, "Salary account", "depository", "EUR", "1000.00")
	h.open(t, "Yen", "depository", "JPY", "100000")
	h.open(t, "Dinar savings", "depository", "KWD", "12.345")
	h.open(t, "Francs", "depository", "CHF", "77.00")
	h.open(t, "Card", "credit_card", "EUR", "250.00")
	h.open(t, "Tokyo loan", "loan", "JPY", "50000")
	h.rates(t, "2026-08-21,EUR,JPY,160.25", "2026-08-21,EUR,KWD,0.3213")
	return h
}

// TestBalanceSheet holds what was decided.
//
// Decision, Money: a missing rate is never 1: what cannot be converted is left out and told; totals name the rates they
// used.
// Decision, Trades, holdings, valuations, balance sheet: the balance sheet: amount, currency, formatted, amount_cents
// each; as_of and unconverted; liabilities are positive, net worth is assets minus liabilities; entries of the future
// do not count before their day.
// Contract, GET /api/v1/balance_sheet: the balance sheet.
func TestBalanceSheet(t *testing.T) {
	t.Parallel()
	h := newSheetHouse(t)
	h.golden(t, "balance_sheet", h.as(t, h.readKey, "GET", "/balance_sheet", ""))
	h.golden(t, "balance_sheet_no_rate", h.call(t, "GET", "/balance_sheet?as_of=2026-08-20", ""))
	const nothing = `{"amount":"0.00","currency":"EUR","formatted":"0,00` + "\u00a0" + `€","amount_cents":0}`
	h.as(t, h.neighbour, "GET", "/balance_sheet?as_of=", "").Is(t, 200, `{"currency":"EUR","as_of":"2026-08-22","net_worth":`+nothing+`,"assets":`+nothing+
		`,"liabilities":`+nothing+`,"unconverted":[],"rates":[],"stale_rates":[]}`)
	// The very next request knows: a transaction today, one of tomorrow, and an account that is closed.
	h.add(t, "Bread", `"account_id":"{Salary account}","date":"2026-08-22","amount":4.80`)
	h.add(t, "Later", `"account_id":"{Salary account}","date":"2026-08-23","amount":100`)
	h.call(t, "PATCH", "/accounts/{Card}", `{"account":{"status":"disabled"}}`).Is(t, 200, "")
	h.golden(t, "balance_sheet_after", h.call(t, "GET", "/balance_sheet?as_of=2026-08-22", ""))
}

func TestNetWorth(t *testing.T) {
	t.Parallel()
	h := newSheetHouse(t)
	h.add(t, "Bread", `"account_id":"{Salary account}","date":"2026-08-17","amount":4.80`)
	h.golden(t, "net_worth", h.as(t, h.readKey, "GET", "/net_worth", ""))
	h.golden(t, "net_worth_week", h.call(t, "GET", "/net_worth?interval=week&start_date=2026-08-10&end_date=2026-08-25", ""))
	h.as(t, h.neighbour, "GET", "/net_worth?interval=day&start_date=2026-08-22", "").Is(t, 200,
		`{"currency":"EUR","interval":"day","points":[{"date":"2026-08-22","net_worth_cents":0,"assets_cents":0,"liabilities_cents":0}],"unconverted":[],"stale_rates":[]}`)
}

// TestStaleRatesAreTold: on Saturday, 2026-08-22, the newest rate is of the 1st. The account has 160.00 EUR less 16.00 USD,
// which are 10.00 EUR at 1.6; the yen are worth 100.00 EUR, and the francs have no rate at all.
//
// Decision, Money: the newest rate on or before the day, however old, direct, inverse or through one base; told when it
// is more than seven days old.
func TestStaleRatesAreTold(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.rates(t, "2026-08-01,EUR,USD,1.6", "2026-08-01,EUR,JPY,160")
	h.open(t, "Giro", "depository", "EUR", "160.00")
	h.open(t, "Yen", "depository", "JPY", "16000")
	h.open(t, "Francs", "depository", "CHF", "7.00")
	h.add(t, "Book", `"account_id":"{Giro}","date":"2026-08-20","amount":16,"currency":"USD"`)
	const book = `{"from":"USD","to":"EUR","date":"2026-08-20","rate_date":"2026-08-01","days_old":19,"stale":true}`
	const yen = `{"from":"JPY","to":"EUR","date":"2026-08-22","rate_date":"2026-08-01","days_old":21,"stale":true}`
	const francs = `"unconverted":[{"currency":"CHF","amount_cents":700,"reason":"no_rate","accounts":["{Francs}"]}]`
	for path, parts := range map[string][]string{
		"/accounts/{Giro}": {`"balance_cents":15000`, `"unconverted":[],"stale_rates":[` + book + `]`},
		"/balance_sheet": {`"net_worth":{"amount":"250.00"`, francs, `"rates":[{"from":"EUR","to":"JPY","date":"2026-08-01","rate":"160","stale":true}]`,
			`"stale_rates":[` + yen + `,` + book + `]`},
		"/balance_sheet?as_of=2026-08-08":                   {`"net_worth":{"amount":"260.00"`, `"rate":"160","stale":false}]`, `"stale_rates":[]`},
		"/balance_sheet?as_of=2026-07-31":                   {`"unconverted":[{"currency":"CHF","amount_cents":700,"reason":"no_rate","accounts":["{Francs}"]},{"currency":"JPY"`, `"stale_rates":[]`},
		"/net_worth?start_date=2026-08-20&interval=day":     {`"net_worth_cents":25000`, `"stale_rates":[` + yen + `,` + book + `]`},
		"/balances?account_id={Giro}&start_date=2026-08-20": {`"balance_cents":15000`, `"stale_rates":[` + book + `]`},
		"/income_statement?start_date=2026-08-20":           {`"expenses":{"amount":"10.00"`, `"rate":"1.6","stale":true}]`, `"stale_rates":[` + book + `]`},
		"/explain?figure=balance&account_id={Giro}":         {`"total":{"amount":"150.00"`, `"rate":"1.6","stale":true}]`, `"stale_rates":[` + book + `]`},
		"/explain?figure=net_worth":                         {`"total":{"amount":"250.00"`, `"stale_rates":[` + yen + `,` + book + `]`},
	} {
		got := h.call(t, "GET", path, "")
		for _, part := range parts {
			if part = strings.ReplaceAll(part, "{Francs}", h.ids["Francs"]); got.StatusCode != 200 || !strings.Contains(got.Text, part) {
				t.Errorf("GET %s: got %d %s\nwithout %s", path, got.StatusCode, got.Text, part)
			}
		}
	}
}

func TestBadBalanceSheetQueries(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for path, field := range map[string]string{
		"/balance_sheet?as_of=2026-02-30":                                       "as_of",
		"/balance_sheet?as_of=today":                                            "as_of",
		"/balance_sheet?as_of=9999-12-31":                                       "as_of",
		"/balance_sheet?as_of=2026-01-01&as_of=2026-01-02":                      "as_of",
		"/net_worth?start_date=2026-13-01":                                      "start_date",
		"/net_worth?end_date=31.12.2026":                                        "end_date",
		"/net_worth?interval=year":                                              "interval",
		"/net_worth?interval=DAY":                                               "interval",
		"/net_worth?start_date=2026-08-23":                                      "start_date",
		"/net_worth?start_date=2026-02-02&end_date=2026-02-01":                  "start_date",
		"/net_worth?start_date=1900-01-01&end_date=2199-12-31&interval=week":    "interval",
		"/net_worth?start_date=2000-01-01&end_date=2010-12-14&interval=day":     "interval",
		"/net_worth?start_date=1900-01-01&end_date=2199-12-31&interval=day&x=1": "interval",
	} {
		h.refuses(t, unprocessable(field), "GET", path, "")
	}
	h.call(t, "GET", "/net_worth?start_date=1900-01-01&end_date=2199-12-31&interval=month", "").Is(t, 200, "")
	h.call(t, "GET", "/balance_sheet?as_of=%zz", "").Is(t, 400, "")
	h.call(t, "POST", "/balance_sheet", "").Is(t, 405, "")
}

// TestDeactivateMe holds what was decided.
//
// Decision, Errors: 401 unauthorized: deactivated user.
// Decision, Users and households: DELETE /users/me: 200 with a message; 422 for an admin while others are active; keys
// stop at once.
// Contract, DELETE /api/v1/users/me: deactivates the key's user: message; failures are error bodies.
func TestDeactivateMe(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	books := books.New(h.db, h.clock.read)
	who := ledger.Actor{Origin: ledger.OriginCLI}
	err := h.db.Read(t.Context(), func(ctx context.Context, q *queries.Queries) (err error) {
		who.HouseholdID, err = q.Number(ctx, "SELECT id FROM households WHERE name = 'Home'")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	member, err := books.Tenants.CreateUser(t.Context(), who, tenant.UserInput{Email: "member@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, scope := range []string{"read", "read_write"} {
		if keys[scope], _, err = books.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{Name: scope, Scope: scope, UserEmail: member.Email}); err != nil {
			t.Fatal(err)
		}
		h.as(t, keys[scope], "GET", "/usage", "").Is(t, 200, "")
	}
	const admin = "user is an admin and cannot be deactivated while other users of the household are active"
	refusal := `{"error":"validation_failed","message":"` + admin + `","details":["` + admin + `"],"errors":["` + admin + `"]}`
	h.call(t, "DELETE", "/users/me", "").Is(t, 422, refusal)
	h.as(t, keys["read"], "DELETE", "/users/me", "").Is(t, 403, "")
	h.as(t, keys["read_write"], "DELETE", "/users/me", "").Is(t, 200, `{"message":"Account has been deleted"}`)
	for _, key := range keys {
		p := h.as(t, key, "GET", "/usage", "")
		p.Is(t, 401, `{"error":"unauthorized","message":"the user of this API key has been deactivated","details":null}`)
	}
	h.as(t, keys["read_write"], "DELETE", "/users/me", "").Is(t, 401, "")
	h.call(t, "GET", "/accounts", "").Is(t, 200, "")
	h.call(t, "DELETE", "/users/me", "").Is(t, 200, "")
	h.call(t, "GET", "/accounts", "").Is(t, 401, "")
	h.as(t, h.readKey, "GET", "/accounts", "").Is(t, 401, "")
	h.as(t, h.neighbour, "GET", "/accounts", "").Is(t, 200, "")
	if got := column(t, h.file, "SELECT name FROM households WHERE abandoned_at IS NOT NULL"); fmt.Sprint(got) != "[Home]" {
		t.Errorf("abandoned are %v", got)
	}
}
