package history_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/history"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// books is a household whose operations are taken back.
type books struct {
	*ledgertest.Fixture
	accounts, categories, merchants, tags, transactions []uuid.UUID
	rule                                                uuid.UUID
}

func newBooks(t *testing.T) *books {
	b := &books{Fixture: ledgertest.New(t)}
	for i := range 3 {
		b.accounts = append(b.accounts, b.Account(b.Who, fmt.Sprint("account ", i), "EUR"))
		b.categories = append(b.categories, b.Category(b.Who, fmt.Sprint("category ", i)))
		b.merchants = append(b.merchants, b.Merchant(b.Who, fmt.Sprint("merchant ", i)))
		b.tags = append(b.tags, b.Tag(b.Who, fmt.Sprint("tag ", i)))
	}
	r := b.Rule("rents", []string{"transaction_name like rent"}, []string{"set_transaction_category " + b.categories[2].String(),
		"set_transaction_tags " + b.tags[2].String(), "set_transaction_name Landlord"})
	b.rule = uuid.UUID(r.PublicID)
	return b
}

// state is all that an operation may change of transactions and what follows from them, but for the stamps of changes.
func (b *books) state(r *rapid.T) string {
	var out strings.Builder
	for _, text := range []string{
		`SELECT group_concat(line, char(10)) FROM (SELECT 'T ' || hex(public_id) || ' ' || id || ' ' || account_id || ' ' || amount || ' ' || currency || ' ' || name || ' ' ||
			coalesce(notes, '-') || ' ' || coalesce(category_id, '-') || ' ' || coalesce(merchant_id, '-') || ' ' || coalesce(external_id, '-') || ' ' || user_fields || ' ' || created_at
			AS line FROM transactions ORDER BY public_id)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'G ' || transaction_id || ' ' || tag_id AS line FROM transaction_tags ORDER BY 1)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'L ' || transaction_id || ' ' || position || ' ' || hex(public_id) || ' ' || amount || ' ' || coalesce(name, '-') || ' ' || coalesce(category_id, '-')
			AS line FROM transaction_lines ORDER BY transaction_id, position)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'R ' || transaction_id || ' ' || field || ' ' || rule_id || ' ' || coalesce(before, '-') AS line FROM transaction_rules ORDER BY 1)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'D ' || account_id || ' ' || date || ' ' || amount || ' ' || transactions || ' ' || incomes AS line FROM account_days ORDER BY 1)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'P ' || i.id || ' ' || o.id || ' ' || f.status AS line
			FROM transfers f JOIN transactions i ON i.transfer_id = f.id AND i.amount > 0 JOIN transactions o ON o.transfer_id = f.id AND o.amount < 0 ORDER BY 1)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'X ' || inflow_id || ' ' || outflow_id AS line FROM rejected_transfers ORDER BY 1)`,
	} {
		err := b.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
			return q.EachRow(ctx, func(scan func(...any) error) error {
				var text *string
				err := scan(&text)
				fmt.Fprintln(&out, ledger.OrBlank(text))
				return err
			}, text)
		})
		if err != nil {
			r.Fatal(err)
		}
	}
	return out.String()
}

func (b *books) input(r *rapid.T) entry.TransactionInput {
	in := entry.TransactionInput{Date: ledger.Some(ledger.NewDate(2026, 3, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "day"))),
		Amount: ledger.Some(decimal.NewFromInt(rapid.Int64Range(-3, 3).Draw(r, "amount") * 10)),
		Name:   ledger.Some(rapid.SampledFrom([]string{"rent", "Rent May", "bread", "fuel"}).Draw(r, "name"))}
	if rapid.Bool().Draw(r, "labelled") {
		in.CategoryID, in.MerchantID = b.draw(r, b.categories), b.draw(r, b.merchants)
		in.TagIDs = ledger.Some(rapid.SliceOfNDistinct(rapid.SampledFrom(b.tags), 0, 2, rapid.ID).Draw(r, "tags"))
	}
	return in
}

func (b *books) draw(r *rapid.T, ids []uuid.UUID) ledger.Opt[uuid.UUID] {
	return ledger.Some(rapid.SampledFrom(ids).Draw(r, "id"))
}

// split is an input that splits a transaction of 30 into two.
func (b *books) split(r *rapid.T) entry.TransactionInput {
	line := func(amount string) entry.SplitLineInput {
		return entry.SplitLineInput{Amount: ledgertest.AmountOf(amount), CategoryID: b.draw(r, b.categories)}
	}
	return entry.TransactionInput{Amount: ledgertest.AmountOf("30"), Nature: ledger.Some("expense"),
		SplitLines: ledger.Some([]entry.SplitLineInput{line("10"), line("20")})}
}

