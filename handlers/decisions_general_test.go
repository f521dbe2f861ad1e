package handlers

import "slices"

// decisionClaims is what was decided where the contract is silent, section by section.
func decisionClaims() []claim {
	return slices.Concat(transportDecisions(), errorDecisions(), keyDecisions(), moneyDecisions(), transactionDecisions(),
		labelDecisions(), tradeDecisions(), importDecisions(), assistantDecisions(), userDecisions())
}

func transportDecisions() []claim {
	const where = "1 Transport"
	return []claim{
		line(where, "forms with bracketed keys are taken as bodies", "TestTransactionForm", "TestParseBody/form", "TestParseBody/form with numbered list", "TestParseBody/form clearing a list"),
		line(where, "multipart is taken as a body, for imports with a part named file", "TestParseBody/multipart", "TestImportSpellings/file, fields", "TestImportOfBytes"),
		line(where, "unknown members are ignored", "TestTransactionBodies", "TestTradeBodies", "TestAccountsOnTheWire"),
		line(where, "a missing wrapper is 400 and names the problem", "TestWrapped", "TestTransactionStatuses"),
		line(where, "malformed JSON is 400 and names the byte", "TestParseJSONRefuses", "TestBadBodies", "TestEveryRoute"),
		line(where, "numbers come as numbers or as texts", "TestStrangeButGood/amount", "TestFieldsRead"),
		line(where, "numbers are read as exact decimals", "ledger.TestParseDecimal", "TestParseJSON/{\"n\":123456789012345678901234567890.10}", "finsvc.TestMoneyIsNoFloat"),
		line(where, "more decimals than the currency has are refused", "TestBadTransactionFields/JPY", "ledger.TestMinorRefuses"),
		line(where, "answers are UTF-8 JSON with their type, and always a length", "TestHeadersOfAnswers", "TestAnswersHaveALengthAndAreCompressed"),
		line(where, "answers are compressed where the client takes that", "TestAnswersHaveALengthAndAreCompressed"),
		line(where, "PUT is PATCH", "TestPaths/PUT", "TestUpdatedAtMoves", "TestTransactionStatuses"),
		line(where, "an unknown path is 404 in JSON", "TestPaths"),
		line(where, "a wrong method is 405 in JSON, with Allow", "TestPaths", "TestEveryRoute"),
		line(where, "POST and DELETE without a body are fine whatever the content type", "TestParseBody/nothing of a strange type", "TestHeadersOfAnswers/application/xml", "TestRetry", "TestSync"),
		line(where, "a .json suffix is taken", "TestPaths", "TestTagsOnTheWire", "TestTransactionStatuses"),
		line(where, "/api answers any origin, any header, the listed methods", "TestCORS", "TestHeadersOfAnswers"),
		line(where, "X-RateLimit-*, Retry-After and X-Request-Id are exposed", "TestHeadersOfAnswers", "TestCORS"),
		line(where, "every member is there always; what does not apply is null, or an empty list", "TestFieldsOfResources"),
		line(where, "but for what its kind says: parts of an explanation, fields of an import's row, sub-conditions, the changes of a rule's preview", "TestExplainBalance/explain_balance",
			"TestImportKinds", "TestTradeImportOverHTTP", "TestRuleBodies/rule_create"),
		line(where, "timestamps are UTC with Z", "TestFieldsOfResources", "TestJSONWriter"),
		line(where, "updated_at moves with each change of the resource, and not without one", "TestUpdatedAtMoves", "TestUpdatedAtFollowsTransfers", "TestUpdatedAtFollowsLabels", "TestTradeChangesOfNothing", "ledger.TestUpdateLeavesAndClears"),
		line(where, "dates are YYYY-MM-DD, strictly, and real days", "TestBadTransactionFields/\"2025-02-29\"", "TestQueryCollectsProblems"),
		line(where, "no time zone shifts a date", "ledger.TestHoldingsOnSpecialDays", "ledger.TestBalancesUntilToday"),
		line(where, "today is today in the household's time zone", "ledger.TestToday", "ledger.TestBalancesUntilToday"),
		line(where, "ids are lower-case UUIDs of version 7", "TestNewIDs", "TestFieldsOfResources"),
		line(where, "a malformed id in a path is that resource's 404", "TestResourcesOfNeighbours", "TestOrderOfChecks", "TestChatsArePrivate"),
		line(where, "a malformed id in a filter or body is 422 and names the field", "TestBadQueries", "TestHoldingFilters/account_id=x", "TestBadTransactionFields/category_id"),
		line(where, "x[]=a&x[]=b, x=a&x=b and x=a,b are the same", "TestQueryLists", "TestTransactionFilters/account_ids={Dinars},{Savings}"),
		line(where, "a singular and a plural filter intersect", "TestTransactionFilters/account_ids={Dinars},{Savings}&account_id={Savings}"),
		line(where, "page and per_page are never refused; what makes no sense is the default, what is too much the maximum", "TestPageIsNeverRejected", "TestPagesOfEveryList"),
		line(where, "a page past the end is empty and says which it is; there is always one page", "TestPagesOfEveryList", "TestTransactionPaging/per_page=3&page=4", "TestPagination"),
		line(where, "transactions and trades: by date, the newest first, then by creation", "ledger.TestListOrderFollowsDayThenCreation", "TestPageWalk", "TestTradeBodies/trade_list"),
		line(where, "holdings: by date, the oldest first, then by account and ticker", "TestHoldingPages", "TestHoldings", "ledger.TestHoldingsAreWhatIsHeld"),
		line(where, "accounts, categories, tags, merchants: by name, whatever its case", "TestOrderOfNames", "ledger.TestAccountList", "ledger.TestCategoryList"),
		line(where, "imports and chats: the newest first; messages: the oldest first", "TestOrderByTime", "TestImportList", "TestChatPages"),
		line(where, "every order is total: pages repeat and skip nothing", "TestPageWalk", "TestHoldingPages", "ledger.TestPagesOfBalances", "assistant.TestLongChat", "TestOrderByTime"),
		line(where, "GET /up and /healthz need no key and ask the database", "TestHealth", "cmd.TestServe"),
	}
}

