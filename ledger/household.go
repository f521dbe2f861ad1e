package ledger

import (
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

// Abandoned reports whether its last user went.
func (h Household) Abandoned() bool { return !h.AbandonedAt.IsZero() }

// Today is the present day in the household's time zone.
func (s *Store) Today(h Household) Date { return DateOf(s.Now().In(s.Zone(h.Timezone))) }

// Zone is the place of a time zone; reading one from the disk takes too long to do it per request. A
// zone that the tz database has dropped since counts as UTC.
func (s *Store) Zone(name string) *time.Location {
	if known, ok := s.zones.Load(name); ok {
		return known.(*time.Location)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	s.zones.Store(name, zone)
	return zone
}

func AsHousehold(row queries.Household) Household {
	return Household{
		ID: row.ID, PublicID: uuid.UUID(row.PublicID), Name: row.Name, Currency: row.Currency, Locale: row.Locale,
		Timezone: row.Timezone, LocaleFromRequest: row.LocaleFromRequest != 0, Assistant: row.Assistant != 0,
		AbandonedAt: OptionalInstant(row.AbandonedAt), CreatedAt: Instant(row.CreatedAt),
		UpdatedAt: Instant(row.UpdatedAt),
	}
}

// OptionalInstant is the zero time for null.
func OptionalInstant(stamp *int64) time.Time {
	if stamp == nil {
		return time.Time{}
	}
	return Instant(*stamp)
}
