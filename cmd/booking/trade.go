// Package booking is the commands for what is booked besides transactions: transfers between accounts, trades, and what
// accounts are worth.
package booking

import (
	"cmp"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/trade"
)

// Commands are those of all three.
func Commands(sh shell.Shell) []*cobra.Command {
	return []*cobra.Command{newTransfer(sh), newTrade(sh), newValuation(sh)}
}

func newTrade(sh shell.Shell) *cobra.Command {
	return shell.Group("trade", "List, book, change and delete trades", newTradeList(sh), newTradeAdd(sh), newTradeUpdate(sh),
		newTradeDelete(sh))
}

// tradeJSON is a trade in JSON. The amount is what it moves in cash in minor units, into the account positive.
type tradeJSON struct {
	ID       string  `json:"id"`
	Date     string  `json:"date"`
	Account  string  `json:"account"`
	Type     string  `json:"type"`
	Ticker   *string `json:"ticker"`
	Quantity string  `json:"quantity"`
	Price    string  `json:"price"`
	Cents    int64   `json:"signed_amount_cents"`
	Currency string  `json:"currency"`
}

func asTrade(t *trade.Trade) tradeJSON {
	row := tradeJSON{uuid.UUID(t.PublicID).String(), ledger.Date(t.Date).String(), t.Account.Name, t.Kind, nil, t.Quantity.String(),
		t.Price.String(), t.Amount, t.Currency}
	if t.Security != nil {
		row.Ticker = &t.Security.Ticker
	}
	return row
}

