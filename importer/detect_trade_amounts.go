package importer

import (
	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// doubtTradeAmounts asks about a file that says what each trade came to, where that is not quantity times price: a contract may
// be of a hundred units, or the price in another currency. Of several such columns one that agrees is enough.
func (f *detector) doubtTradeAmounts(quantity int) {
	if !f.open("currency") || !f.open("currency_col_label") || f.out.CurrencyColLabel != nil {
		return // prices may be in another currency than amounts
	}
	format, err := newNumberFormat(given(f.out.NumberFormat))
	if err != nil || quantity < 0 || f.amount < 0 {
		return // that is asked about
	}
	list := f.byRole(roleAmount, func(c *column) bool { return c.roles[roleAmount] >= 900 && c.isNumber && c.code == "" })
	odd := ""
	for _, at := range list {
		if odd = f.contradiction(format, quantity, at); odd == "" {
			return
		}
	}
	if odd != "" {
		f.ask("amount_col_label", f.labels(list), "%s of %s is far from quantity times price; give currency if that is what prices are in, or here the column that has what trades came to: then those that do not add up are told one by one",
			ledger.Quote(odd), f.titles(list))
	}
}

// contradiction is the first amount in a column, of the rows of the beginning, that quantity times price cannot come to: it is off
// by more than a twentieth, and by more than costs may be. Blank when there is none.
func (f *detector) contradiction(format numberFormat, quantity, at int) string {
	for _, r := range f.headRows() {
		read := func(column int) decimal.Decimal {
			n, err := format.parse(cellAt(r.Cells, column))
			d, bad := ledger.ParseDecimal(n.text)
			if err != nil || bad != nil {
				return decimal.Zero
			}
			return d.Abs()
		}
		product, amount := read(quantity).Mul(read(f.amount)), read(at)
		off := product.Sub(amount).Abs()
		if !product.IsZero() && !amount.IsZero() && off.GreaterThan(decimal.New(50, 0)) && off.GreaterThan(product.Mul(decimal.New(5, -2))) {
			return cellAt(r.Cells, at)
		}
	}
	return ""
}
