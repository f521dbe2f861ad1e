package middleware

import (
	"sync/atomic"
	"time"

	"finsvc/handlers/wire"
)

// What stands in the place of a route's pattern, in logs and metrics.
const (
	patternUnmatched = "unmatched"
	patternPreflight = "preflight"
)

// traffic counts the requests of a server. To count one takes a few atomic additions and no memory.
type traffic struct {
	running    atomic.Int64 // requests
	streams    atomic.Int64 // that are open
	unmatched  routeCounts  // requests that no route is for
	preflights routeCounts  // what browsers ask before a request of a script
	pages      routeCounts  // for people
}

// tookUpTo are the bounds of took but for the last one, which has none.
func tookUpTo() [12]time.Duration {
	const ms = time.Millisecond
	return [...]time.Duration{ms, 2500 * time.Microsecond, 5 * ms, 10 * ms, 25 * ms, 50 * ms, 100 * ms, 250 * ms,
		500 * ms, 1000 * ms, 2500 * ms, 10000 * ms}
}

func (t *traffic) begin() { t.running.Add(1) }

func (t *traffic) end(a *wire.Answer, r *inbound, took time.Duration) {
	t.running.Add(-1)
	of := &t.unmatched
	switch {
	case r.route != nil:
		of = r.route.counts
	case r.Pattern == patternPreflight:
		of = &t.preflights
	}
	of.answers[min(max(0, a.Status/100), len(of.answers)-1)].Add(1)
	if a.Streaming {
		t.streams.Add(-1) // how long it took says nothing
		return
	}
	of.add(took)
}

func (t *routeCounts) add(took time.Duration) {
	bounds := tookUpTo()
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	t.took[i].Add(1)
	t.total.Add(int64(took))
}
