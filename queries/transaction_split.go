package queries

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// SplitLine is a part of a split transaction as it is stored: Position counts from 1, Amount is in minor units, into
// the account positive; the others are keys. TagIDs rise.
//
// Parts are rows of lists, not of the table of transactions. A page walks the transactions and puts their lines in
// their place; by category, merchant, tag, amount or type it is a merge of two queries in list order, one driven by
// the filter's index, one by that of the lines. Where a household has no lines, which one look at a range of keys
// tells, nothing of this is asked.
type SplitLine struct {
	PublicID               PublicID `json:"-"`
	Position, Amount       int64
	Name, Notes            *string
	CategoryID, MerchantID *int64
	TagIDs                 []int64
}

// splitLines gives the lines of transaction t as JSON, whose members are those of SplitLine; NULL when there are none.
// Row and lines come from one statement, so that no change can lie between them.
const splitLines = `(SELECT CASE count(*) WHEN 0 THEN NULL ELSE json_group_array(json_object('ID', hex(l.public_id), 'Position', l.position, 'Amount', l.amount,
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
	var stored []struct {
		SplitLine
		ID string
	}
	if err := json.Unmarshal([]byte(*text), &stored); err != nil {
		return nil, err
	}
	for _, s := range stored {
		if _, err := hex.Decode(s.PublicID[:], []byte(s.ID)); err != nil {
			return nil, err
		}
		slices.Sort(s.TagIDs)
		lines = append(lines, s.SplitLine)
	}
	slices.SortFunc(lines, func(a, b SplitLine) int { return cmp.Compare(a.Position, b.Position) })
	return lines, nil
}

// view is what a SELECT is of, by which its columns are named.
type view int

const (
	ofTransaction view = iota // transactions by themselves, be they split or not
	ofEither                  // transactions or, in the place of split ones, their parts; those have the categories
	ofPart                    // parts alone
)

func (v view) column(ofTransaction, ofEither, ofPart string) string {
	return [...]string{ofTransaction, ofEither, ofPart}[v]
}

func (v view) amount() string {
	return v.column("t.amount", "coalesce(l.amount, t.amount)", "l.amount")
}

func (v view) categoryID() string {
	return v.column("t.category_id", "coalesce(l.category_id, t.category_id)", "l.category_id")
}

// merchantID is that of the whole where a part has none.
func (v view) merchantID() string {
	const inherited = "coalesce(l.merchant_id, t.merchant_id)"
	return v.column("t.merchant_id", inherited, inherited)
}

// texts are what a row is found by, besides the name of its merchant: its name and notes. A part is found by its own
// and by those of the whole, which is how the bank called what was paid, and what programs mark it with.
func (v view) texts() []string {
	if v == ofTransaction {
		return []string{"t.name", "t.notes"}
	}
	return []string{"t.name", "t.notes", "l.name", "l.notes"}
}

// textCondition is the condition, with its arguments, that one of some columns has a text in it.
type textCondition func(columns ...string) (condition string, args []any)

// longText is the condition for a text of any length.
func longText(text string) textCondition {
	folded := foldText(text)
	return func(columns ...string) (string, []any) {
		return TextFunction + "(?, " + strings.Join(columns, ", ") + ")", []any{folded}
	}
}

// shortText is that for one or two characters. LIKE is quicker, but knows the case of ASCII only; other letters are
// looked for in each of their spellings.
func shortText(text string) textCondition {
	operator, needles := "instr(%, ?)", spellings(text)
	if isASCII(text) {
		operator, needles = `% LIKE ? ESCAPE '\'`, []string{"%" + escapeLike(text) + "%"}
	}
	return func(columns ...string) (string, []any) {
		alternatives, args := []string{}, []any{}
		for _, column := range columns {
			for _, needle := range needles {
				alternatives, args = append(alternatives, strings.Replace(operator, "%", column, 1)),
					append(args, needle)
			}
		}
		return strings.Join(alternatives, " OR "), args
	}
}

// hasText adds the condition that a text stands in one of some columns or in the name of a merchant.
func (b *keyQuery) hasText(f TransactionFilter, columns []string, merchantID string, has textCondition) {
	condition, args := textIn(f, columns, merchantID, has)
	b.add(condition, args...)
}

func textIn(f TransactionFilter, columns []string, merchantID string, has textCondition) (condition string, args []any) {
	own, args := has(columns...)
	name, more := has("m.name")
	return "(" + own + " OR coalesce(" + merchantID + " IN (SELECT m.id FROM merchants m WHERE m.household_id = ? AND (" + name +
		")), FALSE))", slices.Concat(args, []any{f.HouseholdID}, more)
}

