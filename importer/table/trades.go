package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// Trades is the kind of brokers' files: a row is a purchase or a sale of so many units at a price.
//
// What a row is says its side column, in words of the file's own (buy_value, sell_value) or in those of many
// languages; without such a column the sign of the quantity says it. Dividends, interest and fees are booked as
// such when the file has an amount column, and are left out else: a quantity beside them buys nothing. What moves
// money or shares in another way is left out, too.
type Trades struct {
	phrases Phrases
	facts   tradeFacts // see readFacts
}

// Settings accept sales of more than is held: a broker's file tells what was done, and often begins after the first
// purchase.
func (*Trades) Settings(s record.Settings) record.Settings {
	record.Otherwise(&s.AllowShort, "true")
	return s
}

func (*Trades) Headers(f record.Field, usual []string) []string {
	switch f {
	case record.FieldTicker:
		return []string{"ticker", "symbol", "isin"}
	case record.FieldISIN:
		return []string{"isin"}
	case record.FieldQty:
		return []string{"qty", "quantity"}
	case record.FieldPrice:
		return []string{"price"}
	case record.FieldMIC:
		return []string{"exchange_operating_mic"}
	case record.FieldFee:
		return []string{"fee", "fees"}
	case record.FieldSide:
		return []string{"side", "buy/sell", "action", "type"}
	case record.FieldDate, record.FieldName, record.FieldCurrency, record.FieldAccount, record.FieldNotes:
		return usual
	}
	return nil
}

func (*Trades) vital(record.Settings) []record.Field {
	return []record.Field{record.FieldDate, record.FieldTicker, record.FieldQty, record.FieldPrice}
}

func (t *Trades) plan(r *Rows, row *record.Record) {
	row.Body = &record.Trade{AllowShort: r.Rules.AllowShort}
	row.Skipped = t.facts.parts.LeftOut(row.Raw)
	if t.facts.parts.tells(row.Raw) {
		row.Warning = record.WarnTable
	}
	if row.Skipped != "" || !t.readSide(r, row) {
		row.Issues = nil
		return
	}
	readDay(r, row)
	r.readAccount(row)
	t.readSecurity(r, row)
	known := r.readCurrency(row)
	switch Side(row.Trade().Kind) {
	case SideDividend, SideInterest, sideFee:
		t.readCash(r, row, known)
	default:
		t.readDeal(r, row, known)
	}
	readTexts(r, row)
	// Name a trade that the file does not name, and its security where the name column is about that.
	tr := row.Trade()
	if r.Columns.cell(row.Raw, record.FieldName) == "" {
		row.Name = text.CutName(trade.TradeName(cmp.Or(tr.Kind, string(SideBuy)), tr.Quantity, tr.Ticker))
		return
	}
	header := NormalLabel(r.Columns.title(record.FieldName))
	for _, word := range []string{"name", "security", "instrument", "product", "asset", "company", "wertpapier"} {
		if strings.Contains(header, word) {
			tr.SecurityName = row.Name
		}
	}
}

// readSide finds what the row is; the kind stays blank where the sign of the quantity is to say it. The row is
// left out when the answer is false.
func (t *Trades) readSide(r *Rows, row *record.Record) bool {
	phrase, s := text.OneLine(r.Columns.cell(row.Raw, record.FieldSide)), SideUnsaid
	if r.Columns.At[record.FieldSide] >= 0 {
		s = t.sideOf(r, row.Raw)
	}
	if reason := t.tradesNothing(r, row, s, phrase); reason != "" {
		row.Skipped = reason
		return false
	}
	switch s {
	case SideBuy, SideSell:
		row.Trade().Kind = string(s)
	case sideReinvest:
		return t.readReinvestment(r, row, phrase)
	case SideUnsaid:
		// The sign of the quantity decides only in a column that was taken for the side by its header and never
		// speaks of purchases and sales.
		if r.Columns.At[record.FieldSide] >= 0 && (r.Rules.SideGiven || t.facts.speaks) {
			r.issue(row, record.FieldSide, fmt.Sprintf("must say whether this is a purchase or a sale, such as Buy or Sell: give buy_value and sell_value; got %s", ledger.Quote(phrase)))
		}
	case sideOther:
		return t.leaveOut(r, row, phrase)
	default:
		return t.income(r, row, s, phrase)
	}
	return true
}

