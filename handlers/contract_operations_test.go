package handlers

func importClaims() []claim {
	const create, list = "POST /api/v1/imports", "GET /api/v1/imports"
	return []claim{
		line(create, "makes an import of raw_file_content: 201 with data, the detail", "TestImportBodies/import_create", "TestFieldsOfResources"),
		line(create, "the body itself is required", "TestBadImportRequests"),
		line(create, "no field of the body is required", "TestEnumeratedValues", "TestImportPDFNeedsAnAccount", "TestBadFiles/nothing"),
		line(create, "type is TransactionImport by default", "TestEnumeratedValues"),
		line(create, "type is one of nine, and works for each", "TestEnumeratedValues/PdfImport", "TestImportKinds/MintImport", "TestImportKinds/CategoryImport", "TestImportKinds/AccountImport",
			"TestTradeImportOverHTTP", "TestImportPDF", "TestImportQIF", "TestImportBackup", "importer.TestRuleImport"),
		line(create, "another type is refused", "TestBadImportRequests/type"),
		line(create, "account_id is the account to import into", "TestImportSpellings/account_id", "TestBadImportRequests/account_id"),
		line(create, "publish, the text true, queues the import when its configuration is valid", "TestImportBodies", "TestImportSpellings/publish"),
		line(create, "publish does nothing for an import that cannot be", "TestBadFiles", "TestPublishLater"),
		line(create, "date_col_label, amount_col_label, name_col_label name the headers of their columns", "TestImportSettingsAreEchoed", "TestBadFiles/amount_col_label", "importer.TestRows/labels"),
		line(create, "category_col_label, tags_col_label, notes_col_label, account_col_label as well", "TestImportSettingsAreEchoed", "TestBadFiles/tags_col_label", "importer.TestRows/labels"),
		line(create, "qty_col_label, ticker_col_label, price_col_label, exchange_operating_mic_col_label of trades", "TestImportSettingsAreEchoed", "importer.TestTradeNames", "importer.TestTradeRows"),
		line(create, "entity_type_col_label is the column of the type, or of the direction", "importer.TestRows/direction column", "importer.TestAccountImport"),
		line(create, "currency_col_label is the column of the currency", "importer.TestRows/currency of the row"),
		line(create, "date_format is a pattern", "importer.TestDates", "importer.TestDatePatternUnusable", "TestBadImportRequests/date_format"),
		line(create, "number_format is one of four", "TestEnumeratedValues/1 234,56", "importer.TestNumbers", "TestBadImportRequests/number_format"),
		line(create, "signage_convention is inflows_positive or inflows_negative", "TestEnumeratedValues/inflows_negative", "importer.TestRows/inflows negative",
			"TestBadImportRequests/signage_convention"),
		line(create, "col_sep is a comma or a semicolon, at least", "TestEnumeratedValues/;", "importer.TestCSV/semicolon", "TestBadImportRequests/col_sep"),
		line(create, "amount_type_strategy and amount_type_inflow_value tell the direction by a column", "importer.TestRows/direction column", "importer.TestSettingsCheck/custom column alone",
			"TestBadImportRequests/amount_type_strategy"),
		line(create, "a file that is too large: 422", "TestBadImportRequests", "TestBodiesWithoutLength", "importer.TestTooLongIsRefusedWhole"),
		line(list, "data and meta, the household's own", "TestImportList", "TestImportBodies/import_list", "TestFieldsOfResources"),
		line(list, "page and per_page: 1 and 25 by default, at most 100", "TestPagesOfEveryList//imports", "TestImportList"),
		line(list, "filter by status, one of six", "TestImportStatuses", "TestImportList/status=pending"),
		line(list, "filter by type, one of nine", "TestEnumeratedValues", "TestImportList/type=TradeImport"),
		line("Import status", "what follows what", "importer.TestStatesOfRevertAndDelete", "importer.TestPublish", "importer.TestCancelIsRefused", "TestPublishLater"),
	}
}

