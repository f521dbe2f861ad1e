package importer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/importer"
	"finsvc/importer/match"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

const withBalances = "Date,Amount,Payee,Balance\n2026-01-02,-5.00,Shop,95.00\n2026-01-03,20.00,Refund,115.00\n2026-01-05,-15.00,Book,100.00\n"

// reconciled is what an import says of its balances: opening, closing, what the account shows, and from when they
// differ.
func (k *fixture) reconciled(imp queries.Import) string {
	k.tb.Helper()
	if imp = k.get(imp); imp.Reconciliation == nil {
		return "nothing"
	}
	var list []importer.Reconciliation
	if err := json.Unmarshal([]byte(*imp.Reconciliation), &list); err != nil {
		k.tb.Fatal(err)
	}
	return said(list)
}

func said(list []importer.Reconciliation) string {
	var parts []string
	for _, r := range list {
		one := fmt.Sprintf("%s %d, %s %d, account %d", r.FirstDay, r.Opening, r.LastDay, r.Closing, r.Shown)
		if r.Difference != 0 {
			one += fmt.Sprintf(", differ by %d", r.Difference)
		}
		if r.From != nil {
			one += " from " + *r.From
		}
		if r.OpeningTaken {
			one += ", taken"
		}
		if r.Held+r.Pending > 0 {
			one += fmt.Sprintf(", %d held, %d pending", r.Held, r.Pending)
		}
		parts = append(parts, one)
	}
	return strings.Join(parts, "; ")
}

// freshAccount opens an account of which nothing is said besides.
func (k *fixture) freshAccount(kind string, balance *string) {
	k.tb.Helper()
	in := catalog.AccountInput{Name: ledger.Some("Fresh " + kind), AccountType: ledger.Some(kind),
		Currency: ledger.Some("EUR")}
	if balance != nil {
		in.Balance = ledger.Some(decimal.RequireFromString(*balance))
	}
	account, err := k.ledger.Accounts.CreateAccount(k.tb.Context(), k.who, in)
	if err != nil {
		k.tb.Fatal(err)
	}
	k.account = uuid.UUID(account.PublicID)
}

// TestOpeningOfTheFile: the first import of an account takes the opening balance that the file proves, unless somebody
// has said one, and a revert takes it back.
func TestOpeningOfTheFile(t *testing.T) {
	t.Parallel()
	newest := "Date,Amount,Payee,Balance\n2026-01-05,-15.00,Book,100.00\n2026-01-03,20.00,Refund,115.00\n2026-01-02,-5.00,Shop,95.00\n"
	owed := "Date,Amount,Payee,Balance\n2026-01-02,-5.00,Shop,105.00\n2026-01-03,20.00,Payment,85.00\n2026-01-05,-15.00,Book,100.00\n"
	debt := "Date,Amount,Payee,Balance\n2026-01-02,-5.00,Shop,-105.00\n2026-01-03,20.00,Payment,-85.00\n2026-01-05,-15.00,Book,-100.00\n"
	const taken = "2026-01-02 10000, 2026-01-05 10000, account 10000, taken"
	for name, c := range map[string]struct {
		kind, file, said string
		balance          *string
		after            int64
	}{
		"oldest first":        {"depository", withBalances, taken, nil, 10000},
		"newest first":        {"depository", newest, taken, nil, 10000},
		"what is owed":        {"credit_card", owed, taken, nil, 10000},
		"debts as a minus":    {"credit_card", debt, taken, nil, 10000},
		"said to be nothing":  {"depository", withBalances, "2026-01-02 10000, 2026-01-05 10000, account 0, differ by 10000 from 2026-01-02", new("0"), 0},
		"said otherwise":      {"depository", withBalances, "2026-01-02 10000, 2026-01-05 10000, account 7000, differ by 3000 from 2026-01-02", new("70.00"), 7000},
		"it does not add up":  {"depository", strings.Replace(withBalances, "115.00", "116.00", 1), "nothing", nil, 0},
		"begins with nothing": {"depository", "Date,Amount,Payee,Balance\n2026-01-02,5.00,Shop,5.00\n2026-01-03,-2.00,Refund,3.00\n", "2026-01-02 0, 2026-01-03 300, account 300", nil, 300},
		"pending rows between": {"depository", "Date,Amount,Payee,Balance,Status\n2026-01-02,-5.00,Shop,95.00,Completed\n2026-01-03,-9.00,Bar,,Pending\n2026-01-05,5.00,Book,100.00,Completed\n2026-01-06,-1.00,Bus,99.00,Completed\n",
			"2026-01-02 10000, 2026-01-06 9900, account 9900, taken, 0 held, 1 pending", nil, 9900},
		"balance of days only": {"depository", "Date,Amount,Payee,Balance\n2026-01-02,-5.00,Shop,\n2026-01-02,-1.00,Bus,94.00\n2026-01-03,-2.00,Bus,\n2026-01-03,-3.00,Bar,89.00\n", "2026-01-02 10000, 2026-01-03 8900, account 8900, taken", nil, 8900},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.freshAccount(c.kind, c.balance)
			in := importer.Request{AccountID: ledger.Some(k.account), Publish: true}
			in.Settings.BalanceColLabel = new("Balance")
			in.Settings.SignageConvention = new("inflows_positive")
			if got := said(k.preflight(c.file, in).Reconciliations); got != strings.Replace(c.said, "nothing", "", 1) {
				t.Errorf("preflight: %s", got)
			}
			before, err := k.ledger.Accounts.GetAccount(t.Context(), k.who, k.account)
			if err != nil {
				t.Fatal(err)
			}
			imp := k.upload(c.file, in)
			k.work()
			if got := k.reconciled(imp); got != c.said {
				t.Errorf("got %s\nwant %s", got, c.said)
			}
			account, err := k.ledger.Accounts.GetAccount(t.Context(), k.who, k.account)
			if err != nil || account.BalanceMinor != c.after && c.said != "nothing" {
				t.Errorf("balance %d, %v", account.BalanceMinor, err)
			}
			if _, err := k.revert(k.get(imp), false); err != nil {
				t.Fatal(err)
			}
			k.work()
			if account, err = k.ledger.Accounts.GetAccount(t.Context(), k.who, k.account); err != nil ||
				account.BalanceMinor != before.BalanceMinor {
				t.Errorf("reverted: balance %d, before %d, %v", account.BalanceMinor, before.BalanceMinor, err)
			}
			if done := k.get(imp); done.Reconciliation != nil {
				t.Errorf("reverted: %s", *done.Reconciliation)
			}
		})
	}
}

