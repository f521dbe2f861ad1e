package queries

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// The index of amounts is made of spans of 256 days, each in the order of amounts: see transactions_by_amount. What
// asks for amounts names the spans that it means, 15 in ten years. With all of a household's amounts side by side,
// each batch of an import wrote to every page of their index: a million rows put 5 GB on the disk, now 1.1 GB.

// spans gives the spans from the first to the last transaction in a range of keys, whose ends are its two parameters.
const spans = `WITH RECURSIVE spans (span) AS (
	SELECT (SELECT a.id >> 34 FROM transactions a WHERE a.id >= ? ORDER BY a.id LIMIT 1)
	UNION ALL SELECT span + 1 FROM spans WHERE span < (SELECT z.id >> 34 FROM transactions z WHERE z.id <= ? ORDER BY z.id DESC LIMIT 1)
) `

// rangesApart asks for each of several ranges of amounts by itself, if the index of amounts is what finds few of them.
// The ranges have different currencies, so nothing comes twice.
func (b *keyQuery) rangesApart(f TransactionFilter) bool {
	ranges := f.Amounts
	if len(ranges) < 2 || f.Search != "" || f.TagIDs != nil {
		return false
	}
	f.Amounts = ranges[:1]
	if indexFor(f, true) != byAmount {
		return false
	}
	for i := range ranges {
		f.Amounts = ranges[i : i+1]
		b.rows(f, true)
	}
	b.key = "id"
	return true
}

// ListLargest gives a page of the incomes or of the expenses that a filter selects, the largest amounts first and of
// equal ones the newest; amounts are compared as minor units, whatever the currency.
func (q *Queries) ListLargest(ctx context.Context, f TransactionFilter, incomes bool, p PageOf) ([]TransactionRow,
	error) {
	f.Incomes = &incomes
	order, sign := " ORDER BY amount, id DESC", int64(1)
	if incomes {
		order, sign = " ORDER BY amount DESC, id DESC", -1
	}
	if f.Splits {
		order += ", position"
	}
	b := newLargestQuery(f, order, p)
	page, err := q.transactionRows(ctx, b.rowsInOrder(order), append(b.args, p.Limit, p.Offset), p.Limit)
	slices.SortFunc(page, func(a, b TransactionRow) int {
		return cmp.Or(cmp.Compare(sign*a.Amount, sign*b.Amount), a.compare(b))
	})
	return page, err
}

// newLargestQuery takes the largest of each span where many match and nothing else finds them, and the largest of all
// parts. It gives amounts besides keys: those of a category or a merchant are in its index.
func newLargestQuery(f TransactionFilter, order string, p PageOf) *keyQuery {
	b := &keyQuery{sorted: true}
	if f.Splits {
		b.parts = withParts
	}
	if p.Few || f.Search != "" || f.CategoryIDs != nil || f.MerchantIDs != nil || f.TagIDs != nil {
		b.keys(f, p.Few)
		return b
	}
	span := &keyQuery{key: "t.id", see: ofTransaction}
	span.start(span.key, "transactions t "+byAmount, false)
	span.add("t.id >> 34 = p.span")
	if f.Splits {
		span.notSplit()
	}
	span.bounds(f)
	span.conditions(f)
	columns := "u.amount AS amount, u.id AS id"
	if f.Splits {
		columns += ", NULL AS position"
	}
	b.text.WriteString(spans + "SELECT " + columns + " FROM spans p CROSS JOIN json_each((SELECT json_group_array(id) FROM (" +
		span.text.String() + strings.TrimSuffix(order, ", position") +
		" LIMIT CAST(? AS INTEGER)))) j CROSS JOIN transactions u ON u.id = j.value")
	b.args = append([]any{f.FirstKey, f.LastKey}, append(span.args, p.Offset+p.Limit)...)
	if f.Splits {
		parts := &keyQuery{parts: onlyParts, sorted: true}
		parts.ofParts(f, byAmount)
		b.text.WriteString(" UNION ALL SELECT * FROM (" + parts.text.String() + order + " LIMIT CAST(? AS INTEGER))")
		b.args = append(append(b.args, parts.args...), p.Offset+p.Limit)
	}
	return b
}
