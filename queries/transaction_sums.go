package queries

import (
	"context"
	"fmt"
)

// What sums of transactions are made of is asked for in the manner of pages: the filter's index drives the query.

// Part is what the transactions of a sum are told apart by.
type Part int

// The parts; as numbers they are those of month_sums. Of tags it is the key of the transaction, which PackTags gives
// them by; all of them are account, merchant and that key with blanks between.
const (
	PartNone Part = iota
	PartAccount
	PartMerchant
	PartTags
	PartAll
)

// of is the part that a transaction belongs to, as SQL.
func (p Part) of() string {
	switch p {
	case PartAccount:
		return "t.account_id"
	case PartMerchant:
		return "coalesce(t.merchant_id, 0)"
	case PartTags:
		return "t.id"
	case PartAll:
		return "t.account_id || ' ' || coalesce(t.merchant_id, 0) || ' ' || t.id"
	}
	return "0"
}

// Searched reports whether the filter asks for a text, an amount, a type or a [Narrowing], which a transaction may have and its parts
// not, and the other way round. By labels and days alone, [Queries.ListSumWholes] gives the split ones among those it
// selects.
func (f TransactionFilter) Searched() bool {
	return f.Search != "" || f.Amounts != nil || f.Incomes != nil || f.Narrowing.Any()
}

// PackTransactions gives the transactions that a filter selects by themselves, whatever their parts, and without the
// split ones where it is [TransactionFilter.Searched]: a text of "amount,
// currency, key of the category or 0, day, part" with blanks before the last two and nothing between the others, by
// comma. Days are counted as keys count them, so that an index of labels has all that is asked for. Few is as in
// [PageOf].
func (q *Queries) PackTransactions(ctx context.Context, f TransactionFilter, part Part, few bool) (packed string,
	err error) {
	b := &keyQuery{what: "coalesce(group_concat(t.amount || t.currency || coalesce(t.category_id, 0) || ' ' || (t.id / 67108864) || ' ' || " + part.of() + "), '')"}
	b.whole(f, few)
	if f.Splits && f.Searched() {
		b.notSplit()
	}
	err = q.db.QueryRowContext(ctx, b.text.String(), b.args...).Scan(&packed)
	return packed, err
}

// PackedDay is what was booked on a day, counted as keys count them, in the manner of [Queries.PackTransactions] but
// without the day.
type PackedDay struct {
	Day    int64
	Packed string
}

// DayRange is the whole days of a household from the first key's to the last one's. Accounts are all of them when nil.
// Rows with creation numbers from HiddenFrom to HiddenTo are left out: an import is still writing them.
type DayRange struct {
	HouseholdID, FirstKey, LastKey int64
	Accounts                       []int64
	HiddenFrom, HiddenTo           int64
}

// packDays gives the whole of each day. Sorting the transactions into groups takes five times as long as this.
// 67108864 is a day in a key; days are counted as keys count them.
const packDays = `WITH RECURSIVE days (day) AS (
	SELECT ?1 / 67108864
	UNION ALL SELECT day + 1 FROM days WHERE day < ?2 / 67108864
)
SELECT d.day, coalesce((
	SELECT group_concat(t.amount || t.currency || coalesce(t.category_id, 0)%s) FROM transactions t NOT INDEXED
	WHERE t.id >= d.day * 67108864 AND t.id < (d.day + 1) * 67108864 AND t.household_id = ?3 AND t.transfer_id IS NULL%s
), '')
FROM days d`

// query is packDays with the conditions that are needed: mostly all accounts count and no import is writing, and to
// find that out for each row takes a third of the time.
func (r DayRange) query(part Part) (text string, args []any) {
	more, conditions := "", ""
	if part != PartNone {
		more = " || ' ' || " + part.of()
	}
	args = []any{r.FirstKey, r.LastKey, r.HouseholdID}
	if r.Accounts != nil {
		conditions += " AND t.account_id IN (SELECT a.value FROM json_each(?) a)"
		args = append(args, asJSON(r.Accounts))
	}
	if r.HiddenFrom <= r.HiddenTo {
		conditions += " AND (t.id & 67108863) NOT BETWEEN ? AND ?"
		args = append(args, r.HiddenFrom, r.HiddenTo)
	}
	return fmt.Sprintf(packDays, more, conditions), args
}