// TestGapBetweenFiles: rows that no file has brought are missed where the balances of the next file begin.
func TestGapBetweenFiles(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.freshAccount("depository", nil)
	if got := k.reconciled(k.bookFile(withBalances)); got != "2026-01-02 10000, 2026-01-05 10000, account 10000, taken" {
		t.Error(got)
	}
	gap := k.bookFile("Date,Amount,Payee,Balance\n2026-01-20,-1.00,Bus,92.00\n2026-01-21,-2.00,Bar,90.00\n")
	if got := k.reconciled(gap); got != "2026-01-20 9300, 2026-01-21 9000, account 9700, differ by -700 from 2026-01-20" {
		t.Error(got)
	}
	k.bookFile("Date,Amount,Payee,Balance\n2026-01-10,-3.00,Bus,97.00\n2026-01-11,-4.00,Bar,93.00\n")
	again := k.bookFile("Date,Amount,Payee,Balance\n2026-01-20,-1.00,Bus,92.00\n2026-01-21,-2.00,Bar,90.00\n2026-01-22,-1.00,Bus,89.00\n")
	if got := k.reconciled(again); got != "2026-01-20 9300, 2026-01-22 8900, account 8900" {
		t.Error(got)
	}
	held := k.bookFile("Date,Amount,Payee,Balance\n2026-01-22,-1.00,Tram,88.00\n2026-01-23,-1.00,Bus,87.00\n")
	if got := k.reconciled(held); got != "2026-01-22 8900, 2026-01-23 8700, account 8800, differ by -100 from 2026-01-22, 1 held, 0 pending" {
		t.Error(got)
	}
	if _, err := k.DecideAll(t.Context(), k.who, uuid.UUID(held.PublicID), match.DecisionNew); err != nil {
		t.Fatal(err)
	}
	if got := k.reconciled(held); got != "2026-01-22 8900, 2026-01-23 8700, account 8700" {
		t.Error(got)
	}
}

// TestOpeningOfANewAccount: an account that a file opens has the opening balance that the file proves.
func TestOpeningOfANewAccount(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.send("Date,Account,Amount,Payee,Balance\n2026-01-02,Giro,-5.00,Shop,95.00\n2026-01-03,Giro,-5.00,Shop,90.00\n2026-01-03,Pocket,-5.00,Shop,15.00\n2026-01-04,Pocket,-5.00,Shop,10.00\n",
		importer.Request{Publish: true})
	k.work()
	if got := k.reconciled(imp); got != "2026-01-02 10000, 2026-01-03 9000, account 9000, taken; 2026-01-03 2000, 2026-01-04 1000, account 1000, taken" {
		t.Errorf("%s; %v", got, k.get(imp).Error)
	}
	before := k.get(imp)
	if _, err := k.revert(before, false); err != nil {
		t.Fatal(err)
	}
	k.work()
	if done := k.get(imp); done.Error != nil {
		t.Errorf("kept: %s", *done.Error)
	}
}