func transactionClaims() []claim {
	const create, update, list = "POST /api/v1/transactions", "PATCH /api/v1/transactions/{id}", "GET /api/v1/transactions"
	return []claim{
		line(create, "answers the transaction: 201", "TestTransactionBodies/transaction_create", "TestTransactionStatuses", "TestFieldsOfResources"),
		line(create, "account_id, date, amount, name are what it needs", "TestBadTransactionFields/account_id", "ledger.TestCreateNamesEveryProblem"),
		line(create, "amount is a number", "TestBadTransactionFields/amount", "TestStrangeButGood/amount"),
		line(create, "description stands in for a missing name", "TestStrangeButGood/name", "TestBadTransactionFields/description"),
		line(create, "notes, currency, category_id, merchant_id, tag_ids", "TestTransactionBodies/transaction_create", "TestBadTransactionFields/tag_ids", "TestStrangeButGood/currency"),
		line(create, "failures are error bodies", "TestBadTransactionFields", "TestEveryProblemAtOnce", "TestTransactionStatuses"),
		line(update, "answers the transaction: 200", "TestTransactionBodies/transaction_update", "TestTransactionStatuses", "TestFieldsOfResources"),
		line(update, "the fields of creation but account_id", "TestBadTransactionFields", "TestTransactionBodies/transaction_update"),
		line(update, "failures are error bodies", "TestBadTransactionFields", "TestTransactionStatuses"),
		line(list, "transactions and pagination", "TestTransactionBodies/transaction_list", "TestFieldsOfResources"),
		line(list, "page and per_page: 1 and 25 by default, at most 100", "TestTransactionPaging", "TestPagesOfEveryList//transactions"),
		line(list, "by account", "TestTransactionFilters/account_id={Dinars}"),
		line(list, "by category", "TestTransactionFilters/category_id={Food}"),
		line(list, "by merchant", "TestTransactionFilters/merchant_id={Kiosk}"),
		line(list, "from a date, until a date", "TestTransactionFilters/start_date=2026-01-05", "TestTransactionFilters/end_date=2026-01-02"),
		line(list, "minimum and maximum amount", "TestTransactionFilters/min_amount=10", "TestTransactionFilters/max_amount=0"),
		line(list, "type is income or expense", "TestTransactionFilters/type=income", "TestTransactionFilters/type=EXPENSE", "TestBadQueries"),
		line(list, "search in name, notes and merchant name", "TestTransactionFilters/search=UNDER_SCORE", "TestTransactionFilters/search=B%C3%84CKER", "queries.TestSearch"),
		line(list, "by several accounts", "TestTransactionFilters/account_ids={Dinars},{Savings}", "TestManyIDs"),
		line(list, "by several categories", "TestTransactionFilters/category_ids={Food},{Salary}", "TestManyIDs"),
		line(list, "by several merchants", "TestTransactionFilters/merchant_ids={Kiosk},{Bäcker}", "TestManyIDs"),
		line(list, "by tags", "TestTransactionFilters/tag_ids={fun},{Alltag}", "TestManyIDs"),
		line(list, "filters together", "TestTransactionFilters/category_ids={Food},{Salary}&tag_ids={Alltag}&type=income", "ledger.TestListsAndRollupsAgreeWithPlainReading"),
		line(list, "what a filter cannot be is refused", "TestBadQueries", "TestMalformedQuery"),
	}
}

