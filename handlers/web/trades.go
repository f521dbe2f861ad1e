package web

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// tradesView is a page of trades, of all or of one account or security.
type tradesView struct {
	Trades                []trade.Trade
	Total                 int64
	Pages                 pager
	Accounts, Securities  []option // to choose from
	AccountID, SecurityID string   // that were chosen; blank for all
	Back                  string   // this very list
}

// listTrades answers GET /trades.
func listTrades(v *visit) error {
	q := v.URL.Query()
	view := tradesView{Back: ownPath(v.URL.RequestURI(), "/trades")}
	var f trade.Filter
	if id, ok := ledger.ParseID(q.Get("account")); ok {
		f.AccountIDs, view.AccountID = []uuid.UUID{id}, id.String()
	}
	if id, ok := ledger.ParseID(q.Get("security")); ok {
		f.SecurityIDs, view.SecurityID = []uuid.UUID{id}, id.String()
	}
	page := v.page(rowsPerPage)
	var err error
	view.Trades, view.Total, err = v.site.Ledger.Trades.ListTrades(v.Context(), v.who(), f, page)
	if err != nil {
		return err
	}
	view.Pages = pagerOf(v.URL, page, view.Total)
	view.Accounts, err = v.tradingAccounts()
	if err != nil {
		return err
	}
	securities, _, err := v.site.Ledger.Market.ListSecurities(v.Context(), v.who(),
		market.SecurityFilter{}, ledger.Everything())
	if err != nil {
		return err
	}
	for _, s := range securities {
		view.Securities = append(view.Securities, option{ID: uuid.UUID(s.PublicID).String(), Name: market.TickerOf(&s.Security)})
	}
	return v.render("trades", "Trades", view)
}

// tradingAccounts are the accounts that take trades, with their currencies.
func (v *visit) tradingAccounts() (list []option, err error) {
	accounts, err := v.listed()
	for _, a := range accounts {
		if kind, _ := ledger.LookupAccountType(a.AccountType); kind.TakesTrades() {
			list = append(list, option{ID: uuid.UUID(a.PublicID).String(), Name: a.Name, Below: a.Currency})
		}
	}
	return list, err
}

// tradeView is the form of a trade, new or there already. The types of a new one are all that there are; a purchase can
// become a sale, and back, and others stay what they are.
type tradeView struct {
	ID       string       // blank of a new one
	Was      *trade.Trade // as the books have it; nil of a new one
	Problems formProblems
	Back     string
	Types    []string

	Type, AccountID, TransferAccountID, Ticker, Date string
	Quantity, Price, Fee, Amount, Currency, Notes    string
	Manual, AllowShort                               bool
	Sum                                              string // what quantity and price come to
	Accounts, AllAccounts, Securities                []option
	Currencies                                       []string
}

// MovesUnits reports whether the trade is or may be a purchase or a sale.
func (t tradeView) MovesUnits() bool { return t.Was == nil || trade.MovesUnits(t.Was.Kind) }

// MovesCash reports whether it is or may be anything else.
func (t tradeView) MovesCash() bool { return t.Was == nil || !trade.MovesUnits(t.Was.Kind) }

// tradeForm gives the form with its lists; of a trade that is there, with what the books have of it.
func (v *visit) tradeForm(was *trade.Trade) (view tradeView, err error) {
	view = tradeView{Back: v.back(ownPath(v.URL.Query().Get("back"), "/trades")), Types: trade.Types(),
		Date: v.today.String(), Type: trade.KindBuy, Currencies: money.CurrencyCodes()}
	if was != nil {
		view.ID, view.Was = uuid.UUID(was.PublicID).String(), was
		view.Type, view.Date = was.Kind, ledger.Date(was.Date).String()
		view.AccountID, view.Currency, view.Notes = was.Account.ID.String(), was.Currency, ledger.OrBlank(was.Notes)
		view.AllowShort = was.AllowShort == 1
		view.Types = []string{was.Kind}
		if trade.MovesUnits(was.Kind) {
			view.Types = []string{trade.KindBuy, trade.KindSell}
		}
		if !v.show.hidden {
			view.Quantity, view.Price = v.show.plainNumber(was.Quantity.Abs()), v.show.plainNumber(was.Price)
			view.Fee = v.show.Plain(was.Fee, was.Currency)
			view.Amount = strings.TrimPrefix(v.show.Plain(was.Amount, was.Currency), "-")
		}
		return view, nil
	}
	view.Accounts, err = v.tradingAccounts()
	if err != nil {
		return view, err
	}
	accounts, err := v.listed()
	if err != nil {
		return view, err
	}
	for _, a := range accounts {
		view.AllAccounts = append(view.AllAccounts, option{ID: uuid.UUID(a.PublicID).String(), Name: a.Name, Below: a.Currency})
	}
	securities, _, err := v.site.Ledger.Market.ListSecurities(v.Context(), v.who(),
		market.SecurityFilter{}, ledger.Everything())
	for _, s := range securities {
		view.Securities = append(view.Securities, option{ID: market.TickerOf(&s.Security), Name: ledger.OrBlank(s.Name)})
	}
	return view, err
}

// typed fills the form with what was typed into it, and works out what quantity and price come to.
func (view *tradeView) typed(f *form, problems formProblems) tradeView {
	view.Problems = problems
	for name, to := range map[string]*string{"type": &view.Type, "account_id": &view.AccountID, "ticker": &view.Ticker,
		"transfer_account_id": &view.TransferAccountID, "date": &view.Date, "qty": &view.Quantity, "price": &view.Price,
		"fee": &view.Fee, "amount": &view.Amount, "currency": &view.Currency, "notes": &view.Notes} {
		if f.given(name) {
			*to = f.text(name)
		}
	}
	view.Manual, view.AllowShort = f.text("manual") == "true", f.text("allow_short") == "true"
	view.Sum = f.tradeSum(*view)
	return *view
}

