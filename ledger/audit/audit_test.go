package audit_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/audit"
	"finsvc/ledger/books"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/report"
)

// inApril is the last day of [dbtest.Books].
func inApril() time.Time { return time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC) }

// audited is what an audit of a file finds, while nobody may write to it.
func audited(t *testing.T, path string) audit.Audit {
	t.Helper()
	d, err := db.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	found, err := books.New(d, inApril).Audits.Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestOldRates: where all rates are more than a year old, the figures are counted with them all the same, and the audit finds
// nothing. A dollar is 1 / 1.5 euros and a yen 1.5 / 180 dollars, on every day.
func TestOldRates(t *testing.T) {
	t.Parallel()
	path := dbtest.Books(t)
	dbtest.Exec(t, path, "UPDATE exchange_rates SET date = date - 400")
	if text := ledgertest.Defects(audited(t, path)); text != "" {
		t.Error(text)
	}
	d, err := db.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	sheet, err := books.New(d, inApril).Reports.BalanceSheet(t.Context(), ledger.Actor{HouseholdID: 2}, ledger.Opt[ledger.Date]{})
	// 74.50 dollars in the till, and 15,000 yen at 1.5 / 180.
	if got := fmt.Sprint(sheet.NetWorth, sheet.Unconverted, sheet.Stale); err != nil || got != "19950 [] [{JPY USD 2026-04-30 2025-03-24}]" {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestBooksAreSound: the ledger says what was worked out by hand, and the audit finds nothing.
func TestBooksAreSound(t *testing.T) {
	t.Parallel()
	path := dbtest.Books(t)
	if text := ledgertest.Defects(audited(t, path)); text != "" {
		t.Error(text)
	}
	l := books.New(dbtest.Open(t, path), inApril)
	day := ledger.NewDate(2026, 1, 1)
	series, err := l.Reports.NetWorth(t.Context(), ledger.Actor{HouseholdID: 1}, report.SeriesInput{StartDate: ledger.Some(day), EndDate: ledger.Some(day.AddDays(119))})
	var got []string
	for _, p := range series.Points {
		got = append(got, fmt.Sprint(p.NetWorth))
	}
	if want := "340000 351500 358500 349400"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("net worth is %v, want %s (%v)", got, want, err)
	}
}

// TestAuditCounts: what was looked at.
func TestAuditCounts(t *testing.T) {
	t.Parallel()
	found := audited(t, dbtest.Books(t))
	want := audit.Audit{Households: 2, Accounts: 7, Transactions: 11, Trades: 3, Valuations: 5, Balances: 36} // 4 months of 7 accounts and 2 net worths
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("wanted - got +\n%s", diff)
	}
}

// rent is a key made by hand: household 1, 2026-01-10 is day 20463, the second entry.
const rent = "((1 << 43) | ((20463 + 25567) << 26) | 2)"

// TestAuditFinds spoils a file in one way at a time.
func TestAuditFinds(t *testing.T) {
	t.Parallel()
	sound := dbtest.Books(t)
	for name, c := range map[string]struct{ spoil, want string }{
		"key": {"PRAGMA ignore_check_constraints = 1; UPDATE transactions SET date = date + 1 WHERE id = " + rent, `
keys: Home, Everyday, 2026-01-11: the key of an entry says that its day is 2026-01-10
days: Home, Everyday, 2026-01-10: kept is -200.00 EUR with 1 transactions, 0 incomes and 0 trades; the entries come to 0.00 EUR with 0, 0 and 0
counts: Home, Everyday: the account says to have 6 transactions, there are 5
bands: Home: kept are 1 transactions from -200.00 EUR on, below the next hundred minor units; there are 0
`},
		"sequence": {"UPDATE households SET entry_sequence = 9 WHERE id = 2", `
keys: Büro: the last creation number is said to be 9, an entry has 10
`},
		"another's key": {"PRAGMA ignore_check_constraints = 1; UPDATE trades SET household_id = 2 WHERE kind = 'dividend'", `
references: Büro: 1 rows of trades have in account_id the key 4 of accounts, which belongs to another household
references: Büro: 1 rows of trades have in security_id the key 1 of securities, which belongs to another household
keys: Büro, account 4, 2026-04-15: the key of an entry says that it belongs to household 1
`},
		"count of a day": {"UPDATE account_days SET incomes = 1 WHERE account_id = 1 AND transactions = 1 AND amount = -20000", `
days: Home, Everyday, 2026-01-10: kept is -200.00 EUR with 1 transactions, 1 incomes and 0 trades; the entries come to -200.00 EUR with 1, 0 and 0
`},
		"currency of a day": {"UPDATE account_days SET other_currency = 1 WHERE account_id = 6", `
days: Büro, Till, 2026-02-01: that USD is another currency than the account's is said to be true, and is false
balances: Büro, 2026-02-28: the ledger's net worth is 49.00 USD; the entries come to 74.50 USD
balances: Büro, 2026-03-31: the ledger's net worth is 169.00 USD; the entries come to 194.50 USD
balances: Büro, 2026-04-30: the ledger's net worth is 174.00 USD; the entries come to 199.50 USD
balances: Büro, Till, 2026-03-31: the ledger's balance is 49.00 USD; the entries come to 74.50 USD
balances: Büro, Till, 2026-04-30: the ledger's balance is 49.00 USD; the entries come to 74.50 USD
months: Büro, Till: kept is for 2026-02 -25.50 USD of 1 days; the days come to 0.00 USD of 0
`},
		"day too many": {"INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes) VALUES (1, 20457, 'EUR', 1, 0, 1, 0)", `
days: Home, Everyday, 2026-01-04: kept is 0.00 EUR with 1 transactions, 0 incomes and 0 trades; the entries come to 0.00 EUR with 0, 0 and 0
`},
		"day missing": {"DELETE FROM account_days WHERE account_id = 7", `
days: Büro, Yen, 2026-03-03: kept is 0 JPY with 0 transactions, 0 incomes and 0 trades; the entries come to 15000 JPY with 1, 1 and 0
balances: Büro, 2026-03-31: the ledger's net worth is 74.50 USD; the entries come to 194.50 USD
balances: Büro, 2026-04-30: the ledger's net worth is 74.50 USD; the entries come to 199.50 USD
balances: Büro, Yen, 2026-03-31: the ledger's balance is 0 JPY; the entries come to 15000 JPY
balances: Büro, Yen, 2026-04-30: the ledger's balance is 0 JPY; the entries come to 15000 JPY
`},
		"days of a month": {"UPDATE account_months SET days = 3 WHERE account_id = 1 AND month = 202601", `
months: Home, Everyday: kept is for 2026-01 1300.00 EUR of 3 days; the days come to 1300.00 EUR of 2
`},
		"sum of a month": {"UPDATE account_months SET lower = lower + 100 WHERE account_id = 6 AND month = 202602", `
balances: Büro, 2026-02-28: the ledger's net worth is 75.50 USD; the entries come to 74.50 USD
balances: Büro, 2026-03-31: the ledger's net worth is 195.50 USD; the entries come to 194.50 USD
balances: Büro, 2026-04-30: the ledger's net worth is 200.50 USD; the entries come to 199.50 USD
balances: Büro, Till, 2026-03-31: the ledger's balance is 75.50 USD; the entries come to 74.50 USD
balances: Büro, Till, 2026-04-30: the ledger's balance is 75.50 USD; the entries come to 74.50 USD
months: Büro, Till: kept is for 2026-02 -24.50 USD of 1 days; the days come to -25.50 USD of 1
`},
		"band": {"UPDATE amount_bands SET transactions = 2 WHERE household_id = 2 AND currency = 'JPY'", `
bands: Büro: kept are 2 transactions from 15000 JPY on, below the next hundred minor units; there are 1
`},
		"count": {"UPDATE accounts SET transaction_count = 7 WHERE id = 2", `
counts: Home, Card: the account says to have 7 transactions, there are 2
`},
		"text missing": {"DELETE FROM transactions_fts WHERE rowid = " + rent, `
search: Home, 2026-01-10: no search finds the transaction with creation number 2
`},
		"text too many": {"INSERT INTO transactions_fts (rowid, name, notes, merchant) VALUES (" + rent + " + 20, 'x', '', '')", `
search: Home, 2026-01-10: a search finds creation number 22, which no transaction has
`},
		"one side": {"UPDATE transactions SET transfer_id = NULL WHERE name = 'To the card'", `
transfers: Home, 2026-02-06: transfer 1 has 1 sides in 1 accounts, 1 in and 0 out; there must be two in two accounts, one in and one out
`},
		"three sides": {"UPDATE transactions SET transfer_id = 1 WHERE name = 'Salary'", `
transfers: Home, 2026-01-20: transfer 1 has 3 sides in 2 accounts, 2 in and 1 out; there must be two in two accounts, one in and one out
`},
		"rejected": {"UPDATE rejected_transfers SET inflow_id = (SELECT id FROM transactions WHERE name = 'Payment, thank you'), outflow_id = (SELECT id FROM transactions WHERE name = 'To the card')", `
transfers: Home, Card, 2026-02-06: a pair that was declared to be no transfer is one
`},
		"lines": {"UPDATE transaction_lines SET amount = -2001 WHERE position = 2", `
bands: Home: kept are 1 transactions from -20.00 EUR on, below the next hundred minor units; there are 0
bands: Home: kept are 0 transactions from -21.00 EUR on, below the next hundred minor units; there are 1
lines: Home, Everyday, 2026-03-20: the lines of a transaction of -50.00 EUR come to -50.01 EUR
`},
		"one line": {"UPDATE transaction_lines SET amount = -5000 WHERE position = 1; DELETE FROM transaction_line_tags; DELETE FROM transaction_lines WHERE position = 2", `
days: Home, Everyday, 2026-03-20: kept is -50.00 EUR with 2 transactions, 0 incomes and 0 trades; the entries come to -50.00 EUR with 1, 0 and 0
counts: Home, Everyday: the account says to have 6 transactions, there are 5
bands: Home: kept are 1 transactions from -30.00 EUR on, below the next hundred minor units; there are 0
bands: Home: kept are 1 transactions from -20.00 EUR on, below the next hundred minor units; there are 0
bands: Home: kept are 0 transactions from -50.00 EUR on, below the next hundred minor units; there are 1
lines: Home, Everyday, 2026-03-20: a split transaction has 1 line; there must be two
`},
		"category beside lines": {"UPDATE transactions SET category_id = 1 WHERE name = 'Market hall'", `
lines: Home, Everyday, 2026-03-20: a split transaction has a category besides those of its lines
`},
		"three levels": {"UPDATE categories SET parent_id = 2, classification = 'expense' WHERE id = 3", `
categories: Home: category "Work" is below "Rent", which is below another: there must be two levels
`},
		"classification": {"UPDATE categories SET classification = 'income' WHERE id = 2", `
categories: Home: category "Rent" is income, and "Living" above it is expense
`},
		"another's category": {"UPDATE transactions SET category_id = 4 WHERE name = 'Salary'", `
references: Home: 1 rows of transactions have in category_id the key 4 of categories, which belongs to another household
`},
		"another's tag": {"UPDATE transaction_tags SET tag_id = 2", `
references: Home: 1 rows of transaction_tags have in tag_id the key 2 of tags, which belongs to another household
`},
		"another's parent": {"UPDATE categories SET parent_id = 1 WHERE id = 4", `
references: Büro: 1 rows of categories have in parent_id the key 1 of categories, which belongs to another household
`},
		"orphan": {"PRAGMA foreign_keys = 0; DELETE FROM merchants WHERE id = 1; UPDATE transaction_lines SET merchant_id = NULL", `
references: Home: 1 rows of transactions have in merchant_id the key 1 of merchants, which is not there
`},
		"orphaned tag": {"PRAGMA foreign_keys = 0; UPDATE transaction_tags SET transaction_id = transaction_id + 30", `
references: Home: 1 rows of transaction_tags have in transaction_id the key 11885114032160 of transactions, which is not there
`},
		"hidden": {"UPDATE households SET hidden_from = 20, hidden_to = 29 WHERE id = 1", `
hidden: Home: creation numbers 20 to 29 are hidden, and no import works on them
`},
		"import": {"UPDATE imports SET first_sequence = 20, last_sequence = 29 WHERE id = 1", `
hidden: Home: import 1 is complete and holds creation numbers
`},
		"day of a valuation": {"UPDATE valuations SET date = 90000 WHERE id = 2; UPDATE valuations SET date = NULL WHERE id = 1", `
dates: Home, Everyday: a valuation is of 2216-05-31, which must lie between 1900-01-01 and 2199-12-31
`},
		"currency": {"INSERT INTO exchange_rates VALUES ('EUR', 'ZZZ', 20463, '1', 'test')", `
currencies: Büro: "ZZZ" is no currency
currencies: Home: "ZZZ" is no currency
`},
		"cost": {"UPDATE positions SET cost = '379' WHERE quantity = '15'", `
holdings: Home, Broker, 2026-04-10: kept of ACME is 15 at a cost of 379 EUR; trades and splits come to 15 at a cost of 378.75 EUR
`},
		"sums of a month": {"UPDATE month_sums SET sums = x'00034A5059000098750002' WHERE part = 0; DELETE FROM month_sums WHERE part = 3", `
sums: Büro: the sums that are kept of 2026-03 by category are not those of its transactions
sums: Büro: the sums that are kept of 2026-03 by tags are not those of its transactions
`},
		"sums of rows that changed": {"DROP TRIGGER month_sums_update; UPDATE transactions SET merchant_id = 2 WHERE name = 'Fee'", `
sums: Büro: the sums that are kept of 2026-03 by merchant are not those of its transactions
`},
		"position missing": {"DELETE FROM positions WHERE quantity = '20'; UPDATE holding_values SET value = 27000 WHERE value = 54000", `
balances: Home, 2026-03-31: the ledger's net worth is 3315.00 EUR; the entries come to 3585.00 EUR
balances: Home, Broker, 2026-03-31: the ledger's balance is 765.00 EUR; the entries come to 1035.00 EUR
holdings: Home, Broker, 2026-03-10: kept of ACME is nothing; trades and splits come to 20 at a cost of 505 EUR
`},
		"trade price": {"UPDATE trade_prices SET price = '28.5' WHERE price = '28'", `
holdings: Home, 2026-04-10: the kept price of trades of ACME is "28.5 EUR", that of the trades "28 EUR"
`},
		"value too many": {"INSERT INTO holding_values VALUES (4, 'EUR', unixepoch('2026-03-10') / 86400, 1, 52000)", `
holdings: Home, Broker, 2026-03-10: the kept value of what is held is 520.00 EUR; it does not change on that day
`},
		"value": {"UPDATE holding_values SET value = 40501 WHERE value = 40500", `
balances: Home, 2026-04-30: the ledger's net worth is 3494.01 EUR; the entries come to 3494.00 EUR
balances: Home, Broker, 2026-04-30: the ledger's balance is 1052.01 EUR; the entries come to 1052.00 EUR
holdings: Home, Broker, 2026-04-10: the kept value of what is held is 405.01 EUR; it is worth 405.00 EUR
`},
		"short": {"UPDATE trades SET quantity = '-25' WHERE kind = 'sell'", `
balances: Home, 2026-04-30: the ledger's net worth is 3494.00 EUR; the entries come to 2954.00 EUR
balances: Home, Broker, 2026-04-30: the ledger's balance is 1052.00 EUR; the entries come to 512.00 EUR
holdings: Home, Broker, 2026-04-10: 5 of ACME are sold without being held, and without leave
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := spoilt(t, sound, c.spoil)
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), ledgertest.Defects(audited(t, path))); diff != "" {
				t.Errorf("wanted - found +\n%s", diff)
			}
		})
	}
}

// spoilt is a copy of a file on which statements were run.
func spoilt(t *testing.T, path, text string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "finance.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGeneratedBooksAreSound: years of made-up books with many currencies and trades have no defect.
func TestGeneratedBooksAreSound(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	dbtest.Fill(t, d, dbtest.Shape{Transactions: 3000, Accounts: 8, Categories: 20, Merchants: 50, Tags: 10, Days: 700, Currencies: 2, Investments: 2, Trades: 300, Securities: 6})
	found, err := books.New(d, inApril).Audits.Audit(t.Context())
	if err != nil || len(found.Defects) > 0 || found.Transactions != 3000 || found.Trades != 300 {
		t.Errorf("%d transactions, %d trades, %v\n%s", found.Transactions, found.Trades, err, ledgertest.Defects(found))
	}
}

// TestLedgerLeavesSoundBooks: whatever is done to transactions, accounts, transfers, valuations and trades, the audit
// finds no defect afterwards.
func TestLedgerLeavesSoundBooks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewModel(t)
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			m.Step(r)
			if rapid.IntRange(0, 4).Draw(r, "keep sums") == 0 {
				m.Keep()
			}
		}
		m.Sound(r)
		if err := m.DB.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
