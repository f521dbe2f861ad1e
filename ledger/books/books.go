// Package books wires the services of the ledger, one on the other, on one open database.
package books

import (
	"time"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/audit"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/closing"
	"finsvc/ledger/entry"
	"finsvc/ledger/export"
	"finsvc/ledger/fx"
	"finsvc/ledger/history"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
	"finsvc/ledger/names"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
	"finsvc/ledger/rule"
	"finsvc/ledger/search"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
)

// Books is every service on one database file.
type Books struct {
	*ledger.Store

	History   *history.Service
	Rates     *fx.Service
	Balances  *balance.Service
	Rules     *rule.Service
	Positions *position.Service
	Transfers *transfer.Service
	Market    *market.Service
	Names     *names.Service
	Accounts  *catalog.Accounts
	Labels    *catalog.Labels
	Entries   *entry.Service
	Searches  *search.Service
	Trades    *trade.Service
	Closing   *closing.Service
	Intake    *intake.Service
	Tenants   *tenant.Service
	Keys      *tenant.Keys
	Answers   *tenant.Answers
	SignIn    *signin.Service
	Reports   *report.Service
	Exports   *export.Service
	Audits    *audit.Service
}

// New wires the services on an open database; now is the clock, time.Now outside of tests.
func New(database *db.DB, now func() time.Time) *Books {
	return build(ledger.NewStore(database, now))
}

// NewTimed is New for tests that set the clock anew: ran is for how long the books have been in use, which that does
// not change.
func NewTimed(database *db.DB, now func() time.Time, ran func() time.Duration) *Books {
	return build(ledger.NewTimedStore(database, now, ran))
}

func build(store *ledger.Store) *Books {
	b := &Books{Store: store}
	b.Rates = fx.New(store)
	b.Balances = balance.New(store)
	b.Rules = rule.New(store)
	b.Positions = position.New(store)
	b.Transfers = transfer.New(store)
	b.Market = market.New(store)
	b.Names = names.New(store)
	b.Accounts = catalog.NewAccounts(store, b.Balances)
	restorers := history.Restorers{}
	b.History = history.New(store, restorers)
	b.Labels = catalog.NewLabels(store, b.History)
	b.Entries = entry.New(store, b.Rules, b.Transfers, b.History)
	b.Searches = search.New(store)
	b.Trades = trade.New(store, b.Transfers, b.Entries)
	b.Closing = closing.New(store, b.Entries, b.Trades, b.History)
	b.Intake = intake.New(store, b.Transfers, b.Labels)
	b.Tenants = tenant.New(store)
	b.Keys = tenant.NewKeys(store)
	b.Answers = tenant.NewAnswers(store)
	b.SignIn = signin.New(store, b.Tenants, b.Keys)
	b.Reports = report.New(store)
	b.Exports = export.New(store, b.Balances)
	b.Audits = audit.New(store, b.Rates, b.Positions, b.Accounts, b.Intake, b.Tenants, b.Reports)
	for kind, restore := range map[ledger.Entity]history.Restore{
		ledger.EntityTransaction: b.Entries.Restore,
		ledger.EntityTransfer:    b.Transfers.Restore,
		ledger.EntityRejection:   b.Transfers.RestoreRejection,
		ledger.EntityTrade:       b.Trades.Restore,
		ledger.EntityAccount:     b.Closing.Restore(b.Accounts.RestoreAccount),
		ledger.EntityRule:        b.Entries.RestoreRule,
		ledger.EntityCategory:    b.Labels.RestoreCategory,
		ledger.EntityTag:         b.Labels.RestoreTag,
		ledger.EntityMerchant:    b.Labels.RestoreMerchant,
		ledger.EntityValuation:   b.Accounts.RestoreValuation,
		ledger.EntitySecurity:    b.Market.RestoreSecurity,
		ledger.EntityPrices:      b.Market.RestorePrices,
		ledger.EntitySplit:       b.Market.RestoreSplit,
	} {
		restorers[kind] = history.Restorer{Restore: restore}
	}
	restorers[ledger.EntityHousehold] = history.Restorer{Restore: b.Tenants.RestoreHousehold, Only: ledger.ActionUpdate}
	return b
}
