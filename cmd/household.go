package cmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

func newHousehold(a *app) *cobra.Command {
	return shell.Group("household", "Make, list and change households", newHouseholdCreate(a), newHouseholdList(a),
		newHouseholdUpdate(a), newHouseholdUnreset(a))
}

func newHouseholdCreate(a *app) *cobra.Command {
	var in tenant.HouseholdInput
	c := &cobra.Command{
		Use: "create NAME --owner EMAIL", Short: "Make a household and its owner", Args: cobra.ExactArgs(1),
		Example: "  finsvc household create Home --owner ana@example.org --currency EUR\n" +
			"  finsvc household create Club --owner bo@example.org --currency CHF --locale de-CH --timezone Europe/Zurich",
		RunE: func(c *cobra.Command, args []string) error {
			in.Name = args[0]
			if in.OwnerEmail == "" {
				return exit.Usagef("--owner EMAIL is needed: the household's first user")
			}
			fillHousehold(a, &in)
			return a.withNewLedger(c.Context(), func(l *books.Books) error {
				_, err := createHousehold(c.Context(), a, l, in)
				return err
			})
		},
	}
	f := c.Flags()
	a.config.AddFlags(c.Flags(), "currency")
	f.StringVar(&in.Locale, "locale", "", "how figures are written, such as de-DE (default: that of the environment)")
	f.StringVar(&in.Timezone, "timezone", "", "where a day begins, such as Europe/Berlin (default: that of the machine)")
	f.BoolVar(&in.LocaleFromRequest, "locale-from-request", false, "let requests choose the locale by Accept-Language")
	f.StringVar(&in.OwnerEmail, "owner", "", "`EMAIL` of the first user, an admin")
	f.BoolVar(&in.NoCategories, "no-categories", false, "leave the default categories out")
	return c
}

// householdJSON is a household in JSON.
type householdJSON struct {
	ID                string  `json:"id"`
	Name              string  `json:"name"`
	Currency          string  `json:"currency"`
	Locale            string  `json:"locale"`
	Timezone          string  `json:"timezone"`
	LocaleFromRequest bool    `json:"locale_from_request"`
	Assistant         bool    `json:"assistant"`
	AbandonedAt       *string `json:"abandoned_at"`
	DeletedFrom       *string `json:"deleted_from"`
	CreatedAt         *string `json:"created_at"`
	UpdatedAt         *string `json:"updated_at"`
}

func newHouseholdList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the households of the file", Args: cobra.NoArgs,
		Example: "  finsvc household list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				homes, err := l.Tenants.ListHouseholds(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return a.PrintJSON(householdsJSON(homes))
				}
				heads := term.Columns("name", "currency", "locale", "timezone", "created", "state")
				return term.PrintTable(&a.Terminal, heads, homes, func(h ledger.Household) []string {
					state := "active"
					if h.Abandoned() {
						state = "deleted after " + term.Moment(h.AbandonedAt.Add(tenant.AbandonedFor))
					}
					return []string{h.Name, h.Currency, h.Locale, h.Timezone, term.Moment(h.CreatedAt), state}
				})
			})
		},
	}
	shell.JSONFlag(c, &asJSON)
	return c
}

func householdsJSON(homes []ledger.Household) []householdJSON {
	out := []householdJSON{}
	for _, h := range homes {
		row := householdJSON{
			ID: h.PublicID.String(), Name: h.Name, Currency: h.Currency, Locale: h.Locale, Timezone: h.Timezone,
			LocaleFromRequest: h.LocaleFromRequest, Assistant: h.Assistant, CreatedAt: term.Stamp(h.CreatedAt),
			UpdatedAt: term.Stamp(h.UpdatedAt),
		}
		if h.Abandoned() {
			row.AbandonedAt, row.DeletedFrom = term.Stamp(h.AbandonedAt),
				term.Stamp(h.AbandonedAt.Add(tenant.AbandonedFor))
		}
		out = append(out, row)
	}
	return out
}