func otherClaims() []claim {
	const chats, message, retry = "POST /api/v1/chats", "POST /api/v1/chats/{id}/messages", "POST /api/v1/chats/{id}/messages/retry"
	const holdings, categories, trades = "GET /api/v1/holdings", "GET /api/v1/categories", "POST /api/v1/trades"
	return []claim{
		line(trades, "answers the trade: 201", "TestTradeBodies/trade_create", "TestFieldsOfResources"),
		line(trades, "account_id, date, qty, price, currency, category_id, investment_activity_label", "TestTradeTypes", "TestBadTradeFields/investment_activity_label", "TestBadTrades/category_id"),
		line(trades, "security_id, ticker, manual_ticker", "TestTradeSecurities", "TestBadTradeFields/ticker"),
		line(trades, "two errors: no such account, or what is wrong with the fields", "TestBadTrades", "TestTradesNameEveryProblem", "TestTradesOfNeighbours"),
		line(holdings, "holdings and pagination", "TestHoldings/holdings", "TestFieldsOfResources"),
		line(holdings, "page and per_page: 1 and 25 by default, at most 100", "TestPagesOfEveryList//holdings", "TestHoldingPages"),
		line(holdings, "by account and by several accounts", "TestHoldingFilters/account_id={Broker}", "TestHoldingFilters/account_ids[]={Wallet}"),
		line(holdings, "on a date, from a date, until a date", "TestHoldings/2026-08-03", "TestHoldingFilters/start_date=2026-08-06&end_date=2026-08-10"),
		line(holdings, "by security", "TestHoldingFilters/security_id="),
		line(categories, "categories and pagination", "TestCategoriesOnTheWire", "TestFieldsOfResources"),
		line(categories, "page and per_page: 1 and 25 by default, at most 100", "TestPagesOfEveryList//categories"),
		line(categories, "classification is income or expense", "TestCategoriesOnTheWire/?classification=income", "TestCategoriesOnTheWire/classification=both"),
		line(categories, "roots only; by parent", "TestCategoriesOnTheWire/?parent_id={Food}", "ledger.TestCategoryList"),

		line("POST /api/v1/tags", "{tag: {name, color}} answers the tag: 201", "TestFieldsOfResources", "ledger.TestTags"),
		line("POST /api/v1/tags", "failures are error bodies", "TestResourcesRefuseBadInput/tag", "TestTagsOnTheWire"),
		line("PATCH /api/v1/tags/{id}", "{tag: {name, color}} answers the tag", "TestTagsOnTheWire", "TestFieldsOfResources"),
		line("PATCH /api/v1/tags/{id}", "failures are error bodies", "TestResourcesRefuseBadInput/tag", "TestResourcesOfNeighbours/tag"),
		line("GET /api/v1/tags/{id}", "the tag, or an error body", "TestTagsOnTheWire", "TestResourcesOfNeighbours/tag"),
		line("GET /api/v1/tags", "a bare list of tags: no wrapper, no pages", "TestTagsOnTheWire", "TestFieldsOfResources"),

		line(chats, "title, message, model answer the chat: 201", "TestChatsOnTheWire/chat_create", "TestChatTitles", "TestFieldsOfResources"),
		line(chats, "failures are error bodies", "TestBadChatFields"),
		line("GET /api/v1/chats", "chats and pagination", "TestChatsOnTheWire/chat_list", "TestPagesOfEveryList//chats"),
		line("GET /api/v1/chats/{id}", "the chat with a page of its messages, or an error body", "TestChatsOnTheWire/chat_get", "TestChatPages", "TestPagesOfEveryList//chats/{Chat}", "TestChatsArePrivate"),
		line(message, "content, model answer the message with chat_id, ai_response_status, ai_response_message: 201", "TestChatsOnTheWire/chat_message"),
		line(message, "two errors: no such chat, or what is wrong with the fields", "TestChatsArePrivate", "TestBadChatFields/content"),
		line(retry, "message and message_id: 202", "TestChatsOnTheWire/chat_retry", "TestRetry"),
		line(retry, "two errors: no such chat, or nothing to retry", "TestChatsArePrivate", "TestRetry"),

		line("GET /api/v1/valuations/{id}", "the valuation, or an error body", "TestValuationBodies/valuation_update", "TestValuationsOfNeighbours", "TestFieldsOfResources"),
		line("GET /api/v1/balance_sheet", "the balance sheet", "TestBalanceSheet/balance_sheet", "TestFieldsOfResources"),
		line("GET /api/v1/usage", "what the key is and how much of its rate is used", "TestUsageAddsUp", "TestFieldsOfResources"),
		line("DELETE /api/v1/users/me", "deactivates the key's user: message", "TestDeactivateMe"),
		line("DELETE /api/v1/users/me", "failures are error bodies", "TestDeactivateMe"),
	}
}

func errorAndLimitClaims() []claim {
	return []claim{
		line("Authentication", "the key travels in X-Api-Key", "TestEveryRoute", "TestRealKeys"),
		line("Authentication", "a person makes the key", "ledger.TestKeyCreate", "cmd.TestFirstCommandOnAnEmptyFolder"),
		line("Authentication", "a key has a name and scopes, which usage tells", "TestUsageAddsUp"),
		line("Errors", "error is there always, message is text or null, details a list of texts, an object or null", "TestErrorsOnTheWire", "TestUsageAddsUp", "TestTagsOnTheWire"),
		line("Errors", "an import that is too large: 422", "TestBadImportRequests", "TestBodiesWithoutLength"),
		line("Errors", "a chat tells the newest failure in one of four texts, or null", "TestFailedAnswers", "TestChatErrorTexts", "assistant.TestFailures"),
		line("Limits", "the default page is 1, with 25 items, 100 at most", "TestPagesOfEveryList", "TestPageIsNeverRejected", "TestTransactionPaging"),
		line("Limits", "an import has a greatest size", "TestBadImportRequests", "cmd/config.TestByteSize"),
		line("Limits", "each key has a rate limit, which usage reports", "TestUsageAddsUp", "TestTakeUntilEmptyAndRefill", "TestChangedLimitCounts"),
		line("Versioning", "the version stands in the path", "TestRoutesAreDescribed", "TestPaths"),
	}
}
