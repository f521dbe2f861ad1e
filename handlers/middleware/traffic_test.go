package middleware

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/wire"
)

func TestExposition(t *testing.T) {
	t.Parallel()
	e := &Exposition{}
	e.Family("empty", Gauge, "Nothing.")
	e.Family("things", Gauge, "Things.")
	e.Int(-3)
	e.Int(4, "name", "a \"b\"\\\nc", "other", "")
	e.Family("times_seconds", Histogram, "Times.")
	e.buckets([]time.Duration{time.Millisecond, 10 * time.Second}, []int64{1, 3, 4}, 61_500*time.Millisecond, []string{"route", "/x"})
	const want = `# HELP things Things.
# TYPE things gauge
things -3
things{name="a \"b\"\\\nc",other=""} 4
# HELP times_seconds Times.
# TYPE times_seconds histogram
times_seconds_bucket{route="/x",le="0.001"} 1
times_seconds_bucket{route="/x",le="10"} 3
times_seconds_bucket{route="/x",le="+Inf"} 4
times_seconds_sum{route="/x"} 61.5
times_seconds_count{route="/x"} 4
`
	if got := string(e.Text()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestInSeconds(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0", 1: "0.000000001", time.Second: "1", 1_500_000_000: "1.5", -250_000_000: "-0.25", 100 * time.Second: "100", 90_000_000_010: "90.00000001",
	} {
		if got := inSeconds(d); got != want {
			t.Errorf("%d: got %s, want %s", d, got, want)
		}
	}
}

// TestTally: each request is in the first bucket whose bound it does not exceed.
func TestTally(t *testing.T) {
	t.Parallel()
	var of routeCounts
	for _, took := range []time.Duration{0, time.Millisecond, time.Millisecond + 1, 10 * time.Second, 11 * time.Second} {
		of.add(took)
	}
	for i, want := range [13]int64{0: 2, 1: 1, 11: 1, 12: 1} {
		if got := of.took[i].Load(); got != want {
			t.Errorf("bucket %d has %d, want %d", i, got, want)
		}
	}
	if got := time.Duration(of.total.Load()); got != 21*time.Second+2*time.Millisecond+1 {
		t.Errorf("in all %s", got)
	}
}

func TestTraffic(t *testing.T) {
	t.Parallel()
	began, end := make(chan bool), make(chan bool)
	g := newRig(t,
		Route{Method: "PATCH", Path: "/api/v1/things/:id", Handle: echo("changed")},
		Route{Method: "GET", Path: "/api/v1/broken", Handle: func(*wire.Answer, *wire.Request) error { return errors.New("broken") }},
		Route{Method: "GET", Path: "/api/v1/panics", Handle: func(*wire.Answer, *wire.Request) error { panic("lost") }},
		Route{Method: "GET", Path: "/api/v1/events", Live: true, Handle: func(a *wire.Answer, _ *wire.Request) error {
			a.Events()
			began <- true
			<-end
			return nil
		}},
	)
	// Asked without a network, a request has been counted when the call returns.
	ask := func(method, path string) { g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil)) }
	for method, path := range map[string]string{"PUT": "/api/v1/things/7", "PATCH": "/api/v1/things/8", "GET": "/api/v1/broken", "HEAD": "/api/v1/panics", "OPTIONS": "/api/v1/things/7", "BREW": "/nowhere"} {
		ask(method, path)
	}
	done := make(chan bool)
	go func() {
		ask("GET", "/api/v1/events")
		close(done)
	}()
	<-began
	for _, want := range []string{
		"finsvc_http_requests_in_flight 1\n", "finsvc_http_streams 1\n",
		`finsvc_http_requests_total{route="/api/v1/things/:id",method="PATCH",status="2xx"} 2` + "\n",
		`finsvc_http_requests_total{route="/api/v1/broken",method="GET",status="5xx"} 1` + "\n",
		`finsvc_http_requests_total{route="/api/v1/panics",method="GET",status="5xx"} 1` + "\n",
		`finsvc_http_requests_total{route="preflight",method="OPTIONS",status="2xx"} 1` + "\n",
		`finsvc_http_requests_total{route="unmatched",method="any",status="4xx"} 1` + "\n",
		`finsvc_http_request_duration_seconds_count{route="/api/v1/things/:id",method="PATCH"} 2` + "\n",
	} {
		if got := g.metrics(); !strings.Contains(got, want) {
			t.Errorf("no %sin\n%s", want, got)
		}
	}
	close(end)
	<-done
	got := g.metrics()
	for _, want := range []string{"finsvc_http_requests_in_flight 0\n", "finsvc_http_streams 0\n", `finsvc_http_requests_total{route="/api/v1/events",method="GET",status="2xx"} 1` + "\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %sin\n%s", want, got)
		}
	}
	if strings.Contains(got, `duration_seconds_count{route="/api/v1/events"`) {
		t.Errorf("how long a stream took is counted:\n%s", got)
	}
}

func (g *rig) metrics() string {
	e := &Exposition{}
	g.WriteMetrics(e)
	return string(e.Text())
}

// TestCountingTakesNoMemory, whatever is asked.
func TestCountingTakesNoMemory(t *testing.T) {
	var counts traffic
	a, r := &wire.Answer{Status: 200}, &inbound{Request: new(wire.Request), route: &Route{counts: new(routeCounts)}}
	if n := testing.AllocsPerRun(100, func() { counts.begin(); counts.end(a, r, time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkCounting is what the metrics cost a request.
func BenchmarkCounting(b *testing.B) {
	var counts traffic
	r := &inbound{Request: new(wire.Request), route: &Route{counts: new(routeCounts)}}
	b.RunParallel(func(pb *testing.PB) {
		a := &wire.Answer{Status: 200}
		for pb.Next() {
			counts.begin()
			counts.end(a, r, 3*time.Millisecond)
		}
	})
}
