package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// jumps are what a clock may do: a small computer without one of its own begins in the past, and is put right later.
func jumps() map[string][]time.Duration {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	return map[string][]time.Duration{
		"a day back":                 {-day},
		"a day back and ahead again": {-day, day},
		"a year ahead and back":      {year, -year},
		"many years back and again":  {-50 * year, 50 * year},
		"to and fro":                 {year, -2 * year, year + time.Hour, -day, day - time.Hour},
	}
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// TestClockMovesNoFigure: whatever the clock does, what was booked for days of the past stays what it is.
func TestClockMovesNoFigure(t *testing.T) {
	t.Parallel()
	for name, all := range jumps() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			h.transaction(t, "Rent", "Checking", "2024-01-03", "640.10")
			h.transaction(t, "Bread", "Checking", "2024-02-04", "4.20")
			h.make(t, h.key, "valuations", `{"valuation":{"account_id":"{Savings}","date":"2024-01-31","amount":7}}`)
			before := h.figures(t)
			for i, jump := range all {
				h.clock.move(jump)
				name := fmt.Sprint("Jump ", i)
				id := h.transaction(t, name, "Checking", "2025-01-01", "1.00")
				h.call(t, "PATCH", "/transactions/"+id, `{"transaction":{"notes":"changed"}}`).Is(t, 200, "")
				h.call(t, "PATCH", "/accounts/{Checking}", fmt.Sprintf(`{"account":{"name":%q}}`, name)).Is(t, 200, "")
				h.call(t, "PATCH", "/accounts/{Checking}", `{"account":{"name":"Checking"}}`).Is(t, 200, "")
				h.call(t, "DELETE", "/transactions/"+id, "").Is(t, 200, "")
			}
			for path, want := range before {
				if got := h.call(t, "GET", path, "").Text; got != want {
					t.Errorf("%s was\n%s\nis\n%s", path, want, got)
				}
			}
		})
	}
}

// transaction books an expense.
func (h *fixture) transaction(t *testing.T, name, account, date, amount string) string {
	t.Helper()
	return h.make(t, h.key, "transactions", fmt.Sprintf(
		`{"transaction":{"account_id":"{%s}","date":%q,"amount":%s,"nature":"expense","name":%q}}`, account, date, amount, name))
}

// figures are answers that depend on no clock.
func (h *fixture) figures(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, path := range []string{"/transactions?end_date=2024-12-31", "/balances?start_date=2024-01-01&end_date=2024-12-31", "/balance_sheet?as_of=2024-12-31",
		"/net_worth?start_date=2024-01-01&end_date=2024-12-31&interval=month", "/income_statement?start_date=2024-01-01&end_date=2024-12-31", "/valuations", "/trades"} {
		p := h.call(t, "GET", path, "")
		p.Is(t, 200, "")
		out[path] = p.Text
	}
	return out
}

// TestClockAndStamps: a list is in the order in which things were made, and no change makes a thing look older.
func TestClockAndStamps(t *testing.T) {
	t.Parallel()
	for name, all := range jumps() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			first := h.transaction(t, "first", "Checking", "2024-01-03", "1")
			ids, last := []string{first}, ""
			for i, jump := range all {
				h.clock.move(jump)
				ids = append([]string{h.transaction(t, fmt.Sprint(i), "Checking", "2024-01-03", "1")}, ids...)
				p := h.call(t, "PATCH", "/transactions/"+first, fmt.Sprintf(`{"transaction":{"notes":"%d"}}`, i))
				seen := decoded[struct {
					UpdatedAt string `json:"updated_at"`
				}](t, p, 200)
				if seen.UpdatedAt <= last {
					t.Errorf("updated at %s, before that at %s", seen.UpdatedAt, last)
				}
				last = seen.UpdatedAt
			}
			list := decoded[struct{ Transactions []struct{ ID string } }](t, h.call(t, "GET", "/transactions", ""), 200)
			var got []string
			for _, row := range list.Transactions {
				got = append(got, row.ID)
			}
			if strings.Join(got, " ") != strings.Join(ids, " ") {
				t.Errorf("the list is %v, want %v", got, ids)
			}
		})
	}
}

// TestClockAndKeys: a key opens until its end by the clock that is in force, and again when a wrong one is put right.
func TestClockAndKeys(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	session, err := h.ledger.Keys.Authenticate(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	const month = 30 * 24 * time.Hour
	plain, _, err := h.ledger.Keys.CreateAPIKey(t.Context(), session.Actor, tenant.KeyInput{Name: "month", Expires: month})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		move time.Duration
		want int
	}{
		{0, 200},
		{-24 * time.Hour, 200},
		{24 * time.Hour, 200},
		{12 * month, 401},
		{-12 * month, 200}, // it was not ended for good
		{month - time.Second, 200},
		{time.Second, 401},
		{-time.Second, 200},
		{time.Hour, 401},
	} {
		h.clock.move(c.move)
		h.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: "+plain).Is(t, c.want, "")
		if t.Failed() {
			t.Fatalf("at step %d", i)
		}
	}
}

