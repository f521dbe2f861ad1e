package detect

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// isTotal reports whether a column of numbers is what trades came to and no price: its sign goes with the side, or of one
// security it is the greater the more was traded. A column that is called a price needs more of a proof.
func isTotal(p *profile, c *column, ticker, quantity int) bool {
	named := c.Roles[lexicon.RolePrice] > 0
	if minus := c.numbers.minus; minus > 0 && !named || 10*minus > c.numbers.count {
		return true
	}
	at := -1
	for i := range p.columns {
		if &p.columns[i] == c {
			at = i
		}
	}
	if ticker < 0 || quantity < 0 || at == quantity {
		return false
	}
	grows, stays := growsWith(p, at, ticker, quantity)
	return stays == 0 && (grows > 1 || grows == 1 && !named)
}

// growsWith compares the rows of a security, each with the one before, where at least twice as much was traded in one
// of the two: in how many a number has grown likewise, as a total does, and in how many it stayed about the same, as a
// price does.
func growsWith(p *profile, at, ticker, quantity int) (grows, stays int) {
	read := func(r text.Row, i int) decimal.Decimal {
		numbers, _ := notation.NewNumberFormat(cmp.Or(p.columns[i].numbers.format(), "1,234.56")) // they are formats
		s := table.TradeScales{Numbers: numbers}
		return s.Figure(r.Cells, i)
	}
	like := func(one, other decimal.Decimal) bool {
		return one.Sub(other).Abs().LessThan(decimal.Max(one, other).Mul(decimal.New(2, -1)))
	}
	last := map[string][2]decimal.Decimal{}
	for _, r := range p.headRows() {
		units, value := read(r, quantity), read(r, at)
		if units.IsZero() || value.IsZero() {
			continue
		}
		before, known := last[text.CellAt(r.Cells, ticker)]
		last[text.CellAt(r.Cells, ticker)] = [2]decimal.Decimal{units, value}
		if !known || decimal.Max(units, before[0]).LessThan(decimal.Min(units, before[0]).Mul(decimal.New(2, 0))) {
			continue
		}
		grows += one(like(value.Mul(before[0]), before[1].Mul(units)))
		stays += one(like(value, before[1]))
	}
	return grows, stays
}

// decideTradeColumn is the column of a setting: the one that was given, has the usual header, or is called so in any
// language. It is asked when there is none; -1 then, and when what was given is not there.
func decideTradeColumn(d *decisions, setting string, usual record.Field, holds func(*column) bool) int {
	if !d.open(setting) {
		return d.givenColumn(setting)
	}
	named := table.Columns{Header: d.sheet.header}
	for _, header := range d.kind.Headers(usual, nil) {
		if at := named.Matches(header); len(at) == 1 && (usual != record.FieldPrice || at[0] >= len(d.columns) ||
			!isNumberColumn(&d.columns[at[0]]) || holds(&d.columns[at[0]])) {
			return at[0]
		}
	}
	found := d.byRole(labelSettings()[setting], holds)
	if isins := d.where(func(c *column) bool { return c.isins > 0 && 2*c.isins >= c.filled }); len(found) == 0 &&
		usual == record.FieldTicker && len(isins) == 1 {
		d.set(setting, d.label(isins[0]), "%s holds ISINs, such as %s", d.title(isins[0]),
			text.Quoted(d.columns[isins[0]].first))
		return isins[0]
	}
	if len(found) == 0 {
		all := d.where(holds)
		d.ask(setting, d.labels(all), "no column is known to hold it; it may be one of %s", d.titles(all))
		return -1
	}
	d.set(setting, d.label(found[0]), "%s is called so", d.title(found[0]))
	return found[0]
}

// askTradeAmounts asks about a file that says what each trade came to, where that is not quantity times price: a
// contract may be of a hundred units, or the price in another currency. Of several such columns one that agrees is
// enough.
func askTradeAmounts(d *decisions) {
	format, err := notation.NewNumberFormat(record.Given(d.out.NumberFormat))
	if err != nil || d.quantity < 0 || d.amount < 0 {
		return // that is asked about
	}
	askContracts(d, format)
	if !d.open("currency") || !d.open("currency_col_label") || d.out.CurrencyColLabel != nil {
		return // prices may be in another currency than amounts
	}
	list := d.byRole(lexicon.RoleAmount, func(c *column) bool {
		return c.Roles[lexicon.RoleAmount] >= 900 &&
			c.isNumber && c.Code == ""
	})
	odd := ""
	for _, at := range list {
		odd = farFromProduct(d, format, at)
		if odd == "" {
			return
		}
	}
	if odd != "" && !d.asks("amount_col_label") {
		d.ask("amount_col_label", d.labels(list), "%s of %s is far from quantity times price; give currency if that is what prices are in, or here the column that has what trades came to: then those that do not add up are told one by one",
			ledger.Quote(odd), d.titles(list))
	}
}

