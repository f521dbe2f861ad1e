package importer

import (
	"context"
	"runtime"
	"testing"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/queries"
)

// whileAwaited does some work in a write that another one waits for.
func whileAwaited(t *testing.T, d *db.DB, work func()) {
	t.Helper()
	waiter := make(chan error, 1)
	err := d.Write(t.Context(), func(context.Context, *queries.Queries) error {
		go func() { waiter <- d.Write(t.Context(), func(context.Context, *queries.Queries) error { return nil }) }()
		for !d.Awaited() {
			runtime.Gosched()
		}
		work()
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-waiter; err != nil {
		t.Error(err)
	}
}

// TestStepsAreFewAfterAWait: a transaction ends after the part in which another write began to wait, the next one has
// one part, and each after it an eighth more.
func TestStepsAreFewAfterAWait(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	p := &publisher{im: &Importer{db: d}, pace: 4000, part: stepRows}
	check := func(when string, rows, want int) {
		t.Helper()
		sum := 0
		got, err := steps(p, rows, func(from, to int) error {
			sum += to - from
			return nil
		})
		if got != want || sum != want || err != nil {
			t.Errorf("%s: %d of %d rows and %d done, %v; want %d", when, got, rows, sum, err, want)
		}
	}
	check("the first", 20_000, 4000)
	check("nobody waits", 20_000, 4500)
	check("few rows", 250, 250)
	check("nobody waits either", 20_000, 5694)
	whileAwaited(t, d, func() { check("somebody waits", 20_000, 400) })
	for _, rows := range []int{400, 450, 506, 569, 640, 720} {
		check("afterwards", 20_000, rows)
	}
	for range 40 {
		check("few rows for a long time", 250, 250)
	}
	check("later", 20_000, 16_000)
	check("much later", 20_000, 16_000)
	whileAwaited(t, d, func() { check("few rows, awaited", 250, 250) })
	check("soon after those", 20_000, 400)
}
