package detect

import "finsvc/importer/lexicon"

// findTradeNumbers decides how numbers are written. Where prices are whole numbers the quantities say it, or ask: no
// currency limits the decimals of a quantity.
func (f *detector) findTradeNumbers(quantity int) {
	if quantity >= 0 && f.open("number_format") {
		price, units := f.columns[f.amount].numbers, f.columns[quantity].numbers
		if units.three > 0 && units.point+units.comma+price.point+price.comma+price.three == 0 {
			f.ask("number_format", []string{"1,234.56", "1.234,56"}, "the quantity %s may be thousands or three decimals, and no other quantity or price tells", units.three1)
			return
		}
	}
	f.findNumberFormat()
}

// findTradeFee finds what trades cost besides quantity times price, by the header. Of several columns of costs one alone
// would be too little, so they are asked; an amount that is given has all of them in it.
func (f *detector) findTradeFee() {
	list := f.where(func(c *column) bool {
		return c.isNumber && c.numbers.count > c.numbers.zero && (lexicon.Has(lexicon.FeeHeader, c.header) || lexicon.Has(lexicon.TradeFeeHeader, c.header))
	})
	switch {
	case !f.open("fee_col_label"):
	case len(list) == 1:
		f.set("fee_col_label", f.label(list[0]), "%s is called so", f.title(list[0]))
	case len(list) > 1 && f.open("amount_col_label"):
		f.ask("fee_col_label", f.labels(list), "several columns hold costs: %s; where a column has what a trade came to with all of them, give amount_col_label instead", f.titles(list))
	}
}