// TestClockAndRepeats: a repeat gets the first answer for a day that has really passed, whatever the clock does meanwhile
// and did when the first was sent, whether others are answered and kept in between, and though the server is started anew.
func TestClockAndRepeats(t *testing.T) {
	t.Parallel()
	for name, all := range jumps() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			ids := []string{}
			send := func(key string) (id string, again bool) {
				p := h.call(t, "POST", "/transactions", onceBody, "Idempotency-Key: "+key)
				p.Is(t, 201, "")
				return idOf(t, p), p.Header.Get("Idempotency-Replayed") == "true"
			}
			for i, jump := range append(all, 0) {
				id, _ := send(fmt.Sprint(i))
				ids = append(ids, id)
				h.clock.move(jump)
				h.clock.pass(time.Hour)
				for k, want := range ids {
					if got, again := send(fmt.Sprint(k)); got != want || !again {
						t.Errorf("after %v request %d was done again", all[:min(i+1, len(all))], k)
					}
				}
			}
			h.clock.pass(24 * time.Hour)
			if id, again := send("0"); id == ids[0] || again {
				t.Error("the first answer is kept for more than a day")
			}
			if n := column(t, h.file, "SELECT count(*) FROM idempotent_answers")[0]; n != "1" {
				t.Errorf("%s answers are kept, want the last", n)
			}
		})
	}
}

