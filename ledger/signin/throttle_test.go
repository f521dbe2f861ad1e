package signin

import (
	"strconv"
	"testing"
	"time"

	"finsvc/ledger"
)

// TestThrottleIsBounded: so many keys are remembered, and those with the most failures stay.
func TestThrottleIsBounded(t *testing.T) {
	t.Parallel()
	var tries throttle
	for range freeFailures {
		if err := tries.try(0, "name ana"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * maxThrottled {
		if err := tries.try(time.Duration(i), "name "+strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	if len(tries.failures) != maxThrottled {
		t.Errorf("%d keys are remembered", len(tries.failures))
	}
	if err := tries.try(time.Second, "name ana"); !ledger.IsKind(err, ledger.RateLimited) {
		t.Errorf("the key that failed most was forgotten: %v", err)
	}
}

// TestThrottleGrows: each failure doubles the wait up to five minutes, and an hour without one ends it.
func TestThrottleGrows(t *testing.T) {
	t.Parallel()
	var tries throttle
	now := time.Duration(0)
	var waits []int
	for range 15 {
		err := tries.try(now, "a", "b")
		if e := ledger.AsError(err); e != nil {
			waits = append(waits, e.Details["reset_in_seconds"].(int))
			now += time.Duration(waits[len(waits)-1]) * time.Second
			err = tries.try(now, "a", "b")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []int{2, 4, 8, 16, 32, 64, 128, 256, 300, 300}
	if len(waits) != len(want) {
		t.Fatalf("waits are %v", waits)
	}
	for i := range want {
		if waits[i] != want[i] {
			t.Fatalf("waits are %v", waits)
		}
	}
	now += forgottenFor + time.Second
	for range freeFailures {
		if err := tries.try(now, "a"); err != nil {
			t.Errorf("after an hour: %v", err)
		}
	}
}
