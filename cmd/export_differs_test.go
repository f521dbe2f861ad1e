package cmd

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/cmd/exit"
	"finsvc/cmd/output"
	"finsvc/cmd/reconcile"
	"finsvc/cmd/term"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	exportpkg "finsvc/ledger/export"
	"finsvc/ledger/tenant"
)

// A text that says something else than the books is not kept.
func TestRecountThatDiffers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	books := books.New(dbtest.New(t), func() time.Time { return now })
	home, _, err := books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "a@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	who := actor(home.ID)
	a, err := books.Accounts.CreateAccount(t.Context(), who, catalog.AccountInput{Name: ledger.Some("Giro"), AccountType: ledger.Some("depository"), Currency: ledger.Some("EUR"),
		Balance: ledger.Some(decimal.New(5, 0)), Date: ledger.Some(ledger.NewDate(2026, 5, 31))})
	if err != nil {
		t.Fatal(err)
	}
	id := uuid.UUID(a.PublicID).String()
	for text, want := range map[string]string{
		"account assets:Giro  ; id:" + id + "\n2026-05-31 * x\n    assets:Giro  5.01 EUR\n": `"Giro" at the end of 2026-05-31: the text comes to 5.01 EUR, the books to 5.00 EUR`,
		"": "the text has 0 accounts, the books have 1",
	} {
		name := filepath.Join(t.TempDir(), "books")
		err = books.Exports.Snapshot(t.Context(), who, func(ctx context.Context, s *exportpkg.Snapshot) error {
			e := export{read: func(context.Context, *exportpkg.Snapshot, *io.SectionReader) (*reconcile.Books, error) {
				currencies, err := reconcile.AccountCurrencies(ctx, s)
				if err != nil {
					return nil, err
				}
				return reconcile.ReadHledger(strings.NewReader(text), currencies)
			}}
			return output.WriteVerified(&term.Terminal{}, name, false, true, func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			}, func(text *io.SectionReader) error {
				_, err := e.verify(ctx, s, text)
				return err
			})
		})
		if err == nil || !strings.Contains(err.Error(), want) || exit.Status(err) != exit.Failed {
			t.Errorf("got %v, want %q in it", err, want)
		}
		if files, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); len(files) > 0 {
			t.Errorf("left behind %v", files)
		}
	}
}
