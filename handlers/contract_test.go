package handlers

import "slices"

// contractOperations are the operations of the contract. Each has its lines below, and its route.
func contractOperations() []string {
	return []string{
		"POST /api/v1/imports", "GET /api/v1/imports", "POST /api/v1/transactions", "PATCH /api/v1/transactions/{id}", "GET /api/v1/transactions",
		"POST /api/v1/trades", "GET /api/v1/holdings", "GET /api/v1/categories", "POST /api/v1/tags", "PATCH /api/v1/tags/{id}", "GET /api/v1/tags/{id}", "GET /api/v1/tags",
		"POST /api/v1/chats", "GET /api/v1/chats", "GET /api/v1/chats/{id}", "POST /api/v1/chats/{id}/messages", "POST /api/v1/chats/{id}/messages/retry",
		"GET /api/v1/valuations/{id}", "GET /api/v1/balance_sheet", "GET /api/v1/usage", "DELETE /api/v1/users/me",
	}
}

// contractClaims is the contract line by line. The fields of resources stand one by one in contract_fields_test.go, where
// TestFieldsOfResources holds the program against them.
func contractClaims() []claim {
	return slices.Concat(generalClaims(), resourceClaims(), importClaims(), transactionClaims(), otherClaims(), errorAndLimitClaims())
}

func generalClaims() []claim {
	const where = "General"
	return []claim{
		line(where, "every path begins with /api/v1, but for health", "TestPaths", "TestRoutesAreDescribed"),
		line(where, "every operation needs a key", "TestEveryRoute"),
		line(where, "everything is the household's of the key's user; another's does not exist", "TestResourcesOfNeighbours", "TestTradesOfNeighbours", "TestValuationsOfNeighbours",
			"TestRulesOfNeighbours", "TestSecuritiesOfNeighbours", "TestTransfersOfNeighbours", "TestChatsArePrivate", "ledger.TestStrangersSeeNothing", "importer.TestStrangersImports",
			"ledger.TestBalanceDaysOfNeighbours", "assistant/tools.TestToolsAreScoped", "queries.TestEveryQueryNamesTheHousehold", "queries.TestEveryTableNamesItsHousehold"),
		line(where, "bodies are JSON, asked and answered, with that content type", "TestParseBody/JSON", "TestHeadersOfAnswers", "TestJSONWriter", "TestStringsMatchEncodingJSON"),
		line(where, "identifiers are UUIDs", "TestFieldsOfResources", "TestPagesOfEveryList"),
		line(where, "timestamps are ISO 8601 instants", "TestFieldsOfResources", "TestUsageAddsUp"),
		line(where, "dates are calendar dates", "TestFieldsOfResources", "TestBadTransactionFields/2026-02-30"),
		line(where, "formatted amounts are texts as the locale writes them", "ledger.TestMoneyAgreesWithIntl", "ledger.TestMoney", "ledger.TestPrice", "TestLanguageOfAmounts"),
		line(where, "creation and change of transactions, trades and tags wrap the fields in an object of that name", "TestWrapped", "TestTransactionStatuses", "TestBadTrades",
			"TestResourcesRefuseBadInput"),
		line(where, "a wrapper that is missing, null or no object is refused", "TestWrapped", "TestTransactionStatuses", "TestResourcesRefuseBadInput"),
	}
}

