package history_test

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
	"finsvc/ledger/history"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
	"finsvc/ledger/rule"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// books is a household whose operations are taken back.
type books struct {
	*ledgertest.Fixture
	accounts, categories, merchants, tags, transactions []uuid.UUID
	securities                                          []uuid.UUID // the first is traded
	rule, broker                                        uuid.UUID
}

func newBooks(t *testing.T) *books {
	b := &books{Fixture: ledgertest.New(t)}
	for i := range 3 {
		b.accounts = append(b.accounts, uuid.UUID(b.OpenWith(fmt.Sprint("account ", i), "depository", "EUR", "0").PublicID))
		b.categories = append(b.categories, b.Category(b.Who, fmt.Sprint("category ", i)))
		b.merchants = append(b.merchants, b.Merchant(b.Who, fmt.Sprint("merchant ", i)))
		b.tags = append(b.tags, b.Tag(b.Who, fmt.Sprint("tag ", i)))
	}
	r := b.Rule("rents", []string{"transaction_name like rent"}, []string{"set_transaction_category " + b.categories[2].String(),
		"set_transaction_tags " + b.tags[2].String(), "set_transaction_name Landlord"})
	b.rule = uuid.UUID(r.PublicID)
	b.broker = uuid.UUID(b.OpenWith("broker", "investment", "EUR", "100").PublicID)
	b.securities = []uuid.UUID{b.Security("ACME"), b.Security("BOND")}
	return b
}

// kept are the tables that operations change, what follows from entries among them. Transfers are compared by their
// sides, see state: their keys are given anew.
func kept() []string {
	return []string{"accounts", "valuations", "categories", "merchants", "tags", "rules", "transactions", "transaction_tags", "transaction_lines", "transaction_line_tags",
		"transaction_rules", "account_days", "account_months", "amount_bands", "securities", "security_prices", "security_splits",
		"trades", "positions", "trade_prices", "holding_values"}
}

