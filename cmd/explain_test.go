package cmd_test

import (
	"encoding/json"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/names"
	"finsvc/ledger/trade"
)

// newExplainShell has 1,000.00 EUR on 2026-01-31, 4.80 spent and 100.00 received since, and 125.00 USD at 1.25 a euro.
func newExplainShell(t *testing.T) *cmdtest.CommandLine {
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--currency", "EUR", "--owner", "ana@example.org")
	s.OK("account", "create", "Checking", "--type", "depository", "--balance", "1000", "--date", "2026-01-31")
	s.OK("account", "create", "Dollars", "--type", "depository", "--currency", "USD", "--balance", "125", "--date", "2026-01-31")
	s.OK("import", s.Write("bank.csv", "date,amount,name\n2026-02-03,-4.80,Bread\n2026-02-04,100.00,Salary\n"), "--account", "Checking", "--yes")
	s.OK("rates", "import", s.Write("rates.csv", "date,from,to,rate\n2026-02-05,EUR,USD,1.25\n"))
	return s
}

func TestExplainBalance(t *testing.T) {
	t.Parallel()
	s := newExplainShell(t)
	table := "DATE        PART         OF      QTY  PRICE      AMOUNT  ORIGINAL  RATE\n" +
		"2026-01-31  opening                          1.000,00\u00a0€\n" +
		"2026-02-03  transaction  Bread                  -4,80\u00a0€\n" +
		"2026-02-04  transaction  Salary                100,00\u00a0€\n" +
		"2026-02-05  is                               1.095,20\u00a0€\n"
	if diff := cmp.Diff(table, s.OK("explain", "balance", "checking", "--date", "2026-02-05")); diff != "" {
		t.Error(diff)
	}
	table = "DATE        PART         OF      QTY  PRICE      AMOUNT  ORIGINAL  RATE\n" +
		"2026-02-04  transaction  Salary                100,00\u00a0€\n" +
		"2026-02-05  change                             100,00\u00a0€\n" +
		"2026-02-03  was                                995,20\u00a0€\n" +
		"2026-02-05  is                               1.095,20\u00a0€\n"
	if diff := cmp.Diff(table, s.OK("explain", "balance", "checking", "--date", "2026-02-05", "--from", "2026-02-03")); diff != "" {
		t.Error(diff)
	}
	s.Fails(5, []string{"explain", "balance", "Nothing"}, `Account "Nothing" not found`)
	s.Fails(2, []string{"explain", "balance", "Checking", "--date", "today"}, "date must be")
	s.Fails(2, []string{"explain", "balance", "Checking", "--from", "2026-03-01", "--date", "2026-02-28"}, "from must not be after date")
	s.Fails(2, []string{"explain", "holding", "Checking", "ACME"}, "ACME")
	s.Fails(2, []string{"explain", "balance"}, "accepts 1 arg")
	s.Fails(2, []string{"explain"}, "balance, holding, net-worth")
}

func TestExplainNetWorth(t *testing.T) {
	t.Parallel()
	s := newExplainShell(t)
	table := "DATE        PART     OF        QTY  PRICE      AMOUNT  ORIGINAL  RATE\n" +
		"            account  Checking              1.095,20\u00a0€\n" +
		"            account  Dollars                 100,00\u00a0€  125,00\u00a0$  EUR/USD 1.25 of 2026-02-05\n" +
		"2026-02-05  is                             1.195,20\u00a0€\n"
	if diff := cmp.Diff(table, s.OK("explain", "net-worth", "--date", "2026-02-05")); diff != "" {
		t.Error(diff)
	}
	got := s.Do("explain", "net-worth", "--date", "2026-02-02")
	if got.Status != 0 || got.Stderr != "Left out, as there is no exchange rate at all: 125,00\u00a0$\n" {
		t.Errorf("got %+v", got)
	}
	// On the 4th the dollars count for nothing yet: their rate alone is the change.
	var e struct {
		Total int64 `json:"total_cents"`
		From  int64 `json:"from_cents"`
		Sum   int64 `json:"sum_of_parts_cents"`
		Parts []struct {
			Kind, Account string
			Amount        int64  `json:"amount_cents"`
			Original      int64  `json:"original_cents"`
			Currency      string `json:"original_currency"`
			Rates         []struct{ From, To, Date, Rate string }
		}
	}
	if err := json.Unmarshal([]byte(s.OK("explain", "net-worth", "--date", "2026-02-05", "--from", "2026-02-04", "--json")), &e); err != nil {
		t.Fatal(err)
	}
	last := e.Parts[len(e.Parts)-1]
	if e.Total != 119520 || e.From != 109520 || e.Sum != 10000 || last.Kind != "rates" || last.Amount != 10000 || last.Original != 12500 || last.Currency != "USD" || last.Rates[0].Rate != "1.25" {
		t.Errorf("got %+v", e)
	}
}

// TestExplainHolding: 10 at 100.00 with a fee of 1.50 cost 1,001.50; 4 are sold, 6 stay, for 600.90; the price paid last
// is 120.00, so 6 are worth 720.00.
func TestExplainHolding(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--currency", "EUR", "--owner", "ana@example.org")
	s.OK("account", "create", "Broker", "--type", "investment")
	database, err := db.Open(t.Context(), s.File)
	if err != nil {
		t.Fatal(err)
	}
	books := books.New(database, time.Now)
	homes, err := books.Tenants.ListHouseholds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: homes[0].ID, Origin: ledger.OriginCLI}
	broker, err := books.Names.Find(t.Context(), who, names.Account, "Broker")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []trade.Input{
		{Quantity: ledger.Some(decimal.New(10, 0)), Price: ledger.Some(decimal.New(100, 0)), Fee: ledger.Some(decimal.New(15, -1)), Date: ledger.Some(ledger.NewDate(2026, 2, 3))},
		{Quantity: ledger.Some(decimal.New(-4, 0)), Price: ledger.Some(decimal.New(120, 0)), Date: ledger.Some(ledger.NewDate(2026, 2, 5))},
	} {
		in.AccountID, in.Ticker = ledger.Some(broker.ID), ledger.Some("ACME")
		if _, err := books.Trades.CreateTrade(t.Context(), who, in); err != nil {
			t.Fatal(err)
		}
	}
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	table := "DATE        PART     OF                          QTY     PRICE    AMOUNT     ORIGINAL  RATE\n" +
		"2026-02-03  buy      Buy 10 shares of ACME → 10   10  100,00\u00a0€            -1.001,50\u00a0€\n" +
		"2026-02-05  sell     Sell 4 shares of ACME → 6    -4  120,00\u00a0€               480,00\u00a0€\n" +
		"2026-02-06  holding  ACME                          6  120,00\u00a0€  720,00\u00a0€\n" +
		"2026-02-06  is                                                  720,00\u00a0€\n"
	if diff := cmp.Diff(table, s.OK("explain", "holding", "Broker", "acme", "--date", "2026-02-06")); diff != "" {
		t.Error(diff)
	}
	var e struct{ Parts, Entries []map[string]any }
	if err := json.Unmarshal([]byte(s.OK("explain", "holding", "Broker", "ACME", "--date", "2026-02-06", "--json")), &e); err != nil {
		t.Fatal(err)
	}
	if last := e.Entries[1]; last["cost"] != "600.9" || last["qty_after"] != "6" || last["cash_cents"] != 48000.0 || e.Parts[0]["amount_cents"] != 72000.0 {
		t.Errorf("got %v", e)
	}
	s.Fails(5, []string{"explain", "holding", "Broker", "ACME", "--date", "2026-02-02"}, "Holding not found")
}
