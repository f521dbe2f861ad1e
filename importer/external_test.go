package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
)

// TestBackupKnowsIDs: a row is the transaction that has its id elsewhere, whatever day, amount and name either has and
// whatever a person has said of it. Another source or account is another id. Of two entries on one day the one with
// the id is taken, though the other looks like the row.
//
// Decision, Imports: matched rows are listed as already_imported with what they match.
func TestBackupKnowsIDs(t *testing.T) {
	t.Parallel()
	const account = "'id':'a1','name':'Checking','balance':'0','accountable_type':'Depository','currency':'EUR'"
	const id = "'external_id':'7','source':'bank'"
	for name, c := range map[string]struct{ booked, row, want string }{
		"all the same":     {"7 bank", "'date':'2026-01-31','amount':'5','name':'Shop'," + id, "already_imported 1"},
		"all else differs": {"7 bank", "'date':'2026-03-01','amount':'-6','name':'Else'," + id, "already_imported 1"},
		"another source":   {"7 shop", "'date':'2026-03-01','amount':'-6','name':'Else'," + id, "imported 2"},
		"another id":       {"8 bank", "'date':'2026-03-01','amount':'-6','name':'Else'," + id, "imported 2"},
		"by its text":      {"8 bank", "'date':'2026-01-31','amount':'5','name':'Shop'," + id, "already_imported 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.bookID("2026-01-31", "Shop", c.booked)
			imp := k.publishBackup(record("Account", account) + record("Transaction",
				"'id':'x1','account_id':'a1',"+c.row))
			_, total := k.transactions()
			if got := fmt.Sprint(strings.Fields(k.fates(imp))[1], " ", total); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestBackupKnowsIDsBeforeTexts: each entry is taken once, and an id is stronger than a text.
func TestBackupKnowsIDsBeforeTexts(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.bookID("2026-01-31", "Shop", "7 bank")
	content := record("Account", "'id':'a1','name':'Checking','balance':'0','accountable_type':'Depository','currency':'EUR'") +
		record("Transaction", "'id':'x1','account_id':'a1','date':'2026-01-31','amount':'5','name':'Shop'") +
		record("Transaction", "'id':'x2','account_id':'a1','date':'2026-02-01','amount':'6','name':'Else','external_id':'7','source':'bank'")
	for _, want := range []string{"imported imported already_imported", "imported already_imported already_imported"} {
		if got := k.fates(k.publishBackup(content)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if _, total := k.transactions(); total != 2 {
			t.Errorf("there are %d transactions", total)
		}
	}
}

// bookID creates a transaction of 5.00 out with an id elsewhere and its source.
func (k *fixture) bookID(day, name, id string) {
	k.tb.Helper()
	date, err := ledger.ParseDate(day)
	if err != nil {
		k.tb.Fatal(err)
	}
	if _, _, err := k.ledger.Entries.CreateTransaction(k.tb.Context(), k.who,
		entry.TransactionInput{AccountID: ledger.Some(k.account), Date: ledger.Some(date),
			Amount: ledger.Some(decimal.NewFromInt(5)), Name: ledger.Some(name), ExternalID: ledger.Some(id[:1]),
			Source: ledger.Some(id[2:])}); err != nil {
		k.tb.Fatal(err)
	}
}
