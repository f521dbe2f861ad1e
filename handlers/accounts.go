package handlers

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/export"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// accounts answers for accounts, their balances and their valuations.
type accounts struct {
	ledger  *books.Books
	formats *formatters
}

// listAccounts answers GET /accounts; disabled ones only with include_disabled.
func (s *accounts) listAccounts(a *answer, r *request) error {
	q := r.query()
	page, disabled := q.page(), q.flag("include_disabled")
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Catalog.ListAccounts(r.Context(), r.who(), disabled.Value, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "accounts", list, page, total, func(account *catalog.Account) { writeAccount(a.json, account, format) })
	return nil
}

// createAccount answers POST /accounts.
func (s *accounts) createAccount(a *answer, r *request) error {
	f, err := r.wrapped("account")
	if err != nil {
		return err
	}
	account, err := s.ledger.Catalog.CreateAccount(r.Context(), r.who(), f.account())
	if err != nil {
		return err
	}
	a.created()
	return one(s.formats, writeAccount)(a, r, &account)
}

// updateAccount answers PATCH /accounts/{id}.
func (s *accounts) updateAccount(a *answer, r *request) error {
	id, err := r.pathID("id", "Account")
	if err != nil {
		return err
	}
	f, err := r.wrapped("account")
	if err != nil {
		return err
	}
	account, err := s.ledger.Catalog.UpdateAccount(r.Context(), r.who(), id, f.account())
	if err != nil {
		return err
	}
	return one(s.formats, writeAccount)(a, r, &account)
}

// account reads the fields of an account, new or changed.
func (f *fields) account() catalog.AccountInput {
	in := catalog.AccountInput{
		Name: f.text("name"), AccountType: f.accountType(), Subtype: f.text("subtype"), Currency: f.text("currency"),
		Balance: f.decimal("balance"), BalanceIsNumber: f.isNumber("balance"),
		Date: agreed(f, "date", f.date("date"), "opening_balance_date", f.date("opening_balance_date")), InstitutionName: f.text("institution_name"),
		InstitutionDomain: f.text("institution_domain"), Notes: f.text("notes"), Status: f.text("status"),
	}
	in.Problems = *f.problems
	return in
}

// accountType reads account_type, or accountable_type, which other servers of this API write as CreditCard.
func (f *fields) accountType() ledger.Opt[string] {
	accountable := f.text("accountable_type")
	if kind, known := export.AccountTypeNamed(accountable.Value); known {
		accountable.Value = kind.Name
	}
	return agreed(f, "account_type", f.text("account_type"), "accountable_type", accountable)
}

// writeAccount writes an account. Of a liability the amounts are what is owed. Cash is what of the balance is not held
// in securities.
func writeAccount(j *jsonWriter, a *catalog.Account, format *money.Formatter) {
	j.open("")
	j.id("id", a.PublicID)
	j.text("name", a.Name)
	j.money("balance", format, a.BalanceMinor, a.Currency)
	j.int("balance_cents", a.BalanceMinor)
	j.money("cash_balance", format, a.CashMinor, a.Currency)
	j.int("cash_balance_cents", a.CashMinor)
	j.text("currency", a.Currency)
	j.text("classification", a.Classification)
	j.text("account_type", a.AccountType)
	j.textOrNull("subtype", a.Subtype)
	j.text("status", a.Status)
	j.textOrNull("institution_name", a.InstitutionName)
	j.textOrNull("institution_domain", a.InstitutionDomain)
	j.textOrNull("notes", a.Notes)
	j.int("opening_balance_cents", a.OpeningMinor)
	if a.OpeningDate == nil {
		j.null("opening_date")
	} else {
		j.date("opening_date", *a.OpeningDate)
	}
	writeUnconverted(j, a.Unconverted)
	writeStaleRates(j, a.Stale)
	j.stamp("created_at", a.CreatedAt)
	j.stamp("updated_at", a.UpdatedAt)
	j.close()
}

// writeStaleRates writes the exchange rates that count though they were more than seven days old when they were used.
func writeStaleRates(j *jsonWriter, list []fx.StaleRate) {
	j.list("stale_rates")
	for _, s := range list {
		j.open("")
		j.text("from", s.From)
		j.text("to", s.To)
		j.date("date", s.Date)
		j.date("rate_date", s.RateDate)
		j.int("days_old", s.Days())
		j.bool("stale", true)
		j.close()
	}
	j.endList()
}

// writeUnconverted writes what is left out of a balance.
func writeUnconverted(j *jsonWriter, list []balance.Unconverted) {
	j.list("unconverted")
	for _, u := range list {
		j.open("")
		j.text("currency", u.Currency)
		j.int("amount_cents", u.Minor)
		j.text("reason", u.Reason())
		j.close()
	}
	j.endList()
}
