package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/names"
)

// transactionView is the form of a transaction, new or there already.
type transactionView struct {
	ID         string             // blank of a new one
	Was        *entry.Transaction // as the books have it; nil of a new one
	Problems   formProblems
	Date       string
	Way        string // out or in
	Amount     string
	Name       string
	AccountID  string
	CategoryID string
	Merchant   string
	Tags       string
	Notes      string
	Back       string
	Currency   string
	Transfers  *transferView // nil of a new one, and where none is possible

	Accounts, Categories   []option
	MerchantNames, TagList []string
	PastNames              []string // of the last transactions; of a new one alone
}

// option is a choice of a list. Below names what it stands below, such as the parent of a category.
type option struct{ ID, Name, Below string }

// transactionForm gives a form with its lists, and nothing typed.
func (v *visit) transactionForm() (view transactionView, err error) {
	view.Back = v.back(ownPath(v.URL.Query().Get("back"), "/transactions"))
	accounts, err := v.listed()
	if err != nil {
		return view, err
	}
	for _, a := range accounts {
		view.Accounts = append(view.Accounts, option{ID: uuid.UUID(a.PublicID).String(), Name: a.Name, Below: a.Currency})
	}
	view.Categories, err = v.options(names.Category)
	if err != nil {
		return view, err
	}
	for kind, list := range map[names.Kind]*[]string{names.Merchant: &view.MerchantNames, names.Tag: &view.TagList} {
		all, err := v.site.Ledger.Names.List(v.Context(), v.who(), kind)
		if err != nil {
			return view, err
		}
		for _, n := range all {
			*list = append(*list, n.Name)
		}
	}
	return view, nil
}

// options are the things of a kind to choose from, by name; sub-categories come after their parent.
func (v *visit) options(kind names.Kind) (list []option, err error) {
	all, err := v.site.Ledger.Names.List(v.Context(), v.who(), kind)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		o := option{ID: n.ID.String(), Name: n.Name}
		if len(n.Paths) > 0 {
			o.Below = strings.TrimSuffix(n.Paths[0], ":"+n.Name)
		}
		list = append(list, o)
	}
	slices.SortStableFunc(list, func(a, b option) int {
		return cmp.Or(cmp.Compare(ledger.Fold(cmp.Or(a.Below, a.Name)), ledger.Fold(cmp.Or(b.Below, b.Name))),
			cmp.Compare(a.Below, b.Below), cmp.Compare(ledger.Fold(a.Name), ledger.Fold(b.Name)))
	})
	return list, nil
}

// newTransaction answers GET /transactions/new.
func newTransaction(v *visit) error {
	view, err := v.transactionForm()
	if err != nil {
		return err
	}
	q := v.URL.Query()
	view.Date, view.Way, view.AccountID = cmp.Or(q.Get("date"), v.today.String()), cmp.Or(q.Get("way"), "out"), q.Get("account")
	view.Name, view.Amount, view.Notes, view.Tags = q.Get("name"), q.Get("amount"), q.Get("notes"), q.Get("tags")
	view.CategoryID, view.Merchant = q.Get("category_id"), q.Get("merchant")
	if view.Name != "" {
		if err := v.fillAsLast(&view); err != nil {
			return err
		}
	}
	list, err := v.booked("", lastNames)
	if err != nil {
		return err
	}
	for _, t := range list {
		if view.AccountID == "" {
			view.AccountID = t.Account.ID.String() // the one that was used last
		}
		if !slices.Contains(view.PastNames, t.Name) {
			view.PastNames = append(view.PastNames, t.Name)
		}
	}
	return v.render("transaction", "New transaction", view)
}

// lastNames is among how many transactions names are looked for that are offered again, and what one of them had.
const lastNames = 200

// booked are the newest transactions with a text, without transfers.
func (v *visit) booked(text string, most int) ([]entry.Transaction, error) {
	list, _, err := v.site.Ledger.Entries.ListTransactions(v.Context(), v.who(),
		entry.TransactionFilter{Search: text, Transfers: new(bool)}, ledger.Page{Number: 1, Size: most})
	return list, err
}

