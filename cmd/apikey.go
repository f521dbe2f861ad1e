package cmd

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

func newAPIKey(a *app) *cobra.Command {
	return shell.Group("apikey", "Make, list, replace and revoke the keys of programs that use the API",
		newAPIKeyCreate(a), newAPIKeyList(a), newAPIKeyRotate(a), newAPIKeyRevoke(a))
}

func newAPIKeyCreate(a *app) *cobra.Command {
	var household string
	var in tenant.KeyInput
	var asJSON bool
	c := &cobra.Command{
		Use: "create [NAME]", Short: "Make a key and print it", Args: cobra.MaximumNArgs(1),
		Long: "Make a key and print it, alone, on standard output. It is not shown again.\n\n" +
			"In a file without a household, or without a file, this makes the household Home and its owner first.",
		Example: "  KEY=$(finsvc apikey create phone)\n" +
			"  finsvc apikey create dashboard --scope read --expires 90d",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				in.Name = args[0]
				if in.Name == "" {
					return exit.Usagef("the name of a key must not be empty")
				}
			}
			if c.Flags().Changed("rate-limit") && in.RateLimit == 0 {
				return exit.Usagef("--rate-limit must be at least 1")
			}
			// Before a household is made for it.
			if err := in.Check(); err != nil {
				return err
			}
			return a.withNewLedger(c.Context(), func(l *books.Books) error {
				return createKey(c.Context(), a, l,
					household, in, asJSON)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	a.config.AddFlags(c.Flags(), "currency")
	f := c.Flags()
	f.StringVar(&in.UserEmail, "user", "", "`EMAIL` of the user who acts through the key (default: the household's first admin)")
	f.StringVar(&in.Scope, "scope", tenant.ScopeReadWrite, "`SCOPE`: read or read_write")
	f.Var((*lifetime)(&in.Expires), "expires", "how long the key is valid, such as 90d, 12h or 2w (default: for good)")
	newKeyJSONFlag(c, &asJSON)
	f.IntVar(&in.RateLimit, "rate-limit", tenant.DefaultRateLimit, "`N` requests an hour")
	return c
}

func createKey(ctx context.Context, a *app, l *books.Books, household string, in tenant.KeyInput, asJSON bool) error {
	home, err := firstKeyHousehold(ctx, a, l, household, in.UserEmail)
	if err != nil {
		return err
	}
	if in.RateLimit == tenant.DefaultRateLimit {
		in.RateLimit = 0 // the standard tier
	}
	plain, key, err := l.Keys.CreateAPIKey(ctx, actor(home.ID), in)
	if err != nil {
		return err
	}
	if in.UserEmail == "" {
		all, err := activeAddresses(ctx, l, home.ID)
		if err != nil {
			return err
		}
		others := slices.DeleteFunc(all, func(address string) bool { return address == key.UserEmail })
		if len(others) > 0 {
			a.Say("--user EMAIL makes one for somebody else: %s.", strings.Join(others, ", "))
		}
	}
	a.Say("Created key %s (%s) for %s of %s%s. Store it now; it is not shown again:",
		ledger.Quote(key.Name), key.Scope, key.UserEmail, ledger.Quote(home.Name), until(key.ExpiresAt))
	return printKey(a, plain, key, asJSON)
}

func newKeyJSONFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print the key as JSON, with what apikey list says of it")
}

// newKeyJSON is a new key in JSON, with the key itself.
type newKeyJSON struct {
	Key string `json:"key"`
	keyJSON
}

// printKey prints a new key, alone or in JSON.
func printKey(a *app, plain string, key tenant.APIKey, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(newKeyJSON{plain, keysJSON(a, []tenant.APIKey{key})[0]})
	}
	return a.Print(plain)
}

func until(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ", valid until " + term.Moment(t)
}

// keyJSON is a key in JSON.
type keyJSON struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Prefix     string  `json:"prefix"`
	User       string  `json:"user"`
	Scope      string  `json:"scope"`
	Tier       string  `json:"tier"`
	RateLimit  int     `json:"rate_limit"`
	State      string  `json:"state"`
	CreatedAt  *string `json:"created_at"`
	LastUsedAt *string `json:"last_used_at"`
	ExpiresAt  *string `json:"expires_at"`
	RevokedAt  *string `json:"revoked_at"`
}