// TestClockAndRestarts: neither does it matter that another server goes on, with whatever clock.
func TestClockAndRestarts(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	session, err := h.ledger.Keys.Authenticate(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	h.call(t, "POST", "/tags", `{"tag":{"name":"once"}}`, "Idempotency-Key: one").Is(t, 201, "")
	for _, c := range []struct {
		ahead, runs time.Duration
		kept        bool
	}{{300 * 24 * time.Hour, time.Hour, true}, {-300 * 24 * time.Hour, 24 * time.Hour, true}, {0, 24*time.Hour + time.Second, false}} {
		next := books.NewTimed(h.db, func() time.Time { return apitest.Noon().Add(c.ahead) }, func() time.Duration { return c.runs })
		if found, err := next.Answers.FindAnswer(t.Context(), session, "one"); (found != nil) != c.kept || err != nil {
			t.Errorf("a clock that is %v ahead, %v after the start: found %v, %v", c.ahead, c.runs, found, err)
		}
	}
}

// TestClockAndAbandonedHouseholds: the data of a household without users outlives every reading of a wrong clock, and is
// deleted all the same in the end. Checks are made as the server makes them: hourly and at its starts.
func TestClockAndAbandonedHouseholds(t *testing.T) {
	t.Parallel()
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	type reading struct {
		at   time.Duration // since the last user went
		gone int
	}
	for name, c := range map[string]struct {
		off      time.Duration // of the clock when the last user goes
		readings []reading
	}{
		"a right clock":              {0, []reading{{time.Hour, 0}, {30*day - 1, 0}, {30 * day, 0}, {31*day - 1, 0}, {31 * day, 1}, {31*day + time.Hour, 0}}},
		"a server that is off":       {0, []reading{{year, 0}, {year + time.Hour, 0}, {year + day, 1}}},
		"a month ahead":              {0, []reading{{31 * day, 0}, {31*day + 5*time.Hour, 0}, {6 * time.Hour, 0}, {29 * day, 0}, {30 * day, 0}, {31 * day, 1}}},
		"ahead at every start":       {0, []reading{{40 * day, 0}, {time.Hour, 0}, {41 * day, 0}, {day, 0}, {43 * day, 0}, {3 * day, 0}, {30 * day, 0}, {31 * day, 1}}},
		"ahead when it has waited":   {0, []reading{{30 * day, 0}, {year, 1}}}, // 30 days have passed
		"ahead and further":          {0, []reading{{31 * day, 0}, {0, 0}, {year, 0}, {time.Hour, 0}, {year + day - 1, 0}, {day, 0}}},
		"behind":                     {0, []reading{{-50 * year, 0}, {time.Hour, 0}, {-50 * year, 0}, {29 * day, 0}, {30 * day, 0}, {31 * day, 1}}},
		"behind for days":            {0, []reading{{-40 * day, 0}, {-38 * day, 0}, {-36 * day, 0}, {4 * day, 0}, {5 * day, 0}, {29 * day, 0}, {30 * day, 0}, {31 * day, 1}}},
		"behind when the user goes":  {-50 * year, []reading{{time.Hour, 0}, {day + time.Hour, 0}, {29 * day, 0}, {30 * day, 0}, {31 * day, 1}}},
		"ahead when the user goes":   {50 * year, []reading{{time.Hour, 0}, {2 * time.Hour, 0}, {day + time.Hour, 0}, {31 * day, 0}, {32 * day, 0}, {33 * day, 1}}},
		"ahead, and then far behind": {50 * year, []reading{{-50 * year, 0}, {time.Hour, 0}, {day + time.Hour, 0}, {31 * day, 0}, {33 * day, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t)
			h.transaction(t, "Rent", "Checking", "2024-01-03", "640.10")
			session, err := h.ledger.Keys.Authenticate(t.Context(), h.key)
			if err != nil {
				t.Fatal(err)
			}
			before := h.figures(t)
			h.clock.move(c.off)
			h.call(t, "DELETE", "/users/me", "").Is(t, 200, "")
			here := true
			for i, r := range c.readings {
				h.clock.set(apitest.Noon().Add(r.at))
				n, err := h.ledger.Tenants.PurgeAbandoned(t.Context())
				if here = here && n == 0; n != r.gone || err != nil {
					t.Fatalf("reading %d, %v: %d deleted, %v, want %d", i, r.at, n, err, r.gone)
				}
			}
			if !here {
				return
			}
			h.clock.set(apitest.Noon().Add(time.Hour))
			if _, err := h.ledger.Tenants.RestoreUser(t.Context(), session.Actor, session.UserID); err != nil {
				t.Fatal(err)
			}
			for path, want := range before {
				if got := h.call(t, "GET", path, "").Text; got != want {
					t.Errorf("%s was\n%s\nis\n%s", path, want, got)
				}
			}
		})
	}
}

// TestClockAndETags: what was answered is given again while nothing has changed, whatever the clock does, and an ETag
// stays good.
func TestClockAndETags(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.transaction(t, "Rent", "Checking", "2024-01-03", "640.10")
	first := h.call(t, "GET", "/transactions", "")
	for name, all := range jumps() {
		for _, jump := range all {
			h.clock.move(jump)
			p := h.call(t, "GET", "/transactions", "", "If-None-Match: "+first.Header.Get("ETag"))
			if p.StatusCode != http.StatusNotModified {
				t.Errorf("%s, %v: %d", name, jump, p.StatusCode)
			}
		}
		h.clock.set(apitest.Noon())
	}
}

// TestTodayFollowsTheHousehold: the day is that of the household's time zone, whatever the clock's is, and a change of
// either moves no stored day.
func TestTodayFollowsTheHousehold(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	id := h.transaction(t, "Rent", "Checking", "2026-08-22", "640.10")
	session, err := h.ledger.Keys.Authenticate(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ at, zone, today string }{
		{"2026-08-22T22:30:00Z", "Europe/Berlin", "2026-08-23"},
		{"2026-08-22T22:30:00Z", "America/New_York", "2026-08-22"},
		{"2026-08-22T10:30:00Z", "Pacific/Kiritimati", "2026-08-23"},
		{"2026-08-22T10:30:00Z", "Pacific/Niue", "2026-08-21"},
		{"2026-08-23T00:30:00+02:00", "UTC", "2026-08-22"}, // the clock's zone does not matter
		{"2026-08-23T00:30:00+02:00", "Europe/Berlin", "2026-08-23"},
		{"2026-08-22T18:30:00-04:00", "Europe/Berlin", "2026-08-23"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		h.clock.set(at)
		if _, err := h.ledger.Tenants.UpdateHousehold(t.Context(), session.Actor, tenant.HouseholdChange{Timezone: ledger.Some(c.zone)}); err != nil {
			t.Fatal(err)
		}
		var sheet struct {
			Date string `json:"as_of"`
		}
		if err := json.Unmarshal([]byte(h.call(t, "GET", "/balance_sheet", "").Text), &sheet); err != nil || sheet.Date != c.today {
			t.Errorf("%s in %s: today is %s, %v, want %s", c.at, c.zone, sheet.Date, err, c.today)
		}
		if got := h.call(t, "GET", "/transactions/"+id, ""); !strings.Contains(got.Text, `"date":"2026-08-22"`) {
			t.Errorf("%s in %s: %s", c.at, c.zone, got.Text)
		}
	}
}
