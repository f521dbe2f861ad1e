package handlers

import (
	"strings"

	"finsvc/assistant"
	"finsvc/handlers/wire"
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
func (s *household) showSettings(a *wire.Answer, r *wire.Request) error {
	home, err := s.ledger.Tenants.GetHousehold(r.Context(), r.Who())
	if err != nil {
		return err
	}
	writeSettings(a.Json, &home)
	return nil
}

func writeSettings(j *wire.Writer, home *ledger.Household) {
	j.Open("")
	j.Id("id", home.PublicID)
	j.Text("name", home.Name)
	j.Text("currency", home.Currency)
	j.Text("locale", home.Locale)
	j.Text("date_format", dateFormat)
	j.Filled("country", countryOf(home.Locale))
	j.Text("timezone", home.Timezone)
	j.Int("month_start_day", monthStartDay)
	j.Text("moniker", moniker)
	j.Text("default_account_sharing", accountSharing)
	j.Bool("custom_enabled_currencies", false)
	j.Texts("enabled_currencies", money.CurrencyCodes())
	j.Time("created_at", home.CreatedAt)
	j.Time("updated_at", home.UpdatedAt)
	j.Close()
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
func (s *household) resetHousehold(a *wire.Answer, r *wire.Request) error {
	name, err := householdName(r)
	if err != nil {
		return err
	}
	done, err := s.ledger.Tenants.EmptyHousehold(r.Context(), r.Who(), name)
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.Text("message", "all data of the household was removed; for a day the operator can bring it back: finsvc household unreset")
	j.Text("status", "queued") // as clients expect; it is done already
	j.Id("job_id", done.Job)
	j.Id("family_id", done.Household.PublicID)
	j.Text("status_url", "/api/v1/users/reset/status")
	writeHouseholdData(j, "removed", done.Removed)
	j.Close()
	return nil
}

func householdName(r *wire.Request) (string, error) {
	f, err := r.Fields()
	if err != nil {
		return "", err
	}
	q := r.Query()
	name := f.Text("household").Or(q.One("household"))
	if err := q.Err(); err != nil {
		return "", err
	}
	return strings.TrimSpace(name), f.Err()
}

// showReset answers GET /users/reset/status: whether the household has any data.
func (s *household) showReset(a *wire.Answer, r *wire.Request) error {
	data, err := s.ledger.Tenants.HouseholdData(r.Context(), r.Who())
	if err != nil {
		return err
	}
	status := "data_remaining"
	if data.Empty() {
		status = "complete"
	}
	j := a.Json
	j.Open("")
	j.Text("status", status)
	j.Id("family_id", r.Session.Household.PublicID)
	j.Bool("reset_complete", data.Empty())
	writeHouseholdData(j, "counts", data)
	j.Close()
	return nil
}

func writeHouseholdData(j *wire.Writer, name string, d tenant.HouseholdData) {
	j.Open(name)
	j.Int("accounts", d.Accounts)
	j.Int("transactions", d.Transactions)
	j.Int("tags", d.Tags)
	j.Int("merchants", d.Merchants)
	j.Int("securities", d.Securities)
	j.Int("rules", d.Rules)
	j.Int("imports", d.Imports)
	j.Int("chats", d.Chats)
	j.Close()
}
