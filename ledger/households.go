package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"

	"finsvc/queries"
)

// Household is the owner of a set of books and how its people want them shown.
type Household struct {
	ID                int64 // inside only
	PublicID          uuid.UUID
	Name              string
	Currency          string // ISO 4217 code of its totals
	Locale            string // BCP 47
	Timezone          string // of the tz database; "today" is the day there
	LocaleFromRequest bool   // a request's Accept-Language may override Locale
	Assistant         bool   // its people may chat
	AbandonedAt       time.Time
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// Abandoned says whether its last user went.
func (h Household) Abandoned() bool { return !h.AbandonedAt.IsZero() }

// HouseholdInput describes a new household and its owner.
type HouseholdInput struct {
	Name, Currency, Locale, Timezone string
	LocaleFromRequest                bool
	OwnerEmail                       string
	NoCategories                     bool // leave the default categories out
}

// HouseholdChange is what can change of a household; what is absent stays, and nothing can be null.
type HouseholdChange struct {
	Name, Currency, Locale, Timezone Opt[string]
	LocaleFromRequest, Assistant     Opt[bool]
}

// CreateHousehold makes a household, its owner, who is an admin, and the default categories. Who acts
// has no household yet; only the origin counts.
func (l *Ledger) CreateHousehold(ctx context.Context, who Actor, in HouseholdInput) (Household, User, error) {
	var problems Problems
	facts := problems.checkHousehold(householdFacts{in.Name, in.Currency, in.Locale, in.Timezone, in.LocaleFromRequest, true})
	email := problems.checkEmail("owner", in.OwnerEmail)
	if err := problems.Err(); err != nil {
		return Household{}, User{}, err
	}
	var home Household
	var owner User
	err := l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		if home, err = l.insertHousehold(ctx, q, who, facts); err != nil {
			return err
		}
		who.HouseholdID = home.ID
		if owner, err = l.insertUser(ctx, q, who, email, RoleAdmin); err != nil || in.NoCategories {
			return err
		}
		return l.createDefaultCategories(ctx, q, who)
	})
	return home, owner, err
}

func (l *Ledger) insertHousehold(ctx context.Context, q *queries.Queries, who Actor, f householdFacts) (Household, error) {
	id, err := newID()
	if err != nil {
		return Household{}, err
	}
	row, err := q.InsertHousehold(ctx, queries.InsertHouseholdParams{
		PublicID: id, Name: f.Name, Currency: f.Currency, Locale: f.Locale, Timezone: f.Timezone,
		LocaleFromRequest: asInteger(f.LocaleFromRequest), At: l.stamp(),
	})
	if err != nil {
		return Household{}, takenConflict(err, "a household named %s exists already", Quote(f.Name))
	}
	if row.ID > MaxHouseholdID {
		return Household{}, NewConflict("the file holds as many households as it can")
	}
	who.HouseholdID = row.ID
	return asHousehold(row), l.record(ctx, q, who, entityHousehold, id, nil, f)
}

// UpdateHousehold changes the actor's household.
func (l *Ledger) UpdateHousehold(ctx context.Context, who Actor, change HouseholdChange) (Household, error) {
	var home Household
	err := l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		home, err = l.updateHousehold(ctx, q, who, change)
		return err
	})
	return home, err
}

// EnableAssistant lets the people of the actor's household chat. Only an admin can change that; where they may already, nothing
// happens.
func (l *Ledger) EnableAssistant(ctx context.Context, who Actor) error {
	return l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		home, err := q.GetHousehold(ctx, who.HouseholdID)
		if err != nil || home.Assistant != 0 {
			return Missing(err, "Household")
		}
		if err := checkAdmin(ctx, q, who); err != nil {
			return err
		}
		_, err = l.updateHousehold(ctx, q, who, HouseholdChange{Assistant: Some(true)})
		return err
	})
}

func (l *Ledger) updateHousehold(ctx context.Context, q *queries.Queries, who Actor, change HouseholdChange) (Household, error) {
	row, err := q.GetHousehold(ctx, who.HouseholdID)
	if err != nil {
		return Household{}, Missing(err, "Household")
	}
	before := factsOf(row)
	var problems Problems
	after := problems.checkHousehold(before.changed(change, &problems))
	if err := problems.Err(); err != nil {
		return Household{}, err
	}
	row, err = q.UpdateHousehold(ctx, queries.UpdateHouseholdParams{
		Name: after.Name, Currency: after.Currency, Locale: after.Locale, Timezone: after.Timezone,
		LocaleFromRequest: asInteger(after.LocaleFromRequest), Assistant: asInteger(after.Assistant), At: l.stamp(), HouseholdID: row.ID,
	})
	if err != nil {
		return Household{}, takenConflict(err, "a household named %s exists already", Quote(after.Name))
	}
	return asHousehold(row), l.record(ctx, q, who, entityHousehold, row.PublicID, before, after)
}

