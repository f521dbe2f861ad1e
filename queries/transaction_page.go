package queries

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// A page of transactions is the one query whose text is put together at run time. A static text with
// every filter optional can never use the index of the filter that is given; measured on a million rows
// that is 100 ms and more where the right index needs less than one. What is put together comes from
// the fixed pieces below; values are always bound.

// TransactionFilter selects transactions of one household. A nil slice or pointer is no filter; an empty
// slice is answered by the caller, since nothing matches it.
type TransactionFilter struct {
	HouseholdID       int64
	FirstKey, LastKey int64 // the range of days, always given
	AccountIDs        []int64
	CategoryIDs       []int64
	MerchantIDs       []int64
	TagIDs            []int64
	Incomes           *bool // true: incomes, false: expenses
	Amounts           []AmountRange
	Search            string // in the normal form of Unicode, as the index has it
	Splits            bool   // the household has split transactions: their parts are rows in the place of the whole
	Transfers         *bool  // true: sides of transfers, false: all others
	Narrowing
}

// AmountRange is a closed range of stored amounts (minor units, into the account positive) of the
// currencies that share an exponent.
type AmountRange struct {
	Currencies  []string
	Least, Most int64
}

// PageOf is a part of a list. Few says that the filter is known to match few rows: they are then taken
// from the filter's index and sorted, instead of walking the list until the page is full.
type PageOf struct {
	Limit, Offset int64
	Few           bool
}

// TransactionRow is a transaction as lists show it; labels are keys into what the household calls them. A part of a
// split transaction has the key of the whole, its own Position, and the id of the whole in SplitOf.
type TransactionRow struct {
	ID                                 int64
	PublicID                           PublicID
	AccountID, Date, Amount            int64
	Currency, Name                     string
	Notes                              *string
	CategoryID, MerchantID, TransferID *int64
	ExternalID, Source                 *string
	CreatedAt, UpdatedAt               int64
	TagIDs                             *string // keys, separated by commas; nil when there are none
	Lines                              []SplitLine
	Position                           int64    // from 1; 0 of what is no part
	SplitOf                            PublicID // zero of what is no part
}

const transactionColumns = `SELECT t.id, t.public_id, t.account_id, t.date, t.amount, t.currency, t.name, t.notes, t.category_id, t.merchant_id,
	t.transfer_id, t.external_id, t.source, t.created_at, t.updated_at,
	(SELECT group_concat(x.tag_id) FROM transaction_tags x WHERE x.transaction_id = t.id), `

// wholeRow is the beginning of a query of whole transactions with their lines, bareRow of one that does not look for
// any.
const (
	wholeRow = transactionColumns + splitLines + ", NULL, NULL FROM ("
	bareRow  = transactionColumns + "NULL, NULL, NULL FROM ("
)

// partRow is that of a query of rows some of which are parts: what a part does not have itself it has of the whole, and
// the tags of both.
const partRow = `SELECT t.id, coalesce(l.public_id, t.public_id), t.account_id, t.date, coalesce(l.amount, t.amount), t.currency,
	coalesce(l.name, t.name), coalesce(l.notes, t.notes), coalesce(l.category_id, t.category_id), coalesce(l.merchant_id, t.merchant_id),
	t.transfer_id, t.external_id, t.source, t.created_at, t.updated_at,
	(SELECT group_concat(u.tag_id) FROM (SELECT x.tag_id FROM transaction_tags x WHERE x.transaction_id = t.id
		UNION SELECT y.tag_id FROM transaction_line_tags y WHERE y.transaction_id = t.id AND y.position = l.position) u),
	NULL, l.position, CASE WHEN l.position IS NOT NULL THEN t.public_id END FROM (`

// The rows are read in the order of the keys, which a join keeps and which is made sure of afterwards:
// asking SQLite for the order makes it sort, at twice the cost of the page.
const (
	ofTransactions = `) k CROSS JOIN transactions t ON t.id = k.id`
	ofParts        = ofTransactions + ` LEFT JOIN transaction_lines l ON l.transaction_id = k.id AND l.position = k.position`
)

