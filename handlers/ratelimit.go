package handlers

import (
	"math"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"finsvc/ledger"
)

// limiters holds one token bucket for each key of K. A bucket starts full and refills evenly within
// the period, so one that was not used for a period is full again and can be forgotten without loss.
//
// Where there are as many as may be, those that come later share one, the bucket of the zero K, until others are forgotten.
type limiters[K comparable] struct {
	period time.Duration
	most   int // buckets; 0: as many as there are keys

	mu      sync.Mutex
	buckets map[K]*bucket
	swept   time.Time
}

type bucket struct {
	tokens *rate.Limiter
	limit  int
	used   time.Time
}

// rateState is a bucket at one moment. limit = used + remaining; the times are whole seconds.
type rateState struct {
	at        time.Time
	limit     int
	used      int
	remaining int
	reset     int // until the bucket is full
	retry     int // until there is a token again; 0 when there is one
}

func newLimiters[K comparable](period time.Duration) *limiters[K] {
	return &limiters[K]{period: period, buckets: map[K]*bucket{}}
}

// take takes a token out of key's bucket, which holds limit tokens, and says whether there was one.
// When there was none nothing is counted.
func (l *limiters[K]) take(key K, limit int, now time.Time) (rateState, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	b := l.bucket(key, limit, now)
	b.used = now
	ok := b.tokens.AllowN(now, 1)
	return b.state(now), ok
}

// bucket finds or makes a bucket, and follows a limit that was changed since.
func (l *limiters[K]) bucket(key K, limit int, now time.Time) *bucket {
	perSecond := rate.Limit(float64(limit) / l.period.Seconds())
	b := l.buckets[key]
	if b == nil && l.most > 0 && len(l.buckets) >= l.most {
		var rest K
		key = rest
		b = l.buckets[key]
	}
	switch {
	case b == nil:
		b = &bucket{tokens: rate.NewLimiter(perSecond, limit), limit: limit}
		l.buckets[key] = b
	case b.limit != limit:
		b.tokens.SetBurstAt(now, limit)
		b.tokens.SetLimitAt(now, perSecond)
		b.limit = limit
	}
	return b
}

// sweep forgets the buckets that are full again, once a period.
func (l *limiters[K]) sweep(now time.Time) {
	if now.Sub(l.swept) < l.period {
		return
	}
	l.swept = now
	for key, b := range l.buckets {
		if now.Sub(b.used) >= l.period {
			delete(l.buckets, key)
		}
	}
}

func (b *bucket) state(now time.Time) rateState {
	const hair = 1e-6 // a token that lacks a rounding error is whole
	tokens := b.tokens.TokensAt(now)
	perSecond := float64(b.tokens.Limit())
	remaining := min(b.limit, int(math.Max(0, math.Floor(tokens+hair))))
	st := rateState{at: now, limit: b.limit, remaining: remaining, used: b.limit - remaining}
	st.reset = int(math.Ceil(math.Max(0, float64(b.limit)-tokens)/perSecond - hair))
	if remaining == 0 {
		st.retry = max(1, int(math.Ceil((1-tokens)/perSecond-hair)))
	}
	return st
}

// headers tells the client where it stands.
func (st rateState) headers(a *answer) {
	h := a.header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(st.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(st.remaining))
	h.Set("X-RateLimit-Reset", strconv.Itoa(st.reset))
}

// exceeded is the error of an empty bucket; what was limited begins the sentence.
func (st rateState) exceeded(a *answer, what string) error {
	a.header().Set("Retry-After", strconv.Itoa(st.retry))
	return &ledger.Error{
		Kind: ledger.RateLimited, Code: "rate_limit_exceeded",
		Message: what + "; try again in " + strconv.Itoa(st.retry) + " seconds",
		Details: map[string]any{"limit": st.limit, "current": st.used, "reset_in_seconds": st.reset},
	}
}
