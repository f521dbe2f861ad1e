package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

func newUser(a *app) *cobra.Command {
	return shell.Group("user", "Make, list, deactivate and restore users, and let them in", newUserCreate(a), newUserList(a),
		newUserDeactivate(a), newUserRestore(a), newUserLink(a), newUserPassword(a))
}

func newUserCreate(a *app) *cobra.Command {
	var household string
	var in tenant.UserInput
	c := &cobra.Command{
		Use: "create EMAIL", Short: "Add a user to a household", Args: cobra.ExactArgs(1),
		Example: "  finsvc user create bo@example.org\n" +
			"  finsvc user create bo@example.org --role admin",
		RunE: func(c *cobra.Command, args []string) error {
			in.Email = args[0]
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				user, err := l.Tenants.CreateUser(c.Context(), who, in)
				if err == nil {
					a.Say("Created %s (%s). A key for a program of theirs: finsvc apikey create --user %[1]s\n"+
						"A link that lets them in with a browser: finsvc user link %[1]s", user.Email, user.Role)
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().StringVar(&in.Role, "role", tenant.RoleMember, "`ROLE`: admin or member")
	return c
}

// userJSON is a user in JSON.
type userJSON struct {
	ID            string  `json:"id"`
	Email         string  `json:"email"`
	Role          string  `json:"role"`
	Active        bool    `json:"active"`
	DeactivatedAt *string `json:"deactivated_at"`
	CreatedAt     *string `json:"created_at"`
}

func newUserList(a *app) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the users of a household", Args: cobra.NoArgs,
		Example: "  finsvc user list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inAnyHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				users, err := l.Tenants.ListUsers(c.Context(), who)
				if err != nil {
					return err
				}
				if asJSON {
					rows := []userJSON{}
					for _, u := range users {
						rows = append(rows, userJSON{u.PublicID.String(), u.Email, u.Role, u.Active(),
							term.Stamp(u.DeactivatedAt),
							term.Stamp(u.CreatedAt)})
					}
					return a.PrintJSON(rows)
				}
				return term.PrintTable(&a.Terminal, term.Columns("email", "role", "created", "deactivated"), users,
					func(u tenant.User) []string {
						return []string{u.Email, u.Role, term.Moment(u.CreatedAt), term.Moment(u.DeactivatedAt)}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

func newUserDeactivate(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "deactivate EMAIL", Short: "End a user's access; their keys stop at once", Args: cobra.ExactArgs(1),
		Example: "  finsvc user deactivate bo@example.org",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				ctx := c.Context()
				user, err := activeUser(ctx, l, args[0])
				if err != nil {
					return err
				}
				who := actor(user.HouseholdID)
				user, err = l.Tenants.DeactivateUser(ctx, who, user.ID)
				if err != nil {
					return err
				}
				a.Say("Deactivated %s. Their keys stop at once.", user.Email)
				home, err := l.Tenants.GetHousehold(ctx, who)
				if err == nil && home.Abandoned() {
					a.Say("They were the last user of %s: its data is deleted after %s. Until then: finsvc user restore %s",
						ledger.Quote(home.Name), term.Moment(home.AbandonedAt.Add(tenant.AbandonedFor)), user.Email)
				}
				return err
			})
		},
	}
}

func newUserRestore(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "restore EMAIL", Short: "Give a deactivated user their access and keys back", Args: cobra.ExactArgs(1),
		Example: "  finsvc user restore bo@example.org",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				// Bring back the user who had the address last, in the household if one is named.
				ctx := c.Context()
				email := args[0]
				users, err := l.Tenants.FindUsers(ctx, email)
				if err != nil {
					return err
				}
				wanted := int64(0)
				if household != "" {
					home, err := chooseHousehold(ctx, l, household)
					if err != nil {
						return err
					}
					wanted = home.ID
				}
				for _, found := range users {
					if wanted == 0 || found.HouseholdID == wanted {
						user, err := l.Tenants.RestoreUser(ctx, actor(found.HouseholdID), found.ID)
						if err == nil {
							a.Say("%s is active, and so are their keys.", user.Email)
						}
						return err
					}
				}
				return ledger.NewNotFound("User " + ledger.Quote(email))
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// activeUser is the active user with an address, of whatever household.
func activeUser(ctx context.Context, l *books.Books, email string) (tenant.User, error) {
	users, err := l.Tenants.FindUsers(ctx, email)
	if err != nil {
		return tenant.User{}, err
	}
	if len(users) == 0 || !users[0].Active() {
		return tenant.User{}, ledger.NewNotFound("Active user " + ledger.Quote(email))
	}
	return users[0], nil
}