func errorDecisions() []claim {
	const where = "2 Errors"
	return []claim{
		line(where, "one shape: error, message, details", "TestErrorsOnTheWire", "TestHealth"),
		line(where, "validation failures carry details a second time, as errors", "TestErrorsOnTheWire/invalid", "TestBadTransactionFields", "TestTagsOnTheWire"),
		line(where, "400 bad_request: malformed JSON, no wrapper, no body", "TestBadBodies", "TestTransactionStatuses", "TestErrorsOnTheWire/malformed"),
		line(where, "401 unauthorized: no, unknown, revoked or expired key", "TestEveryRoute", "TestOrderOfChecks", "ledger.TestAuthenticate", "ledger.TestKeyExpires", "TestRealKeys"),
		line(where, "401 unauthorized: deactivated user", "TestDeactivateMe", "ledger.TestDeactivationStopsKeysAtOnce"),
		line(where, "403 insufficient_scope names the scope", "TestOrderOfChecks", "TestEveryRoute"),
		line(where, "403 feature_disabled: the assistant is switched off", "TestChatsSwitchedOff/for all", "TestChatsSwitchedOff/for a household"),
		line(where, "404 not_found: unknown, malformed and another household's are not told apart", "TestResourcesOfNeighbours", "TestChatsArePrivate", "TestTradesOfNeighbours"),
		line(where, "405 method_not_allowed, 415 unsupported_media_type", "TestPaths", "TestBadBodies", "TestCompressedBodyIsRefused"),
		line(where, "409 conflict: an Idempotency-Key with another body", "TestIdempotencyKeyReplays", "TestIdempotencyKeyOfImports"),
		line(where, "409 conflict: the state does not allow it", "TestPublishLater", "TestRevertBodies", "TestWaitingQuestions", "TestDeleteOfImportsInUse", "TestShortSales"),
		line(where, "422 validation_failed lists every failing field", "TestEveryProblemAtOnce", "TestTradesNameEveryProblem", "TestBadValuations", "ledger.TestCreateNamesEveryProblem"),
		line(where, "422 content_too_large names the limit", "TestBadImportRequests", "TestBodiesOverTheLimit", "importer.TestTooLongIsRefusedWhole"),
		line(where, "429 rate_limit_exceeded with Retry-After and limit, current, reset_in_seconds", "TestUsageAddsUp", "TestUnknownKeysAreSlowedDown"),
		line(where, "500 internal_error with the request id, and nothing from inside", "TestPanicIsContained", "TestErrorsOnTheWire/plain"),
		line(where, "503 unavailable: shutting down, disk full; nothing was written", "TestFullDisk", "TestClientGoneAndShutdown", "db.TestFullDisk"),
		line(where, "what a body refers to must be the household's: 422 and the field", "TestBadTransactionFields/category_id", "TestBadTradeFields/security_id", "TestBadSplitLines", "TestResourcesRefuseBadInput"),
		line(where, "the account of a new transaction or trade: 404", "TestTransactionStatuses", "TestTradesOfNeighbours", "TestBadValuations"),
		line(where, "a failed write leaves nothing behind", "TestBadTransactionFields", "TestBadBatch", "TestShortSales", "TestFingerprintSeesWrites", "db.TestFailuresAreAlone"),
	}
}

