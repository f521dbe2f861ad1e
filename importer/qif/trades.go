package qif

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// qifDeal is an entry of an account with securities while it is read.
type qifDeal struct {
	qifItem
	record          qifRecord
	action          qifAction
	security        string
	said            bool  // the file says what moves
	cash            int64 // what the file says that moves, never negative; 0 where it does not say
	quantity, price decimal.Decimal
	fee             int64
	signed          int64  // the cash with its sign in the file
	category        string // what L says besides an account
}

// trade reads an entry of an account with securities: what is traded, and the cash that comes from or goes to
// another account beside it.
func trade(r *rowReader, rec qifRecord) []qifItem {
	d := qifDeal{qifItem: r.begin(rec), record: rec, security: text.OneLine(rec.get('Y'))}
	word := rec.get('N')
	if ledger.Fold(word) == "reminder" {
		d.row.Issues, d.row.Skipped = nil, "reminders are not read"
		return []qifItem{d.qifItem}
	}
	known := false
	if ledger.Fold(word) == "stksplit" {
		return []qifItem{{row: r.stockSplit(d)}}
	}
	d.action, known = actionNamed(word)
	if !known {
		qifIssue(&d.row, 'N', word, unknownAction(word))
		return []qifItem{d.qifItem}
	}
	readDeal(r, &d)
	switch {
	case ledger.Fold(rec.get('P')) == "opening balance" && d.action.kind == "":
		d.row.Body, d.row.Minor, d.other = record.Opening{}, d.signed, ""
		return []qifItem{d.qifItem}
	case d.action.kind == "":
		return withCash(r, d, cashOnly(r, d))
	case d.action.kind == "buy" || d.action.kind == "sell":
		return withCash(r, d, units(r, d))
	case d.action.reinvest:
		return whole(qifItem{row: income(r, d)}, qifItem{row: bought(r, d)})
	}
	return withCash(r, d, income(r, d))
}

// whole lets the rows of one record be imported together or not at all.
func whole(items ...qifItem) []qifItem {
	var all []record.Issue
	for _, item := range items {
		for _, issue := range item.row.Issues {
			if !slices.Contains(all, issue) {
				all = append(all, issue)
			}
		}
	}
	for i := range items {
		items[i].row.Issues = slices.Clone(all)
	}
	return items
}

func unknownAction(word string) string {
	return fmt.Sprintf("must be an action of QIF such as Buy, SellX or Div, got %s: nobody can tell what it does to cash and holdings", ledger.Quote(word))
}

// readDeal reads what entries of all actions have.
func readDeal(r *rowReader, d *qifDeal) {
	d.category, d.other = cutCategory(d.record.get('L'))
	amounts := "TU"
	if d.action.moves {
		amounts = "TU$"
	}
	d.said = strings.ContainsFunc(amounts, func(letter rune) bool { return d.record.get(byte(letter)) != "" })
	d.signed, _ = r.money(&d.row, d.record, amounts)
	d.cash = max(d.signed, -d.signed)
	if d.action.kind == "buy" || d.action.kind == "sell" || d.action.reinvest {
		d.quantity, d.price = figure(r, d, 'Q').Abs(), figure(r, d, 'I').Abs()
		fee, _ := r.money(&d.row, d.record, "O")
		d.fee = max(fee, -fee)
	}
	remarks := &qifNotes{}
	remarks.add(lines(d.record, 'M', "\n"))
	remarks.label("Transfer", bracket(d.other))
	if d.action.kind != "" {
		remarks.label("Category", d.category)
	}
	r.name(&d.row, d.record, remarks, "")
	if d.record.get('P') == "" {
		d.row.Name = text.CutName(d.title())
	}
	d.row.Issues = slices.Clip(d.row.Issues) // rows of one record must not share what is added
}

// requireCash notes when the file does not say what moves.
func (d *qifDeal) requireCash(row *record.Record) {
	if !d.said {
		qifIssue(row, 'T', "", "is required and must not be blank")
	}
}

// title is the action with the security.
func (d *qifDeal) title() string {
	if d.security == "" {
		return d.action.title
	}
	return d.action.title + ": " + d.security
}

// figure reads a quantity or a price; 0 when it is not there.
func figure(r *rowReader, d *qifDeal, letter byte) decimal.Decimal {
	const mostPlaces = 18
	text := d.record.get(letter)
	if text == "" {
		return decimal.Decimal{}
	}
	n, err := r.numbers.Parse(text)
	if err != nil {
		qifIssue(&d.row, letter, text, err.Error())
		return decimal.Decimal{}
	}
	figure, err := money.ParseDecimal(n.Text)
	if err == nil && !figure.Equal(figure.Truncate(mostPlaces)) {
		err = fmt.Errorf("must have at most %d decimals, got %s", mostPlaces, ledger.Quote(text))
	}
	if err != nil {
		qifIssue(&d.row, letter, text, err.Error())
	}
	return figure
}

// plan makes a row a trade of the security.
func plan(r *rowReader, d qifDeal, kind string) record.Record {
	row := d.row
	named := record.Instrument{Ticker: cmp.Or(r.facts.securities[ledger.Fold(d.security)], d.security),
		SecurityName: d.security}
	row.Body = &record.Trade{Instrument: named, Kind: kind, AllowShort: d.action.short}
	if d.action.reinvest {
		row.Trade().Label = "Reinvestment"
	}
	slot := r.facts.slot(d.record.section)
	if slot.home.refused != "" {
		row.AddIssue("account", slot.title, slot.home.refused)
	}
	if d.security == "" {
		return row
	}
	symbol, mic, err := market.ParseTicker(row.Trade().Ticker)
	if err != nil {
		qifIssue(&row, 'Y', d.security, err.Error())
	}
	row.Trade().Ticker, row.Trade().MIC = symbol, mic
	return row
}