func (r *TransactionRow) scan(row interface{ Scan(...any) error }) error {
	var lines *string
	var position *int64
	err := row.Scan(&r.ID, &r.PublicID, &r.AccountID, &r.Date, &r.Amount, &r.Currency, &r.Name, &r.Notes, &r.CategoryID,
		&r.MerchantID,
		&r.TransferID, &r.ExternalID, &r.Source, &r.CreatedAt, &r.UpdatedAt, &r.TagIDs, &lines, &position, &r.SplitOf)
	if err != nil {
		return err
	}
	if position != nil {
		r.Position = *position
	}
	r.Lines, err = parseSplitLines(lines)
	return err
}

// compare puts rows in list order: by day, then by creation, newest first; the parts of one transaction as they follow
// each other in it.
func (r TransactionRow) compare(other TransactionRow) int {
	return cmp.Or(cmp.Compare(other.ID, r.ID), cmp.Compare(r.Position, other.Position))
}

// The cast keeps SQLite from looking at the value of the limit when it plans: it would plan anew for each
// page, which costs half as much as the page.
const limit = " LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)"

// ListTransactions gives a page in list order.
func (q *Queries) ListTransactions(ctx context.Context, f TransactionFilter, p PageOf) ([]TransactionRow, error) {
	b := newKeyQuery(f, p.Few)
	page, err := q.transactionRows(ctx, b.rowsInOrder(" ORDER BY "+b.listOrder()), append(b.args, p.Limit, p.Offset),
		p.Limit)
	slices.SortFunc(page, TransactionRow.compare)
	return page, err
}

// rowsInOrder is the query of a page of the rows whose keys the query gives.
func (b *keyQuery) rowsInOrder(order string) string {
	if b.parts == noParts {
		return bareRow + b.text.String() + order + limit + ofTransactions
	}
	return partRow + b.text.String() + order + limit + ofParts
}

func (b *keyQuery) listOrder() string {
	if b.parts == noParts {
		return b.key + " DESC"
	}
	return "id DESC, position"
}

func (q *Queries) transactionRows(ctx context.Context, text string, args []any, most int64) ([]TransactionRow, error) {
	rows, err := q.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	page := make([]TransactionRow, 0, min(most, 1_000)) // a page; of more the caller may not get as many
	for rows.Next() {
		var r TransactionRow
		if err := r.scan(rows); err != nil {
			return nil, err
		}
		page = append(page, r)
	}
	return page, rows.Err()
}

// GetTransactionRow reads one transaction with its lines.
func (q *Queries) GetTransactionRow(ctx context.Context, id int64) (TransactionRow, error) {
	var r TransactionRow
	err := r.scan(q.db.QueryRowContext(ctx, wholeRow+"SELECT ? AS id"+ofTransactions, id))
	return r, err
}

// GetTransactionRows reads transactions, given by a JSON list of keys, in the order of the list.
func (q *Queries) GetTransactionRows(ctx context.Context, ids string) ([]TransactionRow, error) {
	return q.transactionRows(ctx, wholeRow+"SELECT value AS id FROM json_each(?)"+ofTransactions, []any{ids}, 0)
}

// GetPartRow reads one part of a split transaction as lists show it.
func (q *Queries) GetPartRow(ctx context.Context, id, position int64) (TransactionRow, error) {
	var r TransactionRow
	err := r.scan(q.db.QueryRowContext(ctx, partRow+"SELECT ? AS id, ? AS position"+ofParts, id, position))
	return r, err
}

// CountTransactionKeys counts the rows that the filter matches.
func (q *Queries) CountTransactionKeys(ctx context.Context, f TransactionFilter) (int64, error) {
	b := newKeyQuery(f, true)
	var n int64
	text := "SELECT count(*) FROM (" + b.text.String() + ")"
	err := q.db.QueryRowContext(ctx, text, b.args...).Scan(&n)
	return n, err
}

