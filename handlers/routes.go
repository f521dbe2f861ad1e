package handlers

import "net/http"

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
func (s *Server) routes() []route {
	const v1 = "/api/v1"
	return []route{
		{method: http.MethodGet, path: "/up", access: public, handle: s.showHealth, quiet: true, live: true},
		{method: http.MethodGet, path: "/healthz", access: public, handle: s.showHealth, quiet: true, live: true},

		// Where the phone app looks whether there is a server.
		{method: http.MethodGet, path: "/sessions/new", access: public, handle: s.showHealth, quiet: true, live: true},

		{method: http.MethodGet, path: "/", access: public, handle: s.showHome},
		{method: http.MethodGet, path: v1 + "/openapi.json", access: public, handle: s.showOpenAPI},
		{method: http.MethodGet, path: v1 + "/openapi.yaml", access: public, handle: s.showOpenAPIYAML},
		{method: http.MethodGet, path: "/api/docs", access: public, handle: s.showDocs},
		{method: http.MethodGet, path: "/handbook", access: public, handle: s.showHandbook},
		{method: http.MethodGet, path: "/handbook/:page", access: public, handle: s.showHandbookPage},

		{method: http.MethodGet, path: v1 + "/usage", access: read, handle: s.showUsage, live: true},
		{method: http.MethodDelete, path: v1 + "/users/me", access: write, handle: s.deactivateMe},
		{method: http.MethodDelete, path: v1 + "/users/reset", access: write, handle: s.resetHousehold},
		{method: http.MethodGet, path: v1 + "/users/reset/status", access: read, handle: s.showReset},
		{method: http.MethodPatch, path: v1 + "/auth/enable_ai", access: write, handle: s.enableAssistant},
		{method: http.MethodGet, path: v1 + "/family_settings", access: read, handle: s.showSettings},
		{method: http.MethodGet, path: v1 + "/balance_sheet", access: read, handle: s.showBalanceSheet},
		{method: http.MethodGet, path: v1 + "/net_worth", access: read, handle: s.showNetWorth},
		{method: http.MethodGet, path: v1 + "/income_statement", access: read, handle: s.showIncomeStatement},
		{method: http.MethodGet, path: v1 + "/explain", access: read, handle: s.showExplanation},

		{method: http.MethodGet, path: v1 + "/accounts", access: read, handle: s.listAccounts},
		{method: http.MethodPost, path: v1 + "/accounts", access: write, handle: s.createAccount},
		{method: http.MethodGet, path: v1 + "/accounts/:id", access: read, handle: shows("Account", s.ledger.GetAccount, one(s, writeAccount))},
		{method: http.MethodPatch, path: v1 + "/accounts/:id", access: write, handle: s.updateAccount},

		{method: http.MethodGet, path: v1 + "/categories", access: read, handle: s.listCategories},
		{method: http.MethodPost, path: v1 + "/categories", access: write, handle: s.createCategory},
		{method: http.MethodGet, path: v1 + "/categories/:id", access: read, handle: s.showCategory},
		{method: http.MethodPatch, path: v1 + "/categories/:id", access: write, handle: s.updateCategory},
		{method: http.MethodDelete, path: v1 + "/categories/:id", access: write, handle: deletes("Category", s.ledger.DeleteCategory)},

		{method: http.MethodGet, path: v1 + "/tags", access: read, handle: s.listTags},
		{method: http.MethodPost, path: v1 + "/tags", access: write, handle: s.createTag},
		{method: http.MethodGet, path: v1 + "/tags/:id", access: read, handle: s.showTag},
		{method: http.MethodPatch, path: v1 + "/tags/:id", access: write, handle: s.updateTag},
		{method: http.MethodDelete, path: v1 + "/tags/:id", access: write, handle: s.deleteTag},

		{method: http.MethodGet, path: v1 + "/merchants", access: read, handle: s.listMerchants},
		{method: http.MethodPost, path: v1 + "/merchants", access: write, handle: s.createMerchant, bodyMax: merchantBodyMax},
		{method: http.MethodGet, path: v1 + "/merchants/:id", access: read, handle: s.showMerchant},
		{method: http.MethodPatch, path: v1 + "/merchants/:id", access: write, handle: s.updateMerchant},
		{method: http.MethodDelete, path: v1 + "/merchants/:id", access: write, handle: deletes("Merchant", s.ledger.DeleteMerchant)},
		{method: http.MethodPost, path: v1 + "/merchants/:id/merge", access: write, handle: s.mergeMerchant},

		{method: http.MethodGet, path: v1 + "/transactions", access: read, handle: s.listTransactions},
		{method: http.MethodPost, path: v1 + "/transactions", access: write, handle: s.createTransaction},
		{method: http.MethodPost, path: v1 + "/transactions/bulk", access: write, handle: s.createTransactions, bodyMax: bulkBodyMax},
		{method: http.MethodGet, path: v1 + "/transactions/:id", access: read, handle: shows("Transaction", s.ledger.GetTransaction, one(s, writeTransaction))},
		{method: http.MethodPatch, path: v1 + "/transactions/:id", access: write, handle: s.updateTransaction},
		{method: http.MethodDelete, path: v1 + "/transactions/:id", access: write, handle: deletes("Transaction", s.ledger.DeleteTransaction)},

		{method: http.MethodGet, path: v1 + "/rules", access: read, handle: s.listRules},
		{method: http.MethodPost, path: v1 + "/rules", access: write, handle: s.createRule},
		{method: http.MethodGet, path: v1 + "/rules/:id", access: read, handle: shows("Rule", s.ledger.GetRule, s.oneRule)},
		{method: http.MethodPatch, path: v1 + "/rules/:id", access: write, handle: s.updateRule},
		{method: http.MethodDelete, path: v1 + "/rules/:id", access: write, handle: deletes("Rule", s.ledger.DeleteRule)},
		{method: http.MethodPost, path: v1 + "/rules/:id/run", access: write, handle: s.runRule, rawBody: true},
		{method: http.MethodPost, path: v1 + "/rules/run", access: write, handle: s.runRules, rawBody: true},
		{method: http.MethodGet, path: v1 + "/rule_runs", access: read, handle: s.listRuleRuns},
		{method: http.MethodGet, path: v1 + "/rule_runs/:id", access: read, handle: shows("Rule run", s.ledger.GetRuleRun, s.oneRuleRun)},

		{method: http.MethodGet, path: v1 + "/trades", access: read, handle: s.listTrades},
		{method: http.MethodPost, path: v1 + "/trades", access: write, handle: s.createTrade},
		{method: http.MethodGet, path: v1 + "/trades/:id", access: read, handle: shows("Trade", s.ledger.GetTrade, one(s, writeTrade))},
		{method: http.MethodPatch, path: v1 + "/trades/:id", access: write, handle: s.updateTrade},
		{method: http.MethodDelete, path: v1 + "/trades/:id", access: write, handle: deletes("Trade", s.ledger.DeleteTrade)},

		{method: http.MethodGet, path: v1 + "/transfers", access: read, handle: s.listTransfers},
		{method: http.MethodPost, path: v1 + "/transfers", access: write, handle: s.createTransfer},
		{method: http.MethodGet, path: v1 + "/transfers/:id", access: read, handle: shows("Transfer", s.ledger.GetTransfer, one(s, writeTransfer))},
		{method: http.MethodPatch, path: v1 + "/transfers/:id", access: write, handle: s.updateTransfer},
		{method: http.MethodDelete, path: v1 + "/transfers/:id", access: write, handle: deletes("Transfer", s.ledger.UnlinkTransfer)},
		{method: http.MethodPost, path: v1 + "/transfers/:id/confirm", access: write, handle: s.confirmTransfer},
		{method: http.MethodPost, path: v1 + "/transfers/:id/reject", access: write, handle: s.rejectTransfer},
		{method: http.MethodGet, path: v1 + "/rejected_transfers", access: read, handle: s.listRejectedTransfers},
		{method: http.MethodGet, path: v1 + "/rejected_transfers/:id", access: read, handle: shows("Rejected transfer", s.ledger.GetRejectedTransfer, one(s, writeRejectedTransfer))},
		{method: http.MethodDelete, path: v1 + "/rejected_transfers/:id", access: write, handle: deletes("Rejected transfer", s.ledger.DeleteRejectedTransfer)},

		{method: http.MethodGet, path: v1 + "/valuations", access: read, handle: s.listValuations},
		{method: http.MethodPost, path: v1 + "/valuations", access: write, handle: s.createValuation},
		{method: http.MethodGet, path: v1 + "/valuations/:id", access: read, handle: shows("Valuation", s.ledger.GetValuation, one(s, writeValuation))},
		{method: http.MethodPatch, path: v1 + "/valuations/:id", access: write, handle: s.updateValuation},
		{method: http.MethodDelete, path: v1 + "/valuations/:id", access: write, handle: deletes("Valuation", s.ledger.DeleteValuation)},

		{method: http.MethodGet, path: v1 + "/holdings", access: read, handle: s.listHoldings},
		{method: http.MethodGet, path: v1 + "/holdings/:id", access: read, handle: s.showHolding},

		{method: http.MethodGet, path: v1 + "/securities", access: read, handle: s.listSecurities},
		{method: http.MethodPost, path: v1 + "/securities", access: write, handle: s.createSecurity},
		{method: http.MethodGet, path: v1 + "/securities/:id", access: read, handle: shows("Security", s.ledger.GetSecurity, one(s, writeSecurity))},
		{method: http.MethodPatch, path: v1 + "/securities/:id", access: write, handle: s.updateSecurity},
		{method: http.MethodDelete, path: v1 + "/securities/:id", access: write, handle: deletes("Security", s.ledger.DeleteSecurity)},

		{method: http.MethodGet, path: v1 + "/security_prices", access: read, handle: s.listPrices},
		{method: http.MethodPost, path: v1 + "/security_prices", access: write, handle: s.putPrices, bodyMax: priceBodyMax},
		{method: http.MethodGet, path: v1 + "/security_prices/:id", access: read, handle: s.showPrice},
		{method: http.MethodDelete, path: v1 + "/security_prices/:id", access: write, handle: deletes("Security price", s.ledger.DeletePrice)},

		{method: http.MethodGet, path: v1 + "/security_splits", access: read, handle: s.listSplits},
		{method: http.MethodPost, path: v1 + "/security_splits", access: write, handle: s.createSplit},
		{method: http.MethodDelete, path: v1 + "/security_splits/:id", access: write, handle: deletes("Security split", s.ledger.DeleteSplit)},

		{method: http.MethodGet, path: v1 + "/balances", access: read, handle: s.listBalances},
		{method: http.MethodGet, path: v1 + "/balances/:id", access: read, handle: s.showBalance},
		{method: http.MethodPost, path: v1 + "/sync", access: write, handle: s.sync},
		{method: http.MethodGet, path: v1 + "/syncs", access: read, handle: s.listSyncs},
		{method: http.MethodGet, path: v1 + "/syncs/latest", access: read, handle: s.showLatestSync},
		{method: http.MethodGet, path: v1 + "/syncs/:id", access: read, handle: shows("Sync", s.ledger.GetSync, oneSync)},

		{method: http.MethodGet, path: v1 + "/imports", access: read, handle: s.listImports},
		{method: http.MethodPost, path: v1 + "/imports", access: write, handle: s.createImport, bodyMax: s.imports.Max() + importMargin, rawBody: true},
		{method: http.MethodPost, path: v1 + "/imports/preflight", access: read, handle: s.preflightImport, bodyMax: s.imports.Max() + importMargin, rawBody: true},
		{method: http.MethodGet, path: v1 + "/imports/:id", access: read, handle: shows("Import", s.imports.Get, s.oneImport)},
		{method: http.MethodPatch, path: v1 + "/imports/:id", access: write, handle: s.configureImport, rawBody: true},
		{method: http.MethodGet, path: v1 + "/imports/:id/rows", access: read, handle: s.listImportRows, lasts: asFile},
		{method: http.MethodPatch, path: v1 + "/imports/:id/rows", access: write, handle: s.ruleImportRows, rawBody: true},
		{method: http.MethodPatch, path: v1 + "/imports/:id/rows/:number", access: write, handle: s.ruleImportRow},
		{method: http.MethodGet, path: v1 + "/imports/:id/events", access: read, handle: s.streamImport, lasts: asStream},
		{method: http.MethodPost, path: v1 + "/imports/:id/publish", access: write, handle: s.publishImport, rawBody: true},
		{method: http.MethodPost, path: v1 + "/imports/:id/revert", access: write, handle: s.revertImport, rawBody: true},
		{method: http.MethodPost, path: v1 + "/imports/:id/cancel", access: write, handle: s.cancelImport},
		{method: http.MethodDelete, path: v1 + "/imports/:id", access: write, handle: deletes("Import", s.imports.Delete)},

		{method: http.MethodGet, path: v1 + "/chats", access: read, handle: s.listChats},
		{method: http.MethodPost, path: v1 + "/chats", access: write, handle: s.createChat, bodyMax: messageBodyMax},
		{method: http.MethodGet, path: v1 + "/chats/:id", access: read, handle: s.showChat},
		{method: http.MethodPatch, path: v1 + "/chats/:id", access: write, handle: s.renameChat},
		{method: http.MethodDelete, path: v1 + "/chats/:id", access: write, handle: s.deleteChat},
		{method: http.MethodPost, path: v1 + "/chats/:id/messages", access: write, handle: s.createMessage, bodyMax: messageBodyMax},
		{method: http.MethodPost, path: v1 + "/chats/:id/messages/retry", access: write, handle: s.retryMessage},
		{method: http.MethodGet, path: v1 + "/chats/:id/messages/:message", access: read, handle: s.showMessage},
		{method: http.MethodGet, path: v1 + "/chats/:id/messages/:message/stream", access: read, handle: s.streamMessage, lasts: asStream},
		{method: http.MethodPost, path: v1 + "/chats/:id/messages/:message/cancel", access: write, handle: s.cancelMessage},
	}
}
