package detect

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// doubtTradeAmounts asks about a file that says what each trade came to, where that is not quantity times price: a contract may
// be of a hundred units, or the price in another currency. Of several such columns one that agrees is enough.
func (f *detector) doubtTradeAmounts(quantity int) {
	format, err := notation.NewNumberFormat(record.Given(f.out.NumberFormat))
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
		odd = f.contradiction(format, quantity, at)
		if odd == "" {
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
	return slices.ContainsFunc(f.found.Questions, func(q record.Question) bool { return q.Setting == setting })
}

// doubtContracts asks about rows that came to a hundred times quantity times price, to the last decimal: their quantity is not how
// many units were traded.
func (f *detector) doubtContracts(format notation.NumberFormat, quantity int) {
	c := table.Columns{Header: f.sheet.header}
	for i := range c.At {
		c.At[i] = -1
	}
	c.At[record.FieldQty], c.At[record.FieldPrice], c.At[record.FieldFee] = quantity, f.amount, f.givenOrFound("fee_col_label")
	s := table.NewTradeScales(c, format)
	for _, r := range f.headRows() {
		if s.Of(r.Cells, s.Figure(r.Cells, quantity), s.Figure(r.Cells, f.amount)) == table.ScaleHundred {
			f.ask("amount_col_label", f.labels(s.Totals), "%s in %s and %s in %s come to a hundredth of what the row came to, as those of contracts do; give here the column that has that: then such rows are told one by one",
				ledger.Quote(text.CellAt(r.Cells, quantity)), f.title(quantity), ledger.Quote(text.CellAt(r.Cells, f.amount)), f.title(f.amount))
			return
		}
	}
}

// contradiction is the first amount in a column, of the rows of the beginning, that quantity times price cannot come to: it is off
// by more than a twentieth, and by more than costs may be. A hundredth to the last decimal is a price per cent or in pence, see
// [TradeScales]. Blank when there is none.
func (f *detector) contradiction(format notation.NumberFormat, quantity, at int) string {
	s := table.TradeScales{Numbers: format, Fee: f.givenOrFound("fee_col_label"), Totals: []int{at}}
	hundredths := false
	for _, r := range f.headRows() {
		units, price, amount := s.Figure(r.Cells, quantity), s.Figure(r.Cells, f.amount), s.Figure(r.Cells, at)
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

// givenOrFound is the column of a setting, whoever set it; -1 when it is open.
func (f *detector) givenOrFound(setting string) int {
	at, err := table.Columns{Header: f.sheet.header}.Named(record.Given(*f.out.Members()[setting]), setting)
	if err != nil || at >= len(f.columns) {
		return -1
	}
	return at
}

// findTradeCurrency finds the column that says in which currency a price is, which often is not that of the account: the one whose
// header says so, else the one right beside the price, else the code in the header of the price.
func (f *detector) findTradeCurrency(quantity int) {
	named := table.Columns{Header: f.sheet.header}
	if !f.open("currency_col_label") || !f.open("currency") || f.amount < 0 || len(named.Matches("currency")) > 0 {
		return
	}
	list := f.speaking(f.where((*column).holdsCodes), quantity)
	about := slices.IndexFunc(list, func(at int) bool { return f.columns[at].isOfPrice() })
	beside := slices.IndexFunc(list, func(at int) bool { return at == f.amount+1 || at == f.amount-1 })
	switch code := f.columns[f.amount].Code; {
	case about >= 0:
		f.set("currency_col_label", f.label(list[about]), "%s says in which currency the price is", f.title(list[about]))
	case beside >= 0:
		f.set("currency_col_label", f.label(list[beside]), "%s has a code beside every price", f.title(list[beside]))
	case code != "":
		f.set("currency", code, "the header %s says so", f.title(f.amount))
	}
}

// isOfPrice says whether a header speaks of the currency of a price.
func (c *column) isOfPrice() bool {
	header := text.Fold(c.header)
	has := func(list lexicon.Meaning) bool {
		return slices.ContainsFunc(lexicon.Words(list), func(word string) bool { return strings.Contains(header, word) })
	}
	return has(lexicon.CurrencyPart) && has(lexicon.PricePart)
}

// holdsCodes says whether a column holds nothing but the codes of currencies.
func (c *column) holdsCodes() bool {
	if !c.isWord || len(c.words) == 0 {
		return false
	}
	for word := range c.words {
		if _, ok := lexicon.Hundredth(word); ok && len(word) == 3 {
			continue
		}
		if _, ok := lexicon.Currency(word); !ok || len(word) != 3 || word != strings.ToUpper(word) {
			return false
		}
	}
	return true
}

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