// keyQuery is a query under construction, of one SELECT or of several, none of which gives what another one does. key
// is the expression that gives a row's key; what is selected in its place, if anything is, needs the row.
type keyQuery struct {
	text   strings.Builder
	args   []any
	key    string
	what   string
	sorted bool // by amount, which is selected as well

	parts    partsOf
	see      view // what the SELECT under construction is of
	labelled bool // an index of labels drives it
}

// partsOf says what becomes of split transactions.
type partsOf int

const (
	noParts   partsOf = iota // they are rows like others
	withParts                // their parts are rows in their place
	onlyParts                // nothing but their parts
)

// newKeyQuery is the query of the keys of the rows that a filter selects.
func newKeyQuery(f TransactionFilter, few bool) *keyQuery {
	b := &keyQuery{}
	if f.Splits {
		b.parts = withParts
	}
	b.keys(f, few)
	return b
}

func (b *keyQuery) keys(f TransactionFilter, few bool) {
	if few && b.rangesApart(f) {
		return
	}
	b.rows(f, few)
}

// rows asks for transactions and, where there are any, for parts: mostly in one SELECT, but apart where an index of
// what parts have instead of the whole drives it. Then an index of theirs drives the one of parts.
func (b *keyQuery) rows(f TransactionFilter, few bool) {
	if b.parts == noParts {
		b.whole(f, few)
		return
	}
	driver := driverOf(f, few)
	if b.parts == withParts || driver == byText || driver == byTags || driver == byMerchant {
		b.whole(f, few)
	}
	switch driver {
	case byTags, byMerchant, byCategory, byAmount, byIncome:
		b.ofParts(f, driver)
	default:
		if b.parts == onlyParts && driver != byText {
			b.ofParts(f, byList)
		}
	}
}

// driverOf picks what drives a query, most selective first: text, a tag, an index of transactions, or the table itself,
// which lies in list order.
func driverOf(f TransactionFilter, few bool) string {
	switch {
	case f.Search != "" && utf8.RuneCountInString(f.Search) >= trigram:
		return byText
	case len(f.TagIDs) == 1, f.TagIDs != nil && few:
		return byTags
	}
	return indexFor(f, few)
}

// whole asks for transactions. With parts these come in the place of a split one, but for those that an index of their
// own finds.
func (b *keyQuery) whole(f TransactionFilter, few bool) {
	b.key, b.see = "t.id", ofEither
	if b.parts == noParts {
		b.see = ofTransaction
	}
	switch driver := driverOf(f, few); driver {
	case byText:
		b.key = "s.rowid"
		match, exact := matchOf(f.Search)
		for _, text := range f.Texts { // a common text beside a rare one would have every row that has it looked at
			if utf8.RuneCountInString(text) >= trigram {
				more, _ := matchOf(text)
				match += " AND " + more
			}
		}
		b.start(b.key, "transactions_fts s", needsRow(f, false) || !exact)
		b.add("s.transactions_fts MATCH ?", match)
		if !exact && b.parts == noParts {
			b.hasText(f, b.see.texts(), b.see.merchantID(), longText(f.Search))
		}
		b.partHas(f, exact)
		f.Search = ""
	case byTags:
		b.key = "x.transaction_id"
		if len(f.TagIDs) == 1 {
			b.start(b.key, "transaction_tags x", needsRow(f, true))
			b.add("x.tag_id = ?", f.TagIDs[0])
		} else {
			b.start(b.key, "transaction_tags x INDEXED BY transaction_tags_by_tag", needsRow(f, true))
			// That of the lowest tag needs no look at the others; the plus makes the look at them one step in the
			// index.
			tags := f.TagIDs
			all := asJSON(tags)
			b.add("x.tag_id IN (SELECT value FROM json_each(?))", all)
			b.add(`(x.tag_id = ? OR NOT EXISTS (SELECT 1 FROM transaction_tags y
		WHERE y.transaction_id = x.transaction_id AND y.tag_id < x.tag_id AND +y.tag_id IN (SELECT value FROM json_each(?))))`, slices.Min(tags), all)
		}
		f.TagIDs = nil
	default:
		b.labelled = driver == byCategory || driver == byMerchant
		if driver == byCategory || driver == byAmount || driver == byIncome {
			b.see = ofTransaction
		}
		b.start(b.key, "transactions t "+driver, false)
		switch {
		case driver == byMerchant && b.see == ofEither:
			b.in("t.merchant_id", f.MerchantIDs)
			b.add("l.merchant_id IS NULL")
			f.MerchantIDs = nil
		case b.parts != noParts && (driver == byAmount || driver == byIncome):
			b.notSplit()
		case driver == byNothing:
			b.add("t.category_id IS NULL") // as its index wants it
		}
		if driver == byAmount {
			b.add("t.id >> 34 IN ("+spans+"SELECT span FROM spans)", f.FirstKey, f.LastKey)
		}
	}
	b.bounds(f)
	b.conditions(f)
}

