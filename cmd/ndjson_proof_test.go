package cmd_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// enrich adds what newHousehold does not make: everything else that a household can have.
func enrich(t *testing.T, file string, seed uint64) {
	t.Helper()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	g := &cmdtest.Generator{T: t, Rand: rand.New(rand.NewPCG(seed, 2)), Books: books.New(dbtest.Open(t, file), func() time.Time { return now }),
		First: ledger.NewDate(2026, 1, 20), Days: 120}
	homes, err := g.Books.Tenants.ListHouseholds(t.Context())
	g.Must(err)
	g.Who = ledger.Actor{HouseholdID: homes[0].ID, Origin: ledger.OriginCLI}
	g.Accounts, _, err = g.Books.Accounts.ListAccounts(t.Context(), g.Who, true, ledger.Page{Number: 1, Size: 100})
	g.Must(err)
	for _, fill := range []func(context.Context){g.Labels, g.TransferFates, g.ValuationTexts, g.Endings} {
		fill(t.Context())
	}
}

// TestNDJSONRoundTrip: what is exported, read into an empty file and exported again is the same, byte for byte.
func TestNDJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s, copied := cmdtest.NewCommandLine(t), cmdtest.NewCommandLine(t)
			s.File = dbtest.Path(t)
			cmdtest.NewHousehold(t, s.File, seed)
			enrich(t, s.File, seed)
			name := filepath.Join(t.TempDir(), "home.ndjson")
			s.OK("export", "ndjson", "--verify", "-o", name)
			copied.OK("household", "create", "Copy", "--owner", "ana@example.org", "--currency", "EUR", "--timezone", "UTC", "--no-categories")
			if got := copied.Do("import", name, "--type", "ServiceImport", "--yes"); got.Status != 0 {
				t.Fatalf("status %d: %s", got.Status, got.Stderr)
			}
			first, second := s.OK("export", "ndjson", "--canonical"), copied.OK("export", "ndjson", "--canonical")
			if first != second || strings.Count(first, "\n") < 500 {
				t.Errorf("%d lines: %s", strings.Count(first, "\n"), cmp.Diff(strings.Split(first, "\n"), strings.Split(second, "\n")))
			}
		})
	}
}