// tradesNothing says why a row that has neither a quantity nor a price is left out: it is a heading, a sum, a movement
// of cash or a word to the reader, or an exchange of currencies. It is blank for rows that say what they are, and for
// those that move money the settings have read.
func (t *Trades) tradesNothing(r *Rows, row *record.Record, s Side, phrase string) string {
	cell := func(f record.Field) string { return r.Columns.cell(row.Raw, f) }
	undated := !strings.ContainsAny(cell(record.FieldDate), "0123456789")
	if undated && !notation.IsSome(cell(record.FieldPrice)) &&
		slices.ContainsFunc(row.Raw, func(cell string) bool { return EndsTable(cell) }) {
		return "a sum"
	}
	if ticker := cell(record.FieldTicker); isExchange(ticker) {
		return "an exchange of currencies: " + ticker
	}
	if notation.IsSome(cell(record.FieldQty)) || notation.IsSome(cell(record.FieldPrice)) ||
		strings.ContainsAny(cell(record.FieldQty)+cell(record.FieldPrice), "123456789") {
		return ""
	}
	what := text.CutName(cmp.Or(phrase, text.OneLine(strings.Join(row.Raw, " "))))
	switch {
	case undated && s == SideUnsaid:
		return "no date, no quantity and no price: " + what
	case s == SideUnsaid && notation.IsSome(cell(record.FieldAmount)):
		return ""
	case s == SideUnsaid, (s == SideBuy || s == SideSell) && len(t.facts.book.of(row.Raw)) == 0:
		return "no quantity and no price: " + what
	}
	return ""
}

// income is a dividend, interest or a cost, which is left out when the file does not say what it came to.
func (t *Trades) income(r *Rows, row *record.Record, s Side, phrase string) bool {
	if notation.Empty(r.Columns.cell(row.Raw, record.FieldAmount)) {
		return t.leaveOut(r, row, phrase)
	}
	if TakesBack(phrase) {
		r.issue(row, record.FieldSide, "must say what this is: something seems to be taken back, and no words say which booking; got "+ledger.Quote(phrase))
	}
	if s == sideOwed {
		s, row.Trade().Label = sideFee, "Interest"
	}
	row.Trade().Kind = string(s)
	return true
}

// SideOf asks the file's own words first. Where it gives both, all others mean neither.
func (t *Trades) sideOf(r *Rows, cells []string) Side {
	folded := ledger.Fold(text.OneLine(r.Columns.cell(cells, record.FieldSide)))
	switch {
	case r.Rules.BuyValue != "" && folded == r.Rules.BuyValue:
		return SideBuy
	case r.Rules.SellValue != "" && folded == r.Rules.SellValue:
		return SideSell
	}
	s := t.phrases.Of(cells, r.Columns.At[record.FieldSide])
	if r.Rules.BuyValue != "" && r.Rules.SellValue != "" && (s == SideBuy || s == SideSell || s == SideUnsaid ||
		s == sideReinvest) {
		return sideOther
	}
	return s
}

// leaveOut leaves out what is no trade. Units that come or go otherwise are told.
func (t *Trades) leaveOut(r *Rows, row *record.Record, phrase string) bool {
	row.Skipped = "no purchase or sale: " + text.CutName(phrase)
	if notation.IsSome(r.Columns.cell(row.Raw, record.FieldQty)) && movesUnits(phrase) {
		row.Warning = record.WarnUnits
	}
	return false
}

// movesUnits reports whether a phrase speaks of units that come or go without a purchase or sale.
func movesUnits(phrase string) bool {
	words := strings.Fields(text.Plain(phrase))
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(lexicon.Words(lexicon.UnitsMoved),
			func(stem string) bool { return strings.HasPrefix(word, stem) })
	})
}

