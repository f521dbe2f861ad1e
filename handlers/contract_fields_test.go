package handlers

import (
	"strings"
	"testing"
)

// The fields of the contract, one a line: path, kind, and what it means. A line that begins with + is an addition.
const (
	accountFields = `
		id            uuid
		name          text
		account_type  text`
	paginationFields = `
		page         count
		per_page     count
		total_count  count
		total_pages  count`
	metaFields = `
		current_page  count
		total_pages   count
		total_count   count
		per_page      count
		next_page     count?
		prev_page     count?`
	transactionFields = `
		id                       uuid
		date                     date
		amount                   text     formatted
		amount_cents             count    absolute, minor units
		signed_amount_cents      int      income positive
		currency                 currency
		name                     text
		classification           income|expense
		account                  object
		tags                     objects
		tags[]                   object
		tags[].id                uuid
		tags[].name              text
		tags[].color             color
		created_at               instant
		updated_at               instant
		notes                    text?
		category                 object?
		category.id              uuid
		category.name            text
		category.classification  income|expense
		category.color           color
		category.icon            text
		merchant                 object?
		merchant.id              uuid
		merchant.name            text
		transfer                 object?
		transfer.id              uuid
		transfer.amount          text
		transfer.currency        currency
		transfer.other_account   object
		+external_id             text?
		+source                  text?
		+split_of                uuid?
		+split_lines             JSONs
		+split_lines[]           JSON
		+applied_rules           JSONs
		+applied_rules[]         JSON`
	tradeFields = `
		id                         uuid
		date                       date
		amount                     text     formatted
		currency                   currency
		name                       text
		qty                        number   negative for sales
		price                      text     formatted
		account                    object
		created_at                 instant
		updated_at                 instant
		notes                      text?
		investment_activity_label  text
		security                   object?
		security.id                uuid
		security.ticker            text
		security.name              text?
		category                   object?
		category.id                uuid
		category.name              text
		+type                      buy|sell|dividend|interest|fee
		+signed_amount_cents       int      into the account positive
		+fee                       text
		+fee_cents                 count`
	holdingFields = `
		id                 uuid
		date               date
		qty                number
		price              text
		amount             text
		currency           currency
		account            object
		security           object
		security.id        uuid
		security.ticker    text
		security.name      text?
		created_at         instant
		updated_at         instant
		cost_basis_source  calculated?
		avg_cost           text?
		+amount_cents      int
		+price_date        date
		+price_source      market|trade`
	categoryFields = `
		id                   uuid
		name                 text
		classification       income|expense
		color                color
		icon                 text
		subcategories_count  count
		created_at           instant
		updated_at           instant
		parent               object?  of sub-categories
		parent.id            uuid
		parent.name          text
		+parent.classification income|expense
		+parent.color        color
		+parent.icon         text`
	tagFields = `
		id          uuid
		name        text
		color       color
		created_at  instant
		updated_at  instant`
	valuationFields = `
		id          uuid
		date        date
		amount      text   formatted balance
		currency    currency
		kind        opening_anchor|reconciliation
		account     object
		created_at  instant
		updated_at  instant
		notes       text?`
	importFields = `
		id                       uuid
		type                     TransactionImport|TradeImport|AccountImport|MintImport|CategoryImport|RuleImport|PdfImport|QifImport|ServiceImport
		status                   pending|complete|importing|reverting|revert_failed|failed
		created_at               instant
		updated_at               instant
		account_id               uuid?
		error                    text?
		+status_detail           object
		+status_detail.uploaded  boolean
		+status_detail.configured boolean
		+status_detail.terminal  boolean`
	chatFields = `
		id          uuid
		title       text
		created_at  instant
		updated_at  instant
		error       text?`
	messageFields = `
		id                               uuid
		type                             user_message|assistant_message
		role                             user|assistant
		content                          text
		created_at                       instant
		updated_at                       instant
		model                            text?
		tool_calls                       objects
		tool_calls[]                     object
		tool_calls[].id                  uuid
		tool_calls[].function_name       text
		tool_calls[].function_arguments  JSON
		tool_calls[].function_result     JSON
		tool_calls[].created_at          instant
		ai_response_status               pending|complete|failed?
		ai_response_message              text?
		+host                            text?
		+input_tokens                    count?
		+output_tokens                   count?`
	usageFields = `
		api_key                      object
		api_key.name                 text
		api_key.scopes               texts
		api_key.scopes[]             text
		api_key.last_used_at         instant
		api_key.created_at           instant
		rate_limit                   object
		rate_limit.tier              standard|custom
		rate_limit.limit             count
		rate_limit.current_count     count
		rate_limit.remaining         count
		rate_limit.reset_in_seconds  count
		rate_limit.reset_at          instant`
	sumFields = `
		amount        text  a decimal number
		currency      currency
		formatted     text
		amount_cents  int`
)

