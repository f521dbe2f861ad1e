package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// trades is the kind of brokers' files: a row is a purchase or a sale of so many units at a price.
//
// What a row is says its side column, in words of the file's own (buy_value, sell_value) or in those of many
// languages; without such a column the sign of the quantity says it. Dividends, interest and fees are booked as
// such when the file has an amount column, and are left out else: a quantity beside them buys nothing. What moves
// money or shares in another way is left out, too.
type trades struct {
	phrases phrases
	facts   tradeFacts // see survey
}

// settings accept sales of more than is held: a broker's file tells what was done, and often begins after the first
// purchase.
func (*trades) settings(s Settings) Settings {
	otherwise(&s.AllowShort, "true")
	return s
}

func (*trades) headers(f field, usual []string) []string {
	switch f {
	case fieldTicker:
		return []string{"ticker", "symbol", "isin"}
	case fieldISIN:
		return []string{"isin"}
	case fieldQty:
		return []string{"qty", "quantity"}
	case fieldPrice:
		return []string{"price"}
	case fieldMIC:
		return []string{"exchange_operating_mic"}
	case fieldFee:
		return []string{"fee", "fees"}
	case fieldSide:
		return []string{"side", "buy/sell", "action", "type"}
	case fieldDate, fieldName, fieldCurrency, fieldAccount, fieldNotes:
		return usual
	}
	return nil
}

func (*trades) vital(Settings) []field { return []field{fieldDate, fieldTicker, fieldQty, fieldPrice} }

func (t *trades) plan(r *Rows, row *Row) {
	row.Body = &Trade{AllowShort: r.rules.allowShort}
	row.Skipped = t.facts.parts.leftOut(row.Raw)
	if t.facts.parts.tells(row.Raw) {
		row.Warning = warnTable
	}
	if row.Skipped != "" || !t.readSide(r, row) {
		row.Issues = nil
		return
	}
	r.readDay(row)
	r.readAccount(row)
	t.readSecurity(r, row)
	known := r.readCurrency(row)
	switch side(row.Trade().Kind) {
	case sideDividend, sideInterest, sideFee:
		t.readCash(r, row, known)
	default:
		t.readDeal(r, row, known)
	}
	r.readTexts(row)
	t.nameRow(r, row)
}

// readSide finds what the row is; the kind stays blank where the sign of the quantity is to say it. The row is
// left out when the answer is false.
func (t *trades) readSide(r *Rows, row *Row) bool {
	phrase, s := oneLine(r.columns.cell(row.Raw, fieldSide)), sideUnsaid
	if r.columns.at[fieldSide] >= 0 {
		s = t.sideOf(r, row.Raw)
	}
	if reason := t.tradesNothing(r, row, s, phrase); reason != "" {
		row.Skipped = reason
		return false
	}
	switch s {
	case sideBuy, sideSell:
		row.Trade().Kind = string(s)
	case sideReinvest:
		return t.readReinvestment(r, row, phrase)
	case sideUnsaid:
		t.unsaid(r, row, phrase)
	case sideOther:
		return t.leaveOut(r, row, phrase)
	default:
		return t.income(r, row, s, phrase)
	}
	return true
}

// tradesNothing says why a row that has neither a quantity nor a price is left out: it is a heading, a sum, a movement of cash or a
// word to the reader, or an exchange of currencies. It is blank for rows that say what they are, and for those that move money the settings have read.
func (t *trades) tradesNothing(r *Rows, row *Row, s side, phrase string) string {
	cell := func(f field) string { return r.columns.cell(row.Raw, f) }
	undated := !strings.ContainsAny(cell(fieldDate), "0123456789")
	if undated && !isSome(cell(fieldPrice)) && slices.ContainsFunc(row.Raw, func(cell string) bool { return endsTable(cell) }) {
		return "a sum"
	}
	if ticker := cell(fieldTicker); isExchange(ticker) {
		return "an exchange of currencies: " + ticker
	}
	if isSome(cell(fieldQty)) || isSome(cell(fieldPrice)) || strings.ContainsAny(cell(fieldQty)+cell(fieldPrice), "123456789") {
		return ""
	}
	what := cutName(or(phrase, oneLine(strings.Join(row.Raw, " "))))
	switch {
	case undated && s == sideUnsaid:
		return "no date, no quantity and no price: " + what
	case s == sideUnsaid && isSome(cell(fieldAmount)):
		return ""
	case s == sideUnsaid, (s == sideBuy || s == sideSell) && len(t.facts.book.of(row.Raw)) == 0:
		return "no quantity and no price: " + what
	}
	return ""
}

