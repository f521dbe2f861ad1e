package qif

import (
	"fmt"
	"strings"

	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/ledger/money"
)

// qifFormats are the ways in which a file may write its numbers, as number_format has them.
func qifFormats() [3]notation.NumberFormat {
	return [3]notation.NumberFormat{{Name: "1,234.56", Decimal: '.', Group: ","},
		{Name: "1.234,56", Decimal: ',', Group: "."}, {Name: "1 234,56", Decimal: ',', Group: " "}}
}

// numberProof gathers what the numbers of a file prove about the way they are written.
type numberProof struct {
	formats  [3]notation.NumberFormat
	currency money.Currency
	fits     [3]int
	only     [3]example // the first that fits it and none with another decimal separator
	either   [3]example // the first that means something else than with the first format
	counted  int
}

// add looks at a number; money has no more decimals than its currency.
func (q *numberProof) add(text string, line int, money bool) {
	if !strings.ContainsAny(text, "., ") {
		return // it means the same in every format
	}
	if q.plain(text, money) {
		q.counted++
		q.fits[0]++
		q.only[0].note(text, line)
		return
	}
	var values [3]string
	count, first := 0, 0
	for i, format := range q.formats {
		values[i] = q.value(format, text, money)
		if values[i] != "" {
			q.fits[i]++
			count++
			if count == 1 {
				first = i
			}
		}
	}
	if count == 0 {
		return // an issue of its row
	}
	q.counted++
	if count == 1 || first > 0 {
		q.only[first].note(text, line)
	}
	for i, value := range values {
		if value != "" && values[0] != "" && value != values[0] {
			q.either[i].note(text, line)
		}
	}
}

// plain recognises what nearly all numbers look like: digits with a point that can part no thousands.
func (q *numberProof) plain(text string, money bool) bool {
	_, places, ok := notation.PlainDigits(strings.TrimPrefix(text, "-"), '.')
	return ok && places > 0 && places != 3 && (!money || places <= q.currency.Exponent)
}

// value is what a number says in a format, in a form that can be compared; blank when it does not fit.
func (q *numberProof) value(format notation.NumberFormat, text string, money bool) string {
	if money {
		minor, err := format.Minor(text, q.currency)
		if err != nil {
			return ""
		}
		return q.currency.Plain(minor)
	}
	n, err := format.Parse(text)
	if err != nil {
		return ""
	}
	return n.Text
}

// proved is the format that every number fits.
func (q *numberProof) proved() (notation.NumberFormat, error) {
	var all []int
	for i := range q.formats {
		if q.fits[i] == q.counted {
			all = append(all, i)
		}
	}
	for _, i := range all[min(1, len(all)):] {
		if all[0] == 0 && q.either[i].line > 0 {
			return notation.NumberFormat{}, &record.OpenQuestion{Setting: "number_format",
				Message: fmt.Sprintf("must be given: %s and all other numbers of the file fit %s and %s",
					q.either[i], q.formats[0].Name, q.formats[i].Name)}
		}
	}
	if len(all) > 0 {
		return q.formats[all[0]], nil
	}
	var proofs []string
	for i, format := range q.formats {
		if q.only[i].line > 0 {
			proofs = append(proofs, fmt.Sprintf("%s fits only %s", q.only[i], format.Name))
		}
	}
	return notation.NumberFormat{}, &record.OpenQuestion{Setting: "number_format",
		Message: "must be given: the numbers of the file fit no format all together; " + strings.Join(proofs, ", ")}
}
