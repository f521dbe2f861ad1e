package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// trades answers for trades and for what is held of them.
type trades struct {
	ledger  *books.Books
	formats *wire.Formatters
}

// listTrades answers GET /trades.
func (s *trades) listTrades(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), tradeFilter(q)
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Trades.ListTrades(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "trades", list, page, total, func(t *trade.Trade) { writeTrade(a.Json, t, format) })
	return nil
}

func tradeFilter(q *wire.Query) trade.Filter {
	return trade.Filter{
		AccountIDs: idsOrOne(q, "account_ids", "account_id"), SecurityIDs: idsOrOne(q, "security_ids", "security_id"),
		StartDate: q.Date("start_date"), EndDate: q.Date("end_date"),
		Kind: q.Word("type", "buy", "sell", "dividend", "interest", "fee"),
	}
}

// createTrade answers POST /trades: 201 with the trade, or with the transaction or transfer that a deposit or
// withdrawal is.
func (s *trades) createTrade(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("trade")
	if err != nil {
		return err
	}
	made, err := s.ledger.Trades.CreateTrade(r.Context(), r.Who(), readNewTrade(f))
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	a.Created()
	switch {
	case made.Transaction != nil:
		writeTransaction(a.Json, made.Transaction, format)
	case made.Transfer != nil:
		writeTransfer(a.Json, made.Transfer, format)
	default:
		writeTrade(a.Json, made.Trade, format)
	}
	return nil
}

// updateTrade answers PATCH /trades/{id}.
func (s *trades) updateTrade(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Trade")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("trade")
	if err != nil {
		return err
	}
	t, err := s.ledger.Trades.UpdateTrade(r.Context(), r.Who(), id, readTrade(f))
	if err != nil {
		return err
	}
	return one(s.formats, writeTrade)(a, r, &t)
}

// readNewTrade reads the fields of a new trade: those that can be changed later, and what a trade keeps for good.
func readNewTrade(f *wire.Fields) trade.Input {
	account, counter, security := f.Id("account_id"), f.Id("transfer_account_id"), f.Id("security_id")
	ticker, manual := f.Token("ticker"), f.Token("manual_ticker")
	in := readTrade(f)
	in.AccountID, in.TransferAccountID, in.SecurityID, in.Ticker, in.ManualTicker = account, counter, security, ticker,
		manual
	return in
}

// readTrade reads the fields of a trade that can be changed.
func readTrade(f *wire.Fields) trade.Input {
	in := trade.Input{
		Type: f.Text("type"), Nature: f.Text("nature"), Date: f.Date("date"), Quantity: f.Decimal("qty"),
		Price: f.Decimal("price"),
		Fee:   f.Decimal("fee"), FeeIsNumber: f.IsNumber("fee"), Amount: f.Decimal("amount"),
		AmountIsNumber: f.IsNumber("amount"),
		Currency:       f.Text("currency"), Label: f.Text("investment_activity_label"),
		CategoryID: f.Id("category_id"), Name: f.Text("name"), Notes: f.Text("notes"),
		AllowShort: f.Boolean("allow_short"),
	}
	in.Problems = *f.Problems
	return in
}

// writeTrade writes the Trade of the contract. Its formatted amount has the sign of the application whose API this
// is, a purchase without minus; signed_amount_cents is what goes into the account.
func writeTrade(j *wire.Writer, t *trade.Trade, format *money.Formatter) {
	j.Open("")
	j.Id("id", t.PublicID)
	j.Date("date", ledger.Date(t.Date))
	j.Text("type", t.Kind)
	j.Money("amount", format, -t.Amount, t.Currency)
	j.Int("signed_amount_cents", t.Amount)
	j.Text("currency", t.Currency)
	j.Text("name", t.Name)
	j.TextOrNull("notes", t.Notes)
	j.Raw("qty", t.Quantity.String())
	writePrice(j, "price", format, t.Price, t.Currency)
	j.Money("fee", format, t.Fee, t.Currency)
	j.Int("fee_cents", t.Fee)
	j.TextOrNull("investment_activity_label", t.ActivityLabel)
	writeAccountReference(j, "account", t.Account)
	writeSecurityReference(j, "security", t.Security)
	writeTradeCategory(j, t.Category)
	j.Stamp("created_at", t.CreatedAt)
	j.Stamp("updated_at", t.UpdatedAt)
	j.Close()
}

// writeTradeCategory writes the category of a trade, which the contract shows with less than that of a transaction.
func writeTradeCategory(j *wire.Writer, c *ledger.CategoryRef) {
	if c == nil {
		j.Null("category")
		return
	}
	j.Open("category")
	j.Id("id", c.ID)
	j.Text("name", c.Name)
	j.Close()
}
