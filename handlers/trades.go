package handlers

import (
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// trades answers for trades and for what is held of them.
type trades struct {
	ledger  *books.Books
	formats *formatters
}

// listTrades answers GET /trades.
func (s *trades) listTrades(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.tradeFilter()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Trades.ListTrades(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "trades", list, page, total, func(t *trade.Trade) { writeTrade(a.json, t, format) })
	return nil
}

func (q *query) tradeFilter() trade.Filter {
	return trade.Filter{
		AccountIDs: q.idsOrOne("account_ids", "account_id"), SecurityIDs: q.idsOrOne("security_ids", "security_id"),
		StartDate: q.date("start_date"), EndDate: q.date("end_date"),
		Kind: q.word("type", "buy", "sell", "dividend", "interest", "fee"),
	}
}

// createTrade answers POST /trades: 201 with the trade, or with the transaction or transfer that a deposit or
// withdrawal is.
func (s *trades) createTrade(a *answer, r *request) error {
	f, err := r.wrapped("trade")
	if err != nil {
		return err
	}
	made, err := s.ledger.Trades.CreateTrade(r.Context(), r.who(), f.newTrade())
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	a.created()
	switch {
	case made.Transaction != nil:
		writeTransaction(a.json, made.Transaction, format)
	case made.Transfer != nil:
		writeTransfer(a.json, made.Transfer, format)
	default:
		writeTrade(a.json, made.Trade, format)
	}
	return nil
}

// updateTrade answers PATCH /trades/{id}.
func (s *trades) updateTrade(a *answer, r *request) error {
	id, err := r.pathID("id", "Trade")
	if err != nil {
		return err
	}
	f, err := r.wrapped("trade")
	if err != nil {
		return err
	}
	t, err := s.ledger.Trades.UpdateTrade(r.Context(), r.who(), id, f.trade())
	if err != nil {
		return err
	}
	return one(s.formats, writeTrade)(a, r, &t)
}

// newTrade reads the fields of a new trade: those that can be changed later, and what a trade keeps for good.
func (f *fields) newTrade() trade.Input {
	account, counter, security := f.id("account_id"), f.id("transfer_account_id"), f.id("security_id")
	ticker, manual := f.token("ticker"), f.token("manual_ticker")
	in := f.trade()
	in.AccountID, in.TransferAccountID, in.SecurityID, in.Ticker, in.ManualTicker = account, counter, security, ticker, manual
	return in
}

// trade reads the fields of a trade that can be changed.
func (f *fields) trade() trade.Input {
	in := trade.Input{
		Type: f.text("type"), Nature: f.text("nature"), Date: f.date("date"), Quantity: f.decimal("qty"), Price: f.decimal("price"),
		Fee: f.decimal("fee"), FeeIsNumber: f.isNumber("fee"), Amount: f.decimal("amount"), AmountIsNumber: f.isNumber("amount"),
		Currency: f.text("currency"), Label: f.text("investment_activity_label"),
		CategoryID: f.id("category_id"), Name: f.text("name"), Notes: f.text("notes"), AllowShort: f.boolean("allow_short"),
	}
	in.Problems = *f.problems
	return in
}

// writeTrade writes the Trade of the contract. Its formatted amount has the sign of the application whose API this
// is, a purchase without minus; signed_amount_cents is what goes into the account.
func writeTrade(j *jsonWriter, t *trade.Trade, format *money.Formatter) {
	j.open("")
	j.id("id", t.PublicID)
	j.date("date", ledger.Date(t.Date))
	j.text("type", t.Kind)
	j.money("amount", format, -t.Amount, t.Currency)
	j.int("signed_amount_cents", t.Amount)
	j.text("currency", t.Currency)
	j.text("name", t.Name)
	j.textOrNull("notes", t.Notes)
	j.raw("qty", t.Quantity.String())
	writePrice(j, "price", format, t.Price, t.Currency)
	j.money("fee", format, t.Fee, t.Currency)
	j.int("fee_cents", t.Fee)
	j.textOrNull("investment_activity_label", t.ActivityLabel)
	writeAccountReference(j, "account", t.Account)
	writeSecurityReference(j, "security", t.Security)
	writeTradeCategory(j, t.Category)
	j.stamp("created_at", t.CreatedAt)
	j.stamp("updated_at", t.UpdatedAt)
	j.close()
}

// writeTradeCategory writes the category of a trade, which the contract shows with less than that of a transaction.
func writeTradeCategory(j *jsonWriter, c *ledger.CategoryRef) {
	if c == nil {
		j.null("category")
		return
	}
	j.open("category")
	j.id("id", c.ID)
	j.text("name", c.Name)
	j.close()
}