// start writes SELECT and FROM; a driver other than the table itself is joined to it where a condition
// needs the row.
func (b *keyQuery) start(id, driver string, join bool) {
	if b.text.Len() > 0 {
		b.text.WriteString(" UNION ALL ")
	}
	b.text.WriteString("SELECT " + b.selected(id) + " FROM " + driver)
	if join || (b.what != "" || b.sorted && b.see != ofPart) && !strings.HasPrefix(driver, "transactions t ") {
		b.text.WriteString(" CROSS JOIN transactions t ON t.id = " + b.key)
	}
	switch {
	case b.see != ofEither:
	case b.parts == onlyParts:
		b.text.WriteString(" CROSS JOIN transaction_lines l ON l.transaction_id = " + b.key)
	default:
		b.text.WriteString(" LEFT JOIN transaction_lines l ON l.transaction_id = " + b.key)
	}
	b.text.WriteString(" WHERE TRUE")
}

// selected is what a SELECT gives of each row.
func (b *keyQuery) selected(id string) string {
	text := cmp.Or(b.what, id) + " AS id"
	if b.sorted {
		text = b.see.amount() + " AS amount, " + text
	}
	if b.parts != noParts {
		text += ", " + b.see.column("NULL", "l.position", "l.position") + " AS position"
	}
	return text
}

func (b *keyQuery) add(condition string, args ...any) {
	b.text.WriteString(" AND " + condition)
	b.args = append(b.args, args...)
}

// bounds keeps the query within the household, its range of days, and away from rows that an import is
// still writing. The key holds all three; 67108863 is its mask of the creation number.
func (b *keyQuery) bounds(f TransactionFilter) {
	b.add(b.key+" >= ? AND "+b.key+" <= ?", f.FirstKey, f.LastKey)
	b.add("("+b.key+" & 67108863) NOT BETWEEN (SELECT hidden_from FROM households WHERE id = ?)"+
		" AND (SELECT hidden_to FROM households WHERE id = ?)", f.HouseholdID, f.HouseholdID)
}

func (b *keyQuery) conditions(f TransactionFilter) {
	b.in("t.account_id", f.AccountIDs)
	b.byLabels(f)
	b.narrow(f)
	if (f.Incomes != nil || f.Amounts != nil || f.HasCategory != nil || f.Transfers != nil) && !b.labelled && b.see != ofPart {
		// The indexes that know amounts begin with the household; those of labels do not have it, but amounts, too.
		b.add("t.household_id = ?", f.HouseholdID)
	}
	if f.Incomes != nil && *f.Incomes {
		b.add(b.see.amount() + " > 0")
	} else if f.Incomes != nil {
		b.add(b.see.amount() + " <= 0")
	}
	if f.Transfers != nil && *f.Transfers {
		b.add("t.transfer_id > 0") // as the index of transfers wants it
	} else if f.Transfers != nil {
		b.add("t.transfer_id IS NULL")
	}
	b.amounts(f)
	if f.Search != "" {
		// For texts of one or two characters, which the trigram index cannot find: it compares row by row. LIKE
		// knows the case of ASCII only; other letters are looked for in each of their spellings, each as one
		// character and as a letter with its marks, for rows have their texts as they were written.
		b.hasText(f, b.see.texts(), b.see.merchantID(), shortText(f.Search))
	}
}

