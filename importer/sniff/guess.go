package sniff

import (
	"slices"
	"strings"

	"finsvc/importer/record"
)

// HeadSize is how much of the beginning of a file is asked for by [TypeOf].
const HeadSize = headSize

// TypeOf is the type of import that the beginning of a file speaks of; a person may know better. A table of which
// nothing is known is one of transactions.
func TypeOf(head []byte) string {
	is := sniff(head)
	switch {
	case is.kind != "":
		return is.kind
	case is.packed || is.json:
		return record.ServiceImport
	case is.what != "":
		return record.TransactionImport // which says what to do instead
	}
	for line := range strings.Lines(plainHead(head)) {
		if kind := typeOfHeader(line); kind != "" {
			return kind
		}
	}
	return record.TransactionImport
}

// typeOfHeader is the type of a table with a header of these words; blank when they say nothing, or it is none.
func typeOfHeader(line string) string {
	var words []string
	for _, word := range strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(",;|\t", c) }) {
		words = append(words, strings.NewReplacer(" ", "_", "-", "_").Replace(strings.Trim(word, "\" *\r\n")))
	}
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(word string) bool { return slices.Contains(words, word) })
	}
	dated, valued := has("date"), has("amount")
	switch {
	case has("original_description") && has("transaction_type") && has("account_name"):
		return record.MintImport
	case has("conditions") && has("actions") && has("resource_type"):
		return record.RuleImport
	case has("ticker", "symbol", "isin") && has("qty", "quantity", "shares", "units") && has("price", "share_price", "unit_price"):
		return record.TradeImport
	case has("account_type") && has("balance") && has("name") && !valued:
		return record.AccountImport
	case has("name") && has("parent", "color", "colour", "classification") && !dated && !valued:
		return record.CategoryImport
	}
	return ""
}
