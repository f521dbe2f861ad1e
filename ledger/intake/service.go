package intake

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/market"
	"finsvc/ledger/rule"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Balances  *balance.Service
	Rules     *rule.Service
	Transfers *transfer.Service
	Market    *market.Service
	Catalog   *catalog.Service
	Trades    *trade.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, balances *balance.Service, rules *rule.Service, transfers *transfer.Service, market *market.Service, catalog *catalog.Service, trades *trade.Service) *Service {
	return &Service{Store: store, Balances: balances, Rules: rules, Transfers: transfers, Market: market, Catalog: catalog, Trades: trades}
}
