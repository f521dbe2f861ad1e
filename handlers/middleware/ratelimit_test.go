package middleware

import (
	"testing"
	"time"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
)

// TestClockAndLimits: a clock that is put back takes no request away, and leaves no key or stranger shut out.
func TestClockAndLimits(t *testing.T) {
	t.Parallel()
	l := newLimiters[string](time.Hour)
	now := apitest.Noon()
	take := func(want bool, remaining int) {
		t.Helper()
		if state, ok := l.take("key", 3, now); ok != want || state.Remaining != remaining || state.Retry > 3600 || state.Reset > 3600 {
			t.Errorf("%v, %+v; want %v, %d remaining", ok, state, want, remaining)
		}
	}
	take(true, 2)
	now = now.Add(-24 * time.Hour)
	take(true, 1)
	take(true, 0)
	take(false, 0)
	now = now.Add(20 * time.Minute) // one token later, though the clock is still behind
	take(true, 0)
	now = now.Add(365 * 24 * time.Hour)
	take(true, 2)
	now = now.Add(-365 * 24 * time.Hour)
	take(true, 1)
	now = now.Add(time.Hour)
	take(true, 2)
}

func TestTakeUntilEmptyAndRefill(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := newLimiters[string](time.Hour)
	// 4 an hour: a token every 900 seconds.
	for i, want := range []wire.Rate{
		{At: now, Limit: 4, Used: 1, Remaining: 3, Reset: 900},
		{At: now, Limit: 4, Used: 2, Remaining: 2, Reset: 1800},
		{At: now, Limit: 4, Used: 3, Remaining: 1, Reset: 2700},
		{At: now, Limit: 4, Used: 4, Remaining: 0, Reset: 3600, Retry: 900},
	} {
		if got, ok := l.take("a", 4, now); !ok || got != want {
			t.Errorf("request %d: got %+v %t, want %+v", i+1, got, ok, want)
		}
	}
	for range 3 { // refused ones are not counted
		want := wire.Rate{At: now, Limit: 4, Used: 4, Remaining: 0, Reset: 3600, Retry: 900}
		if got, ok := l.take("a", 4, now); ok || got != want {
			t.Errorf("got %+v %t, want %+v refused", got, ok, want)
		}
	}
	if _, ok := l.take("b", 4, now); !ok {
		t.Error("another key suffers")
	}
	later := now.Add(899 * time.Second)
	if got, ok := l.take("a", 4, later); ok || got.Retry != 1 {
		t.Errorf("a second too early: %+v %t", got, ok)
	}
	later = now.Add(900 * time.Second)
	if got, ok := l.take("a", 4, later); !ok || got.Remaining != 0 || got.Reset != 3600 {
		t.Errorf("a token came back: %+v %t", got, ok)
	}
}

func TestStatesAddUp(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := newLimiters[int](time.Hour)
	for i := range 500 {
		now = now.Add(time.Duration(i*7919%1000) * time.Millisecond)
		st, _ := l.take(1, 97, now)
		if st.Limit != st.Used+st.Remaining || st.Remaining < 0 || st.Used < 0 || st.Reset < 0 || st.Reset > 3600 {
			t.Fatalf("request %d: %+v", i, st)
		}
	}
}

func TestChangedLimitCounts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := newLimiters[int](time.Hour)
	l.take(1, 10_000, now)
	if got, ok := l.take(1, 2, now); !ok || got.Limit != 2 || got.Remaining != 1 {
		t.Errorf("lowered: %+v %t", got, ok)
	}
	if got, ok := l.take(1, 10_000, now.Add(time.Hour)); !ok || got.Limit != 10_000 {
		t.Errorf("raised: %+v %t", got, ok)
	}
}

func TestIdleBucketsAreSwept(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := newLimiters[int](time.Minute)
	for key := range 100 {
		l.take(key, 30, now)
	}
	l.take(0, 30, now.Add(30*time.Second))
	l.take(1, 30, now.Add(61*time.Second))
	if len(l.buckets) != 2 {
		t.Errorf("kept %d buckets, want the two that are in use", len(l.buckets))
	}
}

// TestBucketsAreBounded: those that come when there are as many as may be share one, until the others are forgotten.
func TestBucketsAreBounded(t *testing.T) {
	t.Parallel()
	l := newLimiters[int](time.Minute)
	l.most = 10
	now := apitest.Noon()
	for i := range 9 {
		l.take(1+i, 5, now)
	}
	allowed := 0
	for i := range 100 {
		if _, ok := l.take(100+i, 5, now); ok {
			allowed++
		}
	}
	if allowed != 1+5 || len(l.buckets) > 11 {
		t.Errorf("%d requests of strangers too many were let through, with %d buckets", allowed, len(l.buckets))
	}
	if _, ok := l.take(1, 5, now); !ok {
		t.Error("one that was there before suffers from it")
	}
	if _, ok := l.take(1000, 5, now.Add(time.Hour)); !ok || len(l.buckets) != 1 {
		t.Errorf("%d buckets afterwards", len(l.buckets))
	}
}
