package handlers

func transactionDecisions() []claim {
	const where = "5 Transactions"
	return []claim{
		line(where, "account_id, date, amount and name or description are required", "ledger.TestCreateNamesEveryProblem", "TestBadTransactionFields/description"),
		line(where, "the currency is the account's unless it is given; 201", "TestTransactionBodies/transaction_list", "TestStrangeButGood/currency"),
		line(where, "a split transaction is in lists by its parts, which are rows of their own, filtered by what they have and labelled by PATCH", "TestSplitFilters", "TestPartsOnTheWire", "TestPartsRefuse",
			"ledger.TestSplitsAgreeWithPlainReading"),
		line(where, "nature income, inflow, expense or outflow, in any case, sets the direction of the absolute amount", "ledger.TestSignOfAmounts", "TestStrangeButGood/nature"),
		line(where, "without a nature a positive amount is an expense", "ledger.TestSignOfAmounts", "TestTransactionBodies/transaction_list"),
		line(where, "the formatted amount prints an expense without a minus, an income with one", "TestTransactionBodies/transaction_list", "TestTransactionBodies/transaction_update"),
		line(where, "what a change omits stays; null clears notes, category, merchant", "ledger.TestUpdateLeavesAndClears", "TestTransactionBodies/transaction_update"),
		line(where, "tag_ids [] or null clears them", "TestTransactionBodies/transaction_update", "TestTransactionForm", "ledger.TestUpdateLeavesAndClears"),
		line(where, "a changed amount keeps the direction when positive and is an income when negative; nature alone turns it", "ledger.TestChangeOfAmounts", "TestBalanceFollowsAtOnce"),
		line(where, "the currency can change; account_id moves nothing", "ledger.TestChangeOfAmounts", "TestTransactionBodies/transaction_update"),
		line(where, "external_id and source are unique for each account: 201, then 200 with the row unchanged", "TestExternalIDIsUsedOnce", "ledger.TestClientsOwnIDIsUsedOnce", "TestConcurrentCreates"),
		line(where, "both are in the resource; source is api by default", "TestFieldsOfResources", "TestExternalIDIsUsedOnce"),
		line(where, "Idempotency-Key: the stored answer is given again for 24 hours", "TestAnswersAreKeptForADay", "TestClockAndRepeats", "TestIdempotencyKeyReplays", "TestWorkAndAnswerAreOneWrite", "TestImportAndAnswerAreOneWrite", "TestIdempotencyKeyOfChats"),
		line(where, "every filter by its name", "TestTransactionFilters/category_ids={Food},{Salary}", "TestTransactionFilters/tag_ids={fun}", "TestTransactionFilters/end_date=2026-01-02"),
		line(where, "min_amount and max_amount compare the sign of expenses, with a type the absolute amount", "TestTransactionFilters/min_amount=-20&max_amount=9.99",
			"TestTransactionFilters/min_amount=20&type=income", "ledger.TestListsAndRollupsAgreeWithPlainReading"),
		line(where, "zero is an expense", "TestTransactionFilters/type=EXPENSE"),
		line(where, "search takes a part of a text in any case; % and _ are ordinary", "TestTransactionFilters/search=100%25", "TestTransactionFilters/search=_", "TestTransactionFilters/search=GR%C3%96%C3%9FE",
			"queries.TestSearch", "queries.FuzzSearch"),
		line(where, "GET and DELETE by id; DELETE is 200 with a message", "TestTransactionBodies", "TestTransactionStatuses"),
		line(where, "a batch is all or nothing", "TestBadBatch", "ledger.TestBatchIsAllOrNothing"),
		line(where, "transfers: opposite amounts of different accounts within four days, one to one", "ledger.TestTransferIsMatched", "ledger.TestWhatIsNoTransfer", "ledger.TestNearestDayIsMatched",
			"ledger.TestTransfersFollowFromTheTransactions"),
		line(where, "a match has a reason, and can be rejected for good", "TestTransferBodies/transfer_list", "ledger.TestRejectionIsForGood"),
		line(where, "every write is visible to the very next request", "TestBalanceFollowsAtOnce", "TestBalanceSheet/balance_sheet_after", "ledger.TestBalanceEqualsItsParts", "ledger.TestFiguresEqualTheirParts"),
	}
}

