package cmd

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
)

func newAccount(a *app) *cobra.Command {
	return shell.Group("account", "Open, list, change, merge and delete accounts", newAccountCreate(a), newAccountList(a),
		newAccountUpdate(a), newAccountMerge(a), newAccountDelete(a))
}

// accountFlags are what a command line says about an account.
type accountFlags struct {
	name, kind, subtype, currency, balance, date, institution, domain, notes, status string
}

func (f *accountFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.kind, "type", "", "`TYPE`: depository, investment, crypto, property, vehicle, other_asset, credit_card, loan or other_liability")
	flags.StringVar(&f.subtype, "subtype", "", "subtype, such as savings")
	flags.StringVar(&f.currency, "currency", "", "currency, such as EUR (default: the household's)")
	flags.StringVar(&f.balance, "balance", "", "opening balance, such as 100.00; of a card or loan what is owed")
	flags.StringVar(&f.date, "date", "", "day at whose end that was the balance, such as 2026-01-01 (default: the day before the first entry)")
	flags.StringVar(&f.institution, "institution", "", "name of the bank")
	flags.StringVar(&f.domain, "institution-domain", "", "domain of the bank, such as bank.example")
	flags.StringVar(&f.notes, "notes", "", "notes")
}

// input is what was given, with the problems of reading it.
func (f *accountFlags) input(c *cobra.Command) catalog.AccountInput {
	in := catalog.AccountInput{
		Name: shell.Given(c, "name", f.name), AccountType: shell.Given(c, "type", f.kind), Subtype: shell.Given(c, "subtype", f.subtype),
		Currency: shell.Given(c, "currency", f.currency), InstitutionName: shell.Given(c, "institution", f.institution),
		InstitutionDomain: shell.Given(c, "institution-domain", f.domain), Notes: shell.Given(c, "notes", f.notes),
		Status: shell.Given(c, "status", f.status),
	}
	in.Balance = shell.Parsed(c, &in.Problems, "balance", f.balance, money.ParseDecimal)
	in.Date = shell.Parsed(c, &in.Problems, "date", f.date, ledger.ParseDate)
	return in
}

