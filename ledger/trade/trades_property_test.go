package trade_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// dealings are trades of one security in two accounts, kept beside the ledger in plain Go.
type dealings struct {
	*ledgertest.Fixture
	accounts [2]uuid.UUID
	trades   map[uuid.UUID]dealt
}

// dealt is a trade: units, negative when sold; cents per unit; cents of fee.
type dealt struct {
	account           int
	day               ledger.Date
	units, price, fee int64
}

func newDealings(t *testing.T) *dealings {
	d := &dealings{Fixture: ledgertest.New(t), trades: map[uuid.UUID]dealt{}}
	for i := range d.accounts {
		d.accounts[i] = uuid.UUID(d.Open(ledgertest.AccountNamed(fmt.Sprint("Broker ", i), "investment")).PublicID)
	}
	return d
}

func (d *dealings) draw(r *rapid.T) dealt {
	units := rapid.Int64Range(-4, 5).Filter(func(n int64) bool { return n != 0 }).Draw(r, "units")
	return dealt{rapid.IntRange(0, 1).Draw(r, "account"), ledger.NewDate(2026, 1, 1) + ledger.Date(rapid.IntRange(0, 6).Draw(r, "day")),
		units, rapid.Int64Range(1, 500).Draw(r, "price"), rapid.Int64Range(0, 99).Draw(r, "fee")}
}

// covered reports whether every account holds at the end of every day what was sold until then.
func (d *dealings) covered(trades map[uuid.UUID]dealt) bool {
	for account := range d.accounts {
		for _, at := range trades {
			var held int64
			for _, t := range trades {
				if t.account == account && t.day <= at.day {
					held += t.units
				}
			}
			if held < 0 {
				return false
			}
		}
	}
	return true
}

func (t dealt) input() trade.Input {
	return trade.Input{Date: ledger.Some(t.day), Quantity: ledger.Some(decimal.New(t.units, 0)), Price: ledger.Some(decimal.New(t.price, -2)),
		Fee: ledger.Some(decimal.New(t.fee, -2))}
}

// attempt tells the ledger to make a trade into another (nothing when after is nil), which it must do if and only if
// every sale is covered then.
func (d *dealings) attempt(r *rapid.T, id uuid.UUID, after *dealt, do func() error) {
	wanted := map[uuid.UUID]dealt{}
	for other, t := range d.trades {
		wanted[other] = t
	}
	delete(wanted, id)
	if after != nil {
		wanted[id] = *after
	}
	err := do()
	switch allowed := d.covered(wanted); {
	case allowed && err != nil:
		r.Fatalf("%v is covered, got %v", after, err)
	case allowed:
		d.trades = wanted
	case !ledger.IsKind(err, ledger.Invalid) && !ledger.IsKind(err, ledger.Conflict):
		r.Fatalf("%v is not covered, got %v", after, err)
	}
}

func (d *dealings) step(r *rapid.T) {
	ids := []uuid.UUID{}
	for id := range d.trades {
		ids = append(ids, id)
	}
	if len(ids) == 0 || rapid.IntRange(0, 2).Draw(r, "what") == 0 {
		d.add(r)
		return
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	id := ids[rapid.IntRange(0, len(ids)-1).Draw(r, "which")]
	if rapid.Bool().Draw(r, "delete") {
		d.attempt(r, id, nil, func() error { return d.Trades.DeleteTrade(context.Background(), d.Who, id) })
		return
	}
	after := d.draw(r)
	after.account = d.trades[id].account
	in := after.input()
	in.Type = ledger.Some(map[bool]string{true: "buy", false: "sell"}[after.units > 0])
	d.attempt(r, id, &after, func() error {
		_, err := d.Trades.UpdateTrade(context.Background(), d.Who, id, in)
		return err
	})
}

func (d *dealings) add(r *rapid.T) {
	t := d.draw(r)
	in := t.input()
	in.AccountID, in.Ticker = ledger.Some(d.accounts[t.account]), ledger.Some("ACME")
	made, err := d.Trades.CreateTrade(context.Background(), d.Who, in)
	id := uuid.New()
	if err == nil {
		id = uuid.UUID(made.Trade.PublicID)
	}
	d.attempt(r, id, &t, func() error { return err })
}

// check compares what is listed with what should be, and the days of accounts with what is stored.
func (d *dealings) check(r *rapid.T) {
	list, total, err := d.Trades.ListTrades(context.Background(), d.Who, trade.Filter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil || len(list) != len(d.trades) || total != int64(len(d.trades)) {
		r.Fatal(len(list), "of", total, "trades are listed, want", len(d.trades), err)
	}
	for _, got := range list {
		want := d.trades[uuid.UUID(got.PublicID)]
		found := dealt{slices.Index(d.accounts[:], got.Account.ID), ledger.Date(got.Date), got.Quantity.IntPart(), got.Price.Shift(2).IntPart(), got.Fee}
		if found != want || got.Amount != -want.units*want.price-want.fee {
			r.Fatalf("got %+v moving %d, want %+v", found, got.Amount, want)
		}
	}
	if wrong := d.number(r, `SELECT count(*) FROM (SELECT account_id, date, currency, sum(amount), count(*) FROM trades GROUP BY 1, 2, 3
		EXCEPT SELECT account_id, date, currency, amount, trades FROM account_days)`); wrong != 0 {
		r.Fatal(wrong, "days differ from their trades")
	}
}

func (d *dealings) number(r *rapid.T, query string) (n int64) {
	err := d.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, query)
		return err
	})
	if err != nil {
		r.Fatal(query, err)
	}
	return n
}

// TestTradesAreWhatWasAsked: after any creations, changes and deletions the trades are what was asked for, exactly
// those are refused that leave a sale without cover, and deleting all leaves nothing behind.
func TestTradesAreWhatWasAsked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d := newDealings(t)
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			d.step(r)
			d.check(r)
		}
		for len(d.trades) > 0 {
			for id := range d.trades {
				d.attempt(r, id, nil, func() error { return d.Trades.DeleteTrade(context.Background(), d.Who, id) })
			}
		}
		for _, table := range strings.Fields("trades positions trade_prices holding_values account_days account_months") {
			if n := d.number(r, "SELECT count(*) FROM "+table); n != 0 {
				r.Fatal(n, "rows are left in", table)
			}
		}
		if err := d.DB.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