// readDay reads a date that a time of day may follow, which the pattern need not have: it moves no day.
func readDay(r *Rows, row *record.Record) {
	cell := r.Columns.cell(row.Raw, record.FieldDate)
	if day, ok := withoutTime(cell); ok {
		if date, err := r.Rules.Dates.Parse(day); err == nil {
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
	var f notation.DateFields
	left, ok := f.TakeNumber(notation.DatePart{Verb: 'H'}, hours)
	if !ok || left != "" {
		return "", false
	}
	rest, ok = f.TakeNumber(notation.DatePart{Verb: 'M'}, rest)
	if !ok {
		return "", false
	}
	for _, part := range []struct {
		sign string
		verb byte
	}{{":", 'S'}, {".", 'f'}} {
		if tail, found := strings.CutPrefix(rest, part.sign); found {
			rest, ok = f.TakeNumber(notation.DatePart{Verb: part.verb}, tail)
			if !ok {
				return "", false
			}
		}
	}
	if rest == "" {
		return "", true
	}
	return notation.TakeZone(rest)
}

// readSecurity takes the ticker, or where the row has none what the security is called by in other rows, see
// [securityBook].
func (t *Trades) readSecurity(r *Rows, row *record.Record) {
	trade := row.Trade()
	trade.ISIN = text.OneLine(r.Columns.cell(row.Raw, record.FieldISIN))
	cell := withinText(text.OneLine(r.Columns.cell(row.Raw, record.FieldTicker)))
	if notation.Empty(cell) {
		found, kind, err := t.facts.book.ticker(t.facts.book.of(row.Raw))
		if err != nil {
			r.issue(row, record.FieldTicker, err.Error())
			return
		}
		cash := trade.Kind == string(SideInterest) || trade.Kind == string(sideFee)
		if cash && (found == "" || kind == idName) { // a name may be that of what was paid for
			return
		}
		cell, trade.Named = found, kind == idName
		if cell == "" {
			r.issue(row, record.FieldTicker, "is required and must not be blank")
			return
		}
	}
	trade.SecurityName = text.CutName(t.facts.book.name(row.Raw))
	var err error
	trade.Ticker, trade.MIC, err = market.ParseTicker(cell)
	if err != nil {
		r.issue(row, record.FieldTicker, err.Error())
	}
	if bourse := r.Columns.cell(row.Raw, record.FieldMIC); bourse != "" {
		trade.MIC, err = market.ParseMIC(bourse)
		if err != nil {
			r.issue(row, record.FieldMIC, err.Error())
		}
	}
}

// withinText is the international number of a security that stands among the words of a cell, or else the cell.
func withinText(cell string) string {
	if !strings.Contains(cell, " ") {
		return cell
	}
	for word := range strings.FieldsSeq(cell) {
		if number := strings.Trim(word, "()[],;:"); notation.IsISIN(number) {
			return number
		}
	}
	return cell
}

// readDecimal reads a cell as an exact number in the row's currency. It is required.
func readDecimal(r *Rows, row *record.Record, f record.Field) (decimal.Decimal, bool) {
	cell := r.Columns.cell(row.Raw, f)
	if cell == "" {
		r.issue(row, f, "is required and must not be blank")
		return decimal.Zero, false
	}
	n, err := r.Rules.Numbers.Parse(cell)
	switch {
	case err != nil:
	case f == record.FieldQty && n.Sign != "":
		err = fmt.Errorf("must be a number of units without a currency, got %s", ledger.Quote(cell))
	case !n.IsOf(row.Currency):
		err = fmt.Errorf("must be a number in %s, the currency of the row, got %s", row.Currency.Code,
			ledger.Quote(cell))
	}
	var d decimal.Decimal
	if err == nil {
		d, err = money.ParseDecimal(n.Text)
	}
	if err != nil {
		r.issue(row, f, err.Error())
	}
	return d, err == nil
}

// readOptional is 0 for a cell that is blank or a dash.
func readOptional(r *Rows, row *record.Record, f record.Field) (decimal.Decimal, bool) {
	if notation.Empty(r.Columns.cell(row.Raw, f)) {
		return decimal.Zero, true
	}
	return readDecimal(r, row, f)
}
