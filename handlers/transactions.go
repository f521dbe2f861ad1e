package handlers

import (
	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// transactions answers for transactions.
type transactions struct {
	ledger  *books.Books
	formats *wire.Formatters
}

// listTransactions answers GET /transactions with its fourteen filters, in any combination, or with a search.
func (s *transactions) listTransactions(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page := q.Page()
	filter, err := transactionFilter(s.ledger, r, q)
	if err != nil {
		return err
	}
	list, total, err := s.ledger.Entries.ListTransactions(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "transactions", list, page, total,
		func(t *entry.Transaction) { writeTransaction(a.Json, t, format) })
	return nil
}

// transactionFilter reads the filters of a query, or the search that stands for them.
func transactionFilter(l *books.Books, r *wire.Request, q *wire.Query) (entry.TransactionFilter, error) {
	text, filter := q.One("q"), readFilter(q)
	if text == "" {
		return filter, q.Err()
	}
	if filter.IsSet() {
		q.Problems.Add("q", "must not be given together with other filters: write them in it, such as since:2026-01-01")
	}
	if err := q.Err(); err != nil {
		return filter, err
	}
	found, err := l.Searches.Read(r.Context(), r.Who(), text)
	if err == nil {
		err = found.Err("q")
	}
	return found.Filter, err
}

func readFilter(q *wire.Query) entry.TransactionFilter {
	return entry.TransactionFilter{
		AccountIDs:  idsOrOne(q, "account_ids", "account_id"),
		CategoryIDs: idsOrOne(q, "category_ids", "category_id"),
		MerchantIDs: idsOrOne(q, "merchant_ids", "merchant_id"),
		TagIDs:      q.Ids("tag_ids"),
		StartDate:   q.Date("start_date"), EndDate: q.Date("end_date"),
		MinAmount: q.Decimal("min_amount"), MaxAmount: q.Decimal("max_amount"),
		Type:   q.Word("type", "income", "expense"),
		Search: q.Text("search"),
	}
}

// idsOrOne reads a filter that has a plural and a singular form; given together they intersect.
func idsOrOne(q *wire.Query, plural, singular string) []uuid.UUID {
	many, one := q.Ids(plural), q.Id(singular)
	if !one.Has() {
		return many
	}
	if many == nil {
		return []uuid.UUID{one.Value}
	}
	both := []uuid.UUID{}
	for _, id := range many {
		if id == one.Value {
			both = append(both, id)
		}
	}
	return both
}

// createTransaction answers POST /transactions: 201, or 200 when the client's own id is known.
func (s *transactions) createTransaction(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("transaction")
	if err != nil {
		return err
	}
	t, created, err := s.ledger.Entries.CreateTransaction(r.Context(), r.Who(), readNewTransaction(f))
	if err != nil {
		return err
	}
	if created {
		a.Created()
	}
	return one(s.formats, writeTransaction)(a, r, &t)
}

// bulkBodyMax is the longest list of transactions, in bytes: ten thousand with short notes are shorter.
const bulkBodyMax = 16 << 20

// createTransactions answers POST /transactions/bulk: all or nothing.
func (s *transactions) createTransactions(a *wire.Answer, r *wire.Request) error {
	f, err := r.Fields()
	if err != nil {
		return err
	}
	inputs := readNewTransactions(f)
	if len(inputs) == 0 && len(*f.Problems) == 0 {
		return ledger.NewMalformed(`the body lacks the list of transactions: expected {"transactions": [{...}]}`)
	}
	if err := f.Err(); err != nil {
		return err
	}
	list, err := s.ledger.Entries.CreateTransactions(r.Context(), r.Who(), inputs)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	a.Created()
	j := a.Json
	j.Open("")
	j.List("transactions")
	for i := range list {
		writeTransaction(j, &list[i], format)
	}
	j.EndList()
	j.Close()
	return nil
}

// readNewTransactions reads a list of new transactions, each with problems of its own.
func readNewTransactions(f *wire.Fields) (inputs []entry.TransactionInput) {
	for _, item := range f.Objects("transactions") {
		inputs = append(inputs, readNewTransaction(item.Apart()))
	}
	return inputs
}

// updateTransaction answers PATCH /transactions/{id}.
func (s *transactions) updateTransaction(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Transaction")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("transaction")
	if err != nil {
		return err
	}
	t, err := s.ledger.Entries.UpdateTransaction(r.Context(), r.Who(), id, readTransaction(f))
	if err != nil {
		return err
	}
	return one(s.formats, writeTransaction)(a, r, &t)
}

// readNewTransaction reads the fields of a new transaction: all that can be changed later, and three that
// a change ignores.
func readNewTransaction(f *wire.Fields) entry.TransactionInput {
	account, externalID, source := f.Id("account_id"), f.Token("external_id"), f.Text("source")
	in := readTransaction(f)
	in.AccountID, in.ExternalID, in.Source = account, externalID, source
	return in
}

// readTransaction reads the fields of a transaction that can be changed.
func readTransaction(f *wire.Fields) entry.TransactionInput {
	in := entry.TransactionInput{
		Date: f.Date("date"), Amount: f.Decimal("amount"), AmountIsNumber: f.IsNumber("amount"),
		Nature: f.Text("nature"),
		Name:   f.Text("name"), Description: f.Text("description"), Notes: f.Text("notes"),
		Currency:   f.Text("currency"),
		CategoryID: f.Id("category_id"), MerchantID: f.Id("merchant_id"), TagIDs: f.Ids("tag_ids"),
		SplitLines: readSplitLines(f),
	}
	in.Problems = *f.Problems
	return in
}

// writeTransaction writes the Transaction of the contract. Its formatted amount has the sign of the
// application whose API this is, an expense without minus; signed_amount_cents is positive for income.
func writeTransaction(j *wire.Writer, t *entry.Transaction, format *money.Formatter) {
	j.Open("")
	j.Id("id", t.PublicID)
	j.Date("date", ledger.Date(t.Date))
	j.Money("amount", format, -t.Amount, t.Currency)
	j.Int("amount_cents", max(t.Amount, -t.Amount))
	j.Int("signed_amount_cents", t.Amount)
	j.Text("currency", t.Currency)
	j.Text("name", t.Name)
	j.TextOrNull("notes", t.Notes)
	j.TextOrNull("external_id", t.ExternalID)
	j.TextOrNull("source", t.Source)
	j.Text("classification", classificationOf(t.Amount))
	writeAccountReference(j, "account", t.Account)
	writeCategoryOf(j, t.Category)
	writeMerchantOf(j, t.Merchant)
	writeTagsOf(j, t.Tags)
	j.IdOrNull("split_of", t.SplitOf)
	// Write what the parts of a transaction were for, with the signs of the transaction's own amounts.
	j.List("split_lines")
	for _, line := range t.Split {
		j.Open("")
		j.Id("id", line.ID)
		j.Money("amount", format, -line.Minor, t.Currency)
		j.Int("amount_cents", max(line.Minor, -line.Minor))
		j.Int("signed_amount_cents", line.Minor)
		j.Text("currency", t.Currency)
		j.TextOrNull("name", line.Name)
		j.TextOrNull("notes", line.Notes)
		writeCategoryOf(j, line.Category)
		writeMerchantOf(j, line.Merchant)
		writeTagsOf(j, line.Tags)
		j.Close()
	}
	j.EndList()
	writeTransferOf(j, t.Transfer, format)
	// Write which rules have given a transaction its fields.
	list := t.AppliedRules
	j.List("applied_rules")
	for _, rule := range list {
		j.Open("")
		j.Id("rule_id", rule.ID)
		j.TextOrNull("name", rule.Name)
		j.Text("field", rule.Field.String())
		j.TextOrNull("before", rule.Before)
		j.Close()
	}
	j.EndList()
	j.Stamp("created_at", t.CreatedAt)
	j.Stamp("updated_at", t.UpdatedAt)
	j.Close()
}

// classificationOf calls an amount of zero an expense (decisions, section 5).
func classificationOf(minor int64) string {
	if minor > 0 {
		return "income"
	}
	return "expense"
}

// writeAccountReference writes the Account reference of the contract, or null.
func writeAccountReference(j *wire.Writer, name string, account *ledger.AccountRef) {
	if account == nil {
		j.Null(name)
		return
	}
	j.Open(name)
	j.Id("id", account.ID)
	j.Text("name", account.Name)
	j.Text("account_type", account.AccountType)
	j.Close()
}

func writeCategoryOf(j *wire.Writer, c *ledger.CategoryRef) {
	if c == nil {
		j.Null("category")
		return
	}
	j.Open("category")
	j.Id("id", c.ID)
	j.Text("name", c.Name)
	j.Text("classification", c.Classification)
	j.Text("color", c.Color)
	j.Text("icon", c.Icon)
	j.Close()
}

func writeMerchantOf(j *wire.Writer, m *ledger.MerchantRef) {
	if m == nil {
		j.Null("merchant")
		return
	}
	j.Open("merchant")
	j.Id("id", m.ID)
	j.Text("name", m.Name)
	j.Close()
}

func writeTagsOf(j *wire.Writer, tags []*ledger.TagRef) {
	j.List("tags")
	for _, t := range tags {
		j.Open("")
		j.Id("id", t.ID)
		j.Text("name", t.Name)
		j.Text("color", t.Color)
		j.Close()
	}
	j.EndList()
}

func writeTransferOf(j *wire.Writer, t *entry.TransferSide, format *money.Formatter) {
	if t == nil {
		j.Null("transfer")
		return
	}
	j.Open("transfer")
	j.Id("id", t.ID)
	j.Money("amount", format, t.Minor, t.Currency)
	j.Text("currency", t.Currency)
	writeAccountReference(j, "other_account", t.Other)
	j.Close()
}

// readSplitLines reads the lines of a split transaction. Null, a blank text in a form and the empty list say that it is
// not split.
func readSplitLines(f *wire.Fields) ledger.Opt[[]entry.SplitLineInput] {
	switch {
	case !f.Has("split_lines"):
		return ledger.Opt[[]entry.SplitLineInput]{}
	case f.IsBlank("split_lines"):
		return ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true}
	}
	before := len(*f.Problems)
	objects := f.Objects("split_lines")
	if len(*f.Problems) > before {
		return ledger.Opt[[]entry.SplitLineInput]{}
	}
	lines := make([]entry.SplitLineInput, len(objects))
	for i, line := range objects {
		lines[i] = entry.SplitLineInput{ID: line.Id("id"), Amount: line.Decimal("amount"),
			AmountIsNumber: line.IsNumber("amount"), Name: line.Text("name"), Notes: line.Text("notes"),
			Currency: line.Text("currency"), CategoryID: line.Id("category_id"), MerchantID: line.Id("merchant_id"),
			TagIDs: line.Ids("tag_ids")}
	}
	return ledger.Some(lines)
}