// fillAsLast fills in what was not chosen as the newest transaction of the name has it.
func (v *visit) fillAsLast(view *transactionView) error {
	list, err := v.booked(view.Name, lastNames)
	if err != nil {
		return err
	}
	for _, t := range list {
		if ledger.Fold(t.Name) != ledger.Fold(strings.TrimSpace(view.Name)) {
			continue
		}
		view.Name, view.AccountID = t.Name, cmp.Or(view.AccountID, t.Account.ID.String())
		if t.Category != nil {
			view.CategoryID = cmp.Or(view.CategoryID, t.Category.ID.String())
		}
		if t.Merchant != nil {
			view.Merchant = cmp.Or(view.Merchant, t.Merchant.Name)
		}
		return nil
	}
	return nil
}

// showTransaction answers GET /transactions/{id}: the form in which it is changed.
func showTransaction(v *visit) error {
	id, err := v.id("Transaction")
	if err != nil {
		return err
	}
	t, err := v.site.Ledger.Entries.GetTransaction(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	view, err := v.transactionForm()
	if err != nil {
		return err
	}
	view.ID, view.Was, view.Currency = id.String(), &t, t.Currency
	view.Date, view.Way, view.Name = ledger.Date(t.Date).String(), "out", t.Name
	if t.Amount > 0 {
		view.Way = "in"
	}
	if !v.show.hidden {
		view.Amount = strings.TrimPrefix(v.show.Plain(t.Amount, t.Currency), "-")
	}
	view.AccountID, view.Notes = t.Account.ID.String(), ledger.OrBlank(t.Notes)
	if t.Category != nil {
		view.CategoryID = t.Category.ID.String()
	}
	if t.Merchant != nil {
		view.Merchant = t.Merchant.Name
	}
	var tags []string
	for _, tag := range t.Tags {
		tags = append(tags, tag.Name)
	}
	view.Tags = strings.Join(tags, ", ")
	view.Transfers, err = v.transferOf(&t)
	if err != nil {
		return err
	}
	return v.render("transaction", t.Name, view)
}

// typed fills a form with what was typed into it.
func (view *transactionView) typed(f *form, problems formProblems) transactionView {
	view.Problems = problems
	view.Date, view.Way, view.Amount, view.Name = f.text("date"), f.text("way"), f.text("amount"), f.text("name")
	view.CategoryID, view.Merchant, view.Tags, view.Notes = f.text("category_id"), f.text("merchant"), f.text("tags"), f.text("notes")
	if f.given("account_id") {
		view.AccountID = f.text("account_id")
	}
	return *view
}

// input is what a form says of a transaction. A field that the form lacks stays as it is.
func (f *form) input() (in entry.TransactionInput, err error) {
	in.Date, in.Amount, in.AccountID = f.date("date"), f.amount("amount"), f.chosen("account_id")
	in.CategoryID = f.chosen("category_id")
	if in.Amount.Has() {
		in.Amount.Value = in.Amount.Value.Abs()
		in.Nature = ledger.Some("expense")
		if f.text("way") == "in" {
			in.Nature = ledger.Some("income")
		}
	}
	if f.given("name") {
		in.Name = ledger.Some(f.text("name"))
	}
	if f.given("notes") {
		in.Notes = ledger.Opt[string]{Set: true, Value: f.text("notes"), Null: f.text("notes") == ""}
	}
	if len(f.problems) == 0 { // else nothing is made for it
		in.MerchantID, err = f.merchant("merchant")
		if err != nil {
			return in, err
		}
		in.TagIDs, err = f.tags("tags")
	}
	in.Problems = f.problems
	return in, err
}

// createTransaction answers POST /transactions. Another one can be typed at once.
func createTransaction(v *visit) error {
	f := &form{visit: v}
	in, err := f.input()
	if err != nil {
		return err
	}
	_, _, err = v.site.Ledger.Entries.CreateTransaction(v.Context(), v.who(), in)
	if err != nil {
		view, failed := v.transactionForm()
		if failed != nil {
			return failed
		}
		return v.again(err, "transaction", "New transaction", func(p formProblems) any { return view.typed(f, p) })
	}
	if v.FormValue("then") == "another" {
		return v.goOn("/transactions/new?account=" + f.text("account_id"))
	}
	return v.goOn(v.back("/transactions"))
}

// updateTransaction answers POST /transactions/{id}.
func updateTransaction(v *visit) error {
	id, err := v.id("Transaction")
	if err != nil {
		return err
	}
	f := &form{visit: v}
	in, err := f.input()
	if err != nil {
		return err
	}
	if v.show.hidden && f.text("amount") == "" { // which the form did not show
		in.Nature = ledger.Opt[string]{}
	}
	_, err = v.site.Ledger.Entries.UpdateTransaction(v.Context(), v.who(), id, in)
	if err != nil {
		t, failed := v.site.Ledger.Entries.GetTransaction(v.Context(), v.who(), id)
		if failed != nil {
			return failed
		}
		view, failed := v.transactionForm()
		if failed != nil {
			return failed
		}
		view.ID, view.Was, view.Currency = id.String(), &t, t.Currency
		view.AccountID = t.Account.ID.String()
		return v.again(err, "transaction", t.Name, func(p formProblems) any { return view.typed(f, p) })
	}
	return v.goOn(v.back("/transactions"))
}

// deleteTransaction answers POST /transactions/{id}/delete.
func deleteTransaction(v *visit) error {
	id, err := v.id("Transaction")
	if err != nil {
		return err
	}
	if err := v.site.Ledger.Entries.DeleteTransaction(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goOn(v.back("/transactions"))
}

// splitView is the form in which a transaction is split into parts.
type splitView struct {
	Was        *entry.Transaction
	ID         string
	Problems   formProblems
	Parts      []partView
	Categories []option
	Back       string
}

// Day is that of the transaction.
func (s splitView) Day() ledger.Date { return ledger.Date(s.Was.Date) }

// partView is a part as it is typed; Number counts from 1.
type partView struct {
	Number                       int
	ID, Amount, Name, CategoryID string
}

// emptyParts is how many more parts a form has room for than there are.
const emptyParts = 3

// splitForm is the form with the parts that there are, and room for more.
func (v *visit) splitForm(id uuid.UUID) (view splitView, err error) {
	t, err := v.site.Ledger.Entries.GetTransaction(v.Context(), v.who(), id)
	if err != nil {
		return view, err
	}
	view = splitView{Was: &t, ID: id.String(), Back: v.back(ownPath(v.URL.Query().Get("back"), "/transactions/"+id.String()))}
	view.Categories, err = v.options(names.Category)
	for _, line := range t.Split {
		minor := line.Minor
		if t.Amount < 0 {
			minor = -minor
		}
		part := partView{ID: line.ID.String(), Amount: v.show.Plain(minor, t.Currency), Name: ledger.OrBlank(line.Name)}
		if line.Category != nil {
			part.CategoryID = line.Category.ID.String()
		}
		view.Parts = append(view.Parts, part)
	}
	view.Parts = append(view.Parts, make([]partView, emptyParts)...)
	for i := range view.Parts {
		view.Parts[i].Number = i + 1
	}
	return view, err
}

// showSplit answers GET /transactions/{id}/split.
func showSplit(v *visit) error {
	id, err := v.id("Transaction")
	if err != nil {
		return err
	}
	view, err := v.splitForm(id)
	if err != nil {
		return err
	}
	return v.render("split", "Split "+view.Was.Name, view)
}

// splitTransaction answers POST /transactions/{id}/split: its parts are those that an amount was typed for; without any
// it is whole again.
func splitTransaction(v *visit) error {
	id, err := v.id("Transaction")
	if err != nil {
		return err
	}
	f := &form{visit: v}
	typed := f.parts()
	lines := ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true}
	for i, part := range typed {
		if part.Amount == "" {
			continue
		}
		amount, err := v.show.readNumber(part.Amount)
		if err != nil {
			f.problems.Add("parts", "%d: the amount %s", i+1, err)
			continue
		}
		line := entry.SplitLineInput{Amount: ledger.Some(amount)}
		if part.Name != "" {
			line.Name = ledger.Some(part.Name)
		}
		if of, ok := ledger.ParseID(part.CategoryID); ok {
			line.CategoryID = ledger.Some(of)
		}
		if of, ok := ledger.ParseID(part.ID); ok {
			line.ID = ledger.Some(of)
		}
		lines.Null, lines.Value = false, append(lines.Value, line)
	}
	_, err = v.site.Ledger.Entries.UpdateTransaction(v.Context(), v.who(), id,
		entry.TransactionInput{SplitLines: lines, Problems: f.problems})
	if err != nil {
		view, failed := v.splitForm(id)
		if failed != nil {
			return failed
		}
		view.Parts = typed
		return v.again(err, "split", "Split "+view.Was.Name, func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn(v.back("/transactions/" + id.String()))
}

// parts are the rows of the form of a split, as they were typed.
func (f *form) parts() (parts []partView) {
	amounts := f.PostForm["part_amount"]
	at := func(name string, i int) string {
		if list := f.PostForm[name]; i < len(list) {
			return strings.TrimSpace(list[i])
		}
		return ""
	}
	for i := range min(len(amounts), entry.MaxSplitLines) {
		parts = append(parts, partView{Number: i + 1, ID: at("part_id", i), Amount: at("part_amount", i), Name: at("part_name", i),
			CategoryID: at("part_category", i)})
	}
	return parts
}

// changeTransactions answers POST /transactions/bulk: what is to become of those that are ticked, or of all that the
// search finds, if there are as many as the page said.
func changeTransactions(v *visit) error {
	f := &form{visit: v}
	change := entry.ManyChange{}
	if f.text("all") == "true" {
		found, err := v.site.Ledger.Searches.Read(v.Context(), v.who(), f.text("q"))
		if err == nil {
			err = found.Err("q")
		}
		if err != nil {
			return err
		}
		change.Filter, change.Expected = found.Filter, ledger.Some(number(f.text("expected")))
	} else {
		change.IDs = []uuid.UUID{}
		for _, text := range f.PostForm["id"] {
			id, ok := ledger.ParseID(text)
			if !ok {
				return ledger.NewNotFound("Transaction")
			}
			change.IDs = append(change.IDs, id)
		}
	}
	if len(change.IDs) == 0 && change.IDs != nil {
		f.problems.Add("transactions", "must be ticked first: nothing is selected")
	}
	if f.text("action") == "delete" && change.IDs != nil && len(f.problems) == 0 {
		if _, err := v.site.Ledger.Entries.DeleteTransactions(v.Context(), v.who(), change.IDs); err != nil {
			return err
		}
		return v.goOn(v.back("/transactions"))
	}
	switch category := f.text("category_id"); category {
	case "": // as they are
	case "none":
		change.Fields.CategoryID = ledger.Opt[uuid.UUID]{Set: true, Null: true}
	default:
		change.Fields.CategoryID = f.chosen("category_id")
	}
	if f.text("merchant") != "" && len(f.problems) == 0 {
		id, err := f.merchant("merchant")
		if err != nil {
			return err
		}
		change.Fields.MerchantID = id
	}
	if f.text("notes") != "" {
		change.Fields.Notes = ledger.Some(f.text("notes"))
	}
	if f.text("add_tags") != "" && len(f.problems) == 0 {
		ids, err := f.tags("add_tags")
		if err != nil {
			return err
		}
		change.AddTagIDs = ids.Value
	}
	change.Problems = f.problems
	if _, err := v.site.Ledger.Entries.ChangeTransactions(v.Context(), v.who(), change, false); err != nil {
		return err
	}
	return v.goOn(v.back("/transactions"))
}
