package closing_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// house is a household of which an account goes.
type house struct {
	*ledgertest.Fixture
	plain, brokers []uuid.UUID
}

// tables are all in which an account leaves traces. Transfers are compared by their sides: their keys are given anew.
func tables() []string {
	return []string{"accounts", "valuations", "transactions", "transaction_tags", "transaction_lines", "transaction_rules", "account_days",
		"account_months", "amount_bands", "trades", "positions", "trade_prices", "holding_values", "rules", "imports", "import_settings",
		"import_matches", "import_held_rows", "import_decisions", "moved_entries", "unsettled_entries"}
}

// state is what stands in the tables, without what every write moves.
func (b *house) state(r interface{ Fatal(...any) }) string {
	var lines []string
	err := b.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		texts := []string{
			`SELECT 'transfer ' || i.id || ' ' || o.id || ' ' || f.status FROM transfers f JOIN transactions i ON i.transfer_id = f.id AND i.amount > 0
				JOIN transactions o ON o.transfer_id = f.id AND o.amount < 0`,
			"SELECT 'rejected ' || inflow_id || ' ' || outflow_id FROM rejected_transfers",
			"SELECT 'text ' || rowid FROM transactions_fts WHERE transactions_fts MATCH 'row'"}
		for _, table := range tables() {
			err := q.EachRow(ctx, func(scan func(...any) error) error {
				var columns string
				err := scan(&columns)
				texts = append(texts, fmt.Sprintf("SELECT '%s ' || concat_ws(' ', %s) FROM %s", table, columns, table))
				return err
			}, "SELECT group_concat('quote(' || name || ')') FROM pragma_table_info(?) WHERE name NOT IN ('updated_at', 'transfer_id') AND NOT (name = 'id' AND ?1 = 'import_settings')", table)
			if err != nil {
				return err
			}
		}
		for _, text := range texts {
			err := q.EachRow(ctx, func(scan func(...any) error) error {
				var line string
				err := scan(&line)
				lines = append(lines, line)
				return err
			}, text)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// differing are the lines that only one of two states has.
func differing(got, want string) string {
	var out []string
	for _, one := range []struct{ mark, of, other string }{{"+ ", got, want}, {"- ", want, got}} {
		others := strings.Split(one.other, "\n")
		for line := range strings.SplitSeq(one.of, "\n") {
			if !slices.Contains(others, line) {
				out = append(out, one.mark+line)
			}
		}
	}
	return strings.Join(out, "\n")
}

// newHouse draws a household with all that an account may have.
func newHouse(t *testing.T, r *rapid.T) *house {
	b := &house{Fixture: ledgertest.New(t)}
	day := func() ledger.Date {
		return ledger.NewDate(2026, 3, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "day"))
	}
	for i := range 3 {
		in := ledgertest.AccountNamed(fmt.Sprint("plain ", i), "depository")
		in.Currency = ledger.Some("EUR")
		if rapid.Bool().Draw(r, "stated") {
			in.Balance = ledger.Some(decimal.NewFromInt(rapid.Int64Range(1, 3).Draw(r, "opening")))
		}
		if rapid.Bool().Draw(r, "dated") {
			in.Date = ledger.Some(day())
		}
		b.plain = append(b.plain, uuid.UUID(b.Open(in).PublicID))
	}
	for i := range 2 {
		b.brokers = append(b.brokers, uuid.UUID(b.OpenWith(fmt.Sprint("broker ", i), "investment", "EUR", "100").PublicID))
	}
	account := func() uuid.UUID { return rapid.SampledFrom(b.plain).Draw(r, "account") }
	category, tag := b.Category(b.Who, "Food"), b.Tag(b.Who, "holiday")
	b.Rule("of one account", []string{"transaction_account = " + account().String()}, []string{"set_transaction_category " + category.String()})
	var ids []uuid.UUID
	for i := range rapid.IntRange(0, 12).Draw(r, "transactions") {
		in := ledgertest.Entry(account(), day().String(), fmt.Sprint(rapid.SampledFrom([]int{-20, -10, 10, 20}).Draw(r, "amount")), fmt.Sprint("row ", i))
		if rapid.Bool().Draw(r, "tagged") {
			in.TagIDs = ledger.Some([]uuid.UUID{tag})
		}
		ids = append(ids, uuid.UUID(b.Create(in).PublicID))
	}
	for _, id := range ids {
		switch rapid.IntRange(0, 5).Draw(r, "done to it") {
		case 0:
			line := func(share int64) entry.SplitLineInput {
				return entry.SplitLineInput{Amount: ledger.Some(decimal.NewFromInt(share)), CategoryID: ledger.Some(category)}
			}
			_, err := b.Entries.UpdateTransaction(b.Ctx(), b.Who, id, entry.TransactionInput{Amount: ledgertest.AmountOf("30"), Nature: ledger.Some("expense"),
				SplitLines: ledger.Some([]entry.SplitLineInput{line(10), line(20)})})
			b.allow(r, err)
		case 1:
			_, err := b.Entries.UpdateTransaction(b.Ctx(), b.Who, id, entry.TransactionInput{Date: ledger.Some(day())})
			b.allow(r, err)
		}
	}
	for _, t := range b.ListedTransfers() {
		var err error
		switch rapid.IntRange(0, 3).Draw(r, "done to the transfer") {
		case 0:
			_, err = b.Transfers.UpdateTransfer(b.Ctx(), b.Who, uuid.UUID(t.PublicID), transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)})
		case 1:
			_, err = b.Transfers.RejectTransfer(b.Ctx(), b.Who, uuid.UUID(t.PublicID))
		case 2:
			err = b.Transfers.UnlinkTransfer(b.Ctx(), b.Who, uuid.UUID(t.PublicID))
		}
		b.allow(r, err)
	}
	for range rapid.IntRange(0, 3).Draw(r, "valuations") {
		_, _, err := b.Accounts.CreateValuation(b.Ctx(), b.Who, catalog.ValuationInput{Date: ledger.Some(day()),
			AccountID: ledger.Some(rapid.SampledFrom(slices.Concat(b.plain, b.brokers)).Draw(r, "valued")),
			Amount:    ledger.Some(decimal.NewFromInt(rapid.Int64Range(1, 3).Draw(r, "value")))})
		b.allow(r, err)
	}
	securities := []uuid.UUID{b.Security("ACME"), b.Security("ZINC")}
	for range rapid.IntRange(0, 8).Draw(r, "trades") {
		_, err := b.Trades.CreateTrade(b.Ctx(), b.Who, trade.Input{Date: ledger.Some(day()), Price: ledgertest.AmountOf("2"),
			AccountID:  ledger.Some(rapid.SampledFrom(b.brokers).Draw(r, "broker")),
			SecurityID: ledger.Some(rapid.SampledFrom(securities).Draw(r, "security")),
			Quantity:   ledger.Some(decimal.NewFromInt(rapid.SampledFrom([]int64{5, 3, -2}).Draw(r, "quantity")))})
		b.allow(r, err)
	}
	return b
}

