package handlers

import (
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// transactions answers for transactions.
type transactions struct {
	ledger  *books.Books
	formats *formatters
}

// listTransactions answers GET /transactions with its fourteen filters, in any combination.
func (s *transactions) listTransactions(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.transactionFilter()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Entries.ListTransactions(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "transactions", list, page, total, func(t *entry.Transaction) { writeTransaction(a.json, t, format) })
	return nil
}

func (q *query) transactionFilter() entry.TransactionFilter {
	return entry.TransactionFilter{
		AccountIDs:  q.idsOrOne("account_ids", "account_id"),
		CategoryIDs: q.idsOrOne("category_ids", "category_id"),
		MerchantIDs: q.idsOrOne("merchant_ids", "merchant_id"),
		TagIDs:      q.ids("tag_ids"),
		StartDate:   q.date("start_date"), EndDate: q.date("end_date"),
		MinAmount: q.decimal("min_amount"), MaxAmount: q.decimal("max_amount"),
		Type:   q.word("type", "income", "expense"),
		Search: q.text("search"),
	}
}

// idsOrOne reads a filter that has a plural and a singular form; given together they intersect.
func (q *query) idsOrOne(plural, singular string) []uuid.UUID {
	many, one := q.ids(plural), q.id(singular)
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
func (s *transactions) createTransaction(a *answer, r *request) error {
	f, err := r.wrapped("transaction")
	if err != nil {
		return err
	}
	t, created, err := s.ledger.Entries.CreateTransaction(r.Context(), r.who(), f.newTransaction())
	if err != nil {
		return err
	}
	if created {
		a.created()
	}
	return one(s.formats, writeTransaction)(a, r, &t)
}

// bulkBodyMax is the longest list of transactions, in bytes: ten thousand with short notes are shorter.
const bulkBodyMax = 16 << 20

// createTransactions answers POST /transactions/bulk: all or nothing.
func (s *transactions) createTransactions(a *answer, r *request) error {
	f, err := r.fields()
	if err != nil {
		return err
	}
	inputs := f.newTransactions()
	if len(inputs) == 0 && len(*f.problems) == 0 {
		return ledger.NewMalformed(`the body lacks the list of transactions: expected {"transactions": [{...}]}`)
	}
	if err := f.err(); err != nil {
		return err
	}
	list, err := s.ledger.Entries.CreateTransactions(r.Context(), r.who(), inputs)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	a.created()
	j := a.json
	j.open("")
	j.list("transactions")
	for i := range list {
		writeTransaction(j, &list[i], format)
	}
	j.endList()
	j.close()
	return nil
}

// newTransactions reads a list of new transactions, each with problems of its own.
func (f *fields) newTransactions() (inputs []entry.TransactionInput) {
	for _, item := range f.objects("transactions") {
		inputs = append(inputs, item.apart().newTransaction())
	}
	return inputs
}

// updateTransaction answers PATCH /transactions/{id}.
func (s *transactions) updateTransaction(a *answer, r *request) error {
	id, err := r.pathID("id", "Transaction")
	if err != nil {
		return err
	}
	f, err := r.wrapped("transaction")
	if err != nil {
		return err
	}
	t, err := s.ledger.Entries.UpdateTransaction(r.Context(), r.who(), id, f.transaction())
	if err != nil {
		return err
	}
	return one(s.formats, writeTransaction)(a, r, &t)
}

// newTransaction reads the fields of a new transaction: all that can be changed later, and three that
// a change ignores.
func (f *fields) newTransaction() entry.TransactionInput {
	account, externalID, source := f.id("account_id"), f.token("external_id"), f.text("source")
	in := f.transaction()
	in.AccountID, in.ExternalID, in.Source = account, externalID, source
	return in
}

// transaction reads the fields of a transaction that can be changed.
func (f *fields) transaction() entry.TransactionInput {
	in := entry.TransactionInput{
		Date: f.date("date"), Amount: f.decimal("amount"), AmountIsNumber: f.isNumber("amount"), Nature: f.text("nature"),
		Name: f.text("name"), Description: f.text("description"), Notes: f.text("notes"), Currency: f.text("currency"),
		CategoryID: f.id("category_id"), MerchantID: f.id("merchant_id"), TagIDs: f.ids("tag_ids"),
		SplitLines: f.splitLines(),
	}
	in.Problems = *f.problems
	return in
}

// writeTransaction writes the Transaction of the contract. Its formatted amount has the sign of the
// application whose API this is, an expense without minus; signed_amount_cents is positive for income.
func writeTransaction(j *jsonWriter, t *entry.Transaction, format *money.Formatter) {
	j.open("")
	j.id("id", t.PublicID)
	j.date("date", ledger.Date(t.Date))
	j.money("amount", format, -t.Amount, t.Currency)
	j.int("amount_cents", max(t.Amount, -t.Amount))
	j.int("signed_amount_cents", t.Amount)
	j.text("currency", t.Currency)
	j.text("name", t.Name)
	j.textOrNull("notes", t.Notes)
	j.textOrNull("external_id", t.ExternalID)
	j.textOrNull("source", t.Source)
	j.text("classification", classificationOf(t.Amount))
	writeAccountReference(j, "account", t.Account)
	writeCategoryOf(j, t.Category)
	writeMerchantOf(j, t.Merchant)
	writeTagsOf(j, t.Tags)
	j.idOrNull("split_of", t.SplitOf)
	writeSplitLinesOf(j, t, format)
	writeTransferOf(j, t.Transfer, format)
	writeAppliedRules(j, t.AppliedRules)
	j.stamp("created_at", t.CreatedAt)
	j.stamp("updated_at", t.UpdatedAt)
	j.close()
}

// classificationOf calls an amount of zero an expense (decisions, section 5).
func classificationOf(minor int64) string {
	if minor > 0 {
		return "income"
	}
	return "expense"
}

// writeAccountReference writes the Account reference of the contract, or null.
func writeAccountReference(j *jsonWriter, name string, account *ledger.AccountRef) {
	if account == nil {
		j.null(name)
		return
	}
	j.open(name)
	j.id("id", account.ID)
	j.text("name", account.Name)
	j.text("account_type", account.AccountType)
	j.close()
}

func writeCategoryOf(j *jsonWriter, c *ledger.CategoryRef) {
	if c == nil {
		j.null("category")
		return
	}
	j.open("category")
	j.id("id", c.ID)
	j.text("name", c.Name)
	j.text("classification", c.Classification)
	j.text("color", c.Color)
	j.text("icon", c.Icon)
	j.close()
}

func writeMerchantOf(j *jsonWriter, m *ledger.MerchantRef) {
	if m == nil {
		j.null("merchant")
		return
	}
	j.open("merchant")
	j.id("id", m.ID)
	j.text("name", m.Name)
	j.close()
}

func writeTagsOf(j *jsonWriter, tags []*ledger.TagRef) {
	j.list("tags")
	for _, t := range tags {
		j.open("")
		j.id("id", t.ID)
		j.text("name", t.Name)
		j.text("color", t.Color)
		j.close()
	}
	j.endList()
}

func writeTransferOf(j *jsonWriter, t *entry.TransferSide, format *money.Formatter) {
	if t == nil {
		j.null("transfer")
		return
	}
	j.open("transfer")
	j.id("id", t.ID)
	j.money("amount", format, t.Minor, t.Currency)
	j.text("currency", t.Currency)
	writeAccountReference(j, "other_account", t.Other)
	j.close()
}