func labelDecisions() []claim {
	const where = "6 Accounts, categories, tags, merchants"
	return []claim{
		line(where, "types of accounts and their classification", "ledger.TestAccountDefaults", "TestResourcesRefuseBadInput/account_type"),
		line(where, "GET /accounts and /accounts/{id} with all members", "TestAccountsOnTheWire", "TestAccountListOnTheWire"),
		line(where, "POST /accounts with an opening balance, 0 by default, on the day before the first entry", "TestAccountsOnTheWire", "ledger.TestOpeningThatFloats", "ledger.TestAccountDefaults"),
		line(where, "PATCH, and a status disabled that hides", "ledger.TestAccountUpdate", "TestAccountListOnTheWire", "TestHoldingFilters"),
		line(where, "GET /balances has the history", "TestBalanceBodies/balance_list", "ledger.TestPagesOfBalances", "TestBalancesWithHoldings"),
		line(where, "categories have two levels; a sub-category has its parent's classification", "ledger.TestCategoryNamesEveryProblem/third level", "ledger.TestCategoryNamesEveryProblem/unlike its parent",
			"ledger.TestCategoryUpdate"),
		line(where, "category names are unique in household and parent", "ledger.TestCategoryNamesEveryProblem/taken", "ledger.TestCategoryNamesEveryProblem/taken below"),
		line(where, "create, change, delete; transactions lose what is deleted", "TestCategoriesOnTheWire", "ledger.TestCategoryDelete"),
		line(where, "a new household has the default categories unless it is asked not to", "ledger.TestDefaultCategories", "ledger.TestHouseholdDefaultCategories"),
		line(where, "a tag has a colour #rrggbb always, picked where none is given", "ledger.TestTags", "TestFieldsOfResources"),
		line(where, "tag names are unique whatever their case; 201, 200, 204", "TestTagsOnTheWire", "ledger.TestTags"),
		line(where, "merchants: a bare list of type FamilyMerchant; create, rename, merge", "TestMerchantsOnTheWire", "ledger.TestMerchants", "ledger.TestMerchantChangesAreFound"),
	}
}

func tradeDecisions() []claim {
	const where = "7 Trades, holdings, valuations, balance sheet"
	return []claim{
		line(where, "security_id before ticker (SYMBOL or SYMBOL|MIC) before manual_ticker", "TestTradeSecurities", "ledger.TestParseTicker", "ledger.TestFindSecurity"),
		line(where, "type buy or sell, else the sign of qty", "TestTradeTypes", "TestBadTrades"),
		line(where, "dividend, interest, deposit, withdrawal with an amount, and fee", "TestTradeTypes", "TestTradeBodies/trade_deposit", "TestTradeBodies/trade_withdrawal", "TestPaymentsWithCounterAccount"),
		line(where, "all is checked before anything is stored; 404 for the account, 422 for the rest", "TestTradesNameEveryProblem", "TestBadTrades", "ledger.TestTradesAreWhatWasAsked"),
		line(where, "more than is held is sold only with allow_short", "TestShortSales", "ledger.TestFoldRefusesShortSales"),
		line(where, "qty in answers is a number, exact, never with an exponent", "TestTradeTypes", "TestFieldsOfResources"),
		line(where, "holdings: a row for each security, account and day on which it is held, up to today, with an id that stays", "TestHoldings", "TestHoldingPages", "ledger.TestHoldingsAreWhatIsHeld"),
		line(where, "the price is the market's, else an earlier one, else that of the last trade", "TestHoldings", "ledger.TestSplitsAndPricesOfWhatIsHeld"),
		line(where, "avg_cost is the weighted average with fees; cost_basis_source says calculated, or null", "TestHoldings", "TestHoldingInSeveralCurrencies", "ledger.TestFold"),
		line(where, "splits are facts with a date and a ratio and touch no trade", "TestSplitBodies", "ledger.TestSplitsAndPricesOfWhatIsHeld"),
		line(where, "a valuation is the balance at the end of its day; opening_anchor or reconciliation; create, change, list", "TestValuationBodies", "TestValuationStatuses", "ledger.TestValuationOfTheSameDay"),
		line(where, "a balance is the last valuation and the flows after it", "ledger.TestBalanceByDay", "ledger.TestBalanceWithValuation", "ledger.TestBalanceEqualsItsParts"),
		line(where, "of investment accounts cash and the value of the holdings", "ledger.TestBalanceWithHoldings", "TestBalancesWithHoldings/account_with_holdings", "ledger.TestBalanceWithHoldingsEqualsItsParts"),
		line(where, "the balance sheet: amount, currency, formatted, amount_cents each; as_of and unconverted", "TestBalanceSheet/balance_sheet", "TestFieldsOfResources"),
		line(where, "liabilities are positive, net worth is assets minus liabilities", "TestBalanceSheet/balance_sheet", "ledger.TestBalanceSheet"),
		line(where, "entries of the future do not count before their day", "TestBalanceSheet/balance_sheet_after", "TestBalanceFollowsAtOnce"),
	}
}