func keyDecisions() []claim {
	const where = "3 Keys, scopes, limits"
	return []claim{
		line(where, "X-Api-Key, or Authorization: Bearer", "TestUsageAddsUp", "TestRealKeys", "TestOrderOfChecks"),
		line(where, "256 random bits behind a readable prefix", "ledger.TestKeyCreate", "cmd.TestFirstCommandOnAnEmptyFolder"),
		line(where, "only a hash and the first characters are kept; a key is shown once", "ledger.TestKeyCreate", "TestStoredKeysAreHashes"),
		line(where, "one scope, read or read_write; GET needs read, all else read_write", "TestEveryRoute", "ledger.TestKeyBadInput", "cmd.TestNothingIsMadeForAKeyThatCannotBe"),
		line(where, "the scope is checked before the record is looked up", "TestOrderOfChecks", "TestTransactionStatuses"),
		line(where, "last_used_at costs no write on every request", "ledger.TestKeyUseIsWrittenOnlyWhenFlushed"),
		line(where, "a bucket of tokens for each key, of tier standard with 10,000 an hour unless it has another", "ledger.TestKeyCreate", "TestTakeUntilEmptyAndRefill", "cmd.TestTable"),
		line(where, "X-RateLimit-Limit, -Remaining, -Reset on every answer to a key", "TestHeadersOfAnswers", "TestUsageAddsUp"),
		line(where, "limit, current_count, remaining, reset_in_seconds, reset_at add up", "TestUsageAddsUp", "TestStatesAddUp", "TestChangedLimitCounts"),
		line(where, "401 and 429 are not counted", "TestOrderOfChecks", "TestTakeUntilEmptyAndRefill"),
		line(where, "failed authentications are limited for each address", "TestUnknownKeysAreSlowedDown", "TestClientNetwork"),
		line(where, "what the command line does to keys and users counts in a running server within two seconds", "cmd.TestServe", "ledger.TestRevocationByAnotherProcess"),
	}
}

func moneyDecisions() []claim {
	const where = "4 Money"
	return []claim{
		line(where, "whole minor units, ISO 4217 with its exponents, BTC and ETH with eight", "ledger.TestLookupCurrency", "ledger.TestMinor", "ledger.TestPlain", "ledger.TestMinorUndoesDecimal"),
		line(where, "quantities and prices are exact decimals", "ledger.TestParseDecimal", "TestTradeTypes", "ledger.TestFold"),
		line(where, "no binary floating point touches money, tests included", "finsvc.TestMoneyIsNoFloat"),
		line(where, "inside, money into the account is positive", "ledger.TestSignOfAmounts", "TestTransactionBodies/transaction_list"),
		line(where, "formatted texts follow the household's locale and CLDR", "ledger.TestMoneyAgreesWithIntl", "ledger.TestLocaleFallsBack", "ledger.TestCheckLocale"),
		line(where, "Accept-Language counts only where the household says so", "TestLanguageOfAmounts"),
		line(where, "one decimal separator, an ASCII minus in front", "ledger.TestEveryLocaleHasOneDecimalSeparator", "ledger.FuzzMoney"),
		line(where, "amounts in cents are whole numbers in minor units of the row's own currency", "TestTransactionBodies/transaction_list", "TestFieldsOfResources"),
		line(where, "a missing rate is never 1: what cannot be converted is left out and told", "TestBalanceSheet/balance_sheet_no_rate", "ledger.TestNetWorthSaysWhatIsLeftOut", "ledger.TestIncomeStatement",
			"TestBalanceBodies", "assistant/engine.TestAnswersSayWhatIsLeftOut"),
		line(where, "totals name the rates they used", "TestBalanceSheet/balance_sheet"),
		line(where, "the newest rate on or before the day, however old, direct, inverse or through one base; told when it is more than seven days old", "TestStaleRatesAreTold", "ledger.TestBalanceInOtherCurrencies", "ledger.TestBalanceSheetThroughBase",
			"ledger.TestQuickConversionIsExact", "ledger.TestConversionRounds"),
	}
}
