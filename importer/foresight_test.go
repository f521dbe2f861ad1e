package importer

import (
	"testing"

	"finsvc/queries"
)

// TestForesightHolds: what is kept is given once, to the import it is of, and only while nothing has changed.
func TestForesightHolds(t *testing.T) {
	t.Parallel()
	basis := queries.GetImportBasisRow{EntrySequence: 1, RefsVersion: 2, LastChange: 3, Published: 4, Ruled: 5}
	imp := queries.Import{ID: 7, Plan: "p"}
	for name, c := range map[string]struct {
		change func(*queries.Import, *queries.GetImportBasisRow)
		holds  bool
	}{
		"nothing":              {func(*queries.Import, *queries.GetImportBasisRow) {}, true},
		"another import":       {func(i *queries.Import, _ *queries.GetImportBasisRow) { i.ID = 8 }, false},
		"another plan":         {func(i *queries.Import, _ *queries.GetImportBasisRow) { i.Plan = "q" }, false},
		"an entry was made":    {func(_ *queries.Import, b *queries.GetImportBasisRow) { b.EntrySequence++ }, false},
		"a name was changed":   {func(_ *queries.Import, b *queries.GetImportBasisRow) { b.RefsVersion++ }, false},
		"anything was changed": {func(_ *queries.Import, b *queries.GetImportBasisRow) { b.LastChange++ }, false},
		"another was reverted": {func(_ *queries.Import, b *queries.GetImportBasisRow) { b.Published = 0 }, false},
		"a row was ruled on":   {func(_ *queries.Import, b *queries.GetImportBasisRow) { b.Ruled++ }, false},
	} {
		var f analysisCache
		o := &analysis{plan: "p"}
		f.keep(imp.ID, basis, o)
		now, then := imp, basis
		c.change(&now, &then)
		if got := f.take(now, then); got != o && c.holds || got != nil && !c.holds {
			t.Errorf("%s: got %v", name, got)
		}
		if got := f.take(now, then); got != nil {
			t.Errorf("%s: given twice", name)
		}
	}
}
