package importer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// TestWhatAPreflightSaw: what a preflight found out is used for the import of the same file, and never else; the
// import is the same either way.
func TestWhatAPreflightSaw(t *testing.T) {
	t.Parallel()
	same := func(*fixture, *importer.Request) string { return january }
	for name, c := range map[string]struct {
		change func(k *fixture, in *importer.Request) (file string)
		holds  bool
	}{
		"nothing":         {same, true},
		"another file":    {func(*fixture, *importer.Request) string { return overlapping }, false},
		"another account": {func(_ *fixture, in *importer.Request) string { in.AccountID = ledger.Opt[uuid.UUID]{}; return january }, false},
		"another setting": {func(_ *fixture, in *importer.Request) string { in.Settings.Currency = new("USD"); return january }, false},
		"booked meanwhile": {func(k *fixture, _ *importer.Request) string { k.bookFile(overlapping); return january },
			false},
		"named meanwhile": {func(k *fixture, _ *importer.Request) string { k.mustTag("fun"); return january }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish := func(seen bool) (imp queries.Import, reused bool) {
				k := newFixture(t)
				in := importer.Request{AccountID: ledger.Some(k.account)}
				out := k.preflight(january, in)
				file := c.change(k, &in)
				in.Publish = true
				if seen {
					in.Preflight = out
				}
				imp = k.send(file, in)
				return imp, importer.Reused(k.Importer, out)
			}
			plain, reused := finish(false)
			if reused {
				t.Error("used although it was not given")
			}
			quick, reused := finish(true)
			if reused != c.holds {
				t.Errorf("used: %v, want %v", reused, c.holds)
			}
			quick.PublicID = plain.PublicID
			if diff := cmp.Diff(plain, quick); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (k *fixture) mustTag(name string) {
	k.tb.Helper()
	if _, err := k.ledger.Labels.CreateTag(k.tb.Context(), k.who,
		catalog.TagInput{Name: ledger.Some(name)}); err != nil {
		k.tb.Fatal(err)
	}
}
