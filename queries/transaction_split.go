package queries

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// SplitLine is a part of a split transaction as it is stored: Position counts from 1, Amount is in minor units, into
// the account positive; the others are keys. TagIDs rise.
type SplitLine struct {
	Position, Amount       int64
	Name, Notes            *string
	CategoryID, MerchantID *int64
	TagIDs                 []int64
}

// splitLines gives the lines of transaction t as JSON, whose members are those of SplitLine; NULL when there are none.
// Row and lines come from one statement, so that no change can lie between them.
const splitLines = `(SELECT CASE count(*) WHEN 0 THEN NULL ELSE json_group_array(json_object('Position', l.position, 'Amount', l.amount,
		'Name', l.name, 'Notes', l.notes, 'CategoryID', l.category_id, 'MerchantID', l.merchant_id,
		'TagIDs', json((SELECT json_group_array(x.tag_id) FROM transaction_line_tags x
			WHERE x.transaction_id = l.transaction_id AND x.position = l.position)))) END
	FROM transaction_lines l WHERE l.transaction_id = t.id)`

// GetSplitLines gives the lines of a transaction in their order; none when it is not split.
func (q *Queries) GetSplitLines(ctx context.Context, id int64) ([]SplitLine, error) {
	var text *string
	if err := q.db.QueryRowContext(ctx, "SELECT "+splitLines+" FROM (SELECT ? AS id) t", id).Scan(&text); err != nil {
		return nil, err
	}
	return parseSplitLines(text)
}

func parseSplitLines(text *string) (lines []SplitLine, err error) {
	if text == nil {
		return nil, nil
	}
	err = json.Unmarshal([]byte(*text), &lines)
	slices.SortFunc(lines, func(a, b SplitLine) int { return cmp.Compare(a.Position, b.Position) })
	for _, l := range lines {
		slices.Sort(l.TagIDs)
	}
	return lines, err
}

// byLines says whether lines of split transactions can make the filter match.
func (f TransactionFilter) byLines() bool {
	return f.Splits && (f.CategoryIDs != nil || f.MerchantIDs != nil || f.TagIDs != nil)
}

// orByLines adds the transactions that match only with the help of their lines. They are asked for apart, so that
// the index of the filter still drives the query of all others; both come in list order and are merged.
func (b *keyQuery) orByLines(f TransactionFilter) {
	more, rest := newLineQuery(f, b.what)
	more.bounds(f)
	more.conditions(rest, true)
	more.notByItself(f)
	b.text.WriteString(" UNION ALL " + more.text.String())
	b.args = append(b.args, more.args...)
	b.key = "id"
}

// newLineQuery picks what drives the query of split transactions, and gives what remains of the filter. Only their
// lines have categories; merchants and tags are theirs or their lines', so that two of these need a look at all
// split transactions.
func newLineQuery(f TransactionFilter, what string) (*keyQuery, TransactionFilter) {
	b := &keyQuery{key: "l.transaction_id"}
	if what != "" {
		b.what = "DISTINCT " + what
	}
	drive := func(driver, column string, ids *[]int64) {
		by := *ids
		*ids = nil
		b.start("DISTINCT "+b.key, driver, needsRow(f, true))
		b.in(column, by)
	}
	switch {
	case f.CategoryIDs != nil:
		drive("transaction_lines l INDEXED BY transaction_lines_by_category", "l.category_id", &f.CategoryIDs)
	case f.TagIDs == nil:
		drive("transaction_lines l INDEXED BY transaction_lines_by_merchant", "l.merchant_id", &f.MerchantIDs)
	case f.MerchantIDs == nil:
		drive("transaction_line_tags l INDEXED BY transaction_line_tags_by_tag", "l.tag_id", &f.TagIDs)
	default:
		b.start("DISTINCT "+b.key, "transaction_lines l NOT INDEXED", true)
	}
	return b, f
}

// labelCondition is what a filter by category, merchant or tag asks of a transaction itself, or of one of its lines;
// index is the first without a look at the row.
type labelCondition struct {
	own, index, line string
	arg              any
}

// labels are the conditions by category, merchant and tag on the transaction with a key.
func (f TransactionFilter) labels(key string) (all []labelCondition) {
	ofLine := func(table, condition string) string {
		return "EXISTS (SELECT 1 FROM " + table + " o WHERE o.transaction_id = " + key + " AND +o." + condition + ")"
	}
	inRow := func(index, column string, ids []int64) {
		text, arg := anyOf(column, ids)
		byIndex := "EXISTS (SELECT 1 FROM transactions w INDEXED BY " + index + " WHERE w." + text + " AND w.id = " + key + ")"
		all = append(all, labelCondition{"t." + text, byIndex, ofLine("transaction_lines", text), arg})
	}
	if f.CategoryIDs != nil {
		inRow("transactions_by_category", "category_id", f.CategoryIDs)
	}
	if f.MerchantIDs != nil {
		inRow("transactions_by_merchant", "merchant_id", f.MerchantIDs)
	}
	if f.TagIDs != nil {
		const text = "tag_id IN (SELECT value FROM json_each(?))"
		own := "EXISTS (SELECT 1 FROM transaction_tags x WHERE x.transaction_id = " + key + " AND x." + text + ")"
		all = append(all, labelCondition{own, own, ofLine("transaction_line_tags", text), asJSON(f.TagIDs)})
	}
	return all
}

// byLabels adds these conditions; with lines, those that a line meets are met.
func (b *keyQuery) byLabels(f TransactionFilter, lines bool) {
	for _, c := range f.labels(b.key) {
		if lines {
			b.add("("+c.own+" OR "+c.line+")", c.arg, c.arg)
		} else {
			b.add(c.own, c.arg)
		}
	}
}

// notByItself leaves out what meets these conditions without its lines.
func (b *keyQuery) notByItself(f TransactionFilter) {
	texts, args := []string{}, []any{}
	for _, c := range f.labels(b.key) {
		texts, args = append(texts, c.index), append(args, c.arg)
	}
	b.add("NOT ("+strings.Join(texts, " AND ")+")", args...)
}
