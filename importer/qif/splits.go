package qif

import (
	"cmp"
	"fmt"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger/money"
)

// qifPart is one line of a split as the file has it.
type qifPart struct{ category, memo, amount, percent string }

// String is the part as a text.
func (p qifPart) String() string {
	var list []string
	for _, text := range []string{p.category, p.memo, p.amount, p.percent} {
		if text != "" {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// qifParts are the lines of a split: S begins one.
func qifParts(record qifRecord) (parts []qifPart) {
	for _, f := range record.fields {
		if f.letter == 'S' {
			parts = append(parts, qifPart{category: f.text})
		}
		if len(parts) == 0 {
			continue
		}
		switch part := &parts[len(parts)-1]; f.letter {
		case 'E':
			part.memo = f.text
		case '$':
			part.amount = f.text
		case '%':
			part.percent = f.text
		}
	}
	return parts
}

// split makes lines of the parts. Parts that cannot be read, or do not come to the amount, stay a text in the notes.
func (r *rowReader) split(row *record.Record, record qifRecord, remarks *qifNotes) {
	parts := qifParts(record)
	if len(parts) == 0 {
		return
	}
	list, sum, wrong := r.parts(row, parts)
	if wrong == "" && sum != money.SumOf(row.Minor) && len(row.Issues) == 0 {
		wrong = fmt.Sprintf("its parts come to %s, the amount is %s", row.Currency.PlainSum(sum),
			row.Currency.Plain(row.Minor))
	}
	switch {
	case wrong != "":
		for _, part := range parts {
			remarks.label("Split", part.String())
		}
		row.Remarks = append(row.Remarks, "split is not imported, its parts are in the notes: "+wrong)
	case len(list) == 1:
		row.Category, row.Tags = cmp.Or(list[0].Category, row.Category), append(row.Tags[:0:0], list[0].Tags...)
		remarks.add(cmp.Or(list[0].Notes, list[0].Name))
	default:
		row.Lines, row.Category, row.Tags = list, "", nil
		row.Remarks = append(row.Remarks, movesOf(parts)...)
	}
}

// movesOf tells which parts move money to or from other accounts: only whole entries are joined in transfers.
func movesOf(parts []qifPart) (told []string) {
	for _, part := range parts {
		if _, other := cutCategory(part.category); other != "" {
			told = append(told, fmt.Sprintf("the part %s %s is no transfer, as only whole entries are joined: it counts as spent or earned, and so does its other side", bracket(other), part.amount))
		}
	}
	return told
}

// parts reads the parts of a split; wrong says why that cannot be done.
func (r *rowReader) parts(row *record.Record, parts []qifPart) (list []record.SplitLine, sum money.Sum, wrong string) {
	for i, part := range parts {
		minor, err := r.numbers.Minor(part.amount, row.Currency)
		if err != nil {
			return nil, sum, fmt.Sprintf("the amount of part %d %s", i+1, err)
		}
		sum.Add(minor)
		category, other := cutCategory(part.category)
		line := record.SplitLine{Minor: minor, Name: text.CutName(bracket(other)), Notes: text.Notes(part.memo)}
		line.Category, line.Tags = r.labels(row, 'S', category)
		list = append(list, line)
	}
	return list, sum, ""
}
