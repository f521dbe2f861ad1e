package signin

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/queries"
)

// Preferences are how a person wants pages to look and work, in every browser.
type Preferences struct {
	Theme   string `json:"theme"`          // one of Themes
	Gains   string `json:"gains"`          // one of GainColors: of what went up, then of what went down
	Density string `json:"density"`        // one of Densities
	Keys    bool   `json:"keys"`           // single letters are shortcuts
	Demo    bool   `json:"demo,omitempty"` // the books that the person looks at are made up, which pages say
}

// Themes are the ways in which pages are lit; auto is as the system is.
func Themes() []string { return []string{"auto", "light", "dark"} }

// GainColors are the colours of gains and losses; ink is no colour.
func GainColors() []string { return []string{"blue-rust", "green-red", "red-green", "ink"} }

// Densities are the heights of rows.
func Densities() []string { return []string{"roomy", "compact"} }

// DefaultPreferences are those of a person who has chosen nothing.
func DefaultPreferences() Preferences {
	return Preferences{Theme: Themes()[0], Gains: GainColors()[0], Density: Densities()[0], Keys: true}
}

// check notes what is wrong with the preferences.
func (p Preferences) check() error {
	var problems ledger.Problems
	oneOf := func(field, given string, known []string) {
		if !slices.Contains(known, given) {
			problems.Add(field, "must be one of %s, got %s", strings.Join(known, ", "), ledger.Quote(given))
		}
	}
	oneOf("theme", p.Theme, Themes())
	oneOf("gains", p.Gains, GainColors())
	oneOf("density", p.Density, Densities())
	return problems.Err()
}

// SetPreferences writes how the person of a session wants pages. It is allowed to a session that may only read: the
// books stay as they are.
func (s *Service) SetPreferences(ctx context.Context, session *Session, prefs Preferences) error {
	if err := prefs.check(); err != nil {
		return err
	}
	text, err := json.Marshal(prefs)
	if err != nil {
		return err
	}
	err = s.Write(ctx, session.Actor, func(ctx context.Context, tx *ledger.Tx) error {
		return tx.SetUserPreferences(ctx, queries.SetUserPreferencesParams{Preferences: string(text),
			HouseholdID: tx.HouseholdID, UserID: tx.UserID})
	})
	if err == nil {
		session.Prefs = prefs
	}
	return err
}
