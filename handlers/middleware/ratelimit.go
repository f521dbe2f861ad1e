package middleware

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"finsvc/handlers/wire"
)

// limiters holds one token bucket for each key of K. A bucket starts full and refills evenly within
// the period, so one that was not used for a period is full again and can be forgotten without loss.
//
// Where there are as many as may be, those that come later share one, the bucket of the zero K, until others are
// forgotten.
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

func newLimiters[K comparable](period time.Duration) *limiters[K] {
	return &limiters[K]{period: period, buckets: map[K]*bucket{}}
}

// take takes a token out of key's bucket, which holds limit tokens, and says whether there was one.
// When there was none nothing is counted.
func (l *limiters[K]) take(key K, limit int, now time.Time) (wire.Rate, bool) {
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

func (b *bucket) state(now time.Time) wire.Rate {
	const hair = 1e-6 // a token that lacks a rounding error is whole
	tokens := b.tokens.TokensAt(now)
	perSecond := float64(b.tokens.Limit())
	remaining := min(b.limit, int(math.Max(0, math.Floor(tokens+hair))))
	st := wire.Rate{At: now, Limit: b.limit, Remaining: remaining, Used: b.limit - remaining}
	st.Reset = int(math.Ceil(math.Max(0, float64(b.limit)-tokens)/perSecond - hair))
	if remaining == 0 {
		st.Retry = max(1, int(math.Ceil((1-tokens)/perSecond-hair)))
	}
	return st
}
