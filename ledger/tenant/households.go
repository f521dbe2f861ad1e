package tenant

import (
	"context"
	"strings"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// HouseholdInput describes a new household and its owner.
type HouseholdInput struct {
	Name, Currency, Locale, Timezone string
	LocaleFromRequest                bool
	OwnerEmail                       string
	NoCategories                     bool // leave the default categories out
}

// HouseholdChange is what can change of a household; what is absent stays, and nothing can be null.
type HouseholdChange struct {
	Name, Currency, Locale, Timezone ledger.Opt[string]
	LocaleFromRequest, Assistant     ledger.Opt[bool]
}

// CreateHousehold makes a household, its owner, who is an admin, and the default categories. Who acts
// has no household yet; only the origin counts.
func (s *Service) CreateHousehold(ctx context.Context, who ledger.Actor, in HouseholdInput) (ledger.Household, User,
	error) {
	var problems ledger.Problems
	facts := checkHousehold(&problems, householdFacts{in.Name, in.Currency, in.Locale, in.Timezone,
		in.LocaleFromRequest, true})
	email := checkEmail(&problems, "owner", in.OwnerEmail)
	if err := problems.Err(); err != nil {
		return ledger.Household{}, User{}, err
	}
	var home ledger.Household
	var owner User
	err := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) (err error) {
		home, err = insertHousehold(ctx, tx, facts)
		if err != nil {
			return err
		}
		within := tx.Actor
		within.HouseholdID = home.ID
		owner, err = insertUser(ctx, tx.As(within), email, RoleAdmin)
		if err != nil || in.NoCategories {
			return err
		}
		return catalog.CreateDefaultCategories(ctx, tx.As(within))
	})
	return home, owner, err
}

func insertHousehold(ctx context.Context, tx *ledger.Tx, f householdFacts) (ledger.Household, error) {
	id, err := ledger.NewID()
	if err != nil {
		return ledger.Household{}, err
	}
	row, err := tx.InsertHousehold(ctx, queries.InsertHouseholdParams{
		PublicID: id, Name: f.Name, Currency: f.Currency, Locale: f.Locale, Timezone: f.Timezone,
		LocaleFromRequest: ledger.AsInteger(f.LocaleFromRequest), At: tx.Stamp(),
	})
	if err != nil {
		return ledger.Household{}, takenConflict(err, "a household named %s exists already", ledger.Quote(f.Name))
	}
	if row.ID > ledger.MaxHouseholdID {
		return ledger.Household{}, ledger.NewConflict("the file holds as many households as it can")
	}
	within := tx.Actor
	within.HouseholdID = row.ID
	return ledger.AsHousehold(row), tx.As(within).Record(ctx, ledger.EntityHousehold, id, nil, f)
}

// UpdateHousehold changes the actor's household.
func (s *Service) UpdateHousehold(ctx context.Context, who ledger.Actor, change HouseholdChange) (ledger.Household,
	error) {
	var home ledger.Household
	err := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) (err error) {
		home, err = updateHousehold(ctx, tx, change)
		return err
	})
	return home, err
}

// EnableAssistant lets the people of the actor's household chat. Only an admin can change that; where they may
// already, nothing happens.
func (s *Service) EnableAssistant(ctx context.Context, who ledger.Actor) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		home, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil || home.Assistant != 0 {
			return ledger.Missing(err, "Household")
		}
		if err := checkAdmin(ctx, tx); err != nil {
			return err
		}
		_, err = updateHousehold(ctx, tx, HouseholdChange{Assistant: ledger.Some(true)})
		return err
	})
}

func updateHousehold(ctx context.Context, tx *ledger.Tx, change HouseholdChange) (ledger.Household, error) {
	row, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return ledger.Household{}, ledger.Missing(err, "Household")
	}
	var problems ledger.Problems
	after := checkHousehold(&problems, factsOf(row).changed(change, &problems))
	if err := problems.Err(); err != nil {
		return ledger.Household{}, err
	}
	if after == factsOf(row) {
		return ledger.AsHousehold(row), nil // a change of nothing writes nothing, and leaves nothing to take back
	}
	return storeHousehold(ctx, tx, row, after)
}