// settingFields are the members of an import's configuration: those of the contract, and additions. All are text or null.
func settingFields() string {
	const contract = "date_col_label amount_col_label name_col_label category_col_label tags_col_label notes_col_label account_col_label qty_col_label " +
		"ticker_col_label price_col_label entity_type_col_label currency_col_label exchange_operating_mic_col_label date_format number_format " +
		"signage_convention col_sep amount_type_strategy amount_type_inflow_value"
	const more = "debit_col_label credit_col_label rows_to_skip footer encoding has_header outflow_value neutral_value row_filter currency " +
		"trade_side_col_label buy_value sell_value fee_col_label allow_short id_col_label status_col_label balance_col_label pending_rows"
	return strings.ReplaceAll(contract, " ", " text?\n") + " text?\n+" + strings.ReplaceAll(more, " ", " text?\n+") + " text?\n"
}

func importDetail() string {
	return importFields + `
		configuration                       object
		stats                               object
		stats.rows_count                    count
		stats.valid_rows_count              count
		+stats.invalid_rows_count           count
		+stats.done_rows_count              count
		+stats.already_imported_rows_count  count
		+stats.possible_duplicates          count
		+stats.pending_rows_count           count
		+configuration_reasons              JSON
		+progress                           JSON?
		+reconciliation                     JSONs
		+reconciliation[]                   JSON
		+plan                               text?
		+verification                       JSON?
	` + within("configuration", settingFields())
}

// listOf is the shape of a list: its name, its rows, and what follows them.
func listOf(name, row, after, fields string) string {
	return name + " objects\n" + name + "[] object\n" + within(name+"[]", row) + after + " object\n" + within(after, fields)
}

// contractShapes names for each resource its fields, and the requests that show it.
func contractShapes() map[string]struct {
	fields   string
	requests []string
} {
	transaction := transactionFields + "\n" + within("account", accountFields) + within("transfer.other_account", accountFields)
	trade, holding := tradeFields+"\n"+within("account", accountFields), holdingFields+"\n"+within("account", accountFields)
	valuation := valuationFields + "\n" + within("account", accountFields)
	chat := chatFields + "\nmessages objects\nmessages[] object\n" + within("messages[]", messageFields) + "pagination object\n" + within("pagination", paginationFields)
	item := chatFields + "\nmessage_count count\nlast_message_at instant?"
	return map[string]struct {
		fields   string
		requests []string
	}{
		"Transaction": {transaction, []string{"GET /transactions/{Full}", "GET /transactions/{Bare}",
			`POST /transactions {"transaction":{"account_id":"{Checking}","date":"2026-06-01","amount":1,"name":"New"}}`, `PATCH /transactions/{Full} {"transaction":{"name":"Changed"}}`}},
		"transactions": {listOf("transactions", transaction, "pagination", paginationFields), []string{"GET /transactions"}},
		"Trade": {trade, []string{"GET /trades/{Bought}", "GET /trades/{Anonymous}", "GET /trades/{Interest}",
			`POST /trades {"trade":{"account_id":"{Broker}","date":"2026-08-22","qty":1,"price":1,"ticker":"NAMED"}}`}},
		"holdings":   {listOf("holdings", holding, "pagination", paginationFields), []string{"GET /holdings?per_page=100"}},
		"categories": {listOf("categories", categoryFields, "pagination", paginationFields), []string{"GET /categories"}},
		"Tag":        {tagFields, []string{"GET /tags/{fun}", `POST /tags {"tag":{"name":"New"}}`, `PATCH /tags/{fun} {"tag":{"name":"Fun"}}`}},
		"tags":       {"[] object\n" + within("[]", tagFields), []string{"GET /tags"}},
		"Valuation":  {valuation, []string{"GET /valuations/{Noted}", "GET /valuations/{Plain}", "GET /valuations/{Opening}"}},
		"Import detail": {"data object\n" + within("data", importDetail()), []string{"POST /imports {}", "GET /imports/{import}", "GET /imports/{settled}",
			"GET /imports/{given}", "GET /imports/{backup}", "GET /imports/{running}"}},
		"Import list": {listOf("data", importFields+"\nrows_count count", "meta", metaFields), []string{"GET /imports?per_page=2", "GET /imports?per_page=2&page=2", "GET /imports?per_page=2&page=3"}},
		"Chat":        {chat, []string{"GET /chats/{Chat}", "GET /chats/{Failed}", `POST /chats {"message":"New"}`}},
		"chats":       {listOf("chats", item, "pagination", paginationFields), []string{"GET /chats"}},
		"API usage":   {usageFields, []string{"GET /usage"}},
		"Balance sheet": {"currency currency\n+as_of date\nnet_worth object\nassets object\nliabilities object\n+unconverted JSONs\n+unconverted[] JSON\n+rates JSONs\n+rates[] JSON\n+stale_rates JSONs\n" +
			within("net_worth", sumFields) + within("assets", sumFields) + within("liabilities", sumFields), []string{"GET /balance_sheet"}},
	}
}

