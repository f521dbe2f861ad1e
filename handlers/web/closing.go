package web

import (
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/closing"
	"finsvc/queries"
)

// closingView is what would become of an account that is deleted, or goes into another one.
type closingView struct {
	ID, Name string
	Uses     []string
	Notes    []string // what else is to be known
	Targets  []option // accounts that it may go into
	Into     string   // that which was chosen; blank before
	IntoName string
	Problems formProblems
}

// usesOf says what goes with an account.
func usesOf(u closing.Uses) (list []string) {
	for _, part := range []struct {
		n   int64
		one string
	}{{u.Transactions, "transaction"}, {u.SplitLines, "split line"}, {u.Trades, "trade"}, {u.Valuations, "valuation"}} {
		if part.n > 0 {
			list = append(list, count(part.n, part.one))
		}
	}
	return list
}

// namedBy says what names an account, and stays.
func namedBy(u closing.Uses, becomes string) (notes []string) {
	if u.Imports > 0 {
		notes = append(notes, count(u.Imports, "import")+" with rows of it "+becomes+".")
	}
	if u.Rules > 0 {
		notes = append(notes, count(u.Rules, "rule")+" that name it "+becomes+".")
	}
	return notes
}

// setAccountStatus answers POST /accounts/{id}/status: the account is closed, or opened again.
func setAccountStatus(v *visit) error {
	id, err := v.id("Account")
	if err != nil {
		return err
	}
	in := catalog.AccountInput{Status: ledger.Some(v.FormValue("status"))}
	if _, err := v.site.Ledger.Accounts.UpdateAccount(v.Context(), v.who(), id, in); err != nil {
		return err
	}
	return v.goOn("/accounts/" + id.String())
}

// showAccountDeletion answers GET /accounts/{id}/delete: what would go.
func showAccountDeletion(v *visit) error {
	id, err := v.id("Account")
	if err != nil {
		return err
	}
	look, err := v.site.Ledger.Closing.LookAtDeletion(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	view := closingView{ID: id.String(), Name: look.Name, Uses: usesOf(look.Uses), Notes: namedBy(look.Uses, "stay")}
	if look.Uses.Transfers > 0 {
		view.Notes = append(view.Notes,
			"The other sides of "+count(look.Uses.Transfers, "transfer")+" become ordinary transactions.")
	}
	return v.render("account-delete", "Delete "+look.Name, view)
}

// deleteAccount answers POST /accounts/{id}/delete.
func deleteAccount(v *visit) error {
	id, err := v.id("Account")
	if err != nil {
		return err
	}
	if err := v.proved("/accounts/" + id.String() + "/delete"); err != nil {
		return err
	}
	gone, err := v.site.Ledger.Closing.Delete(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	v.session.Operation = queries.PublicID(gone.OperationID)
	return v.goOn("/accounts")
}

// mergeForm gives the accounts that an account may go into: of its currency and side, and with trades like it or without.
func (v *visit) mergeForm() (id uuid.UUID, view closingView, err error) {
	id, err = v.id("Account")
	if err != nil {
		return id, view, err
	}
	list, _, err := v.site.Ledger.Accounts.ListAccounts(v.Context(), v.who(), true, ledger.Everything())
	if err != nil {
		return id, view, err
	}
	at := slices.IndexFunc(list, func(a catalog.Account) bool { return uuid.UUID(a.PublicID) == id })
	if at < 0 {
		return id, view, ledger.NewNotFound("Account")
	}
	of := list[at]
	kind, _ := ledger.LookupAccountType(of.AccountType)
	view.ID, view.Name = id.String(), of.Name
	for i, a := range list {
		other, _ := ledger.LookupAccountType(a.AccountType)
		if i != at && a.Currency == of.Currency && a.Classification == of.Classification &&
			other.TakesTrades() == kind.TakesTrades() {
			view.Targets = append(view.Targets, option{ID: uuid.UUID(a.PublicID).String(), Name: a.Name})
		}
	}
	return id, view, nil
}

// showMerge answers GET /accounts/{id}/merge: a choice of accounts, and with one of them what would come of it.
func showMerge(v *visit) error {
	id, view, err := v.mergeForm()
	if err != nil {
		return err
	}
	into, chosen := ledger.ParseID(v.URL.Query().Get("into"))
	title := "Merge " + view.Name
	if !chosen {
		return v.render("account-merge", title, view)
	}
	dry, err := v.site.Ledger.Closing.Merge(v.Context(), v.who(), id, into, true)
	if err != nil {
		return v.again(err, "account-merge", title, func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	view.Into, view.IntoName = into.String(), dry.TargetName
	view.Uses, view.Notes = usesOf(dry.Uses), namedBy(dry.Uses, "name the other one then")
	if dry.Uses.Transfers > 0 {
		view.Notes = append(view.Notes, count(dry.Uses.Transfers, "transfer")+" between the two are none any more.")
	}
	if dry.PossibleDuplicates > 0 {
		view.Notes = append(view.Notes, count(dry.PossibleDuplicates, "entry")+" may be in both. All of them stay. "+
			"Of a file that was imported into both, undo one import first.")
	}
	return v.render("account-merge", title, view)
}

// mergeAccount answers POST /accounts/{id}/merge.
func mergeAccount(v *visit) error {
	id, view, err := v.mergeForm()
	if err != nil {
		return err
	}
	f := &form{visit: v}
	into := f.chosen("into")
	err = f.problems.Err()
	if err == nil && !into.Has() {
		err = ledger.NewInvalid("into", "is required: the account that all of it goes into")
	}
	if err == nil {
		var done closing.Merge
		done, err = v.site.Ledger.Closing.Merge(v.Context(), v.who(), id, into.Value, false)
		v.session.Operation = queries.PublicID(done.OperationID)
	}
	if err != nil {
		return v.again(err, "account-merge", "Merge "+view.Name, func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn("/accounts/" + into.Value.String())
}