func (b *house) allow(r *rapid.T, err error) {
	if err != nil && !ledger.IsKind(err, ledger.NotFound) && !ledger.IsKind(err, ledger.Invalid) && !ledger.IsKind(err, ledger.Conflict) {
		r.Fatal(err)
	}
}

// close deletes a drawn account, or merges it into a drawn one; false where that was refused.
func (b *house) close(r *rapid.T) (change uuid.UUID, done bool) {
	kind := b.plain
	if rapid.Bool().Draw(r, "a broker") {
		kind = b.brokers
	}
	from, to := rapid.SampledFrom(kind).Draw(r, "from"), rapid.SampledFrom(kind).Draw(r, "to")
	if from == to {
		d, err := b.Closing.Delete(b.Ctx(), b.Who, from)
		if err != nil {
			r.Fatal(err)
		}
		return d.OperationID, true
	}
	before := b.state(r)
	m, err := b.Closing.Merge(b.Ctx(), b.Who, from, to, false)
	if ledger.IsKind(err, ledger.Conflict) {
		if got := b.state(r); got != before {
			r.Fatalf("%v has changed\n%s", err, differing(got, before))
		}
		return uuid.Nil, false
	}
	if err != nil {
		r.Fatal(err)
	}
	return m.OperationID, true
}

// TestClosingIsTakenBackExactly: an account that was deleted or merged comes back with all that it had, leaves again when
// that is taken back, and the books are sound throughout.
func TestClosingIsTakenBackExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := newHouse(t, r)
		before := b.state(r)
		change, done := b.close(r)
		if !done {
			return
		}
		b.Sound(r)
		after := b.state(r)
		for i, want := range []string{before, after, before} {
			undone, err := b.Books.History.Undo(b.Ctx(), b.Who, change)
			if err != nil {
				r.Fatalf("%d: %v", i, err)
			}
			if got := b.state(r); got != want {
				r.Fatalf("%d: it has (+) and should have (-)\n%s", i, differing(got, want))
			}
			b.Sound(r)
			change = uuid.UUID(undone)
		}
	})
}
