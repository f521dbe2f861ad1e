package ledgertest

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

func (b *Fixture) Broker(r *rapid.T, name string) catalog.Account {
	a, err := b.Accounts.CreateAccount(b.Ctx(), b.Who, AccountNamed(name, "investment"))
	if err != nil {
		r.Fatal(err)
	}
	return a
}

func (b *Fixture) BookSingly(r *rapid.T, account catalog.Account, ticker string, d trade.TradeDraft) {
	euro, _ := money.LookupCurrency("EUR")
	in := trade.Input{AccountID: ledger.Some(uuid.UUID(account.PublicID)), Date: ledger.Some(d.Date),
		Quantity: ledger.Some(d.Quantity),
		Price:    ledger.Some(d.Price), Fee: ledger.Some(euro.Decimal(d.Fee)), Ticker: ledger.Some(ticker),
		AllowShort: ledger.Some(true)}
	if _, err := b.Trades.CreateTrade(b.Ctx(), b.Who, in); err != nil {
		r.Fatal(err)
	}
}

func (b *Fixture) BookAtOnce(r *rapid.T, account catalog.Account, ticker string,
	drafts []trade.TradeDraft) (importID int64) {
	b.Write(r, func(ctx context.Context, q *queries.Queries) (err error) {
		importID, err = q.InsertImport(ctx, queries.InsertImportParams{PublicID: queries.PublicID(uuid.New()),
			HouseholdID: b.Who.HouseholdID})
		if err != nil {
			return err
		}
		security, _, err := intake.FindOrCreateSecurity(ctx, b.Tx(q, b.Who), ticker, "", "")
		if err != nil {
			return err
		}
		for i := range drafts {
			drafts[i].AccountID, drafts[i].SecurityID = account.ID, security
		}
		first, err := entry.ReserveSequences(ctx, b.Tx(q, b.Who), int64(len(drafts)))
		if err != nil {
			return err
		}
		return trade.InsertTrades(ctx, b.Tx(q, b.Who), entry.BulkTarget{ImportID: importID, FirstSequence: first},
			drafts)
	})
	return importID
}

func (b *Fixture) Write(r *rapid.T, do func(context.Context, *queries.Queries) error) {
	if err := b.DB.Write(b.Ctx(), do); err != nil {
		r.Fatal(err)
	}
}

// History is what an account holds and has on the days of the test. Prices are of the trades of both accounts, which
// are the same.
func (b *Fixture) History(r *rapid.T, account catalog.Account) string {
	first, last := ledger.NewDate(2026, 1, 1), ledger.NewDate(2026, 1, 6)
	list, _, err := b.Positions.ListHoldings(b.Ctx(), b.Who,
		position.HoldingFilter{AccountIDs: []uuid.UUID{uuid.UUID(account.PublicID)},
			StartDate: ledger.Some(first), EndDate: ledger.Some(last)}, ledger.Page{Number: 1, Size: 10})
	if err != nil {
		r.Fatal(err)
	}
	var out strings.Builder
	for _, h := range list {
		fmt.Fprintln(&out, h.Date, h.Quantity, h.Minor, h.AvgCost, h.Price)
	}
	for _, day := range []ledger.Date{first + 2, last} {
		if minor := b.Balance(account, day.String()).Minor; minor != 0 {
			fmt.Fprintln(&out, day, minor)
		}
	}
	return out.String()
}