func newTradeList(sh shell.Shell) *cobra.Command {
	var household string
	var accounts []string
	var asJSON bool
	var limit shell.Limit
	c := &cobra.Command{
		Use: "list", Short: "List trades, newest first", Args: cobra.NoArgs,
		Example: "  finsvc trade list --account Broker",
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := limit.Page()
			if err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				var f trade.Filter
				f.AccountIDs, err = d.Books.Names.IDs(d.Ctx, d.Who, names.Account, accounts)
				if err != nil {
					return err
				}
				list, total, err := d.Books.Trades.ListTrades(d.Ctx, d.Who, f, page)
				if err != nil {
					return err
				}
				d.SayCut(len(list), total)
				if asJSON {
					rows := []tradeJSON{}
					for i := range list {
						rows = append(rows, asTrade(&list[i]))
					}
					return d.PrintJSON(rows)
				}
				return term.PrintTable(d.Terminal, term.Columns("date", "account", "type", "ticker", "#quantity", "#price", "#amount", "id"), list,
					func(t trade.Trade) []string {
						row := asTrade(&t)
						return []string{row.Date, row.Account, row.Type, term.Dash(ledger.OrBlank(row.Ticker)), row.Quantity, row.Price,
							d.Money(row.Cents, row.Currency), row.ID}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().StringArrayVar(&accounts, "account", nil, "of this `ACCOUNT` alone, by name or id; may be given several times")
	limit.Flag(c)
	return c
}

// tradeFlags are what a command line says about a trade.
type tradeFlags struct {
	account, date, quantity, price, fee, amount, currency, notes string
	short                                                        bool
}

func newTradeAdd(sh shell.Shell) *cobra.Command {
	var household string
	var f tradeFlags
	c := &cobra.Command{
		Use: "add TYPE [TICKER] --account ACCOUNT", Short: "Book a trade and print its id", Args: cobra.RangeArgs(1, 2),
		Long: "Book a trade: buy and sell need a ticker, --quantity and --price; dividend a ticker and --amount; interest, fee,\n" +
			"deposit and withdrawal --amount. A security that is not there is made. Without --date it is of today.",
		Example: "  finsvc trade add buy 'ACME|XNAS' --account Broker --quantity 10 --price 12.50 --fee 1\n" +
			"  finsvc trade add dividend ACME --account Broker --amount 8.40 --date 2026-05-02",
		RunE: func(c *cobra.Command, args []string) error {
			if f.account == "" {
				return exit.Usagef("--account ACCOUNT is needed. The accounts: finsvc account list")
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				in, err := f.newInput(d, c, args)
				if err != nil {
					return err
				}
				made, err := d.Books.Trades.CreateTrade(d.Ctx, d.Who, in)
				switch {
				case err != nil:
					return err
				case made.Trade != nil:
					d.Say("Booked: %s in %s on %s.", d.Money(made.Trade.Amount, made.Trade.Currency), made.Trade.Account.Name, ledger.Date(made.Trade.Date))
					return d.Print(uuid.UUID(made.Trade.PublicID).String())
				case made.Transaction != nil:
					d.Say("Booked as a transaction: %s in %s.", d.Money(made.Transaction.Amount, made.Transaction.Currency), made.Transaction.Account.Name)
					return d.Print(uuid.UUID(made.Transaction.PublicID).String())
				}
				d.Say("Booked as a transfer.")
				return d.Print(uuid.UUID(made.Transfer.PublicID).String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f.add(c)
	c.Flags().StringVar(&f.account, "account", "", "`ACCOUNT` of type investment or crypto, by name or id")
	c.Flags().StringVar(&f.currency, "currency", "", "currency, such as USD (default: the account's)")
	return c
}

// add adds the flags of what can be said of a trade, new or present.
func (f *tradeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.date, "date", "", "`DAY`, such as 2026-01-01 or yesterday")
	flags.StringVar(&f.quantity, "quantity", "", "how much is bought or sold")
	flags.StringVar(&f.price, "price", "", "what one costs")
	flags.StringVar(&f.fee, "fee", "", "what the trade costs besides")
	flags.StringVar(&f.amount, "amount", "", "amount of what is no purchase and no sale")
	flags.StringVar(&f.notes, "notes", "", "notes")
	flags.BoolVar(&f.short, "allow-short", false, "sell more than is held")
}

// newInput is a new trade; its account is looked up.
func (f *tradeFlags) newInput(d *shell.Desk, c *cobra.Command, args []string) (in trade.Input, err error) {
	found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Account, f.account)
	if err != nil {
		return in, err
	}
	day, err := d.Day(cmp.Or(f.date, "today"))
	if err != nil {
		return in, err
	}
	in, err = f.input(d, c)
	in.AccountID, in.Type, in.Date, in.Currency = ledger.Some(found.ID), ledger.Some(args[0]), ledger.Some(day), shell.Given(c, "currency", f.currency)
	if len(args) > 1 {
		in.Ticker = ledger.Some(args[1])
	}
	return in, err
}

// input is what was given.
func (f *tradeFlags) input(d *shell.Desk, c *cobra.Command) (in trade.Input, err error) {
	in = trade.Input{Notes: shell.Given(c, "notes", f.notes), AllowShort: shell.Given(c, "allow-short", f.short)}
	in.Date = shell.Parsed(c, &in.Problems, "date", f.date, d.Day)
	for flag, to := range map[string]struct {
		text string
		to   *ledger.Opt[decimal.Decimal]
	}{"quantity": {f.quantity, &in.Quantity}, "price": {f.price, &in.Price}, "fee": {f.fee, &in.Fee}, "amount": {f.amount, &in.Amount}} {
		*to.to = shell.Parsed(c, &in.Problems, flag, to.text, money.ParseDecimal)
	}
	return in, in.Problems.Err()
}

func newTradeUpdate(sh shell.Shell) *cobra.Command {
	var household string
	var f tradeFlags
	c := &cobra.Command{
		Use: "update ID", Short: "Change a trade", Args: cobra.ExactArgs(1),
		Long:    "Change a trade. What is not given stays. Its account, type and security stay what they are.",
		Example: "  finsvc trade update 01a1fd73-b506-7d44-9f75-81a2b0e46079 --price 12.75",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := idOf(args[0], "trade")
			if err != nil {
				return err
			}
			if err := shell.NeedChange(c, "date", "quantity", "price", "fee", "amount", "notes", "allow-short"); err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				in, err := f.input(d, c)
				if err != nil {
					return err
				}
				t, err := d.Books.Trades.UpdateTrade(d.Ctx, d.Who, id, in)
				if err != nil {
					return err
				}
				d.Say("Changed: %s in %s on %s.", d.Money(t.Amount, t.Currency), t.Account.Name, ledger.Date(t.Date))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f.add(c)
	return c
}

func newTradeDelete(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a trade", Args: cobra.ExactArgs(1),
		Example: "  finsvc trade delete 01a1fd73-b506-7d44-9f75-81a2b0e46079",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := idOf(args[0], "trade")
			if err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				t, err := d.Books.Trades.GetTrade(d.Ctx, d.Who, id)
				if err != nil {
					return err
				}
				if err := d.Books.Trades.DeleteTrade(d.Ctx, d.Who, id); err != nil {
					return err
				}
				d.Say("Deleted: %s in %s on %s.", d.Money(t.Amount, t.Currency), t.Account.Name, ledger.Date(t.Date))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}
