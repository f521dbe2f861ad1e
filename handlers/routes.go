package handlers

import (
	"net/http"
	"sync"

	"finsvc/embed"
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
)

// importMargin is what the body of an import may have beside the file, in bytes: fields, boundaries,
// escapes.
const importMargin = 8 << 20

// routes is the table of every operation. GET answers HEAD as well, PATCH answers PUT. Writes honour
// Idempotency-Key and If-Match. A word may stand beside a parameter (users/me beside users/:id).
func routes(o Options, origins *middleware.Origins, streams *middleware.Streams) []middleware.Route {
	const v1 = "/api/v1"
	formats := new(wire.Formatters)
	account := &accounts{o.Ledger, formats}
	label := &labels{o.Ledger}
	transaction := &transactions{o.Ledger, formats}
	change := &changes{o.Ledger}
	transfer := &transfers{o.Ledger, formats}
	trade := &trades{o.Ledger, formats}
	security := &securities{o.Ledger, formats}
	report := &reports{o.Ledger, formats}
	rule := &rules{o.Ledger}
	imported := &imports{o.Imports, o.Ledger, streams}
	chat := &chats{o.Assistant, streams}
	home := &household{o.Ledger, o.Assistant}
	page := &pages{o.Version, o.Health, origins, sync.OnceValues(embed.OpenAPIJSON), sync.OnceValues(embed.Docs)}
	table := []middleware.Route{
		{Method: http.MethodGet, Path: "/up", Access: middleware.Public, Handle: page.showHealth, Quiet: true,
			Live: true},
		{Method: http.MethodGet, Path: "/healthz", Access: middleware.Public, Handle: page.showHealth, Quiet: true,
			Live: true},

		// Where the phone app looks whether there is a server.
		{Method: http.MethodGet, Path: "/sessions/new", Access: middleware.Public, Handle: page.showHealth, Quiet: true,
			Live: true},

		{Method: http.MethodGet, Path: v1 + "/openapi.json", Access: middleware.Public, Handle: page.showOpenAPI},
		{Method: http.MethodGet, Path: v1 + "/openapi.yaml", Access: middleware.Public, Handle: page.showOpenAPIYAML},
		{Method: http.MethodGet, Path: "/api/docs", Access: middleware.Public, Handle: page.showDocs},
		{Method: http.MethodGet, Path: "/handbook", Access: middleware.Public, Handle: page.showHandbook},
		{Method: http.MethodGet, Path: "/handbook/:page", Access: middleware.Public, Handle: page.showHandbookPage},

		{Method: http.MethodGet, Path: v1 + "/usage", Access: middleware.Read, Handle: home.showUsage, Live: true},
		{Method: http.MethodDelete, Path: v1 + "/users/me", Access: middleware.Write, Handle: home.deactivateMe},
		{Method: http.MethodDelete, Path: v1 + "/users/reset", Access: middleware.Write, Handle: home.resetHousehold},
		{Method: http.MethodGet, Path: v1 + "/users/reset/status", Access: middleware.Read, Handle: home.showReset},
		{Method: http.MethodPatch, Path: v1 + "/auth/enable_ai", Access: middleware.Write,
			Handle: home.enableAssistant},
		{Method: http.MethodGet, Path: v1 + "/family_settings", Access: middleware.Read, Handle: home.showSettings},
		{Method: http.MethodGet, Path: v1 + "/balance_sheet", Access: middleware.Read, Handle: report.showBalanceSheet},
		{Method: http.MethodGet, Path: v1 + "/net_worth", Access: middleware.Read, Handle: report.showNetWorth},
		{Method: http.MethodGet, Path: v1 + "/income_statement", Access: middleware.Read,
			Handle: report.showIncomeStatement},
		{Method: http.MethodGet, Path: v1 + "/explain", Access: middleware.Read, Handle: report.showExplanation},

		{Method: http.MethodGet, Path: v1 + "/accounts", Access: middleware.Read, Handle: account.listAccounts},
		{Method: http.MethodPost, Path: v1 + "/accounts", Access: middleware.Write, Handle: account.createAccount},
		{Method: http.MethodGet, Path: v1 + "/accounts/:id", Access: middleware.Read,
			Handle: shows("Account", o.Ledger.Accounts.GetAccount, one(formats, writeAccount))},
		{Method: http.MethodPatch, Path: v1 + "/accounts/:id", Access: middleware.Write, Handle: account.updateAccount},
		{Method: http.MethodDelete, Path: v1 + "/accounts/:id", Access: middleware.Write, Handle: account.deleteAccount},
		{Method: http.MethodPost, Path: v1 + "/accounts/:id/merge", Access: middleware.Write, Handle: account.mergeAccount},

		{Method: http.MethodGet, Path: v1 + "/categories", Access: middleware.Read, Handle: label.listCategories},
		{Method: http.MethodPost, Path: v1 + "/categories", Access: middleware.Write, Handle: label.createCategory},
		{Method: http.MethodGet, Path: v1 + "/categories/:id", Access: middleware.Read, Handle: label.showCategory},
		{Method: http.MethodPatch, Path: v1 + "/categories/:id", Access: middleware.Write,
			Handle: label.updateCategory},
		{Method: http.MethodDelete, Path: v1 + "/categories/:id", Access: middleware.Write,
			Handle: deletes("Category", o.Ledger.Labels.DeleteCategory)},
		{Method: http.MethodPost, Path: v1 + "/categories/:id/merge", Access: middleware.Write,
			Handle: merges("Category", o.Ledger.Labels.MergeCategory, writeCategory), RawBody: true},

		{Method: http.MethodGet, Path: v1 + "/tags", Access: middleware.Read, Handle: label.listTags},
		{Method: http.MethodPost, Path: v1 + "/tags", Access: middleware.Write, Handle: label.createTag},
		{Method: http.MethodGet, Path: v1 + "/tags/:id", Access: middleware.Read, Handle: label.showTag},
		{Method: http.MethodPatch, Path: v1 + "/tags/:id", Access: middleware.Write, Handle: label.updateTag},
		{Method: http.MethodDelete, Path: v1 + "/tags/:id", Access: middleware.Write, Handle: label.deleteTag},
		{Method: http.MethodPost, Path: v1 + "/tags/:id/merge", Access: middleware.Write,
			Handle: merges("Tag", o.Ledger.Labels.MergeTag, writeTag), RawBody: true},

		{Method: http.MethodGet, Path: v1 + "/merchants", Access: middleware.Read, Handle: label.listMerchants},
		{Method: http.MethodPost, Path: v1 + "/merchants", Access: middleware.Write, Handle: label.createMerchant,
			BodyMax: merchantBodyMax},
		{Method: http.MethodGet, Path: v1 + "/merchants/:id", Access: middleware.Read, Handle: label.showMerchant},
		{Method: http.MethodPatch, Path: v1 + "/merchants/:id", Access: middleware.Write, Handle: label.updateMerchant},
		{Method: http.MethodDelete, Path: v1 + "/merchants/:id", Access: middleware.Write,
			Handle: deletes("Merchant", o.Ledger.Labels.DeleteMerchant)},
		{Method: http.MethodPost, Path: v1 + "/merchants/:id/merge", Access: middleware.Write,
			Handle: merges("Merchant", o.Ledger.Labels.MergeMerchant, writeMerchant), RawBody: true},

		{Method: http.MethodGet, Path: v1 + "/transactions", Access: middleware.Read,
			Handle: transaction.listTransactions},
		{Method: http.MethodPost, Path: v1 + "/transactions", Access: middleware.Write,
			Handle: transaction.createTransaction},
		{Method: http.MethodPost, Path: v1 + "/transactions/bulk", Access: middleware.Write,
			Handle: transaction.createTransactions, BodyMax: bulkBodyMax},
		{Method: http.MethodPatch, Path: v1 + "/transactions/bulk", Access: middleware.Write,
			Handle: change.changeTransactions, RawBody: true},
		{Method: http.MethodGet, Path: v1 + "/transactions/:id", Access: middleware.Read,
			Handle: shows("Transaction", o.Ledger.Entries.GetTransaction, one(formats, writeTransaction))},
		{Method: http.MethodPatch, Path: v1 + "/transactions/:id", Access: middleware.Write,
			Handle: transaction.updateTransaction},
		{Method: http.MethodDelete, Path: v1 + "/transactions/:id", Access: middleware.Write,
			Handle: deletes("Transaction", o.Ledger.Entries.DeleteTransaction)},

		{Method: http.MethodGet, Path: v1 + "/changes", Access: middleware.Read, Handle: change.listChanges},
		{Method: http.MethodGet, Path: v1 + "/changes/:id", Access: middleware.Read, Handle: change.showChange},
		{Method: http.MethodPost, Path: v1 + "/changes/:id/undo", Access: middleware.Write, Handle: change.undoChange,
			RawBody: true},

		{Method: http.MethodGet, Path: v1 + "/rules", Access: middleware.Read, Handle: rule.listRules},
		{Method: http.MethodPost, Path: v1 + "/rules", Access: middleware.Write, Handle: rule.createRule},
		{Method: http.MethodGet, Path: v1 + "/rules/:id", Access: middleware.Read,
			Handle: shows("Rule", o.Ledger.Rules.GetRule, rule.oneRule)},
		{Method: http.MethodPatch, Path: v1 + "/rules/:id", Access: middleware.Write, Handle: rule.updateRule},
		{Method: http.MethodDelete, Path: v1 + "/rules/:id", Access: middleware.Write,
			Handle: deletes("Rule", o.Ledger.Entries.DeleteRule)},
		{Method: http.MethodPost, Path: v1 + "/rules/:id/run", Access: middleware.Write, Handle: rule.runRule,
			RawBody: true},
		{Method: http.MethodPost, Path: v1 + "/rules/run", Access: middleware.Write, Handle: rule.runRules,
			RawBody: true},
		{Method: http.MethodGet, Path: v1 + "/rule_runs", Access: middleware.Read, Handle: rule.listRuleRuns},
		{Method: http.MethodGet, Path: v1 + "/rule_runs/:id", Access: middleware.Read,
			Handle: shows("Rule run", o.Ledger.Entries.GetRuleRun, rule.oneRuleRun)},

		{Method: http.MethodGet, Path: v1 + "/trades", Access: middleware.Read, Handle: trade.listTrades},
		{Method: http.MethodPost, Path: v1 + "/trades", Access: middleware.Write, Handle: trade.createTrade},
		{Method: http.MethodGet, Path: v1 + "/trades/:id", Access: middleware.Read,
			Handle: shows("Trade", o.Ledger.Trades.GetTrade, one(formats, writeTrade))},
		{Method: http.MethodPatch, Path: v1 + "/trades/:id", Access: middleware.Write, Handle: trade.updateTrade},
		{Method: http.MethodDelete, Path: v1 + "/trades/:id", Access: middleware.Write,
			Handle: deletes("Trade", o.Ledger.Trades.DeleteTrade)},

		{Method: http.MethodGet, Path: v1 + "/transfers", Access: middleware.Read, Handle: transfer.listTransfers},
		{Method: http.MethodPost, Path: v1 + "/transfers", Access: middleware.Write, Handle: transfer.createTransfer},
		{Method: http.MethodGet, Path: v1 + "/transfers/:id", Access: middleware.Read,
			Handle: shows("Transfer", o.Ledger.Transfers.GetTransfer, one(formats, writeTransfer))},
		{Method: http.MethodPatch, Path: v1 + "/transfers/:id", Access: middleware.Write,
			Handle: transfer.updateTransfer},
		{Method: http.MethodDelete, Path: v1 + "/transfers/:id", Access: middleware.Write,
			Handle: deletes("Transfer", o.Ledger.Transfers.UnlinkTransfer)},
		{Method: http.MethodPost, Path: v1 + "/transfers/:id/confirm", Access: middleware.Write,
			Handle: transfer.confirmTransfer},
		{Method: http.MethodPost, Path: v1 + "/transfers/:id/reject", Access: middleware.Write,
			Handle: transfer.rejectTransfer},
		{Method: http.MethodGet, Path: v1 + "/rejected_transfers", Access: middleware.Read,
			Handle: transfer.listRejectedTransfers},
		{Method: http.MethodGet, Path: v1 + "/rejected_transfers/:id", Access: middleware.Read,
			Handle: shows("Rejected transfer", o.Ledger.Transfers.GetRejectedTransfer,
				one(formats, writeRejectedTransfer))},
		{Method: http.MethodDelete, Path: v1 + "/rejected_transfers/:id", Access: middleware.Write,
			Handle: deletes("Rejected transfer", o.Ledger.Transfers.DeleteRejectedTransfer)},

		{Method: http.MethodGet, Path: v1 + "/valuations", Access: middleware.Read, Handle: account.listValuations},
		{Method: http.MethodPost, Path: v1 + "/valuations", Access: middleware.Write, Handle: account.createValuation},
		{Method: http.MethodGet, Path: v1 + "/valuations/:id", Access: middleware.Read,
			Handle: shows("Valuation", o.Ledger.Accounts.GetValuation, one(formats, writeValuation))},
		{Method: http.MethodPatch, Path: v1 + "/valuations/:id", Access: middleware.Write,
			Handle: account.updateValuation},
		{Method: http.MethodDelete, Path: v1 + "/valuations/:id", Access: middleware.Write,
			Handle: deletes("Valuation", o.Ledger.Accounts.DeleteValuation)},

		{Method: http.MethodGet, Path: v1 + "/holdings", Access: middleware.Read, Handle: trade.listHoldings},
		{Method: http.MethodGet, Path: v1 + "/holdings/:id", Access: middleware.Read, Handle: trade.showHolding},

		{Method: http.MethodGet, Path: v1 + "/securities", Access: middleware.Read, Handle: security.listSecurities},
		{Method: http.MethodPost, Path: v1 + "/securities", Access: middleware.Write, Handle: security.createSecurity},
		{Method: http.MethodGet, Path: v1 + "/securities/:id", Access: middleware.Read,
			Handle: shows("Security", o.Ledger.Market.GetSecurity, one(formats, writeSecurity))},
		{Method: http.MethodPatch, Path: v1 + "/securities/:id", Access: middleware.Write,
			Handle: security.updateSecurity},
		{Method: http.MethodDelete, Path: v1 + "/securities/:id", Access: middleware.Write,
			Handle: deletes("Security", o.Ledger.Market.DeleteSecurity)},

		{Method: http.MethodGet, Path: v1 + "/security_prices", Access: middleware.Read, Handle: security.listPrices},
		{Method: http.MethodPost, Path: v1 + "/security_prices", Access: middleware.Write, Handle: security.putPrices,
			BodyMax: priceBodyMax},
		{Method: http.MethodGet, Path: v1 + "/security_prices/:id", Access: middleware.Read,
			Handle: security.showPrice},
		{Method: http.MethodDelete, Path: v1 + "/security_prices/:id", Access: middleware.Write,
			Handle: deletes("Security price", o.Ledger.Market.DeletePrice)},

		{Method: http.MethodGet, Path: v1 + "/security_splits", Access: middleware.Read, Handle: security.listSplits},
		{Method: http.MethodPost, Path: v1 + "/security_splits", Access: middleware.Write,
			Handle: security.createSplit},
		{Method: http.MethodDelete, Path: v1 + "/security_splits/:id", Access: middleware.Write,
			Handle: deletes("Security split", o.Ledger.Market.DeleteSplit)},

		{Method: http.MethodGet, Path: v1 + "/balances", Access: middleware.Read, Handle: account.listBalances},
		{Method: http.MethodGet, Path: v1 + "/balances/:id", Access: middleware.Read, Handle: account.showBalance},
		{Method: http.MethodPost, Path: v1 + "/sync", Access: middleware.Write, Handle: home.sync},
		{Method: http.MethodGet, Path: v1 + "/syncs", Access: middleware.Read, Handle: home.listSyncs},
		{Method: http.MethodGet, Path: v1 + "/syncs/latest", Access: middleware.Read, Handle: home.showLatestSync},
		{Method: http.MethodGet, Path: v1 + "/syncs/:id", Access: middleware.Read,
			Handle: shows("Sync", o.Ledger.Tenants.GetSync, oneSync)},

		{Method: http.MethodGet, Path: v1 + "/imports", Access: middleware.Read, Handle: imported.listImports},
		{Method: http.MethodPost, Path: v1 + "/imports", Access: middleware.Write, Handle: imported.createImport,
			BodyMax: o.Imports.Max() + importMargin, RawBody: true},
		{Method: http.MethodPost, Path: v1 + "/imports/preflight", Access: middleware.Read,
			Handle: imported.preflightImport, BodyMax: o.Imports.Max() + importMargin, RawBody: true},
		{Method: http.MethodGet, Path: v1 + "/imports/:id", Access: middleware.Read,
			Handle: shows("Import", o.Imports.Get, imported.oneImport)},
		{Method: http.MethodPatch, Path: v1 + "/imports/:id", Access: middleware.Write,
			Handle: imported.configureImport, RawBody: true},
		{Method: http.MethodGet, Path: v1 + "/imports/:id/rows", Access: middleware.Read,
			Handle: imported.listImportRows, Lasts: middleware.AsFile},
		{Method: http.MethodPatch, Path: v1 + "/imports/:id/rows", Access: middleware.Write,
			Handle: imported.ruleImportRows, RawBody: true},
		{Method: http.MethodPatch, Path: v1 + "/imports/:id/rows/:number", Access: middleware.Write,
			Handle: imported.ruleImportRow},
		{Method: http.MethodGet, Path: v1 + "/imports/:id/events", Access: middleware.Read,
			Handle: imported.streamImport, Lasts: middleware.AsStream},
		{Method: http.MethodPost, Path: v1 + "/imports/:id/publish", Access: middleware.Write,
			Handle: imported.publishImport, RawBody: true},
		{Method: http.MethodPost, Path: v1 + "/imports/:id/revert", Access: middleware.Write,
			Handle: imported.revertImport, RawBody: true},
		{Method: http.MethodPost, Path: v1 + "/imports/:id/cancel", Access: middleware.Write,
			Handle: imported.cancelImport},
		{Method: http.MethodDelete, Path: v1 + "/imports/:id", Access: middleware.Write,
			Handle: deletes("Import", o.Imports.Delete)},

		{Method: http.MethodGet, Path: v1 + "/chats", Access: middleware.Read, Handle: chat.listChats},
		{Method: http.MethodPost, Path: v1 + "/chats", Access: middleware.Write, Handle: chat.createChat,
			BodyMax: messageBodyMax},
		{Method: http.MethodGet, Path: v1 + "/chats/:id", Access: middleware.Read, Handle: chat.showChat},
		{Method: http.MethodPatch, Path: v1 + "/chats/:id", Access: middleware.Write, Handle: chat.renameChat},
		{Method: http.MethodDelete, Path: v1 + "/chats/:id", Access: middleware.Write, Handle: chat.deleteChat},
		{Method: http.MethodPost, Path: v1 + "/chats/:id/messages", Access: middleware.Write,
			Handle: chat.createMessage, BodyMax: messageBodyMax},
		{Method: http.MethodPost, Path: v1 + "/chats/:id/messages/retry", Access: middleware.Write,
			Handle: chat.retryMessage},
		{Method: http.MethodGet, Path: v1 + "/chats/:id/messages/:message", Access: middleware.Read,
			Handle: chat.showMessage},
		{Method: http.MethodGet, Path: v1 + "/chats/:id/messages/:message/stream", Access: middleware.Read,
			Handle: chat.streamMessage, Lasts: middleware.AsStream},
		{Method: http.MethodPost, Path: v1 + "/chats/:id/messages/:message/cancel", Access: middleware.Write,
			Handle: chat.cancelMessage},
	}
	if o.Web == nil { // else the overview is there
		table = append(table, middleware.Route{Method: http.MethodGet, Path: "/", Access: middleware.Public, Handle: page.showHome})
	}
	if o.MCP != nil {
		table = append(table, middleware.Route{Method: http.MethodPost, Path: "/mcp", Access: middleware.Read, RawBody: true,
			Handle: (&models{o.MCP, streams}).answerModel})
	}
	for i := range table {
		table[i].Handle = sayingIDs(o.Ledger, table[i].Handle)
	}
	return table
}
