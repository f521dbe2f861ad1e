package ledgertest

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/transfer"
)

func (b *Fixture) ListedTransfers() []transfer.Transfer {
	b.tb.Helper()
	list, total, err := b.Transfers.ListTransfers(b.Ctx(), b.Who, transfer.Filter{},
		ledger.Page{Number: 1, Size: 10_000})
	if err != nil || total != int64(len(list)) {
		b.tb.Fatal(total, len(list), err)
	}
	return list
}

// Moved shows the transfers by the names of their sides, in the order of the names.
func (b *Fixture) Moved() string {
	b.tb.Helper()
	var out []string
	for _, t := range b.ListedTransfers() {
		text := t.Outflow.Name + ">" + t.Inflow.Name
		if t.Status == transfer.TransferConfirmed {
			text += "!"
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func (b *Fixture) MovedIs(want, when string) {
	b.tb.Helper()
	if got := b.Moved(); got != want {
		b.tb.Errorf("%s: got %q, want %q", when, got, want)
	}
}

func (b *Fixture) Remove(t entry.Transaction) {
	b.tb.Helper()
	if err := b.Entries.DeleteTransaction(b.Ctx(), b.Who, uuid.UUID(t.PublicID)); err != nil {
		b.tb.Fatal(err)
	}
}

func (b *Fixture) Get(t entry.Transaction) entry.Transaction {
	b.tb.Helper()
	got, err := b.Entries.GetTransaction(b.Ctx(), b.Who, uuid.UUID(t.PublicID))
	if err != nil {
		b.tb.Fatal(err)
	}
	return got
}

func (b *Fixture) Only() transfer.Transfer {
	b.tb.Helper()
	list := b.ListedTransfers()
	if len(list) != 1 {
		b.tb.Fatalf("there are %d transfers: %s", len(list), b.Moved())
	}
	return list[0]
}

func (b *Fixture) Reject(t transfer.Transfer) transfer.RejectedTransfer {
	b.tb.Helper()
	r, err := b.Transfers.RejectTransfer(b.Ctx(), b.Who, uuid.UUID(t.PublicID))
	if err != nil {
		b.tb.Fatal(err)
	}
	return r
}

func (b *Fixture) Link(inflow, outflow entry.Transaction) (transfer.Transfer, error) {
	return b.Transfers.LinkTransfer(b.Ctx(), b.Who, transfer.Input{InflowID: ledger.Some(uuid.UUID(inflow.PublicID)),
		OutflowID: ledger.Some(uuid.UUID(outflow.PublicID))})
}
