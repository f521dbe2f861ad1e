package web

import (
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
)

// householdPage is where a household's own settings are.
const householdPage = "/settings/household"

// householdView is what can be set of a household, as it is or as it was typed, and an example of how it writes.
type householdView struct {
	Name, Currency, Locale, Timezone string
	Amount, Day                      string // examples
	Admin                            bool
	Locales, Currencies              []string
	Problems                         formProblems
}

func (v *visit) household() householdView {
	home := v.session.Household
	return householdView{Name: home.Name, Currency: home.Currency, Locale: home.Locale, Timezone: home.Timezone,
		Amount: v.show.sampleOf(home.Currency), Day: v.show.Weekday(v.today), Admin: v.isAdmin(),
		Locales: locales(), Currencies: money.CurrencyCodes()}
}

// showHousehold answers GET /settings/household.
func showHousehold(v *visit) error { return v.render("household", "Household", v.household()) }

// updateHousehold answers POST /settings/household. It is one operation of the history and can be taken back.
func updateHousehold(v *visit) error {
	if err := v.needAdmin(); err != nil {
		return err
	}
	f := &form{visit: v}
	view := v.household()
	given := func(name string, typed *string) (to ledger.Opt[string]) {
		if !f.given(name) {
			return to
		}
		*typed = f.text(name)
		return ledger.Some(*typed)
	}
	change := tenant.HouseholdChange{Name: given("name", &view.Name), Currency: given("currency", &view.Currency),
		Locale: given("locale", &view.Locale), Timezone: given("timezone", &view.Timezone)}
	if _, err := v.site.Ledger.Tenants.UpdateHousehold(v.Context(), v.who(), change); err != nil {
		return v.again(err, "household", "Household", func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn(householdPage)
}

func (v *visit) isAdmin() bool { return v.session.User.Role == tenant.RoleAdmin && v.session.Writes() }

// needAdmin refuses what only an admin may do.
func (v *visit) needAdmin() error {
	if v.isAdmin() {
		return nil
	}
	return &ledger.Error{Kind: ledger.Forbidden, Code: "forbidden", Message: "Only an admin of the household may do this."}
}