func importDecisions() []claim {
	const where = "8 Imports"
	return []claim{
		line(where, "all nine types work, from the API and the command line; an unknown one is 422", "TestEnumeratedValues", "TestImportKinds/MintImport", "cmd.TestImportTypes", "cmd.TestImportOfTrades", "cmd.TestImportPDF",
			"TestBadImportRequests/type"),
		line(where, "64 MiB by default, --import-max, 422 beyond, before it is read", "cmd.TestSettings", "TestBadImportRequests", "TestBodiesWithoutLength"),
		line(where, "no limit of rows, constant memory", "importer.TestQIFMemory", "importer.TestPreflightOfVeryManyNames", "importer.TestCSVBroken/100 MB without an end of line"),
		line(where, "what is given is obeyed, what is omitted is detected and shown", "importer.TestDetectObeysWhatIsGiven", "importer.TestDetect", "importer.TestDetectEncodings", "TestImportSettingsAreEchoed"),
		line(where, "where two readings fit, the import is pending and says which setting to give", "TestImportQuestionsAreAnsweredAndRemembered", "importer.TestDetectedRowsAreThoseThatWereWritten",
			"importer.TestQIFAsks", "TestImportPDFNeedsAnAccount"),
		line(where, "a column of balances proves", "importer.TestDetectProvesByTheBalance"),
		line(where, "201 pending with exact stats", "TestImportBodies/import_create", "TestBadFiles"),
		line(where, "every bad row is kept with number, column, raw cell and reason", "TestPublishLater/import_invalid_rows", "TestImportRowsPaging", "importer.TestRows/all issues of a row"),
		line(where, "broken content is 201, failed, with error", "TestBadFiles/unterminated quote", "importer.TestBrokenContent"),
		line(where, "publish true and \"true\" are the same", "TestImportSpellings/boolean", "TestImportSpellings/text"),
		line(where, "bad rows hold the import unless skip_invalid_rows", "TestPublishLater", "importer.TestInvalidRowsHoldTheImport"),
		line(where, "POST /imports/{id}/publish later", "TestPublishLater"),
		line(where, "pending, importing, complete or failed; complete, reverting, pending or revert_failed", "importer.TestStatesOfRevertAndDelete", "TestRevertBodies", "importer.TestCancelBeforeItsTurn"),
		line(where, "after a crash every import is settled, rolled back and resumed", "cmd.TestKilledServer", "importer.TestInterruptedWorkIsInvisibleAndTakenUpAgain", "importer.TestInterruptedRevertIsTakenUp"),
		line(where, "what a file names is found or created", "TestImportBodies/import_transactions", "importer.TestPublish", "ledger.TestFindOrCreateCategory", "ledger.TestFindOrCreateMerchant", "ledger.TestFindOrCreateTag",
			"importer.TestTradeImportFindsSecurities"),
		line(where, "all or nothing", "TestImportIsSeenWhole", "importer.TestFailureLeavesNothingBehind", "importer.TestMakingFailsWhole"),
		line(where, "other writes go on meanwhile", "importer.TestWritesGoOnWhileAnImportIsWritten", "TestImportIsSeenWhole"),
		line(where, "the same file again adds nothing; two equal rows both stay", "importer.TestTheSameFileAgainAddsNothing", "importer.TestOverlapLosesNoEqualRow", "TestImportSpellings"),
		line(where, "rows are recognised as they stand in the file, whatever became of them", "importer.TestRenamedRowsAreRecognised", "importer.TestSourceHashesOfStoredRows", "importer.TestRowsKey"),
		line(where, "matched rows are listed as already_imported with what they match", "importer.TestBackupKnowsIDs", "importer.TestRowsOfTheAPIAreRecognised", "importer.TestTradesAreRecognised"),
		line(where, "a revert restores exactly what was", "importer.TestRevertRestores", "importer.TestRevertKeepsWhatIsInUse", "importer.TestRevertOfWhatIsMade", "importer.TestRulesAreReverted"),
		line(where, "later edits are listed, 409, unless force", "TestRevertBodies", "importer.TestRevertAndLaterEdits", "importer.TestConfirmedTransfersAreLaterEdits"),
		line(where, "a preflight tells the whole outcome and stores nothing", "TestPreflight", "importer.TestPreflightIsKept", "importer.TestPreflight", "TestPreflightSaysWhatIsWrong"),
		line(where, "list items carry type and status", "TestImportBodies/import_list", "TestFieldsOfResources"),
	}
}