// income is a dividend, interest or a cost, which is left out when the file does not say what it came to.
func (t *trades) income(r *Rows, row *Row, s side, phrase string) bool {
	if empty(r.columns.cell(row.Raw, fieldAmount)) {
		return t.leaveOut(r, row, phrase)
	}
	if takesBack(phrase) {
		r.issue(row, fieldSide, "must say what this is: something seems to be taken back, and no words say which booking; got "+ledger.Quote(phrase))
	}
	if s == sideOwed {
		s, row.Trade().Label = sideFee, "Interest"
	}
	row.Trade().Kind = string(s)
	return true
}

// sideOf asks the file's own words first. Where it gives both, all others mean neither.
func (t *trades) sideOf(r *Rows, cells []string) side {
	folded := ledger.Fold(oneLine(r.columns.cell(cells, fieldSide)))
	switch {
	case r.rules.buyValue != "" && folded == r.rules.buyValue:
		return sideBuy
	case r.rules.sellValue != "" && folded == r.rules.sellValue:
		return sideSell
	}
	s := t.phrases.of(cells, r.columns.at[fieldSide])
	if r.rules.buyValue != "" && r.rules.sellValue != "" && (s == sideBuy || s == sideSell || s == sideUnsaid || s == sideReinvest) {
		return sideOther
	}
	return s
}

// unsaid is a word that is not understood. The sign of the quantity decides only in a column that was taken for the side by its
// header and never speaks of purchases and sales.
func (t *trades) unsaid(r *Rows, row *Row, phrase string) {
	if r.columns.at[fieldSide] >= 0 && (r.rules.sideGiven || t.facts.speaks) {
		r.issue(row, fieldSide, fmt.Sprintf("must say whether this is a purchase or a sale, such as Buy or Sell: give buy_value and sell_value; got %s", ledger.Quote(phrase)))
	}
}

// leaveOut leaves out what is no trade. Units that come or go otherwise are told.
func (t *trades) leaveOut(r *Rows, row *Row, phrase string) bool {
	row.Skipped = "no purchase or sale: " + cutName(phrase)
	if isSome(r.columns.cell(row.Raw, fieldQty)) && movesUnits(phrase) {
		row.Warning = warnUnits
	}
	return false
}

// movesUnits says whether a phrase speaks of units that come or go without a purchase or sale.
func movesUnits(phrase string) bool {
	words := strings.Fields(text.Plain(phrase))
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(lexicon.Words(lexicon.UnitsMoved), func(stem string) bool { return strings.HasPrefix(word, stem) })
	})
}

// readDay reads a date that a time of day may follow, which the pattern need not have: it moves no day.
func (r *Rows) readDay(row *Row) {
	cell := r.columns.cell(row.Raw, fieldDate)
	if day, ok := withoutTime(cell); ok {
		if date, err := r.rules.dates.parse(day); err == nil {
			row.Date = date
			return
		}
	}
	r.readDate(row)
}

// withoutTime takes a time of day off a date: "2026-01-31T13:30:10.514Z", "31.01.2026 13:30".
func withoutTime(cell string) (day string, ok bool) {
	at := strings.LastIndexAny(cell, "T ")
	if at < 1 {
		return "", false
	}
	hours, minutes, found := strings.Cut(cell[at+1:], ":")
	rest, fits := takeClock(hours, minutes)
	return strings.TrimSpace(cell[:at]), found && fits && rest == ""
}