func newAPIKeyList(a *app) *cobra.Command {
	var household string
	var asJSON, all bool
	c := &cobra.Command{
		Use: "list", Short: "List the keys of a household", Args: cobra.NoArgs,
		Example: "  finsvc apikey list\n" +
			"  finsvc apikey list --all --json",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inAnyHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				keys, err := l.Keys.ListAPIKeys(c.Context(), who)
				if err != nil {
					return err
				}
				if !all {
					keys = slices.DeleteFunc(keys, func(k tenant.APIKey) bool { return !k.RevokedAt.IsZero() })
				}
				if asJSON {
					return a.PrintJSON(keysJSON(a, keys))
				}
				heads := term.Columns("name", "begins", "user", "scope", "#per hour", "state", "created", "last used",
					"expires")
				return term.PrintTable(&a.Terminal, heads, keys, func(k tenant.APIKey) []string {
					return []string{k.Name, k.Prefix, k.UserEmail, k.Scope, strconv.Itoa(k.RateLimit), keyState(a, k),
						term.Moment(k.CreatedAt), term.Moment(k.LastUsedAt), term.Moment(k.ExpiresAt)}
				})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().BoolVar(&all, "all", false, "list revoked keys as well")
	return c
}

func keysJSON(a *app, keys []tenant.APIKey) []keyJSON {
	rows := []keyJSON{}
	for _, k := range keys {
		rows = append(rows, keyJSON{
			ID: k.PublicID.String(), Name: k.Name, Prefix: k.Prefix, User: k.UserEmail, Scope: k.Scope, Tier: k.Tier,
			RateLimit: k.RateLimit, State: keyState(a, k), CreatedAt: term.Stamp(k.CreatedAt),
			LastUsedAt: term.Stamp(k.LastUsedAt),
			ExpiresAt:  term.Stamp(k.ExpiresAt), RevokedAt: term.Stamp(k.RevokedAt),
		})
	}
	return rows
}

// keyState says in a word whether the key opens anything, or why not.
func keyState(a *app, k tenant.APIKey) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked"
	case !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(a.now()):
		return "expired"
	case !k.UserActive:
		return "user deactivated"
	}
	return "valid"
}

func newAPIKeyRevoke(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "revoke NAME-or-PREFIX", Short: "End a key, named by its name or its first characters",
		Args: cobra.ExactArgs(1),
		Example: "  finsvc apikey revoke phone\n" +
			"  finsvc apikey revoke fsk_3vZk9mQ2",
		RunE: func(c *cobra.Command, args []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				key, err := l.Keys.RevokeAPIKey(c.Context(), who, args[0])
				if err == nil {
					a.Say("Revoked key %s (%s…) of %s.", ledger.Quote(key.Name), key.Prefix, key.UserEmail)
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// lifetime is a time from now. It is a flag's value.
type lifetime time.Duration

// maxLifetime is a hundred years, in hours.
const maxLifetime = 100 * 365 * 24

// Set takes a whole number of hours, days, weeks or years: 12h, 90d, 2w, 1y.
func (l *lifetime) Set(text string) error {
	hours := 0
	if len(text) > 0 {
		switch text[len(text)-1] {
		case 'h':
			hours = 1
		case 'd':
			hours = 24
		case 'w':
			hours = 7 * 24
		case 'y':
			hours = 365 * 24
		}
	}
	n, err := strconv.Atoi(text[:max(0, len(text)-1)])
	if err != nil || hours == 0 || n < 1 || n > maxLifetime/hours {
		return fmt.Errorf("must be a time such as 90d, 12h, 2w or 1y, got %q", text)
	}
	*l = lifetime(time.Duration(n*hours) * time.Hour)
	return nil
}

// String is empty for no limit.
func (l *lifetime) String() string {
	if *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

// Type stands for the value in the help.
func (l *lifetime) Type() string { return "TIME" }

func newAPIKeyRotate(a *app) *cobra.Command {
	var household string
	var in tenant.KeyRotation
	var asJSON bool
	c := &cobra.Command{
		Use: "rotate NAME-or-PREFIX", Short: "Replace a key by a new one, and print that", Args: cobra.ExactArgs(1),
		Long: "Make a key with the name, the user, the scope and the limit of another one, and print it, alone, on standard\n" +
			"output. It is not shown again. The other key ends at once or, with --grace, later: until then both work, and it\n" +
			"is called NAME-old. A request that is repeated with the new key and the same Idempotency-Key is answered as before.",
		Example: "  finsvc apikey rotate phone\n  finsvc apikey rotate home-assistant --grace 24h --expires 90d",
		RunE: func(c *cobra.Command, args []string) error {
			in.NameOrPrefix = args[0]
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				done, err := l.Keys.RotateAPIKey(c.Context(), who, in)
				if err != nil {
					return err
				}
				if done.Old.RevokedAt.IsZero() {
					a.Say("Key %s… is now called %s and works until %s.", done.Old.Prefix, ledger.Quote(done.Old.Name),
						term.Moment(done.Old.ExpiresAt))
				} else {
					a.Say("Revoked key %s… of %s.", done.Old.Prefix, done.Old.UserEmail)
				}
				a.Say("Created key %s (%s) for %s%s. Store it now; it is not shown again:", ledger.Quote(done.New.Name),
					done.New.Scope, done.New.UserEmail, until(done.New.ExpiresAt))
				return printKey(a, done.Plain, done.New, asJSON)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	newKeyJSONFlag(c, &asJSON)
	c.Flags().Var((*lifetime)(&in.Grace), "grace", "how long the old key goes on working, such as 24h (default: it ends at once)")
	c.Flags().Var((*lifetime)(&in.Expires), "expires", "how long the new key is valid, such as 90d (default: as long as the old one was made for)")
	return c
}