// tradeSum says what a purchase or a sale comes to, as far as that can be told of what was typed.
func (f *form) tradeSum(view tradeView) string {
	if !trade.MovesUnits(view.Type) {
		return ""
	}
	read := &form{visit: f.visit}
	quantity, price, fee := read.amount("qty"), read.amount("price"), read.amount("fee")
	if problems := read.problems; len(problems) > 0 {
		return problems[0].String()
	}
	if !quantity.Has() || !price.Has() {
		return ""
	}
	code := view.Currency
	if code == "" {
		at := slices.IndexFunc(view.Accounts, func(o option) bool { return o.ID == view.AccountID })
		if at < 0 {
			return ""
		}
		code = view.Accounts[at].Below
	}
	currency, known := money.LookupCurrency(code)
	if !known {
		return ""
	}
	cash, _, problems := trade.TradeCash(view.Type, quantity.Value.Abs(), price.Value, fee.Value, currency)
	if len(problems) > 0 {
		return problems[0].String()
	}
	way := "go out of the account"
	if cash > 0 {
		way = "come into the account"
	}
	if cash < 0 {
		cash = -cash
	}
	with := ""
	if !fee.Value.IsZero() {
		with = " with the fee"
	}
	return f.show.Amount(cash, currency.Code) + " " + way + with + "."
}

// trade is what the form says of a trade. A field that it lacks stays as it is, and so does a figure that is hidden.
func (f *form) trade(isNew bool) trade.Input {
	in := trade.Input{Date: f.date("date"), Quantity: f.amount("qty"), Price: f.amount("price"), Fee: f.amount("fee"),
		Amount: f.amount("amount"), AllowShort: ledger.Some(f.text("allow_short") == "true")}
	if f.given("type") {
		in.Type = ledger.Some(f.text("type"))
	}
	if code := f.text("currency"); code != "" {
		in.Currency = ledger.Some(code)
	}
	if f.given("notes") {
		in.Notes = ledger.Opt[string]{Set: true, Value: f.text("notes"), Null: f.text("notes") == ""}
	}
	if isNew {
		in.AccountID, in.TransferAccountID = f.chosen("account_id"), f.chosen("transfer_account_id")
		in.Ticker = ledger.Some(f.text("ticker"))
		if f.text("manual") == "true" {
			in.Ticker, in.ManualTicker = ledger.Opt[string]{}, in.Ticker
		}
	} else if f.given("fee") && f.text("fee") == "" && !f.show.hidden {
		in.Fee = ledger.Some(decimal.Zero)
	}
	in.Problems = f.problems
	return in
}

// newTrade answers GET /trades/new.
func newTrade(v *visit) error {
	view, err := v.tradeForm(nil)
	if err != nil {
		return err
	}
	q := v.URL.Query()
	view.AccountID, view.Ticker, view.Type = q.Get("account"), q.Get("ticker"), cmp.Or(q.Get("type"), view.Type)
	return v.render("trade", "New trade", view)
}

// thenLook asks for nothing but what a form comes to.
const thenLook = "look"

// createTrade answers POST /trades.
func createTrade(v *visit) error {
	f := &form{visit: v}
	again := func(err error) error {
		view, failed := v.tradeForm(nil)
		if failed != nil {
			return failed
		}
		if err == nil {
			return v.render("trade", "New trade", view.typed(f, formProblems{}))
		}
		return v.again(err, "trade", "New trade", func(p formProblems) any { return view.typed(f, p) })
	}
	if f.text("then") == thenLook {
		return again(nil)
	}
	if _, err := v.site.Ledger.Trades.CreateTrade(v.Context(), v.who(), f.trade(true)); err != nil {
		return again(err)
	}
	if f.text("then") == "another" {
		return v.goOn("/trades/new?" + url.Values{"account": {f.text("account_id")}, "type": {f.text("type")}}.Encode())
	}
	return v.goOn(v.back("/trades"))
}

// readTrade is the trade that the path names.
func (v *visit) readTrade() (id uuid.UUID, t trade.Trade, err error) {
	id, err = v.id("Trade")
	if err == nil {
		t, err = v.site.Ledger.Trades.GetTrade(v.Context(), v.who(), id)
	}
	return id, t, err
}

// showTrade answers GET /trades/{id}: the form in which it is changed.
func showTrade(v *visit) error {
	_, t, err := v.readTrade()
	if err != nil {
		return err
	}
	view, err := v.tradeForm(&t)
	if err != nil {
		return err
	}
	return v.render("trade", t.Name, view)
}

// updateTrade answers POST /trades/{id}.
func updateTrade(v *visit) error {
	id, t, err := v.readTrade()
	if err != nil {
		return err
	}
	f := &form{visit: v}
	view, err := v.tradeForm(&t)
	if err != nil {
		return err
	}
	if f.text("then") == thenLook {
		return v.render("trade", t.Name, view.typed(f, formProblems{}))
	}
	if _, err := v.site.Ledger.Trades.UpdateTrade(v.Context(), v.who(), id, f.trade(false)); err != nil {
		return v.again(err, "trade", t.Name, func(p formProblems) any { return view.typed(f, p) })
	}
	return v.goOn(v.back("/trades"))
}

// deleteTrade answers POST /trades/{id}/delete.
func deleteTrade(v *visit) error {
	id, t, err := v.readTrade()
	if err != nil {
		return err
	}
	if err := v.site.Ledger.Trades.DeleteTrade(v.Context(), v.who(), id); err != nil {
		view, failed := v.tradeForm(&t)
		if failed != nil {
			return failed
		}
		return v.again(err, "trade", t.Name, func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn(v.back("/trades"))
}
