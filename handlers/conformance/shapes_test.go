package conformance

// accountReference is how an account is named beside what belongs to it.
func accountReference() kind {
	return holding(shape{"id": uuid, "name": text, "account_type": snake})
}

// snake is a word such as credit_card.
func snake(v any) error { return matching("[a-z]+(_[a-z]+)*")(v) }

func direction(v any) error { return oneOf("income", "expense")(v) }

func account() kind {
	return holding(shape{
		"id": uuid, "name": text, "balance": money, "balance_cents": integer, "cash_balance": money, "cash_balance_cents": integer,
		"currency": matching("[A-Z]{3}"), "classification": oneOf("asset", "liability"), "account_type": snake, "subtype": nullable(text),
		"status": oneOf("active", "disabled"), "institution_name": nullable(text), "institution_domain": nullable(text),
		"created_at": instant, "updated_at": instant,
	})
}

func transaction() kind {
	return holding(shape{
		"id": uuid, "date": date, "amount": money, "amount_cents": count, "signed_amount_cents": integer, "currency": text, "name": text,
		"notes": nullable(text), "external_id": nullable(text), "source": nullable(text), "classification": direction, "account": accountReference(),
		"category": nullable(holding(shape{"id": uuid, "name": text, "classification": direction, "color": color, "icon": text})),
		"merchant": nullable(holding(shape{"id": uuid, "name": text})),
		"tags":     listOf(holding(shape{"id": uuid, "name": text, "color": color})),
		"split_of": nullable(uuid),
		"transfer": nullable(holding(shape{"id": uuid, "amount": money, "currency": text, "other_account": nullable(accountReference())})),

		"created_at": instant, "updated_at": instant,
	})
}

func security() kind {
	return holding(shape{"id": uuid, "ticker": text, "name": nullable(text)})
}

func trade() kind {
	return holding(shape{
		"id": uuid, "date": date, "amount": money, "currency": text, "name": text, "notes": nullable(text), "qty": decimal, "price": text,
		"investment_activity_label": nullable(text), "account": accountReference(), "security": nullable(security()),
		"category": nullable(holding(shape{"id": uuid, "name": text})), "created_at": instant, "updated_at": instant,
	})
}

func heldSecurity() kind {
	return holding(shape{
		"id": uuid, "date": date, "qty": decimal, "price": text, "amount": money, "currency": text, "account": accountReference(), "security": security(),
		"cost_basis_source": nullable(oneOf("calculated", "manual")), "avg_cost": nullable(text), "created_at": instant, "updated_at": instant,
	})
}

func category() kind {
	return holding(shape{
		"id": uuid, "name": text, "classification": direction, "color": color, "icon": text, "subcategories_count": count,
		"parent": nullable(holding(shape{"id": uuid, "name": text})), "created_at": instant, "updated_at": instant,
	})
}

func tag() kind {
	return holding(shape{"id": uuid, "name": text, "color": color, "created_at": instant, "updated_at": instant})
}

func merchant() kind {
	return holding(shape{"id": uuid, "name": text, "type": text, "created_at": instant, "updated_at": instant})
}

func valuation() kind {
	return holding(shape{
		"id": uuid, "date": date, "amount": money, "currency": text, "notes": nullable(text), "kind": oneOf("reconciliation", "opening_anchor"),
		"account": accountReference(), "created_at": instant, "updated_at": instant,
	})
}

func balance() kind {
	return holding(shape{
		"id": uuid, "date": date, "currency": text, "balance": money, "balance_cents": integer, "cash_balance": money, "cash_balance_cents": integer,
		"account": accountReference(),
	})
}

// importState is one of the states of an import.
func importState(v any) error {
	return oneOf("pending", "complete", "importing", "reverting", "revert_failed", "failed")(v)
}

func importItem() kind {
	return holding(shape{
		"id": uuid, "type": text, "status": importState, "created_at": instant, "updated_at": instant, "account_id": nullable(uuid), "rows_count": count,
		"error": nullable(text),
	})
}

func importDetail() kind {
	return holding(shape{
		"id": uuid, "type": text, "status": importState, "created_at": instant, "updated_at": instant, "account_id": nullable(uuid), "error": nullable(text),
		"configuration": holding(shape{"date_col_label": nullable(text), "number_format": nullable(text)}),
		"stats":         holding(shape{"rows_count": count, "valid_rows_count": nullable(count)}),
	})
}

// meta is what lists of imports, their rows, rules and runs of rules have instead of pagination.
func meta() kind {
	return holding(shape{"current_page": integer, "total_pages": positive, "total_count": count, "per_page": integer, "next_page": nullable(integer), "prev_page": nullable(integer)})
}

func chatItem() kind {
	return holding(shape{
		"id": uuid, "title": text, "error": nullable(text), "message_count": count, "last_message_at": nullable(instant), "created_at": instant, "updated_at": instant,
	})
}

func chat() kind {
	return holding(shape{"id": uuid, "title": text, "error": nullable(text), "messages": listOf(message()), "created_at": instant, "updated_at": instant})
}

func message() kind {
	return holding(shape{
		"id": uuid, "type": oneOf("user_message", "assistant_message"), "role": oneOf("user", "assistant"), "content": text, "model": nullable(text),
		"tool_calls": listOf(toolCall()), "created_at": instant, "updated_at": instant,
	})
}

// toolCall has objects for arguments and result: the phone app takes no text there.
func toolCall() kind {
	return holding(shape{
		"id": uuid, "function_name": text, "function_arguments": holding(shape{}), "function_result": nullable(holding(shape{})), "created_at": instant,
	})
}

// sum is a figure of the balance sheet.
func sum() kind {
	return holding(shape{"amount": matching(`-?[0-9]+(\.[0-9]+)?`), "currency": text, "formatted": money})
}

// transferSide is one of the two transactions of a transfer.
func transferSide() kind {
	return holding(shape{
		"id": uuid, "entry_id": uuid, "date": date, "amount": money, "amount_cents": integer, "currency": text, "name": text, "kind": text, "account": accountReference(),
	})
}

func transfer() kind {
	return holding(shape{
		"id": uuid, "status": oneOf("pending", "confirmed"), "date": date, "amount": money, "amount_cents": count, "currency": text,
		"transfer_type": oneOf("transfer", "liability_payment", "loan_payment"), "notes": nullable(text), "source_fee_amount": nullable(money),
		"source_fee_currency": nullable(text), "destination_fee_amount": nullable(money), "destination_fee_currency": nullable(text),
		"inflow_transaction": transferSide(), "outflow_transaction": transferSide(), "created_at": instant, "updated_at": instant,
	})
}