// storeHousehold writes what has been checked of a household.
func storeHousehold(ctx context.Context, tx *ledger.Tx, row queries.Household, after householdFacts) (ledger.Household, error) {
	before := factsOf(row)
	row, err := tx.UpdateHousehold(ctx, queries.UpdateHouseholdParams{
		Name: after.Name, Currency: after.Currency, Locale: after.Locale, Timezone: after.Timezone,
		LocaleFromRequest: ledger.AsInteger(after.LocaleFromRequest), Assistant: ledger.AsInteger(after.Assistant),
		At: tx.Stamp(), HouseholdID: row.ID,
	})
	if err != nil {
		return ledger.Household{}, takenConflict(err, "a household named %s exists already", ledger.Quote(after.Name))
	}
	return ledger.AsHousehold(row), tx.Record(ctx, ledger.EntityHousehold, row.PublicID, before, after)
}

// RestoreHousehold gives a household the name, currency, locale and time zone again that an update changed; whether people
// may chat only for an admin. Where one of them has been changed since it is a conflict, and so is a household that was
// emptied: that comes back as a whole, see [Service.UnresetHousehold].
func (s *Service) RestoreHousehold(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	row, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return ledger.Missing(err, "Household")
	}
	if row.PublicID != change.EntityID {
		return ledger.NewConflict("what was done to another household is not taken back here")
	}
	if change.Before != nil && strings.Contains(*change.Before, `"data":`) { // see [Service.EmptyHousehold]
		return ledger.NewConflict("a household that was emptied comes back by finsvc household unreset")
	}
	now := factsOf(row)
	then, err := ledger.WithoutChange(now, change, "the household")
	if err != nil || then == now {
		return err
	}
	if then.Assistant != now.Assistant {
		if err := checkAdmin(ctx, tx); err != nil {
			return err
		}
	}
	_, err = storeHousehold(ctx, tx, row, then)
	return err
}

// GetHousehold is the actor's household.
func (s *Service) GetHousehold(ctx context.Context, who ledger.Actor) (ledger.Household, error) {
	var home ledger.Household
	err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := tx.GetHousehold(ctx, tx.HouseholdID)
		home = ledger.AsHousehold(row)
		return ledger.Missing(err, "Household")
	})
	return home, err
}

// ListHouseholds are all households of the file by name, abandoned ones included. It is for whoever
// holds the file, never for a request.
func (s *Service) ListHouseholds(ctx context.Context) ([]ledger.Household, error) {
	var homes []ledger.Household
	err := s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListHouseholds(ctx)
		for _, row := range rows {
			homes = append(homes, ledger.AsHousehold(row))
		}
		return err
	})
	return homes, err
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
	return householdFacts{row.Name, row.Currency, row.Locale, row.Timezone, row.LocaleFromRequest != 0,
		row.Assistant != 0}
}

// changed applies a change; a null is a problem.
func (f householdFacts) changed(c HouseholdChange, problems *ledger.Problems) householdFacts {
	apply := func(field string, to *string, from ledger.Opt[string]) {
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
func checkHousehold(p *ledger.Problems, f householdFacts) householdFacts {
	f.Name = p.CheckName("name", f.Name)
	if currency, ok := money.LookupCurrency(f.Currency); ok {
		f.Currency = currency.Code
	} else {
		p.Add("currency", "must be the code of a currency such as EUR, got %s", ledger.Quote(f.Currency))
	}
	if err := money.CheckLocale(f.Locale); err != nil {
		p.Add("locale", "%s", err)
	}
	if !isTimezone(f.Timezone) {
		p.Add("timezone", "must be a time zone such as Europe/Berlin, got %s", ledger.Quote(f.Timezone))
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
