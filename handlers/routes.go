package handlers

import (
	"net/http"
	"sync"

	"finsvc/embed"
)

// access is what a key needs for a route.
type access int

// The kinds of access, in rising order.
const (
	public access = iota // no key
	read                 // any key
	write                // a key of scope read_write
)

// lasting is how long a GET may take.
type lasting int

const (
	asRead   lasting = iota // up to the limit of reads
	asFile                  // it reads a stored file besides, which takes as long as the file is
	asStream                // as long as there is something to tell
)

// handler answers a request: JSON into a, or an error.
type handler func(a *answer, r *request) error

// route is one operation of the API.
type route struct {
	method string
	path   string // every parameter is named :id, a second one by what it is
	access access
	handle handler

	bodyMax int64 // longest body in bytes; 0: the ordinary limit
	rawBody bool  // the handler reads the body itself, as a stream
	quiet   bool  // logged at debug level only
	seen    *tally
	lasts   lasting
	live    bool // GET answers with more than the data and the day decide, or sets headers of its own
}

// importMargin is what the body of an import may have beside the file, in bytes: fields, boundaries,
// escapes.
const importMargin = 8 << 20

// routes is the table of every operation. GET answers HEAD as well, PATCH answers PUT. Writes honour
// Idempotency-Key and If-Match. A word may stand beside a parameter (users/me beside users/:id).
func routes(o Options, origins *origins, streams *streams) []route {
	const v1 = "/api/v1"
	formats := new(formatters)
	account := &accounts{o.Ledger, formats}
	label := &labels{o.Ledger}
	transaction := &transactions{o.Ledger, formats}
	transfer := &transfers{o.Ledger, formats}
	trade := &trades{o.Ledger, formats}
	security := &securities{o.Ledger, formats}
	report := &reports{o.Ledger, formats}
	rule := &rules{o.Ledger}
	imported := &imports{o.Imports, o.Ledger, streams}
	chat := &chats{o.Assistant, streams}
	home := &household{o.Ledger, o.Assistant}
	page := &pages{o.Version, o.Health, origins, sync.OnceValues(embed.OpenAPIJSON), sync.OnceValues(embed.Docs)}
	return []route{
		{method: http.MethodGet, path: "/up", access: public, handle: page.showHealth, quiet: true, live: true},
		{method: http.MethodGet, path: "/healthz", access: public, handle: page.showHealth, quiet: true, live: true},

		// Where the phone app looks whether there is a server.
		{method: http.MethodGet, path: "/sessions/new", access: public, handle: page.showHealth, quiet: true, live: true},

		{method: http.MethodGet, path: "/", access: public, handle: page.showHome},
		{method: http.MethodGet, path: v1 + "/openapi.json", access: public, handle: page.showOpenAPI},
		{method: http.MethodGet, path: v1 + "/openapi.yaml", access: public, handle: page.showOpenAPIYAML},
		{method: http.MethodGet, path: "/api/docs", access: public, handle: page.showDocs},
		{method: http.MethodGet, path: "/handbook", access: public, handle: page.showHandbook},
		{method: http.MethodGet, path: "/handbook/:page", access: public, handle: page.showHandbookPage},

		{method: http.MethodGet, path: v1 + "/usage", access: read, handle: home.showUsage, live: true},
		{method: http.MethodDelete, path: v1 + "/users/me", access: write, handle: home.deactivateMe},
		{method: http.MethodDelete, path: v1 + "/users/reset", access: write, handle: home.resetHousehold},
		{method: http.MethodGet, path: v1 + "/users/reset/status", access: read, handle: home.showReset},
		{method: http.MethodPatch, path: v1 + "/auth/enable_ai", access: write, handle: home.enableAssistant},
		{method: http.MethodGet, path: v1 + "/family_settings", access: read, handle: home.showSettings},
		{method: http.MethodGet, path: v1 + "/balance_sheet", access: read, handle: report.showBalanceSheet},
		{method: http.MethodGet, path: v1 + "/net_worth", access: read, handle: report.showNetWorth},
		{method: http.MethodGet, path: v1 + "/income_statement", access: read, handle: report.showIncomeStatement},
		{method: http.MethodGet, path: v1 + "/explain", access: read, handle: report.showExplanation},

		{method: http.MethodGet, path: v1 + "/accounts", access: read, handle: account.listAccounts},
		{method: http.MethodPost, path: v1 + "/accounts", access: write, handle: account.createAccount},
		{method: http.MethodGet, path: v1 + "/accounts/:id", access: read, handle: shows("Account", o.Ledger.Catalog.GetAccount, one(formats, writeAccount))},
		{method: http.MethodPatch, path: v1 + "/accounts/:id", access: write, handle: account.updateAccount},

		{method: http.MethodGet, path: v1 + "/categories", access: read, handle: label.listCategories},
		{method: http.MethodPost, path: v1 + "/categories", access: write, handle: label.createCategory},
		{method: http.MethodGet, path: v1 + "/categories/:id", access: read, handle: label.showCategory},
		{method: http.MethodPatch, path: v1 + "/categories/:id", access: write, handle: label.updateCategory},
		{method: http.MethodDelete, path: v1 + "/categories/:id", access: write, handle: deletes("Category", o.Ledger.Catalog.DeleteCategory)},

		{method: http.MethodGet, path: v1 + "/tags", access: read, handle: label.listTags},
		{method: http.MethodPost, path: v1 + "/tags", access: write, handle: label.createTag},
		{method: http.MethodGet, path: v1 + "/tags/:id", access: read, handle: label.showTag},
		{method: http.MethodPatch, path: v1 + "/tags/:id", access: write, handle: label.updateTag},
		{method: http.MethodDelete, path: v1 + "/tags/:id", access: write, handle: label.deleteTag},

		{method: http.MethodGet, path: v1 + "/merchants", access: read, handle: label.listMerchants},
		{method: http.MethodPost, path: v1 + "/merchants", access: write, handle: label.createMerchant, bodyMax: merchantBodyMax},
		{method: http.MethodGet, path: v1 + "/merchants/:id", access: read, handle: label.showMerchant},
		{method: http.MethodPatch, path: v1 + "/merchants/:id", access: write, handle: label.updateMerchant},
		{method: http.MethodDelete, path: v1 + "/merchants/:id", access: write, handle: deletes("Merchant", o.Ledger.Catalog.DeleteMerchant)},
		{method: http.MethodPost, path: v1 + "/merchants/:id/merge", access: write, handle: label.mergeMerchant},

		{method: http.MethodGet, path: v1 + "/transactions", access: read, handle: transaction.listTransactions},
		{method: http.MethodPost, path: v1 + "/transactions", access: write, handle: transaction.createTransaction},
		{method: http.MethodPost, path: v1 + "/transactions/bulk", access: write, handle: transaction.createTransactions, bodyMax: bulkBodyMax},
		{method: http.MethodGet, path: v1 + "/transactions/:id", access: read, handle: shows("Transaction", o.Ledger.Entries.GetTransaction, one(formats, writeTransaction))},
		{method: http.MethodPatch, path: v1 + "/transactions/:id", access: write, handle: transaction.updateTransaction},
		{method: http.MethodDelete, path: v1 + "/transactions/:id", access: write, handle: deletes("Transaction", o.Ledger.Entries.DeleteTransaction)},

		{method: http.MethodGet, path: v1 + "/rules", access: read, handle: rule.listRules},
		{method: http.MethodPost, path: v1 + "/rules", access: write, handle: rule.createRule},
		{method: http.MethodGet, path: v1 + "/rules/:id", access: read, handle: shows("Rule", o.Ledger.Rules.GetRule, rule.oneRule)},
		{method: http.MethodPatch, path: v1 + "/rules/:id", access: write, handle: rule.updateRule},
		{method: http.MethodDelete, path: v1 + "/rules/:id", access: write, handle: deletes("Rule", o.Ledger.Rules.DeleteRule)},
		{method: http.MethodPost, path: v1 + "/rules/:id/run", access: write, handle: rule.runRule, rawBody: true},
		{method: http.MethodPost, path: v1 + "/rules/run", access: write, handle: rule.runRules, rawBody: true},
		{method: http.MethodGet, path: v1 + "/rule_runs", access: read, handle: rule.listRuleRuns},
		{method: http.MethodGet, path: v1 + "/rule_runs/:id", access: read, handle: shows("Rule run", o.Ledger.Entries.GetRuleRun, rule.oneRuleRun)},

		{method: http.MethodGet, path: v1 + "/trades", access: read, handle: trade.listTrades},
		{method: http.MethodPost, path: v1 + "/trades", access: write, handle: trade.createTrade},
		{method: http.MethodGet, path: v1 + "/trades/:id", access: read, handle: shows("Trade", o.Ledger.Trades.GetTrade, one(formats, writeTrade))},
		{method: http.MethodPatch, path: v1 + "/trades/:id", access: write, handle: trade.updateTrade},
		{method: http.MethodDelete, path: v1 + "/trades/:id", access: write, handle: deletes("Trade", o.Ledger.Trades.DeleteTrade)},

		{method: http.MethodGet, path: v1 + "/transfers", access: read, handle: transfer.listTransfers},
		{method: http.MethodPost, path: v1 + "/transfers", access: write, handle: transfer.createTransfer},
		{method: http.MethodGet, path: v1 + "/transfers/:id", access: read, handle: shows("Transfer", o.Ledger.Transfers.GetTransfer, one(formats, writeTransfer))},
		{method: http.MethodPatch, path: v1 + "/transfers/:id", access: write, handle: transfer.updateTransfer},
		{method: http.MethodDelete, path: v1 + "/transfers/:id", access: write, handle: deletes("Transfer", o.Ledger.Transfers.UnlinkTransfer)},
		{method: http.MethodPost, path: v1 + "/transfers/:id/confirm", access: write, handle: transfer.confirmTransfer},
		{method: http.MethodPost, path: v1 + "/transfers/:id/reject", access: write, handle: transfer.rejectTransfer},
		{method: http.MethodGet, path: v1 + "/rejected_transfers", access: read, handle: transfer.listRejectedTransfers},
		{method: http.MethodGet, path: v1 + "/rejected_transfers/:id", access: read, handle: shows("Rejected transfer", o.Ledger.Transfers.GetRejectedTransfer, one(formats, writeRejectedTransfer))},
		{method: http.MethodDelete, path: v1 + "/rejected_transfers/:id", access: write, handle: deletes("Rejected transfer", o.Ledger.Transfers.DeleteRejectedTransfer)},

		{method: http.MethodGet, path: v1 + "/valuations", access: read, handle: account.listValuations},
		{method: http.MethodPost, path: v1 + "/valuations", access: write, handle: account.createValuation},
		{method: http.MethodGet, path: v1 + "/valuations/:id", access: read, handle: shows("Valuation", o.Ledger.Catalog.GetValuation, one(formats, writeValuation))},
		{method: http.MethodPatch, path: v1 + "/valuations/:id", access: write, handle: account.updateValuation},
		{method: http.MethodDelete, path: v1 + "/valuations/:id", access: write, handle: deletes("Valuation", o.Ledger.Catalog.DeleteValuation)},

		{method: http.MethodGet, path: v1 + "/holdings", access: read, handle: trade.listHoldings},
		{method: http.MethodGet, path: v1 + "/holdings/:id", access: read, handle: trade.showHolding},

		{method: http.MethodGet, path: v1 + "/securities", access: read, handle: security.listSecurities},
		{method: http.MethodPost, path: v1 + "/securities", access: write, handle: security.createSecurity},
		{method: http.MethodGet, path: v1 + "/securities/:id", access: read, handle: shows("Security", o.Ledger.Market.GetSecurity, one(formats, writeSecurity))},
		{method: http.MethodPatch, path: v1 + "/securities/:id", access: write, handle: security.updateSecurity},
		{method: http.MethodDelete, path: v1 + "/securities/:id", access: write, handle: deletes("Security", o.Ledger.Market.DeleteSecurity)},

		{method: http.MethodGet, path: v1 + "/security_prices", access: read, handle: security.listPrices},
		{method: http.MethodPost, path: v1 + "/security_prices", access: write, handle: security.putPrices, bodyMax: priceBodyMax},
		{method: http.MethodGet, path: v1 + "/security_prices/:id", access: read, handle: security.showPrice},
		{method: http.MethodDelete, path: v1 + "/security_prices/:id", access: write, handle: deletes("Security price", o.Ledger.Market.DeletePrice)},

		{method: http.MethodGet, path: v1 + "/security_splits", access: read, handle: security.listSplits},
		{method: http.MethodPost, path: v1 + "/security_splits", access: write, handle: security.createSplit},
		{method: http.MethodDelete, path: v1 + "/security_splits/:id", access: write, handle: deletes("Security split", o.Ledger.Market.DeleteSplit)},

		{method: http.MethodGet, path: v1 + "/balances", access: read, handle: account.listBalances},
		{method: http.MethodGet, path: v1 + "/balances/:id", access: read, handle: account.showBalance},
		{method: http.MethodPost, path: v1 + "/sync", access: write, handle: home.sync},
		{method: http.MethodGet, path: v1 + "/syncs", access: read, handle: home.listSyncs},
		{method: http.MethodGet, path: v1 + "/syncs/latest", access: read, handle: home.showLatestSync},
		{method: http.MethodGet, path: v1 + "/syncs/:id", access: read, handle: shows("Sync", o.Ledger.Tenants.GetSync, oneSync)},

		{method: http.MethodGet, path: v1 + "/imports", access: read, handle: imported.listImports},
		{method: http.MethodPost, path: v1 + "/imports", access: write, handle: imported.createImport, bodyMax: o.Imports.Max() + importMargin, rawBody: true},
		{method: http.MethodPost, path: v1 + "/imports/preflight", access: read, handle: imported.preflightImport, bodyMax: o.Imports.Max() + importMargin, rawBody: true},
		{method: http.MethodGet, path: v1 + "/imports/:id", access: read, handle: shows("Import", o.Imports.Get, imported.oneImport)},
		{method: http.MethodPatch, path: v1 + "/imports/:id", access: write, handle: imported.configureImport, rawBody: true},
		{method: http.MethodGet, path: v1 + "/imports/:id/rows", access: read, handle: imported.listImportRows, lasts: asFile},
		{method: http.MethodPatch, path: v1 + "/imports/:id/rows", access: write, handle: imported.ruleImportRows, rawBody: true},
		{method: http.MethodPatch, path: v1 + "/imports/:id/rows/:number", access: write, handle: imported.ruleImportRow},
		{method: http.MethodGet, path: v1 + "/imports/:id/events", access: read, handle: imported.streamImport, lasts: asStream},
		{method: http.MethodPost, path: v1 + "/imports/:id/publish", access: write, handle: imported.publishImport, rawBody: true},
		{method: http.MethodPost, path: v1 + "/imports/:id/revert", access: write, handle: imported.revertImport, rawBody: true},
		{method: http.MethodPost, path: v1 + "/imports/:id/cancel", access: write, handle: imported.cancelImport},
		{method: http.MethodDelete, path: v1 + "/imports/:id", access: write, handle: deletes("Import", o.Imports.Delete)},

		{method: http.MethodGet, path: v1 + "/chats", access: read, handle: chat.listChats},
		{method: http.MethodPost, path: v1 + "/chats", access: write, handle: chat.createChat, bodyMax: messageBodyMax},
		{method: http.MethodGet, path: v1 + "/chats/:id", access: read, handle: chat.showChat},
		{method: http.MethodPatch, path: v1 + "/chats/:id", access: write, handle: chat.renameChat},
		{method: http.MethodDelete, path: v1 + "/chats/:id", access: write, handle: chat.deleteChat},
		{method: http.MethodPost, path: v1 + "/chats/:id/messages", access: write, handle: chat.createMessage, bodyMax: messageBodyMax},
		{method: http.MethodPost, path: v1 + "/chats/:id/messages/retry", access: write, handle: chat.retryMessage},
		{method: http.MethodGet, path: v1 + "/chats/:id/messages/:message", access: read, handle: chat.showMessage},
		{method: http.MethodGet, path: v1 + "/chats/:id/messages/:message/stream", access: read, handle: chat.streamMessage, lasts: asStream},
		{method: http.MethodPost, path: v1 + "/chats/:id/messages/:message/cancel", access: write, handle: chat.cancelMessage},
	}
}