func newHouseholdUpdate(a *app) *cobra.Command {
	var household, name, currency, locale, timezone string
	var fromRequest bool
	var assistant config.OnOff
	c := &cobra.Command{
		Use: "update", Short: "Change a household", Args: cobra.NoArgs,
		Example: "  finsvc household update --name Hearth --timezone Europe/Lisbon\n" +
			"  finsvc household update --household Club --assistant off",
		RunE: func(c *cobra.Command, _ []string) error {
			change := tenant.HouseholdChange{
				Name: shell.Given(c, "name", name), Currency: shell.Given(c, "currency", currency),
				Locale:   shell.Given(c, "locale", locale),
				Timezone: shell.Given(c, "timezone", timezone), LocaleFromRequest: shell.Given(c, "locale-from-request",
					fromRequest),
				Assistant: shell.Given(c, "assistant", bool(assistant)),
			}
			if change == (tenant.HouseholdChange{}) {
				return exit.Usagef("nothing to change: give --name, --currency, --locale, --timezone, --locale-from-request or --assistant")
			}
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				home, err := l.Tenants.UpdateHousehold(c.Context(), who, change)
				if err == nil {
					a.Say("Household %s: %s, %s, %s, assistant %s.", home.Name, home.Currency, home.Locale,
						home.Timezone, config.OnOff(home.Assistant))
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f := c.Flags()
	f.StringVar(&name, "name", "", "new name")
	f.StringVar(&currency, "currency", "", "currency of the totals, such as EUR")
	f.StringVar(&locale, "locale", "", "how figures are written, such as de-DE")
	f.StringVar(&timezone, "timezone", "", "where a day begins, such as Europe/Berlin")
	f.BoolVar(&fromRequest, "locale-from-request", false, "let requests choose the locale by Accept-Language")
	// what is not given stays
	f.VarPF(&assistant, "assistant", "", "whether its people may chat: on or off").DefValue = ""
	return c
}

func newHouseholdUnreset(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "unreset", Short: "Bring the books back that a household had before it was emptied", Args: cobra.NoArgs,
		Long: "Bring the books back that a household had before it was last emptied (DELETE /api/v1/users/reset).\n" +
			"They are kept for a day. What has been booked since takes their place and is kept as long: a second\n" +
			"unreset undoes the first. People and keys stay as they are.",
		Example: "  finsvc household unreset\n  finsvc household unreset --household Club",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				home, err := l.Tenants.UnresetHousehold(c.Context(), who)
				if err != nil {
					return err
				}
				a.Say("The books of %s are back as they were before it was emptied. What was booked since is kept for a day:", ledger.Quote(home.Name))
				a.Say("finsvc household unreset takes it out again.")
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// What the first household is called when nobody says, and its owner.
const (
	firstHousehold = "Home"
	firstOwner     = "owner@localhost"
)

// fillHousehold takes what was not said from the settings and the environment.
func fillHousehold(a *app, in *tenant.HouseholdInput) {
	in.Currency = a.config.Currency
	if in.Currency == "" {
		in.Currency = a.env.Currency()
	}
	if in.Locale == "" {
		in.Locale = a.env.Locale()
	}
	if in.Timezone == "" {
		in.Timezone = a.env.Timezone()
	}
}

// createHousehold makes a household and says what it is like.
func createHousehold(ctx context.Context, a *app, l *books.Books, in tenant.HouseholdInput) (ledger.Household, error) {
	home, owner, err := l.Tenants.CreateHousehold(ctx, actor(0), in)
	if err != nil {
		return home, err
	}
	a.Say("Created household %s (%s, %s, %s) and its owner %s.", ledger.Quote(home.Name), home.Currency, home.Locale,
		home.Timezone, owner.Email)
	return home, nil
}

// firstKeyHousehold is the household that a new key is for: the one that is meant, or in a file without
// any a new one.
func firstKeyHousehold(ctx context.Context, a *app, l *books.Books, name, email string) (ledger.Household, error) {
	homes, err := l.Tenants.ListHouseholds(ctx)
	if err != nil {
		return ledger.Household{}, err
	}
	if len(homes) > 0 {
		return householdOfUser(ctx, l, name, email)
	}
	in := tenant.HouseholdInput{Name: name, OwnerEmail: email}
	if name == "" {
		in.Name = firstHousehold
	}
	if email == "" {
		in.OwnerEmail = firstOwner
	}
	fillHousehold(a, &in)
	home, err := createHousehold(ctx, a, l, in)
	if err == nil {
		a.Say("Change it with: finsvc household update --help")
	}
	return home, err
}

// householdOfUser is the household that is named, else that of the active user with the address, else
// the only one.
func householdOfUser(ctx context.Context, l *books.Books, name, email string) (ledger.Household, error) {
	if name != "" || email == "" {
		return chooseHousehold(ctx, l, name)
	}
	users, err := l.Tenants.FindUsers(ctx, email)
	if err != nil {
		return ledger.Household{}, err
	}
	if len(users) == 0 || !users[0].Active() {
		return ledger.Household{}, noUser(ctx, l, email)
	}
	return l.Tenants.GetHousehold(ctx, actor(users[0].HouseholdID))
}

// noUser is the error of an address that no active user has; it says which users there are.
func noUser(ctx context.Context, l *books.Books, email string) error {
	missing := ledger.NewNotFound("Active user " + ledger.Quote(email))
	homes, err := l.Tenants.ListHouseholds(ctx)
	if err != nil {
		return err
	}
	var all []string
	for _, home := range homes {
		addresses, err := activeAddresses(ctx, l, home.ID)
		if err != nil {
			return err
		}
		all = append(all, addresses...)
	}
	if len(all) > 0 {
		missing.Message += "; there are " + strings.Join(all, ", ")
	}
	return missing
}

// activeAddresses are those of a household's active users, admins first.
func activeAddresses(ctx context.Context, l *books.Books, householdID int64) (addresses []string, err error) {
	users, err := l.Tenants.ListUsers(ctx, actor(householdID))
	for _, user := range users {
		if user.Active() {
			addresses = append(addresses, user.Email)
		}
	}
	return addresses, err
}