// takeClock reads hours, and minutes with perhaps seconds, a fraction and a zone.
func takeClock(hours, rest string) (string, bool) {
	var f dateFields
	left, ok := f.takeNumber(datePart{verb: 'H'}, hours)
	if !ok || left != "" {
		return "", false
	}
	if rest, ok = f.takeNumber(datePart{verb: 'M'}, rest); !ok {
		return "", false
	}
	for _, part := range []struct {
		sign string
		verb byte
	}{{":", 'S'}, {".", 'f'}} {
		if tail, found := strings.CutPrefix(rest, part.sign); found {
			if rest, ok = f.takeNumber(datePart{verb: part.verb}, tail); !ok {
				return "", false
			}
		}
	}
	if rest == "" {
		return "", true
	}
	return takeZone(rest)
}

// readSecurity takes the ticker, or where the row has none what the security is called by in other rows, see [securityBook].
func (t *trades) readSecurity(r *Rows, row *Row) {
	trade := row.Trade()
	trade.ISIN = oneLine(r.columns.cell(row.Raw, fieldISIN))
	cell := withinText(oneLine(r.columns.cell(row.Raw, fieldTicker)))
	if empty(cell) {
		found, kind, err := t.facts.book.ticker(t.facts.book.of(row.Raw))
		if err != nil {
			r.issue(row, fieldTicker, err.Error())
			return
		}
		cash := trade.Kind == string(sideInterest) || trade.Kind == string(sideFee)
		if cash && (found == "" || kind == idName) { // a name may be that of what was paid for
			return
		}
		if cell, trade.Named = found, kind == idName; cell == "" {
			r.issue(row, fieldTicker, "is required and must not be blank")
			return
		}
	}
	trade.SecurityName = cutName(t.facts.book.name(row.Raw))
	var err error
	if trade.Ticker, trade.MIC, err = market.ParseTicker(cell); err != nil {
		r.issue(row, fieldTicker, err.Error())
	}
	if bourse := r.columns.cell(row.Raw, fieldMIC); bourse != "" {
		if trade.MIC, err = market.ParseMIC(bourse); err != nil {
			r.issue(row, fieldMIC, err.Error())
		}
	}
}

// withinText is the international number of a security that stands among the words of a cell, or else the cell.
func withinText(cell string) string {
	if !strings.Contains(cell, " ") {
		return cell
	}
	for word := range strings.FieldsSeq(cell) {
		if number := strings.Trim(word, "()[],;:"); isISIN(number) {
			return number
		}
	}
	return cell
}

// nameRow names a trade that the file does not name, and its security where the name column is about that.
func (t *trades) nameRow(r *Rows, row *Row) {
	tr := row.Trade()
	if r.columns.cell(row.Raw, fieldName) == "" {
		row.Name = cutName(trade.TradeName(or(tr.Kind, string(sideBuy)), tr.Quantity, tr.Ticker))
		return
	}
	header := normalLabel(r.columns.title(fieldName))
	for _, word := range []string{"name", "security", "instrument", "product", "asset", "company", "wertpapier"} {
		if strings.Contains(header, word) {
			tr.SecurityName = row.Name
		}
	}
}

// decimal reads a cell as an exact number in the row's currency. It is required.
func (r *Rows) decimal(row *Row, f field) (decimal.Decimal, bool) {
	cell := r.columns.cell(row.Raw, f)
	if cell == "" {
		r.issue(row, f, "is required and must not be blank")
		return decimal.Zero, false
	}
	n, err := r.rules.numbers.parse(cell)
	switch {
	case err != nil:
	case f == fieldQty && n.sign != "":
		err = fmt.Errorf("must be a number of units without a currency, got %s", ledger.Quote(cell))
	case !n.isOf(row.Currency):
		err = fmt.Errorf("must be a number in %s, the currency of the row, got %s", row.Currency.Code, ledger.Quote(cell))
	}
	var d decimal.Decimal
	if err == nil {
		d, err = money.ParseDecimal(n.text)
	}
	if err != nil {
		r.issue(row, f, err.Error())
	}
	return d, err == nil
}

// optional is 0 for a cell that is blank or a dash.
func (r *Rows) optional(row *Row, f field) (decimal.Decimal, bool) {
	if empty(r.columns.cell(row.Raw, f)) {
		return decimal.Zero, true
	}
	return r.decimal(row, f)
}