// step does one operation. It reports whether it was one: what is refused or changes nothing is none.
func (b *books) step(r *rapid.T) {
	var err error
	pick := func() uuid.UUID { return rapid.SampledFrom(b.transactions).Draw(r, "transaction") }
	switch op := rapid.IntRange(0, 9).Draw(r, "operation"); {
	case op < 3 || len(b.transactions) < 4:
		in := b.input(r)
		in.AccountID = b.draw(r, b.accounts)
		t := b.Create(in)
		b.transactions = append(b.transactions, uuid.UUID(t.PublicID))
	case op == 3:
		_, err = b.Entries.UpdateTransaction(b.Ctx(), b.Who, pick(), b.input(r))
	case op == 4:
		_, err = b.Entries.UpdateTransaction(b.Ctx(), b.Who, pick(), b.split(r))
	case op == 5:
		err = b.Entries.DeleteTransaction(b.Ctx(), b.Who, pick())
	case op == 6:
		_, err = b.Entries.RunRules(b.Ctx(), b.Who, ledger.Some(b.rule), false)
	case op == 7:
		many := entry.ManyChange{AddTagIDs: rapid.SliceOfNDistinct(rapid.SampledFrom(b.tags), 1, 1, rapid.ID).Draw(r, "added"),
			Filter: entry.TransactionFilter{AccountIDs: []uuid.UUID{b.draw(r, b.accounts).Value}}}
		if rapid.Bool().Draw(r, "renamed") {
			many.Fields.Notes = ledger.Some("many")
		}
		_, err = b.Entries.ChangeTransactions(b.Ctx(), b.Who, many, false)
	default:
		all := b.ListedTransfers()
		if len(all) == 0 {
			return
		}
		one := uuid.UUID(rapid.SampledFrom(all).Draw(r, "transfer").PublicID)
		switch rapid.IntRange(0, 2).Draw(r, "of transfers") {
		case 0:
			_, err = b.Transfers.UpdateTransfer(b.Ctx(), b.Who, one, transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)})
		case 1:
			_, err = b.Transfers.RejectTransfer(b.Ctx(), b.Who, one)
		default:
			err = b.Transfers.UnlinkTransfer(b.Ctx(), b.Who, one)
		}
	}
	if err != nil && !ledger.IsKind(err, ledger.NotFound) && !ledger.IsKind(err, ledger.Invalid) && !ledger.IsKind(err, ledger.Conflict) {
		r.Fatal(err)
	}
}

func (b *books) newest(r *rapid.T) history.Operation {
	list, _, err := b.Fixture.Books.History.List(b.Ctx(), b.Who, ledger.Page{Number: 1, Size: 1})
	if err != nil || len(list) != 1 {
		r.Fatal(err, len(list))
	}
	return list[0]
}

// TestUndoIsExact: whatever was done, taking it back newest first leaves after each step what was before it, and taking
// that back what was after it; and the books are sound.
func TestUndoIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := newBooks(t)
		var states []string
		var done []uuid.UUID
		last := b.newest(r).ID
		for range rapid.IntRange(1, 15).Draw(r, "steps") {
			before := b.state(r)
			b.step(r)
			if id := b.newest(r).ID; id != last {
				states, done, last = append(states, before), append(done, id), id
			}
		}
		after := b.state(r)
		for i := len(done) - 1; i >= 0; i-- {
			summary := b.newest(r).Summary()
			undone, err := b.Fixture.Books.History.Undo(b.Ctx(), b.Who, done[i])
			if err != nil {
				r.Fatalf("%d, %s: %v", i, summary, err)
			}
			if got := b.state(r); got != states[i] {
				r.Fatalf("%d, %s: taken back it is\n%s\nand was\n%s", i, summary, got, states[i])
			}
			if i == len(done)-1 {
				again, err := b.Fixture.Books.History.Undo(b.Ctx(), b.Who, uuid.UUID(undone))
				if err != nil {
					r.Fatalf("%d, again: %v", i, err)
				}
				if got := b.state(r); got != after {
					r.Fatalf("%d, %s: done again it is\n%s\nand was\n%s", i, summary, got, after)
				}
				if _, err := b.Fixture.Books.History.Undo(b.Ctx(), b.Who, uuid.UUID(again)); err != nil {
					r.Fatalf("%d, a third time: %v", i, err)
				}
			}
		}
		b.Sound(r)
	})
}
