package web

import (
	"html/template"
	"slices"

	"github.com/google/uuid"

	"finsvc/handlers/web/chart"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// accountsView is the list of accounts: what the household has, then what it owes.
type accountsView struct{ Groups []accountGroup }

// accountGroup is the accounts of one side, and what they come to by currency.
type accountGroup struct {
	Name     string
	Accounts []listedAccount
	Sums     []sumView
}

// listedAccount is an account with how it went of late.
type listedAccount struct {
	catalog.Account
	accountTrend
}

// listAccounts answers GET /accounts.
func listAccounts(v *visit) error {
	list, _, err := v.site.Ledger.Accounts.ListAccounts(v.Context(), v.who(), true, ledger.Everything())
	if err != nil {
		return err
	}
	kept, err := v.keptRail()
	if err != nil {
		return err
	}
	var view accountsView
	for _, side := range []struct{ classification, name string }{{ledger.Asset, "Assets"}, {ledger.Liability, "Liabilities"}} {
		group := accountGroup{Name: side.name}
		for _, a := range list {
			if a.Classification != side.classification {
				continue
			}
			group.Accounts = append(group.Accounts, listedAccount{a, kept.trends[uuid.UUID(a.PublicID)]})
			if a.Status == "active" {
				group.Sums = addTo(group.Sums, a.BalanceMinor, a.Currency)
			}
		}
		if len(group.Accounts) > 0 {
			view.Groups = append(view.Groups, group)
		}
	}
	return v.render("accounts", "Accounts", view)
}

// accountView is one account: its balance, how it came about, and what is done with it.
type accountView struct {
	catalog.Account
	ID       uuid.UUID
	Line     template.HTML
	Months   template.HTML
	Points   []chart.Point
	Latest   []entry.Transaction
	Total    int64
	Set      []catalog.Valuation
	Words    string // of a search for its transactions
	Date     string // what was typed of a balance to set
	Amount   string
	Problems formProblems
}

// showAccount answers GET /accounts/{id}.
func showAccount(v *visit) error {
	view, err := v.accountView()
	if err != nil {
		return err
	}
	return v.render("account", view.Name, view)
}

// accountView reads what there is to see of an account.
func (v *visit) accountView() (view accountView, err error) {
	view.ID, err = v.id("Account")
	if err != nil {
		return view, err
	}
	view.Account, err = v.site.Ledger.Accounts.GetAccount(v.Context(), v.who(), view.ID)
	if err != nil {
		return view, err
	}
	view.Date, view.Words = v.today.String(), named("@", view.Name)
	only := ledger.Some(view.ID)
	days, _, err := v.site.Ledger.Balances.ListBalanceDays(v.Context(), v.who(), balance.DayFilter{AccountID: only,
		StartDate: ledger.Some(ledger.DateOf(v.today.Time().AddDate(-1, 0, 0)))}, ledger.Everything())
	if err != nil {
		return view, err
	}
	slices.Reverse(days)
	view.balanceLine(v, days)
	view.Latest, view.Total, err = v.site.Ledger.Entries.ListTransactions(v.Context(), v.who(),
		entry.TransactionFilter{AccountIDs: []uuid.UUID{view.ID}}, ledger.Page{Number: 1, Size: 25})
	if err != nil {
		return view, err
	}
	view.Set, _, err = v.site.Ledger.Accounts.ListValuations(v.Context(), v.who(),
		catalog.ValuationFilter{AccountID: only}, ledger.Page{Number: 1, Size: 25})
	return view, err
}

// balanceLine draws the balance day by day, and what came in and went out by month.
func (view *accountView) balanceLine(v *visit, days []balance.Day) {
	var months []chart.Month
	for _, d := range days {
		view.Points = append(view.Points, chart.Point{Day: int64(d.Date), Value: d.End, Date: v.show.Day(d.Date),
			Amount: v.show.Amount(d.End, view.Currency)})
		if len(months) == 0 || months[len(months)-1].Title != v.show.MonthName(d.Date) {
			months = append(months, chart.Month{Label: d.Date.Time().Format("Jan"), Title: v.show.MonthName(d.Date)})
		}
		m := &months[len(months)-1]
		in, fits := money.AddMinor(m.In, d.Inflow)
		out, both := money.AddMinor(m.Out, d.Outflow)
		if fits && both {
			m.In, m.Out = in, out
		}
	}
	for i := range months {
		m := &months[i]
		m.Title += ": " + v.show.Amount(m.In, view.Currency) + " in, " + v.show.Amount(m.Out, view.Currency) + " out"
	}
	if len(view.Points) < 2 {
		return
	}
	last := view.Points[len(view.Points)-1]
	view.Line = chart.Line(chart.Series{Name: "Balance of " + view.Name + " from " + view.Points[0].Date + " to " + last.Date + ", at last " +
		last.Amount + ".", Points: view.Points, Height: 180})
	view.Months = chart.Columns("What came in and went out of "+view.Name+", by month", months)
}

// named is a word of a search that stands for a name, in the quotes that package search takes apart.
func named(mark, name string) string { return mark + `"` + name + `"` }

// setBalance answers POST /accounts/{id}/balance: what the account holds at the end of a day.
func setBalance(v *visit) error {
	id, err := v.id("Account")
	if err != nil {
		return err
	}
	f := &form{visit: v}
	in := catalog.ValuationInput{AccountID: ledger.Some(id), Date: f.date("date"), Amount: f.amount("amount")}
	in.Problems = f.problems
	if _, _, err = v.site.Ledger.Accounts.CreateValuation(v.Context(), v.who(), in); err != nil {
		view, failed := v.accountView()
		if failed != nil {
			return failed
		}
		view.Date, view.Amount = f.text("date"), f.text("amount")
		return v.again(err, "account", view.Name, func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn("/accounts/" + id.String())
}

// accountForm is what is typed of an account.
type accountForm struct {
	ID, Name, Type, Currency, Amount, Date, Institution, Notes string
	Disabled                                                   bool
	Types, Currencies                                          []string
	Problems                                                   formProblems
}

func (v *visit) emptyAccount() accountForm {
	return accountForm{Type: "depository", Currency: v.session.Household.Currency, Types: ledger.AccountTypes(),
		Currencies: money.CurrencyCodes()}
}

// newAccount answers GET /accounts/new.
func newAccount(v *visit) error { return v.render("account-form", "New account", v.emptyAccount()) }

// typedAccount is what the form says; of an account that is there its type and currency stay.
func (f *form) typedAccount(isNew bool) (in catalog.AccountInput, typed accountForm) {
	typed = f.emptyAccount()
	typed.Name, typed.Amount, typed.Date = f.text("name"), f.text("amount"), f.text("date")
	typed.Institution, typed.Notes, typed.Disabled = f.text("institution"), f.text("notes"), f.text("disabled") == "true"
	in.Name = ledger.Some(typed.Name)
	in.InstitutionName = ledger.Opt[string]{Set: true, Value: typed.Institution, Null: typed.Institution == ""}
	in.Notes = ledger.Opt[string]{Set: true, Value: typed.Notes, Null: typed.Notes == ""}
	if isNew {
		typed.Type, typed.Currency = f.text("type"), f.text("currency")
		in.AccountType, in.Currency = ledger.Some(typed.Type), ledger.Some(typed.Currency)
		in.Balance, in.Date = f.amount("amount"), f.date("date")
	} else {
		in.Status = ledger.Some("active")
		if typed.Disabled {
			in.Status = ledger.Some("disabled")
		}
	}
	in.Problems = f.problems
	return in, typed
}

// createAccount answers POST /accounts.
func createAccount(v *visit) error {
	in, typed := (&form{visit: v}).typedAccount(true)
	a, err := v.site.Ledger.Accounts.CreateAccount(v.Context(), v.who(), in)
	if err != nil {
		return v.again(err, "account-form", "New account", func(p formProblems) any {
			typed.Problems = p
			return typed
		})
	}
	return v.goOn("/accounts/" + uuid.UUID(a.PublicID).String())
}

// editAccount answers GET /accounts/{id}/edit.
func editAccount(v *visit) error {
	id, err := v.id("Account")
	if err != nil {
		return err
	}
	a, err := v.site.Ledger.Accounts.GetAccount(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	view := v.emptyAccount()
	view.ID, view.Name, view.Institution, view.Notes = id.String(), a.Name, ledger.OrBlank(a.InstitutionName), ledger.OrBlank(a.Notes)
	view.Disabled = a.Status != "active"
	return v.render("account-form", "Change "+a.Name, view)
}

// updateAccount answers POST /accounts/{id}.
func updateAccount(v *visit) error {
	id, err := v.id("Account")
	if err != nil {
		return err
	}
	in, typed := (&form{visit: v}).typedAccount(false)
	if _, err := v.site.Ledger.Accounts.UpdateAccount(v.Context(), v.who(), id, in); err != nil {
		return v.again(err, "account-form", "Change an account", func(p formProblems) any {
			typed.ID, typed.Problems = id.String(), p
			return typed
		})
	}
	return v.goOn("/accounts/" + id.String())
}
