package copies

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	bookspkg "finsvc/ledger/books"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// dailyRig is a schedule with a clock that the test moves.
type dailyRig struct {
	*testing.T
	books    *bookspkg.Books
	schedule *Schedule
	clock    time.Time
}

func newDailyRig(t *testing.T) *dailyRig {
	t.Helper()
	d := dbtest.New(t)
	r := &dailyRig{T: t, clock: time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC)}
	now := func() time.Time { return r.clock }
	r.books = bookspkg.New(d, now)
	r.schedule = &Schedule{Folder: NewFolder(d.Path(), "", now), Inspect: Inspector{Data: d.Path(), Now: now}.Whole, Every: 24 * time.Hour, Keep: 14,
		Database: d, Books: r.books, Log: slog.New(slog.DiscardHandler)}
	r.schedule.Begin()
	return r
}

// commit writes something.
func (r *dailyRig) commit(name string) {
	r.Helper()
	if _, _, err := r.books.Tenants.CreateHousehold(r.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: name, Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: name + "@example.org"}); err != nil {
		r.Fatal(err)
	}
}

// after moves the clock, has the schedule look, and compares the number of good copies.
func (r *dailyRig) after(d time.Duration, want int, why string) {
	r.Helper()
	r.clock = r.clock.Add(d)
	if err := r.schedule.Tick(r.Context()); err != nil {
		r.Fatal(err)
	}
	r.count(want, why)
}

func (r *dailyRig) count(want int, why string) {
	r.Helper()
	all, err := r.schedule.Folder.List()
	if err != nil || len(all) != want {
		r.Fatalf("%s: there are %v, want %d (%v)", why, all, want, err)
	}
}

// restart begins anew on the file, as after the start of a server.
func (r *dailyRig) restart() {
	again := *r.schedule
	again.version, again.Log = 0, slog.New(slog.DiscardHandler)
	again.Begin()
	r.schedule = &again
}

func TestDailyCopies(t *testing.T) {
	t.Parallel()
	r := newDailyRig(t)
	r.after(time.Hour, 0, "nobody has books yet")
	r.commit("first")
	r.after(time.Hour, 1, "the first books")
	r.commit("second")
	r.after(23*time.Hour, 1, "the last copy is not a day old")
	r.restart()
	r.after(time.Minute, 1, "a start makes no copy")
	r.after(time.Hour, 2, "a day later")
	r.after(72*time.Hour, 2, "nothing was written")
	r.after(72*time.Hour, 2, "nothing was written still")
	r.commit("third")
	r.after(time.Minute, 2, "it looks every hour")
	r.after(time.Hour, 3, "something was written")
	r.commit("fourth")
	r.schedule.Keep = 2
	r.after(25*time.Hour, 2, "two are kept")
	r.schedule.Every = 0
	r.commit("fifth")
	r.after(1000*time.Hour, 2, "copies are off")
}

// TestDailyCopiesAndTheClock: a clock that was a year ahead for a while keeps no copy from being made.
func TestDailyCopiesAndTheClock(t *testing.T) {
	t.Parallel()
	r := newDailyRig(t)
	r.commit("first")
	r.after(0, 1, "the first books")
	r.clock = r.clock.AddDate(1, 0, 0)
	r.commit("second")
	r.after(0, 2, "a year later")
	r.clock = r.clock.AddDate(-1, 0, 2)
	r.restart()
	r.commit("third")
	r.after(0, 3, "two days after the first")
	if last, ok := r.schedule.Folder.LastProved(); !ok || !last.Equal(r.clock) {
		t.Errorf("the last copy is of %v, want %v", last, r.clock)
	}
}

// TestDailyCopiesFail: a failure removes nothing, is tried again after an hour, and leaves nothing.
func TestDailyCopiesFail(t *testing.T) {
	t.Parallel()
	r := newDailyRig(t)
	r.commit("first")
	folder := r.schedule.Folder.Path
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.schedule.Tick(t.Context()); err == nil {
		t.Error("a copy was made in a file")
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	r.after(time.Minute, 0, "too early")
	r.after(time.Hour, 1, "tried again")
	copied, err := r.schedule.Folder.List()
	if err != nil {
		t.Fatal(err)
	}
	view, err := db.View(t.Context(), copied[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.part*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// TestDailyCopiesThatAreUnproved: they are kept and counted by themselves, no proved one goes for them, and the next is not made
// before its day.
func TestDailyCopiesThatAreUnproved(t *testing.T) {
	t.Parallel()
	r := newDailyRig(t)
	r.schedule.Keep = 2
	r.commit("first")
	r.after(time.Hour, 1, "the first books")
	var log bytes.Buffer
	r.schedule.Log = slog.New(slog.NewTextHandler(&log, nil))
	if err := r.schedule.Database.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, "UPDATE households SET currency = 'ZZZ'")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for day := range 4 {
		r.commit(fmt.Sprint("more", day))
		r.after(24*time.Hour, 1+min(day+1, 2), "of unproved ones two are kept beside the proved one")
		r.after(2*time.Hour, 1+min(day+1, 2), "an unproved copy is one for its day")
	}
	r.restart()
	r.after(time.Hour, 3, "a start makes no other")
	if _, ok := r.schedule.Folder.LastProved(); !ok || !strings.Contains(log.String(), "not proved") || !strings.Contains(log.String(), "first") {
		t.Errorf("the proved copy is gone, or the log does not name the household: %s", log.String())
	}
}
