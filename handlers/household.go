package handlers

import (
	"net/http"
	"strings"
	"time"

	"finsvc/assistant"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
	"finsvc/queries"
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

// deactivateMe answers DELETE /users/me: the user of the key loses access, and all their keys stop.
func (s *household) deactivateMe(a *wire.Answer, r *wire.Request) error {
	who := r.Who()
	if _, err := s.ledger.Tenants.DeactivateUser(r.Context(), who, who.UserID); err != nil {
		return err
	}
	a.Message("Account has been deleted")
	return nil
}

// enableAssistant answers PATCH /auth/enable_ai: the people of the household may chat.
func (s *household) enableAssistant(a *wire.Answer, r *wire.Request) error {
	if err := s.assistant.Enable(r.Context(), r.Who()); err != nil {
		return err
	}
	user, err := s.ledger.Tenants.GetUser(r.Context(), r.Who())
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.Text("message", "the assistant is on")
	j.Bool("ai_enabled", true)
	j.Open("user")
	j.Id("id", user.PublicID)
	j.Text("email", user.Email)
	j.Text("role", user.Role)
	j.Bool("ai_enabled", true)
	j.Close()
	j.Close()
	return nil
}

// showUsage answers GET /api/v1/usage: the key, and how much of its rate is used. The figures are those
// of this request's own headers, and they add up: limit = current_count + remaining.
func (s *household) showUsage(a *wire.Answer, r *wire.Request) error {
	j, key, state := a.Json, r.Session, r.Rate
	j.Open("")
	j.Open("api_key")
	j.Text("name", key.KeyName)
	j.List("scopes")
	j.Text("", key.Scope)
	j.EndList()
	j.TimeOrNull("last_used_at", key.LastUsedAt)
	j.Time("created_at", key.KeyCreatedAt)
	j.Close()
	j.Open("rate_limit")
	j.Text("tier", key.Tier)
	j.Int("limit", int64(state.Limit))
	j.Int("current_count", int64(state.Used))
	j.Int("remaining", int64(state.Remaining))
	j.Int("reset_in_seconds", int64(state.Reset))
	j.Time("reset_at", state.At.Add(time.Duration(state.Reset)*time.Second))
	j.Close()
	j.Close()
	return nil
}

// sync answers POST /sync. Every answer is computed from what is booked at that moment, so it is completed before it
// has begun.
func (s *household) sync(a *wire.Answer, r *wire.Request) error {
	done, err := s.ledger.Tenants.Sync(r.Context(), r.Who())
	if err != nil {
		return err
	}
	a.Status = http.StatusAccepted
	writeSync(a.Json, "", &done, &r.Session.Household)
	return nil
}

// listSyncs answers GET /syncs: the newest first.
func (s *household) listSyncs(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Tenants.ListSyncs(r.Context(), r.Who(), page)
	if err != nil {
		return err
	}
	dataPage(a.Json, list, page, total, func(done *queries.Sync) { writeSync(a.Json, "", done, &r.Session.Household) })
	return nil
}

// showLatestSync answers GET /syncs/latest, null when nobody has asked for one.
func (s *household) showLatestSync(a *wire.Answer, r *wire.Request) error {
	latest, err := s.ledger.Tenants.LatestSync(r.Context(), r.Who())
	if err != nil {
		return err
	}
	if latest != nil {
		return oneSync(a, r, latest)
	}
	a.Json.Open("")
	a.Json.Null("data")
	a.Json.Close()
	return nil
}

func oneSync(a *wire.Answer, r *wire.Request, found *queries.Sync) error {
	a.Json.Open("")
	writeSync(a.Json, "data", found, &r.Session.Household)
	a.Json.Close()
	return nil
}

// writeSync writes a synchronisation, which was completed when it was asked for.
func writeSync(j *wire.Writer, name string, s *queries.Sync, home *ledger.Household) {
	j.Open(name)
	j.Id("id", s.PublicID)
	j.Text("status", "completed")
	j.Bool("in_progress", false)
	j.Bool("terminal", true)
	j.Open("syncable")
	j.Text("type", "Family")
	j.Id("id", home.PublicID)
	j.Text("name", home.Name)
	j.Close()
	j.Null("parent_id")
	j.Int("children_count", 0)
	j.Text("syncable_type", "Family")
	j.Id("syncable_id", home.PublicID)
	j.Stamp("pending_at", s.CreatedAt)
	j.Stamp("syncing_at", s.CreatedAt)
	j.Stamp("completed_at", s.CreatedAt)
	j.Null("failed_at")
	j.Null("window_start_date")
	j.Null("window_end_date")
	j.Text("message", "there is nothing to wait for: balances and totals are computed from what is booked whenever they are asked for")
	j.Null("error")
	j.Stamp("created_at", s.CreatedAt)
	j.Stamp("updated_at", s.CreatedAt)
	j.Close()
}