// askContracts asks about rows that came to a hundred times quantity times price, to the last decimal: their quantity
// is not how many units were traded.
func askContracts(d *decisions, format notation.NumberFormat) {
	c := table.Columns{Header: d.sheet.header}
	for i := range c.At {
		c.At[i] = -1
	}
	c.At[record.FieldQty], c.At[record.FieldPrice], c.At[record.FieldFee] = d.quantity, d.amount,
		d.chosenColumn("fee_col_label")
	s := table.NewTradeScales(c, format)
	for _, r := range d.headRows() {
		if s.Of(r.Cells, s.Figure(r.Cells, d.quantity), s.Figure(r.Cells, d.amount)) == table.ScaleHundred {
			d.ask("amount_col_label", d.labels(s.Totals), "%s in %s and %s in %s come to a hundredth of what the row came to, as those of contracts do; give here the column that has that: then such rows are told one by one",
				ledger.Quote(text.CellAt(r.Cells, d.quantity)), d.title(d.quantity),
				ledger.Quote(text.CellAt(r.Cells, d.amount)), d.title(d.amount))
			return
		}
	}
}

// farFromProduct is the first amount in a column, of the rows of the beginning, that quantity times price cannot come
// to: it is off by more than a twentieth, and by more than costs may be. A hundredth to the last decimal is a price
// per cent or in pence, see [table.TradeScales]. Blank when there is none.
func farFromProduct(d *decisions, format notation.NumberFormat, at int) string {
	s := table.TradeScales{Numbers: format, Fee: d.chosenColumn("fee_col_label"), Totals: []int{at}}
	hundredths := false
	for _, r := range d.headRows() {
		units, price, amount := s.Figure(r.Cells, d.quantity), s.Figure(r.Cells, d.amount), s.Figure(r.Cells, at)
		product := units.Mul(price)
		if product.IsZero() || amount.IsZero() {
			continue
		}
		scale := s.Of(r.Cells, units, price)
		hundredths = hundredths || scale == table.ScaleHundredth
		off := product.Sub(amount).Abs()
		far := off.GreaterThan(decimal.New(50, 0)) && off.GreaterThan(product.Mul(decimal.New(5, -2)))
		if far && scale == table.ScaleUnknown && !(hundredths && s.Near(r.Cells, product)) {
			return text.CellAt(r.Cells, at)
		}
	}
	return ""
}

// decideTradeCurrency finds the column that says in which currency a price is, which often is not that of the account:
// the one whose header says so, else the one right beside the price, else the code in the header of the price.
func decideTradeCurrency(d *decisions) {
	named := table.Columns{Header: d.sheet.header}
	if !d.open("currency_col_label") || !d.open("currency") || d.amount < 0 || len(named.Matches("currency")) > 0 {
		return
	}
	list := speaking(d, d.where((*column).holdsCodes))
	about := slices.IndexFunc(list, func(at int) bool { return d.columns[at].isOfPrice() })
	beside := slices.IndexFunc(list, func(at int) bool { return at == d.amount+1 || at == d.amount-1 })
	switch code := d.columns[d.amount].Code; {
	case about >= 0:
		d.set("currency_col_label", d.label(list[about]), "%s says in which currency the price is",
			d.title(list[about]))
	case beside >= 0:
		d.set("currency_col_label", d.label(list[beside]), "%s has a code beside every price", d.title(list[beside]))
	case code != "":
		d.set("currency", code, "the header %s says so", d.title(d.amount))
	}
}

// decideTradeNumbers decides how numbers are written. Where prices are whole numbers the quantities say it, or ask: no
// currency limits the decimals of a quantity.
func decideTradeNumbers(d *decisions) {
	if d.amount < 0 {
		return // the price is asked for
	}
	if d.quantity >= 0 && d.open("number_format") {
		price, units := d.columns[d.amount].numbers, d.columns[d.quantity].numbers
		if units.three > 0 && units.point+units.comma+price.point+price.comma+price.three == 0 {
			d.ask("number_format", []string{"1,234.56", "1.234,56"},
				"the quantity %s may be thousands or three decimals, and no other quantity or price tells",
				units.three1)
			return
		}
	}
	decideNumberFormat(d)
}
