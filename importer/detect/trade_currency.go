package detect

import (
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

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