func (b *keyQuery) in(column string, ids []int64) {
	if ids != nil {
		condition, arg := anyOf(column, ids)
		b.add(condition, arg)
	}
}

// anyOf is the condition that a column has one of some values, and its argument.
func anyOf(column string, ids []int64) (condition string, arg any) {
	if len(ids) == 1 {
		return column + " = ?", ids[0]
	}
	return column + " IN (SELECT value FROM json_each(?))", asJSON(ids)
}

func (b *keyQuery) amounts(f TransactionFilter) {
	if f.Amounts == nil {
		return
	}
	if only := f.Amounts[0]; len(f.Amounts) == 1 && len(only.Currencies) <= 1 {
		b.add(b.see.amount()+" >= ? AND "+b.see.amount()+" <= ?", only.Least, only.Most)
		if only.Currencies != nil {
			b.add("t.currency = ?", only.Currencies[0])
		}
		return
	}
	alternatives, args := []string{}, []any{}
	for _, r := range f.Amounts {
		alternatives = append(alternatives, "t.currency IN (SELECT value FROM json_each(?)) AND "+b.see.amount()+
			" >= ? AND "+b.see.amount()+" <= ?")
		args = append(args, asJSON(r.Currencies), r.Least, r.Most)
	}
	b.add("("+strings.Join(alternatives, " OR ")+")", args...)
}

// What drives a query: the index of the text, those of tags, indexes of transactions, or none but the table.
const (
	byText     = "text"
	byTags     = "tags"
	byAmount   = "INDEXED BY transactions_by_amount"
	byMerchant = "INDEXED BY transactions_by_merchant"
	byCategory = "INDEXED BY transactions_by_category"
	byIncome   = "INDEXED BY transactions_of_income"
	byNothing  = "INDEXED BY transactions_without_category"
	byList     = "NOT INDEXED"
)

// indexFor names the index to use. SQLite is told rather than asked: its statistics do not know how many
// rows a value has, and one wrong guess costs a thousand times the query.
func indexFor(f TransactionFilter, few bool) string {
	switch {
	case len(f.MerchantIDs) == 1, f.MerchantIDs != nil && few:
		return byMerchant
	case len(f.CategoryIDs) == 1, f.CategoryIDs != nil && few:
		return byCategory
	case f.Transfers != nil && *f.Transfers:
		return "INDEXED BY transactions_of_transfers"
	case len(f.Amounts) == 1 && few && f.days() > fewDays:
		return byAmount
	case f.HasCategory != nil && !*f.HasCategory:
		return byNothing
	case f.Incomes != nil && *f.Incomes:
		return byIncome
	case len(f.AccountIDs) == 1, f.AccountIDs != nil && few:
		return "INDEXED BY transactions_by_account"
	}
	return byList
}

// fewDays is up to how many days are looked through in list order for an amount: the index of amounts gives those of 256
// days or more.
const fewDays = 62

// days is how many days lie between the keys; 67108864 is a day in a key.
func (f TransactionFilter) days() int64 { return (f.LastKey-f.FirstKey)/67108864 + 1 }

// needsRow reports whether a condition looks at the row besides the driver; tagDriven is for a tag driver,
// which answers the tag filter itself.
func needsRow(f TransactionFilter, tagDriven bool) bool {
	return f.AccountIDs != nil || f.CategoryIDs != nil || f.MerchantIDs != nil || f.Incomes != nil ||
		f.Amounts != nil || f.Transfers != nil || f.Narrowing.Any() ||
		tagDriven && f.Search != ""
}

func asJSON(ids any) string {
	text, _ := json.Marshal(ids) // numbers and currency codes always have a JSON form
	return string(text)
}
