package booking

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/names"
	"finsvc/ledger/transfer"
)

func newTransfer(sh shell.Shell) *cobra.Command {
	return shell.Group("transfer", "List, confirm, reject, part and make transfers", newTransferList(sh),
		changing(sh, "confirm", "Keep a transfer whatever comes", "Confirmed",
			func(ctx context.Context, l *books.Books, who ledger.Actor, id uuid.UUID) error {
				_, err := l.Transfers.UpdateTransfer(ctx, who, id, transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)})
				return err
			}),
		changing(sh, "reject", "Part a transfer, whose sides are never matched again", "Rejected",
			func(ctx context.Context, l *books.Books, who ledger.Actor, id uuid.UUID) error {
				_, err := l.Transfers.RejectTransfer(ctx, who, id)
				return err
			}),
		changing(sh, "delete", "Part a transfer until one of its sides changes", "Parted",
			func(ctx context.Context, l *books.Books, who ledger.Actor, id uuid.UUID) error {
				return l.Transfers.UnlinkTransfer(ctx, who, id)
			}),
		newTransferLink(sh))
}

// transferJSON is a transfer in JSON; amounts are in minor units and positive.
type transferJSON struct {
	ID        string  `json:"id"`
	Status    string  `json:"status"`
	Reason    string  `json:"reason"`
	From      string  `json:"from_account"`
	FromDate  string  `json:"from_date"`
	FromCents int64   `json:"from_amount_cents"`
	FromIn    string  `json:"from_currency"`
	FromID    string  `json:"outflow_transaction_id"`
	To        string  `json:"to_account"`
	ToDate    string  `json:"to_date"`
	ToCents   int64   `json:"to_amount_cents"`
	ToIn      string  `json:"to_currency"`
	ToID      string  `json:"inflow_transaction_id"`
	Notes     *string `json:"notes"`
}

func newTransferList(sh shell.Shell) *cobra.Command {
	var household, status string
	var accounts []string
	var asJSON bool
	var limit shell.Limit
	c := &cobra.Command{
		Use: "list", Short: "List transfers, the newest match first", Args: cobra.NoArgs,
		Example: "  finsvc transfer list --status pending\n  finsvc transfer list --account Savings --limit 0",
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := limit.Page()
			if err != nil {
				return err
			}
			if status != "" && status != transfer.TransferPending && status != transfer.TransferConfirmed {
				return exit.Usagef("--status must be %s or %s, got %s", transfer.TransferPending, transfer.TransferConfirmed, ledger.Quote(status))
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				f := transfer.Filter{Status: status}
				f.AccountIDs, err = d.Books.Names.IDs(d.Ctx, d.Who, names.Account, accounts)
				if err != nil {
					return err
				}
				list, total, err := d.Books.Transfers.ListTransfers(d.Ctx, d.Who, f, page)
				if err != nil {
					return err
				}
				d.SayCut(len(list), total)
				if asJSON {
					return d.PrintJSON(asTransfers(list))
				}
				return term.PrintTable(d.Terminal, term.Columns("date", "from", "to", "#amount", "status", "why", "id"), list,
					func(t transfer.Transfer) []string {
						return []string{ledger.Date(t.Outflow.Date).String(), t.Outflow.Account.Name, t.Inflow.Account.Name,
							d.Money(t.Inflow.Amount, t.Inflow.Currency), t.Status, t.Reason, uuid.UUID(t.PublicID).String()}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().StringVar(&status, "status", "", "`STATUS`: pending or confirmed")
	c.Flags().StringArrayVar(&accounts, "account", nil, "of this `ACCOUNT` alone, by name or id; may be given several times")
	limit.Flag(c)
	return c
}

func asTransfers(list []transfer.Transfer) []transferJSON {
	rows := []transferJSON{}
	for _, t := range list {
		out, in := t.Outflow, t.Inflow
		rows = append(rows, transferJSON{uuid.UUID(t.PublicID).String(), t.Status, t.Reason,
			out.Account.Name, ledger.Date(out.Date).String(), -out.Amount, out.Currency, uuid.UUID(out.PublicID).String(),
			in.Account.Name, ledger.Date(in.Date).String(), in.Amount, in.Currency, uuid.UUID(in.PublicID).String(), t.Notes})
	}
	return rows
}

// changing is a command that does something to one transfer.
func changing(sh shell.Shell, verb, short, done string,
	do func(context.Context, *books.Books, ledger.Actor, uuid.UUID) error) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: verb + " ID", Short: short, Args: cobra.ExactArgs(1),
		Example: "  finsvc transfer " + verb + " 01a1fd73-b506-7d44-9f75-81a2b0e46079",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := idOf(args[0], "transfer")
			if err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				t, err := d.Books.Transfers.GetTransfer(d.Ctx, d.Who, id)
				if err != nil {
					return err
				}
				if err := do(d.Ctx, d.Books, d.Who, id); err != nil {
					return err
				}
				d.Say("%s: %s from %s to %s on %s. Take it back: %s", done, d.Money(t.Inflow.Amount, t.Inflow.Currency), t.Outflow.Account.Name,
					t.Inflow.Account.Name, ledger.Date(t.Outflow.Date), d.OnSameFile("history", "list"))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

func newTransferLink(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "link OUTFLOW-ID INFLOW-ID", Short: "Make a transfer of two transactions", Args: cobra.ExactArgs(2),
		Long: "Make a confirmed transfer of two transactions: the one by which money left and the one by which it arrived, in\n" +
			"different accounts, up to 30 days apart, also in two currencies or when less arrives than left.",
		Example: "  finsvc transfer link 01a1fd73-afc3-7c1a-8792-e3cffcbe3078 01a1fd73-b728-7f66-9197-a3c4d206829b",
		RunE: func(c *cobra.Command, args []string) error {
			out, err := idOf(args[0], "transaction")
			if err != nil {
				return err
			}
			in, err := idOf(args[1], "transaction")
			if err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				t, err := d.Books.Transfers.LinkTransfer(d.Ctx, d.Who, transfer.Input{OutflowID: ledger.Some(out), InflowID: ledger.Some(in)})
				if err != nil {
					return err
				}
				d.Say("%s went from %s to %s.", d.Money(t.Inflow.Amount, t.Inflow.Currency), t.Outflow.Account.Name, t.Inflow.Account.Name)
				return d.Print(uuid.UUID(t.PublicID).String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// idOf reads the id of a thing, which its list prints.
func idOf(text, what string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(text)
	if !ok {
		return id, exit.Usagef("%s is no id of a %s. The ids: finsvc %s list", ledger.Quote(text), what, what)
	}
	return id, nil
}
