package importer

import (
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
)

// doubtTradeAmounts asks about a file that says what each trade came to, where that is not quantity times price: a contract may
// be of a hundred units, or the price in another currency. Of several such columns one that agrees is enough.
func (f *detector) doubtTradeAmounts(quantity int) {
	format, err := newNumberFormat(given(f.out.NumberFormat))
	if err != nil || quantity < 0 || f.amount < 0 {
		return // that is asked about
	}
	f.doubtContracts(format, quantity)
	if !f.open("currency") || !f.open("currency_col_label") || f.out.CurrencyColLabel != nil {
		return // prices may be in another currency than amounts
	}
	list := f.byRole(lexicon.RoleAmount, func(c *column) bool { return c.Roles[lexicon.RoleAmount] >= 900 && c.isNumber && c.Code == "" })
	odd := ""
	for _, at := range list {
		if odd = f.contradiction(format, quantity, at); odd == "" {
			return
		}
	}
	if odd != "" && !f.asks("amount_col_label") {
		f.ask("amount_col_label", f.labels(list), "%s of %s is far from quantity times price; give currency if that is what prices are in, or here the column that has what trades came to: then those that do not add up are told one by one",
			ledger.Quote(odd), f.titles(list))
	}
}

// asks says whether a setting is asked about already.
func (f *detector) asks(setting string) bool {
	return slices.ContainsFunc(f.found.questions, func(q question) bool { return q.Setting == setting })
}

// doubtContracts asks about rows that came to a hundred times quantity times price, to the last decimal: their quantity is not how
// many units were traded.
func (f *detector) doubtContracts(format numberFormat, quantity int) {
	c := columns{header: f.sheet.header}
	for i := range c.at {
		c.at[i] = -1
	}
	c.at[fieldQty], c.at[fieldPrice], c.at[fieldFee] = quantity, f.amount, f.toldOrFound("fee_col_label")
	s := newTradeScales(c, format)
	for _, r := range f.headRows() {
		if s.of(r.Cells, s.figure(r.Cells, quantity), s.figure(r.Cells, f.amount)) == scaleHundred {
			f.ask("amount_col_label", f.labels(s.totals), "%s in %s and %s in %s come to a hundredth of what the row came to, as those of contracts do; give here the column that has that: then such rows are told one by one",
				ledger.Quote(cellAt(r.Cells, quantity)), f.title(quantity), ledger.Quote(cellAt(r.Cells, f.amount)), f.title(f.amount))
			return
		}
	}
}

// contradiction is the first amount in a column, of the rows of the beginning, that quantity times price cannot come to: it is off
// by more than a twentieth, and by more than costs may be. A hundredth to the last decimal is a price per cent or in pence, see
// [tradeScales]. Blank when there is none.
func (f *detector) contradiction(format numberFormat, quantity, at int) string {
	s := tradeScales{numbers: format, fee: f.toldOrFound("fee_col_label"), totals: []int{at}}
	hundredths := false
	for _, r := range f.headRows() {
		units, price, amount := s.figure(r.Cells, quantity), s.figure(r.Cells, f.amount), s.figure(r.Cells, at)
		product := units.Mul(price)
		if product.IsZero() || amount.IsZero() {
			continue
		}
		scale := s.of(r.Cells, units, price)
		hundredths = hundredths || scale == scaleHundredth
		off := product.Sub(amount).Abs()
		far := off.GreaterThan(decimal.New(50, 0)) && off.GreaterThan(product.Mul(decimal.New(5, -2)))
		if far && scale == scaleUnknown && !(hundredths && s.near(r.Cells, product)) {
			return cellAt(r.Cells, at)
		}
	}
	return ""
}

// toldOrFound is the column of a setting, whoever set it; -1 when it is open.
func (f *detector) toldOrFound(setting string) int {
	at, err := columns{header: f.sheet.header}.named(given(*f.out.Members()[setting]), setting)
	if err != nil || at >= len(f.columns) {
		return -1
	}
	return at
}