// ofParts asks for the parts that an index of theirs finds, by the same as the driver of the query of transactions, or
// for all of them.
func (b *keyQuery) ofParts(f TransactionFilter, driver string) {
	b.see, b.key = ofPart, "l.transaction_id"
	parts := func(index string) { b.start(b.key, "transaction_lines l "+index, b.partsNeedWhole(f)) }
	switch driver {
	case byTags:
		b.tagged(f)
		f.TagIDs = nil
	case byMerchant:
		parts("INDEXED BY transaction_lines_by_merchant")
		b.in("l.merchant_id", f.MerchantIDs)
		f.MerchantIDs = nil
	case byCategory:
		parts("INDEXED BY transaction_lines_by_category")
		b.in("l.category_id", f.CategoryIDs)
		f.CategoryIDs = nil
	case byAmount:
		parts("INDEXED BY transaction_lines_by_amount")
		b.add("l.transaction_id >> 43 = ?", f.HouseholdID)
	case byIncome:
		parts("INDEXED BY transaction_lines_of_income")
	default:
		parts(byList)
	}
	b.bounds(f)
	b.conditions(f)
	b.key = "id"
}

// tagged asks for the parts with tags of their own, but for those that have one of these tags of the whole, which the
// query of transactions gives.
func (b *keyQuery) tagged(f TransactionFilter) {
	b.key = "g.transaction_id"
	b.start(b.key, "transaction_line_tags g INDEXED BY transaction_line_tags_by_tag CROSS JOIN transaction_lines l"+
		" ON l.transaction_id = g.transaction_id AND l.position = g.position", b.partsNeedWhole(f))
	b.in("g.tag_id", f.TagIDs)
	if len(f.TagIDs) > 1 { // each part at the lowest of the tags that it has
		b.add(`NOT EXISTS (SELECT 1 FROM transaction_line_tags y WHERE y.transaction_id = g.transaction_id AND y.position = g.position
			AND y.tag_id < g.tag_id AND +y.tag_id IN (SELECT value FROM json_each(?)))`, asJSON(f.TagIDs))
	}
	b.add("NOT EXISTS (SELECT 1 FROM transaction_tags x WHERE x.transaction_id = g.transaction_id AND x.tag_id IN (SELECT value FROM json_each(?)))", asJSON(f.TagIDs))
}

// partsNeedWhole reports whether a condition on parts looks at the whole besides.
func (b *keyQuery) partsNeedWhole(f TransactionFilter) bool {
	currencies := func(r AmountRange) bool { return r.Currencies != nil }
	return f.AccountIDs != nil || f.MerchantIDs != nil || f.Transfers != nil || f.Search != "" || f.Narrowing.Any() ||
		slices.ContainsFunc(f.Amounts, currencies)
}

// notSplit leaves out split transactions.
func (b *keyQuery) notSplit() {
	b.add("NOT EXISTS (SELECT 1 FROM transaction_lines o WHERE o.transaction_id = " + b.key + ")")
}

// partHas holds each part of a split transaction that a text finds to having it: the index of the text knows the whole
// with all that its parts say, and one of them is not found by what another one says. What was not found exactly is
// held to it whether it is a part or not.
func (b *keyQuery) partHas(f TransactionFilter, exact bool) {
	if b.parts == noParts {
		return
	}
	b.text.WriteString(" AND (")
	if exact {
		b.text.WriteString("l.position IS NULL OR ")
	}
	b.text.WriteString("EXISTS (SELECT 1 FROM transactions w WHERE w.id = " + b.key)
	b.hasText(f, []string{"w.name", "w.notes", "l.name", "l.notes"}, "coalesce(l.merchant_id, w.merchant_id)",
		longText(f.Search))
	b.text.WriteString("))")
}

// byLabels adds the conditions by category, merchant and tag. A part has its own tags and those of the whole.
func (b *keyQuery) byLabels(f TransactionFilter) {
	b.in(b.see.categoryID(), f.CategoryIDs)
	b.in(b.see.merchantID(), f.MerchantIDs)
	if f.TagIDs == nil {
		return
	}
	condition, args := b.hasTag(" AND %.tag_id IN (SELECT value FROM json_each(?))", asJSON(f.TagIDs))
	b.add(condition, args...)
}

// hasTag is the condition that a row has a tag of its own or of the whole, and the arguments; which stands for what else
// is asked of the tag, with a percent sign for its table. Drivers of queries have other names.
func (b *keyQuery) hasTag(which string, arg ...any) (condition string, args []any) {
	own := "EXISTS (SELECT 1 FROM transaction_tags h WHERE h.transaction_id = " + b.key +
		strings.Replace(which, "%", "h", 1) + ")"
	if b.see == ofTransaction {
		return own, arg
	}
	return "(" + own + " OR EXISTS (SELECT 1 FROM transaction_line_tags i WHERE i.transaction_id = " + b.key +
		" AND i.position = l.position" + strings.Replace(which, "%", "+i", 1) + "))", slices.Concat(arg, arg)
}