// PackDays gives the transactions of days, transfers left out.
func (q *Queries) PackDays(ctx context.Context, r DayRange, part Part) (days []PackedDay, err error) {
	text, args := r.query(part)
	rows, err := q.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d PackedDay
		if err := rows.Scan(&d.Day, &d.Packed); err != nil {
			return nil, err
		}
		days = append(days, d)
	}
	return days, rows.Err()
}

// SumLine is what counts of a split transaction: one of its parts or, with position 0, the whole. Tags are keys with a
// plus between.
type SumLine struct {
	Position, Amount, CategoryID, MerchantID int64
	Tags                                     string
	Date, AccountID                          int64
	Currency                                 string
}

const sumLineColumns = `SELECT l.position, l.amount, coalesce(l.category_id, 0), coalesce(l.merchant_id, t.merchant_id, 0),
	coalesce((SELECT group_concat(u.tag_id, '+') FROM (SELECT x.tag_id FROM transaction_tags x WHERE x.transaction_id = t.id
		UNION SELECT y.tag_id FROM transaction_line_tags y WHERE y.transaction_id = l.transaction_id AND y.position = l.position) u), ''),
	t.date, t.account_id, t.currency FROM (`

// ListSumLines gives the parts that a filter selects, in no order.
func (q *Queries) ListSumLines(ctx context.Context, f TransactionFilter, few bool) ([]SumLine, error) {
	b := &keyQuery{parts: onlyParts}
	b.keys(f, few)
	return q.sumLines(ctx, sumLineColumns+b.text.String()+`) k CROSS JOIN transaction_lines l ON l.transaction_id = k.id AND l.position = k.position
		CROSS JOIN transactions t ON t.id = l.transaction_id`, b.args)
}

const sumWholeColumns = `SELECT 0, t.amount, coalesce(t.category_id, 0), coalesce(t.merchant_id, 0),
	coalesce((SELECT group_concat(x.tag_id, '+') FROM transaction_tags x WHERE x.transaction_id = t.id), ''),
	t.date, t.account_id, t.currency FROM (`

// ListSumWholes gives the split transactions that a filter, which is not [TransactionFilter.Searched], selects by
// themselves.
func (q *Queries) ListSumWholes(ctx context.Context, f TransactionFilter, few bool) ([]SumLine, error) {
	b := &keyQuery{}
	if f.CategoryIDs == nil && f.MerchantIDs == nil && f.TagIDs == nil {
		b.key, b.see = "l.transaction_id", ofTransaction
		b.start(b.key, "transaction_lines l NOT INDEXED", true)
		b.add("l.position = 1")
		b.bounds(f)
		b.conditions(f)
	} else {
		b.whole(f, few)
		b.add("EXISTS (SELECT 1 FROM transaction_lines o WHERE o.transaction_id = " + b.key + ")")
	}
	return q.sumLines(ctx, sumWholeColumns+b.text.String()+`) k CROSS JOIN transactions t ON t.id = k.id`, b.args)
}

func (q *Queries) sumLines(ctx context.Context, text string, args []any) (lines []SumLine, err error) {
	rows, err := q.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var l SumLine
		if err := rows.Scan(&l.Position, &l.Amount, &l.CategoryID, &l.MerchantID, &l.Tags, &l.Date, &l.AccountID,
			&l.Currency); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}

// DirectionSum is what the rows that a filter selects come to in one currency and direction, in minor units, into the
// account positive: Upper * 2^32 + Lower, as the sum may leave the range of a number.
type DirectionSum struct {
	Currency     string
	Incomes      bool
	Rows         int64
	Upper, Lower int64
}

// SumDirections adds up the rows that lists show of a filter, sides of transfers too, by currency and direction; but no more
// rows than most.
func (q *Queries) SumDirections(ctx context.Context, f TransactionFilter, most int64) (sums []DirectionSum, err error) {
	b, amount, of := newKeyQuery(f, true), "t.amount", ofTransactions
	if b.parts != noParts {
		amount, of = ofEither.amount(), ofParts
	}
	rows, err := q.db.QueryContext(ctx, "SELECT t.currency, "+amount+" > 0 AS incomes, count(*), sum("+amount+" >> 32), sum("+amount+
		" & 4294967295) FROM ("+b.text.String()+" LIMIT ?"+of+" GROUP BY 1, 2 ORDER BY 1, 2 DESC", append(b.args, most)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s DirectionSum
		if err := rows.Scan(&s.Currency, &s.Incomes, &s.Rows, &s.Upper, &s.Lower); err != nil {
			return nil, err
		}
		sums = append(sums, s)
	}
	return sums, rows.Err()
}
