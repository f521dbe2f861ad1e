package importing

import (
	"bytes"
	"testing"
	"time"

	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/queries"
)

// running is an import of 1000 rows that has come so far in ten seconds.
func running(done int64, start time.Time) *queries.Import {
	began := start.UnixMilli()
	return &queries.Import{Status: importer.StatusImporting, ValidRowsCount: 1000, DoneRowsCount: done, StartedAt: &began,
		UpdatedAt: began + 10_000}
}

// Off a terminal there is a line for every tenth that is done, however often it is asked.
func TestProgressInLines(t *testing.T) {
	t.Parallel()
	var said, printed bytes.Buffer
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	j := &Job{Terminal: &term.Terminal{Stderr: &said, Stdout: &printed}}
	m := j.newMeter()
	for _, done := range []int64{0, 50, 99, 100, 150, 500, 1000} {
		if err := m.show(running(done, start)); err != nil {
			t.Fatal(err)
		}
	}
	if want := "100 of 1000 rows (10 %)\n500 of 1000 rows (50 %)\n1000 of 1000 rows (100 %)\n"; said.String() != want || printed.Len() > 0 {
		t.Errorf("said %q, printed %q", said.String(), printed.String())
	}
	j.Options.JSONLine = true
	m = j.newMeter()
	for _, done := range []int64{0, 250, 250} {
		if err := m.show(running(done, start)); err != nil {
			t.Fatal(err)
		}
	}
	if want := `{"type":"progress","done":250,"total":1000,"seconds_remaining":30}` + "\n"; printed.String() != want {
		t.Errorf("printed %q", printed.String())
	}
}