// units is a purchase or sale. The cash is what the file says; where it says none it follows from quantity, price
// and commission, and where there is no price that follows from the cash.
func units(r *rowReader, d qifDeal) record.Record {
	row := plan(r, d, d.action.kind)
	if d.security == "" {
		qifIssue(&row, 'Y', "", "is required and must not be blank")
	}
	if d.quantity.IsZero() {
		qifIssue(&row, 'Q', d.record.get('Q'), "is required and must not be 0")
		return row
	}
	row.Trade().Quantity, row.Trade().Price = d.quantity, d.price
	if d.action.way == 0 {
		row.Remarks = append(row.Remarks, "units move without cash: what they cost is not known to the books")
		return row
	}
	way := -1 // of the cash, as a purchase or sale has it
	if d.action.kind == "sell" {
		way = 1
	}
	row.Trade().Fee = d.fee
	d.complete(&row, int64(way))
	row.Minor = int64(way) * d.cash
	table.RoundPrice(&row)
	return row
}

// complete finds out the cash or the price where the file has none, and tells when it does not agree.
func (d *qifDeal) complete(row *record.Record, way int64) {
	fee := row.Currency.Decimal(d.fee).Mul(decimal.NewFromInt(-way))
	value := d.quantity.Mul(d.price).Add(fee)
	switch {
	case !d.said && d.record.get('I') == "":
		qifIssue(row, 'T', "", "is required and must not be blank, or the price is")
	case !d.said:
		minor, err := row.Currency.Minor(value.Round(int32(row.Currency.Exponent)))
		if err != nil {
			qifIssue(row, 'T', value.String(), err.Error())
		}
		d.cash = minor
	case d.record.get('I') == "":
		row.Trade().Price = decimal.Max(decimal.Zero, row.Currency.Decimal(d.cash).Sub(fee)).DivRound(d.quantity, 12)
	default:
		d.compare(row, value)
	}
}

// compare tells when the amount is far from quantity times price: prices are rounded. The price of a bond is per cent,
// which the amount proves: then it is divided by 100.
func (d *qifDeal) compare(row *record.Record, value decimal.Decimal) {
	amount, gross := row.Currency.Decimal(d.cash), d.quantity.Mul(d.price)
	if off := table.ScaleHundredth.Times(d.quantity.Mul(table.Rounded(d.price))); !amount.Equal(d.price) &&
		table.Agrees(amount, table.ScaleHundredth.Times(gross), row.Currency.Decimal(d.fee), off) &&
		!table.Agrees(amount, gross, row.Currency.Decimal(d.fee), off) {
		row.Trade().Price, row.Warning = d.price.Shift(-2), record.WarnHundredths
		row.Remarks = append(row.Remarks, table.HundredthsRemark(d.price))
		return
	}
	most := amount.Div(decimal.NewFromInt(100)).Add(row.Currency.Decimal(1))
	if amount.Sub(value).Abs().GreaterThan(most) {
		row.Remarks = append(row.Remarks, fmt.Sprintf("amount %s is not quantity times price and commission, which come to %s: the amount counts",
			row.Currency.Plain(d.cash), value.Round(int32(row.Currency.Exponent))))
	}
}

// income is cash that comes of a security or of the account itself. Income that is taken back, or a dividend that
// names no security, is a transaction.
func income(r *rowReader, d qifDeal) record.Record {
	minor := d.action.way * d.signed
	d.requireCash(&d.row)
	if d.action.way*minor <= 0 || d.action.kind == "dividend" && d.security == "" {
		d.row.Minor = minor
		return d.row
	}
	row := plan(r, d, d.action.kind)
	row.Minor = minor
	return row
}

// bought is what reinvested income buys.
func bought(r *rowReader, d qifDeal) record.Record {
	d.action.kind, d.row.Remarks = "buy", nil
	d.row.Key = ^d.row.Key // of the same record as the income
	if d.record.get('P') == "" {
		d.row.Name = text.CutName("Buy: " + d.security)
	}
	return units(r, d)
}

// cashOnly is an entry that trades nothing.
func cashOnly(r *rowReader, d qifDeal) record.Record {
	d.requireCash(&d.row)
	d.row.Minor = d.action.way * d.signed
	d.row.Category, d.row.Tags = r.labels(&d.row, 'L', d.category)
	if d.action.title == returnOfCapital {
		d.row.Remarks = append(d.row.Remarks, "a return of capital is booked as cash: what the holding cost stays as it was")
	}
	return d.row
}

// withCash adds to an entry the movement from or to another account that an action with X has.
func withCash(r *rowReader, d qifDeal, row record.Record) []qifItem {
	if !d.action.moves {
		d.row = row
		return []qifItem{d.qifItem}
	}
	moved := row.Minor
	if text := d.record.get('$'); text != "" && moved != 0 {
		minor, _ := r.money(&d.row, d.record, "$")
		moved = max(minor, -minor) * (moved / max(moved, -moved))
	}
	d.row.Minor, d.row.Key = -moved, ^d.row.Key
	if d.record.get('P') == "" && moved < 0 {
		d.row.Name = "Cash transfer in"
	} else if d.record.get('P') == "" {
		d.row.Name = "Cash transfer out"
	}
	return whole(qifItem{row: row, own: d.own}, d.qifItem)
}