func assistantDecisions() []claim {
	const where = "9 Assistant"
	return []claim{
		line(where, "any OpenAI-compatible provider", "assistant/provider.TestRemoteStreams", "assistant/provider.TestRemoteCalls", "assistant/provider.TestRemoteLearns", "assistant/provider.TestNewRemote"),
		line(where, "settings by flag and environment, the key by a variable or a file", "cmd.TestAISettings", "cmd.TestSettings"),
		line(where, "without a provider the built-in engine answers, as model builtin", "TestChatIsAnswered", "assistant/engine.TestEngineName", "assistant/engine.TestAnswers"),
		line(where, "switched off: 403 feature_disabled", "TestChatsSwitchedOff/for all", "assistant.TestOff"),
		line(where, "a provider that fails gives one of four texts", "assistant.TestFailures/rate limited", "assistant/provider.TestRemoteFailures", "TestChatErrorTexts"),
		line(where, "POST /chats is 201 with its messages; a title is made of the message", "TestChatsOnTheWire/chat_create", "TestChatTitles"),
		line(where, "messages are 201 with ai_response_status pending; retry is 202", "TestChatsOnTheWire/chat_message", "TestChatsOnTheWire/chat_retry"),
		line(where, "the failed or unwanted answer is replaced", "TestRetry", "assistant.TestRetryHasANewInnerKey"),
		line(where, "the status of messages is shown everywhere", "TestFieldsOfResources", "TestChatsOnTheWire/chat_get"),
		line(where, "a chat belongs to a user", "TestChatsArePrivate"),
		line(where, "jobs survive a restart; one answer at a time for each chat", "assistant.TestCrash", "assistant.TestChatsAtOnce", "assistant.TestOnlyOneAnswers"),
		line(where, "a stop waits or hands back", "assistant.TestStop/soon done", "assistant.TestStop/handed back"),
		line(where, "tools only read, the user's own household; calls are stored as JSON objects", "assistant/tools.TestToolsOnlyRead", "assistant/tools.TestToolsAreScoped", "assistant.TestInjection", "assistant.TestToolsAreUsed"),
		line(where, "GET /chats/{id}/messages/{message}/stream", "TestChatStream", "TestAnswerIsTakenUpAgain", "TestChatStreamEnds"),
		line(where, "pages of chats and messages as everywhere, with true numbers", "TestPagesOfEveryList//chats/{Chat}", "TestChatPages", "assistant.TestLongChat"),
	}
}

func userDecisions() []claim {
	const where = "10 Users and households"
	return []claim{
		line(where, "the command line makes them; a key on an empty file makes household and owner", "cmd.TestFirstCommandOnAnEmptyFolder", "cmd.TestFirstHouseholdFollowsTheEnvironment", "cmd.TestSeveralHouseholds"),
		line(where, "roles admin and member", "ledger.TestUserEmails", "cmd.TestUsers", "cmd.TestFirstCommandOnAnEmptyFolder"),
		line(where, "DELETE /users/me: 200 with a message; 422 for an admin while others are active", "TestDeactivateMe", "ledger.TestUserDeactivate"),
		line(where, "keys stop at once", "TestDeactivateMe", "ledger.TestDeactivationStopsKeysAtOnce"),
		line(where, "data goes with the last user, and only after 30 days; until then it comes back", "ledger.TestAbandonedHousehold", "TestClockAndAbandonedHouseholds", "ledger.TestPurgeTakesAllAndOnlyItsOwn", "cmd.TestUsers"),
	}
}
