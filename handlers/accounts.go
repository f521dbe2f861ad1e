package handlers

import (
	"finsvc/handlers/wire"
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
	formats *wire.Formatters
}

// listAccounts answers GET /accounts; disabled ones only with include_disabled.
func (s *accounts) listAccounts(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, disabled := q.Page(), q.Flag("include_disabled")
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Accounts.ListAccounts(r.Context(), r.Who(), disabled.Value, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "accounts", list, page, total, func(account *catalog.Account) {
		writeAccount(a.Json, account,
			format)
	})
	return nil
}

// createAccount answers POST /accounts.
func (s *accounts) createAccount(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("account")
	if err != nil {
		return err
	}
	account, err := s.ledger.Accounts.CreateAccount(r.Context(), r.Who(), readAccount(f))
	if err != nil {
		return err
	}
	a.Created()
	return one(s.formats, writeAccount)(a, r, &account)
}

// updateAccount answers PATCH /accounts/{id}.
func (s *accounts) updateAccount(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Account")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("account")
	if err != nil {
		return err
	}
	account, err := s.ledger.Accounts.UpdateAccount(r.Context(), r.Who(), id, readAccount(f))
	if err != nil {
		return err
	}
	return one(s.formats, writeAccount)(a, r, &account)
}

// readAccount reads the fields of an account, new or changed.
func readAccount(f *wire.Fields) catalog.AccountInput {
	in := catalog.AccountInput{
		Name: f.Text("name"), AccountType: readAccountType(f), Subtype: f.Text("subtype"), Currency: f.Text("currency"),
		Balance: f.Decimal("balance"), BalanceIsNumber: f.IsNumber("balance"),
		Date:              wire.Agreed(f, "date", f.Date("date"), "opening_balance_date", f.Date("opening_balance_date")),
		InstitutionName:   f.Text("institution_name"),
		InstitutionDomain: f.Text("institution_domain"), Notes: f.Text("notes"), Status: f.Text("status"),
	}
	in.Problems = *f.Problems
	return in
}

// readAccountType reads account_type, or accountable_type, which other servers of this API write as CreditCard.
func readAccountType(f *wire.Fields) ledger.Opt[string] {
	accountable := f.Text("accountable_type")
	if kind, known := export.AccountTypeNamed(accountable.Value); known {
		accountable.Value = kind.Name
	}
	return wire.Agreed(f, "account_type", f.Text("account_type"), "accountable_type", accountable)
}

// writeAccount writes an account. Of a liability the amounts are what is owed. Cash is what of the balance is not held
// in securities.
func writeAccount(j *wire.Writer, a *catalog.Account, format *money.Formatter) {
	j.Open("")
	writeAccountMembers(j, a, format)
	j.Close()
}

func writeAccountMembers(j *wire.Writer, a *catalog.Account, format *money.Formatter) {
	j.Id("id", a.PublicID)
	j.Text("name", a.Name)
	j.Money("balance", format, a.BalanceMinor, a.Currency)
	j.Int("balance_cents", a.BalanceMinor)
	j.Money("cash_balance", format, a.CashMinor, a.Currency)
	j.Int("cash_balance_cents", a.CashMinor)
	j.Text("currency", a.Currency)
	j.Text("classification", a.Classification)
	j.Text("account_type", a.AccountType)
	j.TextOrNull("subtype", a.Subtype)
	j.Text("status", a.Status)
	j.TextOrNull("institution_name", a.InstitutionName)
	j.TextOrNull("institution_domain", a.InstitutionDomain)
	j.TextOrNull("notes", a.Notes)
	j.Int("opening_balance_cents", a.OpeningMinor)
	if a.OpeningDate == nil {
		j.Null("opening_date")
	} else {
		j.Date("opening_date", *a.OpeningDate)
	}
	writeUnconverted(j, a.Unconverted)
	writeStaleRates(j, a.Stale)
	j.Stamp("created_at", a.CreatedAt)
	j.Stamp("updated_at", a.UpdatedAt)
}

// writeStaleRates writes the exchange rates that count though they were more than seven days old when they were used.
func writeStaleRates(j *wire.Writer, list []fx.StaleRate) {
	j.List("stale_rates")
	for _, s := range list {
		j.Open("")
		j.Text("from", s.From)
		j.Text("to", s.To)
		j.Date("date", s.Date)
		j.Date("rate_date", s.RateDate)
		j.Int("days_old", s.Days())
		j.Bool("stale", true)
		j.Close()
	}
	j.EndList()
}

// writeUnconverted writes what is left out of a balance.
func writeUnconverted(j *wire.Writer, list []balance.Unconverted) {
	j.List("unconverted")
	for _, u := range list {
		j.Open("")
		j.Text("currency", u.Currency)
		j.Int("amount_cents", u.Minor)
		j.Text("reason", u.Reason())
		j.Close()
	}
	j.EndList()
}