// state is all that an operation may change, but for the stamps of changes.
func (b *books) state(r *rapid.T) string {
	var out strings.Builder
	texts := []string{
		`SELECT group_concat(line, char(10)) FROM (SELECT 'P ' || i.id || ' ' || o.id || ' ' || f.status || ' ' || coalesce(f.notes, '-') AS line
			FROM transfers f JOIN transactions i ON i.transfer_id = f.id AND i.amount > 0 JOIN transactions o ON o.transfer_id = f.id AND o.amount < 0 ORDER BY 1)`,
		`SELECT group_concat(line, char(10)) FROM (SELECT 'X ' || inflow_id || ' ' || outflow_id AS line FROM rejected_transfers ORDER BY 1)`,
		`SELECT group_concat(concat_ws(' ', 'H', name, currency, locale, timezone, assistant)) FROM households`,
	}
	err := b.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		for _, table := range kept() {
			err := q.EachRow(ctx, func(scan func(...any) error) error {
				var columns string
				err := scan(&columns)
				texts = append(texts, fmt.Sprintf(`SELECT group_concat(line, char(10)) FROM (SELECT '%s ' || concat_ws(' ', %s) AS line FROM %s ORDER BY 1)`,
					table, columns, table))
				return err
			}, "SELECT group_concat('quote(' || name || ')') FROM pragma_table_info(?) WHERE name NOT IN ('updated_at', 'transfer_id')", table)
			if err != nil {
				return err
			}
		}
		for _, text := range texts {
			err := q.EachRow(ctx, func(scan func(...any) error) error {
				var text *string
				err := scan(&text)
				fmt.Fprintln(&out, ledger.OrBlank(text))
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
	return out.String()
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

func (b *books) input(r *rapid.T) entry.TransactionInput {
	in := entry.TransactionInput{Date: ledger.Some(b.day(r)),
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

// step does one operation, or none: what is refused or changes nothing is none.
func (b *books) step(r *rapid.T) {
	var err error
	switch rapid.IntRange(0, 12).Draw(r, "kind") {
	case 0, 1, 2:
		err = b.stepOfTransactions(r)
	case 3:
		err = b.stepOfTransfers(r)
	case 4:
		err = b.stepOfTrades(r)
	case 5:
		err = b.stepOfValuations(r)
	case 6:
		err = b.stepOfCategories(r)
	case 7:
		err = b.stepOfTags(r)
	case 8:
		err = b.stepOfMerchants(r)
	case 9:
		err = b.stepOfRules(r)
	case 10:
		err = b.stepOfAccounts(r)
	case 11:
		err = b.stepOfSecurities(r)
	case 12:
		err = b.stepOfPrices(r)
	}
	if err != nil && !ledger.IsKind(err, ledger.NotFound) && !ledger.IsKind(err, ledger.Invalid) && !ledger.IsKind(err, ledger.Conflict) {
		r.Fatal(err)
	}
}

func (b *books) stepOfTransactions(r *rapid.T) (err error) {
	pick := func() uuid.UUID { return rapid.SampledFrom(b.transactions).Draw(r, "transaction") }
	switch op := rapid.IntRange(0, 7).Draw(r, "operation"); {
	case op < 3 || len(b.transactions) < 4:
		in := b.input(r)
		in.AccountID = b.draw(r, b.accounts)
		t, _, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, in)
		if err == nil {
			b.transactions = append(b.transactions, uuid.UUID(t.PublicID))
		}
		return err
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
	}
	return err
}

func (b *books) stepOfTransfers(r *rapid.T) (err error) {
	all := b.ListedTransfers()
	if len(all) == 0 {
		return nil
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
	return err
}

func (b *books) stepOfTrades(r *rapid.T) (err error) {
	list, _, err := b.Trades.ListTrades(b.Ctx(), b.Who, trade.Filter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		return err
	}
	in := trade.Input{Date: ledger.Some(b.day(r)), Price: ledger.Some(decimal.NewFromInt(rapid.Int64Range(1, 3).Draw(r, "price"))),
		Quantity: ledger.Some(decimal.NewFromInt(rapid.SampledFrom([]int64{5, 3, -2}).Draw(r, "quantity")))}
	if rapid.Bool().Draw(r, "labelled") {
		in.CategoryID = b.draw(r, b.categories)
	}
	op := rapid.IntRange(0, 3).Draw(r, "of trades")
	if op < 2 || len(list) == 0 {
		in.AccountID, in.SecurityID = ledger.Some(b.broker), ledger.Some(b.securities[0])
		if rapid.IntRange(0, 3).Draw(r, "of a new security") == 0 {
			in.SecurityID, in.ManualTicker = ledger.Opt[uuid.UUID]{}, ledger.Some(rapid.SampledFrom([]string{"NEW", "OTHER"}).Draw(r, "ticker"))
		}
		_, err = b.Trades.CreateTrade(b.Ctx(), b.Who, in)
		return err
	}
	one := uuid.UUID(rapid.SampledFrom(list).Draw(r, "trade").PublicID)
	if op == 2 {
		_, err = b.Trades.UpdateTrade(b.Ctx(), b.Who, one, in)
		return err
	}
	return b.Trades.DeleteTrade(b.Ctx(), b.Who, one)
}

func (b *books) stepOfValuations(r *rapid.T) (err error) {
	list, _, err := b.Accounts.ListValuations(b.Ctx(), b.Who, catalog.ValuationFilter{}, ledgertest.WholePage)
	if err != nil {
		return err
	}
	in := catalog.ValuationInput{Date: ledger.Some(b.day(r)), Amount: ledger.Some(decimal.NewFromInt(rapid.Int64Range(1, 9).Draw(r, "amount")))}
	op := rapid.IntRange(0, 3).Draw(r, "of valuations")
	if op < 2 || len(list) == 0 {
		in.AccountID = b.draw(r, append([]uuid.UUID{b.broker}, b.accounts...))
		_, _, err = b.Accounts.CreateValuation(b.Ctx(), b.Who, in)
		return err
	}
	one := uuid.UUID(rapid.SampledFrom(list).Draw(r, "valuation").PublicID)
	if op == 2 {
		_, err = b.Accounts.UpdateValuation(b.Ctx(), b.Who, one, in)
		return err
	}
	return b.Accounts.DeleteValuation(b.Ctx(), b.Who, one)
}

// name is one of few, so that some are taken.
func (b *books) name(r *rapid.T) ledger.Opt[string] {
	return ledger.Some(rapid.SampledFrom([]string{"category 1", "tag 2", "merchant 0", "Rent", "Food"}).Draw(r, "label"))
}

func (b *books) stepOfCategories(r *rapid.T) (err error) {
	one, other := b.draw(r, b.categories).Value, b.draw(r, b.categories)
	in := catalog.CategoryInput{Name: b.name(r), Icon: ledger.Some("shapes")}
	if rapid.Bool().Draw(r, "below") {
		in.ParentID = other
	}
	switch rapid.IntRange(0, 4).Draw(r, "of categories") {
	case 0:
		c, err := b.Labels.CreateCategory(b.Ctx(), b.Who, in)
		if err == nil {
			b.categories = append(b.categories, uuid.UUID(c.PublicID))
		}
		return err
	case 1, 2:
		in.Color = ledger.Some(rapid.SampledFrom([]string{"#111111", "#222222"}).Draw(r, "color"))
		if !in.ParentID.Set {
			in.Classification = ledger.Some(rapid.SampledFrom([]string{"income", "expense"}).Draw(r, "classification"))
		}
		_, err = b.Labels.UpdateCategory(b.Ctx(), b.Who, one, in)
	case 3:
		err = b.Labels.DeleteCategory(b.Ctx(), b.Who, one)
	default:
		_, err = b.Labels.MergeCategory(b.Ctx(), b.Who, one, other.Value)
	}
	return err
}

func (b *books) stepOfTags(r *rapid.T) (err error) {
	one, in := b.draw(r, b.tags).Value, catalog.TagInput{Name: b.name(r)}
	switch rapid.IntRange(0, 3).Draw(r, "of tags") {
	case 0:
		t, err := b.Labels.CreateTag(b.Ctx(), b.Who, in)
		if err == nil {
			b.tags = append(b.tags, uuid.UUID(t.PublicID))
		}
		return err
	case 1:
		_, err = b.Labels.UpdateTag(b.Ctx(), b.Who, one, in)
	case 2:
		err = b.Labels.DeleteTag(b.Ctx(), b.Who, one)
	default:
		_, err = b.Labels.MergeTag(b.Ctx(), b.Who, one, b.draw(r, b.tags).Value)
	}
	return err
}

func (b *books) stepOfMerchants(r *rapid.T) (err error) {
	one, in := b.draw(r, b.merchants).Value, catalog.MerchantInput{Name: b.name(r)}
	switch rapid.IntRange(0, 3).Draw(r, "of merchants") {
	case 0:
		m, err := b.Labels.CreateMerchant(b.Ctx(), b.Who, in)
		if err == nil {
			b.merchants = append(b.merchants, uuid.UUID(m.PublicID))
		}
		return err
	case 1:
		_, err = b.Labels.UpdateMerchant(b.Ctx(), b.Who, one, in)
	case 2:
		err = b.Labels.DeleteMerchant(b.Ctx(), b.Who, one)
	default:
		_, err = b.Labels.MergeMerchant(b.Ctx(), b.Who, one, b.draw(r, b.merchants).Value)
	}
	return err
}

func (b *books) stepOfAccounts(r *rapid.T) (err error) {
	in := catalog.AccountInput{Name: b.name(r), Notes: ledger.Some("of the household")}
	if rapid.Bool().Draw(r, "opening") {
		in.Balance, in.Date = ledgertest.AmountOf(rapid.SampledFrom([]string{"0", "70"}).Draw(r, "balance")), ledger.Some(b.day(r)-90)
	}
	switch rapid.IntRange(0, 2).Draw(r, "of accounts") {
	case 0:
		in.AccountType = ledger.Some("depository")
		a, err := b.Accounts.CreateAccount(b.Ctx(), b.Who, in)
		if err == nil {
			b.accounts = append(b.accounts, uuid.UUID(a.PublicID))
		}
		return err
	case 1:
		_, err = b.Accounts.UpdateAccount(b.Ctx(), b.Who, b.draw(r, b.accounts).Value, in)
	default:
		_, err = b.Tenants.UpdateHousehold(b.Ctx(), b.Who, tenant.HouseholdChange{Name: b.name(r)})
	}
	return err
}

func (b *books) stepOfSecurities(r *rapid.T) (err error) {
	one := b.draw(r, b.securities).Value
	in := market.SecurityInput{Name: b.name(r), Ticker: ledger.Some(rapid.SampledFrom([]string{"NEW", "OTHER", "THIRD"}).Draw(r, "ticker"))}
	switch rapid.IntRange(0, 4).Draw(r, "of securities") {
	case 0:
		s, err := b.Market.CreateSecurity(b.Ctx(), b.Who, in)
		if err == nil {
			b.securities = append(b.securities, uuid.UUID(s.PublicID))
		}
		return err
	case 1:
		_, err = b.Market.UpdateSecurity(b.Ctx(), b.Who, one, in)
	case 2:
		err = b.Market.DeleteSecurity(b.Ctx(), b.Who, one)
	case 3:
		_, err = b.Market.CreateSplit(b.Ctx(), b.Who, market.SplitInput{Security: market.SecurityName{ID: ledger.Some(one)},
			Date: ledger.Some(b.day(r)), Ratio: ledger.Some("2:1")})
	default:
		splits, _, err := b.Market.ListSplits(b.Ctx(), b.Who, market.SplitFilter{}, ledgertest.WholePage)
		if err != nil || len(splits) == 0 {
			return err
		}
		return b.Market.DeleteSplit(b.Ctx(), b.Who, uuid.UUID(rapid.SampledFrom(splits).Draw(r, "split").PublicID))
	}
	return err
}

func (b *books) stepOfPrices(r *rapid.T) (err error) {
	if rapid.Bool().Draw(r, "remove") {
		prices, _, err := b.Market.ListPrices(b.Ctx(), b.Who, market.PriceFilter{}, ledgertest.WholePage)
		if err != nil || len(prices) == 0 {
			return err
		}
		return b.Market.DeletePrice(b.Ctx(), b.Who, rapid.SampledFrom(prices).Draw(r, "price").ID)
	}
	var prices []market.PriceInput
	for range rapid.IntRange(1, 4).Draw(r, "prices") {
		prices = append(prices, market.PriceInput{Security: market.SecurityName{ID: b.draw(r, b.securities)}, Date: ledger.Some(b.day(r)),
			Price: ledger.Some(decimal.NewFromInt(rapid.Int64Range(1, 3).Draw(r, "quote"))), Currency: ledger.Some(rapid.SampledFrom([]string{"EUR", "USD"}).Draw(r, "in"))})
	}
	_, err = b.Market.PutPrices(b.Ctx(), b.Who, prices)
	return err
}

func (b *books) stepOfRules(r *rapid.T) (err error) {
	in := rule.Input{Name: b.name(r), Active: ledger.Some(rapid.Bool().Draw(r, "active"))}
	switch rapid.IntRange(0, 3).Draw(r, "of rules") {
	case 0:
		in.Conditions = ledger.Some([]rule.Condition{{Type: "transaction_name", Operator: "like", Value: "bread"}})
		in.Actions = ledger.Some([]rule.Action{{Type: "set_transaction_tags", Value: b.draw(r, b.tags).Value.String()}})
		made, err := b.Rules.CreateRule(b.Ctx(), b.Who, in)
		if err == nil {
			b.rule = uuid.UUID(made.PublicID)
		}
		return err
	case 1, 2:
		_, err = b.Rules.UpdateRule(b.Ctx(), b.Who, b.rule, in)
	default:
		err = b.Entries.DeleteRule(b.Ctx(), b.Who, b.rule)
	}
	return err
}

func (b *books) day(r *rapid.T) ledger.Date {
	return ledger.NewDate(2026, 3, 1) + ledger.Date(rapid.IntRange(0, 9).Draw(r, "day"))
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
				r.Fatalf("%d, %s: taken back it has (+) and had (-)\n%s", i, summary, differing(got, states[i]))
			}
			if i == len(done)-1 {
				again, err := b.Fixture.Books.History.Undo(b.Ctx(), b.Who, uuid.UUID(undone))
				if err != nil {
					r.Fatalf("%d, again: %v", i, err)
				}
				if got := b.state(r); got != after {
					r.Fatalf("%d, %s: done again it has (+) and had (-)\n%s", i, summary, differing(got, after))
				}
				if _, err := b.Fixture.Books.History.Undo(b.Ctx(), b.Who, uuid.UUID(again)); err != nil {
					r.Fatalf("%d, a third time: %v", i, err)
				}
			}
		}
		b.Sound(r)
	})
}