// GetHousehold is the actor's household.
func (l *Ledger) GetHousehold(ctx context.Context, who Actor) (Household, error) {
	var home Household
	err := l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		row, err := q.GetHousehold(ctx, who.HouseholdID)
		home = asHousehold(row)
		return Missing(err, "Household")
	})
	return home, err
}

// ListHouseholds are all households of the file by name, abandoned ones included. It is for whoever
// holds the file, never for a request.
func (l *Ledger) ListHouseholds(ctx context.Context) ([]Household, error) {
	var homes []Household
	err := l.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListHouseholds(ctx)
		for _, row := range rows {
			homes = append(homes, asHousehold(row))
		}
		return err
	})
	return homes, err
}

// Today is the present day in the household's time zone.
func (l *Ledger) Today(h Household) Date { return DateOf(l.now().In(l.zone(h.Timezone))) }

// zone is the place of a time zone; reading one from the disk takes too long to do it per request. A
// zone that the tz database has dropped since counts as UTC.
func (l *Ledger) zone(name string) *time.Location {
	if known, ok := l.zones.Load(name); ok {
		return known.(*time.Location)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	l.zones.Store(name, zone)
	return zone
}

// householdFacts is what the record of changes keeps of a household.
type householdFacts struct {
	Name              string `json:"name"`
	Currency          string `json:"currency"`
	Locale            string `json:"locale"`
	Timezone          string `json:"timezone"`
	LocaleFromRequest bool   `json:"locale_from_request"`
	Assistant         bool   `json:"assistant"`
}

func factsOf(row queries.Household) householdFacts {
	return householdFacts{row.Name, row.Currency, row.Locale, row.Timezone, row.LocaleFromRequest != 0, row.Assistant != 0}
}

// changed applies a change; a null is a problem.
func (f householdFacts) changed(c HouseholdChange, problems *Problems) householdFacts {
	apply := func(field string, to *string, from Opt[string]) {
		if from.Set && from.Null {
			problems.Add(field, "must not be null")
		}
		*to = from.Or(*to)
	}
	apply("name", &f.Name, c.Name)
	apply("currency", &f.Currency, c.Currency)
	apply("locale", &f.Locale, c.Locale)
	apply("timezone", &f.Timezone, c.Timezone)
	f.LocaleFromRequest = c.LocaleFromRequest.Or(f.LocaleFromRequest)
	f.Assistant = c.Assistant.Or(f.Assistant)
	return f
}

// checkHousehold notes what is wrong and gives the facts in the form in which they are kept.
func (p *Problems) checkHousehold(f householdFacts) householdFacts {
	f.Name = p.CheckName("name", f.Name)
	if currency, ok := LookupCurrency(f.Currency); ok {
		f.Currency = currency.Code
	} else {
		p.Add("currency", "must be the code of a currency such as EUR, got %s", Quote(f.Currency))
	}
	if err := CheckLocale(f.Locale); err != nil {
		p.Add("locale", "%s", err)
	}
	if !isTimezone(f.Timezone) {
		p.Add("timezone", "must be a time zone such as Europe/Berlin, got %s", Quote(f.Timezone))
	}
	return f
}

// isTimezone refuses the two names that mean another zone on every machine, too.
func isTimezone(name string) bool {
	if name == "" || name == "Local" {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

func asHousehold(row queries.Household) Household {
	return Household{
		ID: row.ID, PublicID: uuid.UUID(row.PublicID), Name: row.Name, Currency: row.Currency, Locale: row.Locale,
		Timezone: row.Timezone, LocaleFromRequest: row.LocaleFromRequest != 0, Assistant: row.Assistant != 0,
		AbandonedAt: optionalInstant(row.AbandonedAt), CreatedAt: Instant(row.CreatedAt), UpdatedAt: Instant(row.UpdatedAt),
	}
}

// optionalInstant is the zero time for null.
func optionalInstant(stamp *int64) time.Time {
	if stamp == nil {
		return time.Time{}
	}
	return Instant(*stamp)
}

func asInteger(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