func newAccountCreate(a *app) *cobra.Command {
	var household string
	var f accountFlags
	var asJSON, yes bool
	c := &cobra.Command{
		Use: "create NAME --type TYPE", Short: "Open an account and print its id", Args: cobra.ExactArgs(1),
		Example: "  finsvc account create Everyday --type depository --balance 1200.00 --date 2026-08-31\n" +
			"  finsvc account create Card --type credit_card --currency USD",
		RunE: func(c *cobra.Command, args []string) error {
			if f.kind == "" {
				return exit.Usagef("--type TYPE is needed, such as depository or credit_card")
			}
			in := f.input(c)
			in.Name = ledger.Some(args[0])
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				if sure, err := a.agreeToTwin(c.Context(), l, who, args[0], yes); err != nil || !sure {
					return err
				}
				account, err := l.Accounts.CreateAccount(c.Context(), who, in)
				if err != nil {
					return err
				}
				a.Say("Opened %s (%s, %s).", ledger.Quote(account.Name), account.AccountType, account.Currency)
				if asJSON {
					return a.PrintJSON(accountsJSON([]catalog.Account{account})[0])
				}
				return a.Print(uuid.UUID(account.PublicID).String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the account as JSON instead of its id")
	c.Flags().BoolVar(&yes, "yes", false, "open it even if there is one of that name")
	return c
}

// agreeToTwin asks about an account whose name another one has already: it may be meant to be the same. Without a person
// it is a conflict.
func (a *app) agreeToTwin(ctx context.Context, l *books.Books, who ledger.Actor, name string, yes bool) (bool, error) {
	all, err := l.Names.List(ctx, who, names.Account)
	if err != nil || yes {
		return true, err
	}
	for _, n := range all {
		if ledger.Fold(n.Name) != ledger.Fold(name) {
			continue
		}
		if !a.CanAsk() {
			return false, ledger.NewConflict("there is an account %s already (%s, %s): say --yes to open a second one of that name", ledger.Quote(n.Name), n.Detail, n.ID)
		}
		return a.Confirm(ctx, fmt.Sprintf("There is an account %s already (%s). Open a second one of that name?", ledger.Quote(n.Name), n.Detail))
	}
	return true, nil
}

func newAccountUpdate(a *app) *cobra.Command {
	var household string
	var f accountFlags
	c := &cobra.Command{
		Use: "update NAME-or-ID", Short: "Change an account", Args: cobra.ExactArgs(1),
		Example: "  finsvc account update Everyday --name Giro\n" +
			"  finsvc account update Card --status disabled",
		RunE: func(c *cobra.Command, args []string) error {
			in := f.input(c)
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				named, err := l.Names.Find(c.Context(), who, names.Account, args[0])
				if err != nil {
					return err
				}
				account, err := l.Accounts.UpdateAccount(c.Context(), who, named.ID, in)
				if err == nil {
					a.Say("Account %s: %s, %s, %s.", ledger.Quote(account.Name), account.AccountType, account.Currency,
						account.Status)
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f.add(c)
	c.Flags().StringVar(&f.name, "name", "", "new name")
	c.Flags().StringVar(&f.status, "status", "", "`STATUS`: active or disabled")
	return c
}

func newAccountList(a *app) *cobra.Command {
	var household string
	var asJSON, all bool
	c := &cobra.Command{
		Use: "list", Short: "List the accounts with their balances", Args: cobra.NoArgs,
		Example: "  finsvc account list\n" +
			"  finsvc account list --json | jq -r '.[].name'",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				accounts, err := allAccounts(c.Context(), l, who, all)
				if err != nil {
					return err
				}
				if asJSON {
					return a.PrintJSON(accountsJSON(accounts))
				}
				ctx := c.Context()
				home, err := l.Tenants.GetHousehold(ctx, who)
				if err != nil {
					return err
				}
				format, err := money.NewFormatter(home.Locale)
				if err != nil {
					return err
				}
				for _, x := range accounts {
					for _, s := range x.Stale {
						a.Say("%s is counted at an old exchange rate: %s.", ledger.Quote(x.Name), term.StaleText(s))
					}
				}
				return term.PrintTable(&a.Terminal, term.Columns("name", "type", "#balance", "left out", "status",
					"id"), accounts,
					func(x catalog.Account) []string {
						return []string{x.Name, x.AccountType, term.Formatted(format, x.BalanceMinor, x.Currency),
							leftOut(format, x.Unconverted), x.Status, uuid.UUID(x.PublicID).String()}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().BoolVar(&all, "all", false, "disabled accounts, too")
	return c
}

// allAccounts reads the list page by page.
func allAccounts(ctx context.Context, l *books.Books, who ledger.Actor, disabled bool) ([]catalog.Account, error) {
	const size = 1000
	var all []catalog.Account
	for page := 1; ; page++ {
		part, _, err := l.Accounts.ListAccounts(ctx, who, disabled, ledger.Page{Number: page, Size: size})
		all = append(all, part...)
		if err != nil || len(part) < size {
			return all, err
		}
	}
}

// accountJSON is an account in JSON. Amounts are in minor units.
type accountJSON struct {
	ID             string            `json:"id"`
	Name           string            `json:"name"`
	AccountType    string            `json:"account_type"`
	Subtype        *string           `json:"subtype"`
	Classification string            `json:"classification"`
	Currency       string            `json:"currency"`
	Status         string            `json:"status"`
	BalanceCents   int64             `json:"balance_cents"`
	OpeningCents   int64             `json:"opening_balance_cents"`
	OpeningDate    *string           `json:"opening_date"`
	Unconverted    []unconvertedJSON `json:"unconverted"`
	StaleRates     []staleJSON       `json:"stale_rates"`
}

// unconvertedJSON is what is left out of a balance, and why.
type unconvertedJSON struct {
	Currency    string `json:"currency"`
	AmountCents int64  `json:"amount_cents"`
	Reason      string `json:"reason"`
}

func accountsJSON(accounts []catalog.Account) []accountJSON {
	out := []accountJSON{}
	for _, x := range accounts {
		row := accountJSON{
			ID: uuid.UUID(x.PublicID).String(), Name: x.Name, AccountType: x.AccountType, Subtype: x.Subtype,
			Classification: x.Classification, Currency: x.Currency,
			Status: x.Status, BalanceCents: x.BalanceMinor, OpeningCents: x.OpeningMinor,
			Unconverted: []unconvertedJSON{},
			StaleRates:  staleRatesJSON(x.Stale),
		}
		if x.OpeningDate != nil {
			row.OpeningDate = new(x.OpeningDate.String())
		}
		for _, u := range x.Unconverted {
			row.Unconverted = append(row.Unconverted, unconvertedJSON{u.Currency, u.Minor, u.Reason()})
		}
		out = append(out, row)
	}
	return out
}

// leftOut lists what a balance lacks; a dash for nothing.
func leftOut(format *money.Formatter, list []balance.Unconverted) string {
	text := ""
	for _, u := range list {
		if text != "" {
			text += ", "
		}
		text += term.Formatted(format, u.Minor, u.Currency)
	}
	if text == "" {
		return "-"
	}
	return text
}
