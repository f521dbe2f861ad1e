package handlers

import (
	"strings"

	"finsvc/assistant"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
)

// household answers for the household, its people, the key in use, and what clients call a sync.
type household struct {
	ledger    *books.Books
	assistant *assistant.Assistant
}

// What the settings of a household say that cannot be set here: every amount and day of the API has one form, all of
// a household's people see all of it, and every currency may be used.
const (
	dateFormat     = "%Y-%m-%d"
	monthStartDay  = 1
	moniker        = "Family"
	accountSharing = "shared"
)

// showSettings answers GET /family_settings.
func (s *household) showSettings(a *answer, r *request) error {
	home, err := s.ledger.Tenants.GetHousehold(r.Context(), r.who())
	if err != nil {
		return err
	}
	writeSettings(a.json, &home)
	return nil
}

func writeSettings(j *jsonWriter, home *ledger.Household) {
	j.open("")
	j.id("id", home.PublicID)
	j.text("name", home.Name)
	j.text("currency", home.Currency)
	j.text("locale", home.Locale)
	j.text("date_format", dateFormat)
	j.filled("country", countryOf(home.Locale))
	j.text("timezone", home.Timezone)
	j.int("month_start_day", monthStartDay)
	j.text("moniker", moniker)
	j.text("default_account_sharing", accountSharing)
	j.bool("custom_enabled_currencies", false)
	j.texts("enabled_currencies", money.CurrencyCodes())
	j.time("created_at", home.CreatedAt)
	j.time("updated_at", home.UpdatedAt)
	j.close()
}

// countryOf is the region that a locale names (de-AT: AT), if it names one of ISO 3166.
func countryOf(locale string) string {
	for i, part := range strings.Split(locale, "-") {
		switch {
		case i == 0 || len(part) == 3 || len(part) == 4: // language, or a script
		case len(part) == 2 && strings.Trim(strings.ToUpper(part), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "":
			return strings.ToUpper(part)
		default:
			return ""
		}
	}
	return ""
}

// resetHousehold answers DELETE /users/reset: all data of the household goes, see [tenant.Service.EmptyHousehold]. The
// household's name may be given as household, in the body or in the query, and must then be right.
func (s *household) resetHousehold(a *answer, r *request) error {
	name, err := r.householdName()
	if err != nil {
		return err
	}
	done, err := s.ledger.Tenants.EmptyHousehold(r.Context(), r.who(), name)
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	j.text("message", "all data of the household was removed; for a day the operator can bring it back: finsvc household unreset")
	j.text("status", "queued") // as clients expect; it is done already
	j.id("job_id", done.Job)
	j.id("family_id", done.Household.PublicID)
	j.text("status_url", "/api/v1/users/reset/status")
	writeHouseholdData(j, "removed", done.Removed)
	j.close()
	return nil
}

func (r *request) householdName() (string, error) {
	f, err := r.fields()
	if err != nil {
		return "", err
	}
	q := r.query()
	name := f.text("household").Or(q.one("household"))
	if err := q.err(); err != nil {
		return "", err
	}
	return strings.TrimSpace(name), f.err()
}

// showReset answers GET /users/reset/status: whether the household has any data.
func (s *household) showReset(a *answer, r *request) error {
	data, err := s.ledger.Tenants.HouseholdData(r.Context(), r.who())
	if err != nil {
		return err
	}
	status := "data_remaining"
	if data.Empty() {
		status = "complete"
	}
	j := a.json
	j.open("")
	j.text("status", status)
	j.id("family_id", r.session.Household.PublicID)
	j.bool("reset_complete", data.Empty())
	writeHouseholdData(j, "counts", data)
	j.close()
	return nil
}

func writeHouseholdData(j *jsonWriter, name string, d tenant.HouseholdData) {
	j.open(name)
	j.int("accounts", d.Accounts)
	j.int("transactions", d.Transactions)
	j.int("tags", d.Tags)
	j.int("merchants", d.Merchants)
	j.int("securities", d.Securities)
	j.int("rules", d.Rules)
	j.int("imports", d.Imports)
	j.int("chats", d.Chats)
	j.close()
}
