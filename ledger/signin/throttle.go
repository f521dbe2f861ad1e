package signin

import (
	"math"
	"strconv"
	"sync"
	"time"

	"finsvc/ledger"
)

const (
	freeFailures = 5               // so many are followed by no wait but the last
	firstWait    = 2 * time.Second // after that; each further failure doubles it
	longestWait  = 5 * time.Minute // at most
	forgottenFor = time.Hour       // after the last failure
	maxThrottled = 4096            // names and addresses that are remembered
)

// throttle makes those wait who guess. Failures are counted under several keys at once, such as the name and the
// address that a try was for, and each key makes its tries wait.
type throttle struct {
	mu       sync.Mutex
	failures map[string]failures
}

// failures are those of a key; times are of [ledger.Store.Ran], which setting the clock does not move.
type failures struct {
	count       int
	last, until time.Duration
}

// try counts a try as a failure beforehand, so that many at once are no way around, and gives an error when one of its
// keys has to wait, which then counts nothing.
func (t *throttle) try(now time.Duration, keys ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var wait time.Duration
	most := 0
	for _, key := range keys {
		if f := t.failures[key]; f.until-now > wait {
			wait, most = f.until-now, f.count
		}
	}
	if wait > 0 {
		return errTooManyTries("too many sign-ins have failed", most, freeFailures, wait)
	}
	for _, key := range keys {
		f := t.failures[key]
		if now-f.last > forgottenFor {
			f = failures{}
		}
		f.count, f.last = f.count+1, now
		if f.count >= freeFailures {
			f.until = now + min(firstWait<<min(f.count-freeFailures, 10), longestWait)
		}
		t.makeRoom(now, key)
		t.failures[key] = f
	}
	return nil
}

// passed forgets the failures of a key whose try was right.
func (t *throttle) passed(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.failures, key)
}

// takeBack uncounts a try that has not failed: one who knows one password may guess others.
func (t *throttle) takeBack(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.failures[key]
	if !ok {
		return
	}
	f.count, f.until = f.count-1, 0
	t.failures[key] = f
	if f.count <= 0 {
		delete(t.failures, key)
	}
}

// makeRoom forgets, when there are too many keys, those that are over, and if that is not enough the one with the
// fewest failures.
func (t *throttle) makeRoom(now time.Duration, key string) {
	if t.failures == nil {
		t.failures = map[string]failures{}
	}
	if _, known := t.failures[key]; known || len(t.failures) < maxThrottled {
		return
	}
	fewest := failures{count: math.MaxInt}
	least := ""
	for key, f := range t.failures {
		switch {
		case now-f.last > forgottenFor:
			delete(t.failures, key)
		case f.count < fewest.count, f.count == fewest.count && f.last < fewest.last:
			fewest, least = f, key
		}
	}
	if len(t.failures) >= maxThrottled {
		delete(t.failures, least)
	}
}

// errTooManyTries says how long to wait, in whole seconds.
func errTooManyTries(what string, current, limit int, wait time.Duration) error {
	seconds := int((wait + time.Second - 1) / time.Second)
	return &ledger.Error{Kind: ledger.RateLimited, Code: "rate_limit_exceeded",
		Message: what + "; try again in " + strconv.Itoa(seconds) + " seconds",
		Details: map[string]any{"limit": limit, "current": current, "reset_in_seconds": seconds}}
}