func resourceClaims() []claim {
	const where = "Resources"
	return []claim{
		line(where, "account reference: id, name, account_type", "TestFieldsOfResources", "TestTransactionBodies/transaction_create"),
		line(where, "pagination: page, per_page, total_count, total_pages, whole numbers", "TestFieldsOfResources", "TestPagination", "TestPagesOfEveryList"),
		line(where, "meta of imports: current_page, total_pages, total_count, per_page, next_page, prev_page", "TestFieldsOfResources", "TestImportList"),
		line(where, "error body: error, message, details", "TestErrorsOnTheWire", "TestResourcesOfNeighbours", "TestTagsOnTheWire"),
		line(where, "every member of every resource is there always, of its kind, and null where it does not apply", "TestFieldsOfResources"),

		line("Transaction", "all members, with everything and with little", "TestFieldsOfResources", "TestTransactionBodies/transaction_create", "TestTransactionBodies/transaction_list"),
		line("Transaction", "amount is written by the locale and currency of the row", "TestTransactionBodies/transaction_list", "TestLanguageOfAmounts"),
		line("Transaction", "amount_cents is absolute, in minor units of the row's own currency", "TestTransactionBodies/transaction_list", "TestFieldsOfResources"),
		line("Transaction", "signed_amount_cents is positive for income, negative for expense", "TestTransactionBodies/transaction_update", "ledger.TestSignOfAmounts"),
		line("Transaction", "classification is income or expense", "TestFieldsOfResources", "TestTransactionFilters/type=income"),
		line("Transaction", "tags have id, name, color", "TestFieldsOfResources", "TestTransactionBodies/transaction_create"),
		line("Transaction", "category has id, name, classification, color, icon", "TestFieldsOfResources", "TestTransactionBodies/transaction_create"),
		line("Transaction", "merchant has id and name", "TestFieldsOfResources", "TestTransactionBodies/transaction_create"),
		line("Transaction", "transfer has id, amount, currency and the other account", "TestFieldsOfResources", "TestTransactionBodies/transaction_transfer", "TestTransferBodies/transfer_side"),
		line("Transaction", "notes come back as they were written", "TestTransactionBodies/transaction_create", "TestStrangeButGood/notes"),

		line("Trade", "all members, with everything and with little", "TestFieldsOfResources", "TestTradeBodies/trade_create", "TestTradeBodies/trade_list"),
		line("Trade", "amount and price are formatted", "TestTradeTypes", "ledger.TestPrice"),
		line("Trade", "qty is a number, negative for sales, written exactly", "TestTradeTypes", "TestFieldsOfResources"),
		line("Trade", "investment_activity_label: Buy, Sell, Dividend and others", "TestTradeTypes", "TestBadTradeFields/investment_activity_label"),
		line("Trade", "security has id, ticker, name; category has id and name", "TestFieldsOfResources", "TestTradeBodies/trade_create"),

		line("Holding", "all members", "TestFieldsOfResources", "TestHoldings/holdings"),
		line("Holding", "qty is a number; price, amount and avg_cost are formatted", "TestHoldings", "TestFieldsOfResources"),
		line("Holding", "avg_cost and cost_basis_source are null where the cost is not known", "TestHoldingInSeveralCurrencies", "TestFieldsOfResources"),

		line("Category", "all members; subcategories_count counts", "TestFieldsOfResources", "TestCategoriesOnTheWire", "ledger.TestCategoryDefaults"),
		line("Category", "classification is income or expense", "TestResourcesRefuseBadInput/classification", "TestFieldsOfResources"),
		line("Category", "parent is there for sub-categories", "TestCategoriesOnTheWire", "TestFieldsOfResources"),
		line("Tag", "all members", "TestFieldsOfResources", "TestTagsOnTheWire"),
		line("Valuation", "all members; amount is the balance; id is that of the entry", "TestFieldsOfResources", "TestValuationBodies/valuation_create"),
		line("Valuation", "kind is opening_anchor or reconciliation", "TestFieldsOfResources", "TestValuationBodies/valuation_list"),

		line("Import detail", "id, type, status, created_at, updated_at always; account_id, error, configuration, stats as well", "TestFieldsOfResources", "TestImportBodies/import_create"),
		line("Import detail", "type is one of nine; the service's own has a neutral name and its old one as an alias", "TestEnumeratedValues/SureImport", "TestImportBackup"),
		line("Import detail", "status is one of six", "TestImportStatuses"),
		line("Import detail", "stats count rows and valid rows", "TestImportBodies/import_create", "TestBadFiles/ragged rows"),
		line("Import detail", "configuration has nineteen members, each text or null", "TestFieldsOfResources", "importer.TestSettingsJSON"),
		line("Import detail", "a setting comes back as it was given", "TestImportSettingsAreEchoed", "TestEnumeratedValues"),
		line("Import list item", "id, created_at, updated_at, account_id, rows_count, error", "TestFieldsOfResources", "TestImportBodies/import_list"),

		line("Chat", "id, title, created_at, updated_at, messages, error, pagination", "TestFieldsOfResources", "TestChatsOnTheWire/chat_get"),
		line("Chat", "error is what the newest answer failed of, null when nothing did", "TestFailedAnswers", "TestRetry"),
		line("Chat", "error: rate limited", "assistant.TestFailures/rate limited", "TestChatErrorTexts"),
		line("Chat", "error: temporarily unavailable", "assistant.TestFailures/unavailable", "TestChatErrorTexts"),
		line("Chat", "error: not configured correctly", "assistant.TestFailures/misconfigured", "TestChatErrorTexts"),
		line("Chat", "error: anything else", "assistant.TestFailures/other", "TestChatErrorTexts"),
		line("Chat", "which failure of a provider is which", "assistant/provider.TestRemoteFailures", "assistant.TestProviderFails/rate limited for long"),
		line("Chat list item", "id, title, created_at, updated_at, message_count, error, last_message_at", "TestFieldsOfResources", "TestChatsOnTheWire/chat_list"),
		line("Message", "id, type, role, content, created_at, updated_at, model, tool_calls", "TestFieldsOfResources", "TestChatsOnTheWire/chat_message_get"),
		line("Message", "type is user_message or assistant_message, role user or assistant", "TestFieldsOfResources", "TestWaitingQuestions"),
		line("Message", "tool calls: id, function_name, function_arguments and function_result as objects, created_at", "TestFieldsOfResources", "assistant.TestBadCalls", "assistant.FuzzTidied"),
		line("Message", "ai_response_status is pending, complete or failed; ai_response_message says so", "TestFieldsOfResources", "TestCancel", "TestRetry"),

		line("API usage", "api_key: name, scopes, last_used_at, created_at", "TestFieldsOfResources", "TestUsageAddsUp"),
		line("API usage", "rate_limit: tier, limit, current_count, remaining, reset_in_seconds, reset_at, which add up", "TestFieldsOfResources", "TestUsageAddsUp", "TestStatesAddUp"),
		line("Balance sheet", "currency is the household's; net_worth, assets and liabilities are objects in it", "TestFieldsOfResources", "TestBalanceSheet/balance_sheet"),
	}
}