// TestFieldsOfResources holds every body of the contract against its list of fields: all are there always, none is there
// besides, each is of its kind, and what may be null was seen both ways.
//
// Decision, Transport: every member is there always; what does not apply is null, or an empty list; timestamps are UTC
// with Z.
// Decision, Transactions: both are in the resource; source is api by default.
// Decision, Assistant: the status of messages is shown everywhere.
// Contract, General: identifiers are UUIDs; timestamps are ISO 8601 instants; dates are calendar dates.
// Contract, Resources: account reference: id, name, account_type; pagination: page, per_page, total_count, total_pages,
// whole numbers; meta of imports: current_page, total_pages, total_count, per_page, next_page, prev_page; every member
// of every resource is there always, of its kind, and null where it does not apply.
// Contract, Transaction: all members, with everything and with little; classification is income or expense; tags have
// id, name, color; category has id, name, classification, color, icon; merchant has id and name; transfer has id,
// amount, currency and the other account.
// Contract, Trade: all members, with everything and with little; security has id, ticker, name; category has id and
// name.
// Contract, Holding: all members.
// Contract, Category: all members; subcategories_count counts.
// Contract, Tag: all members.
// Contract, Valuation: all members; amount is the balance; id is that of the entry; kind is opening_anchor or
// reconciliation.
// Contract, Import detail: id, type, status, created_at, updated_at always; account_id, error, configuration, stats as
// well; configuration has nineteen members, each text or null.
// Contract, Import list item: id, created_at, updated_at, account_id, rows_count, error.
// Contract, Chat: id, title, created_at, updated_at, messages, error, pagination.
// Contract, Chat list item: id, title, created_at, updated_at, message_count, error, last_message_at.
// Contract, Message: id, type, role, content, created_at, updated_at, model, tool_calls; type is user_message or
// assistant_message, role user or assistant; tool calls: id, function_name, function_arguments and function_result as
// objects, created_at; ai_response_status is pending, complete or failed; ai_response_message says so.
// Contract, API usage: api_key: name, scopes, last_used_at, created_at; rate_limit: tier, limit, current_count,
// remaining, reset_in_seconds, reset_at, which add up.
// Contract, Balance sheet: currency is the household's; net_worth, assets and liabilities are objects in it.
// Contract, POST /api/v1/tags: {tag: {name, color}} answers the tag: 201.
func TestFieldsOfResources(t *testing.T) {
	t.Parallel()
	h := newContractHouse(t)
	for name, c := range contractShapes() {
		s := newShape(t, c.fields)
		for _, text := range c.requests {
			method, rest, _ := strings.Cut(text, " ")
			path, body, _ := strings.Cut(rest, " ")
			s.read(t, name+": "+text, h.call(t, method, path, body))
		}
		s.whole(t)
	}
}
