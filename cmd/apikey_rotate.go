package cmd

import (
	"github.com/spf13/cobra"

	"finsvc/cmd/term"
	"finsvc/ledger"
)

func newAPIKeyRotate(a *app) *cobra.Command {
	var household string
	var in ledger.KeyRotation
	var asJSON bool
	c := &cobra.Command{
		Use: "rotate NAME-or-PREFIX", Short: "Replace a key by a new one, and print that", Args: cobra.ExactArgs(1),
		Long: "Make a key with the name, the user, the scope and the limit of another one, and print it, alone, on standard\n" +
			"output. It is not shown again. The other key ends at once or, with --grace, later: until then both work, and it\n" +
			"is called NAME-old. A request that is repeated with the new key and the same Idempotency-Key is answered as before.",
		Example: "  finsvc apikey rotate phone\n  finsvc apikey rotate home-assistant --grace 24h --expires 90d",
		RunE: func(c *cobra.Command, args []string) error {
			in.NameOrPrefix = args[0]
			return a.inHousehold(c, household, func(l *ledger.Ledger, who ledger.Actor) error {
				done, err := l.RotateAPIKey(c.Context(), who, in)
				if err != nil {
					return err
				}
				sayRotated(a, done)
				return printKey(a, done.Plain, done.New, asJSON)
			})
		},
	}
	householdFlag(c, &household)
	newKeyJSONFlag(c, &asJSON)
	c.Flags().Var((*lifetime)(&in.Grace), "grace", "how long the old key goes on working, such as 24h (default: it ends at once)")
	c.Flags().Var((*lifetime)(&in.Expires), "expires", "how long the new key is valid, such as 90d (default: as long as the old one was made for)")
	return c
}

func sayRotated(a *app, done ledger.Rotated) {
	if done.Old.RevokedAt.IsZero() {
		a.Say("Key %s… is now called %s and works until %s.", done.Old.Prefix, ledger.Quote(done.Old.Name), term.Moment(done.Old.ExpiresAt))
	} else {
		a.Say("Revoked key %s… of %s.", done.Old.Prefix, done.Old.UserEmail)
	}
	a.Say("Created key %s (%s) for %s%s. Store it now; it is not shown again:", ledger.Quote(done.New.Name), done.New.Scope, done.New.UserEmail, until(done.New.ExpiresAt))
}
