package cmd_test

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// family is what a page of metrics has of one metric.
type family struct {
	kind    string
	samples map[string]string // values by name and labels
	order   []string
}

// exposition reads a page of metrics, which must be as the format and the conventions have it.
func exposition(t *testing.T, page string) map[string]*family {
	t.Helper()
	head := regexp.MustCompile(`^# (HELP|TYPE) ([a-z_]+) (.+)$`)
	sample := regexp.MustCompile(`^([a-z_]+)(\{([a-z]+="[^"\\\n]*")(,[a-z]+="[^"\\\n]*")*\})? (-?[0-9]+(\.[0-9]+)?)$`)
	all := map[string]*family{}
	var now *family
	var name string
	helped := false
	for line := range strings.SplitSeq(strings.TrimSuffix(page, "\n"), "\n") {
		if h := head.FindStringSubmatch(line); h != nil {
			if h[1] == "HELP" {
				if all[h[2]] != nil {
					t.Errorf("%s is there twice", h[2])
				}
				now, name, helped = &family{samples: map[string]string{}}, h[2], true
				all[name] = now
			} else if !helped || h[2] != name {
				t.Errorf("a type out of place: %s", line)
			} else {
				now.kind, helped = h[3], false
			}
			continue
		}
		s := sample.FindStringSubmatch(line)
		if s == nil || now == nil || !ownSample(name, now.kind, s[1]) {
			t.Errorf("not a sample of %s: %q", name, line)
			continue
		}
		if _, twice := now.samples[s[1]+s[2]]; twice {
			t.Errorf("twice: %s", line)
		}
		now.samples[s[1]+s[2]] = s[5]
		now.order = append(now.order, s[1]+s[2])
	}
	for name, f := range all {
		f.check(t, name)
	}
	return all
}

func ownSample(family, kind, sample string) bool {
	if kind == "histogram" {
		return sample == family+"_bucket" || sample == family+"_sum" || sample == family+"_count"
	}
	return sample == family
}

// check holds a family against the conventions for names, and histograms against themselves.
func (f *family) check(t *testing.T, name string) {
	t.Helper()
	total := strings.HasSuffix(name, "_total")
	if f.kind != "counter" && f.kind != "gauge" && f.kind != "histogram" || total != (f.kind == "counter") || len(f.samples) == 0 {
		t.Errorf("%s is a %s with %d samples", name, f.kind, len(f.samples))
	}
	if !regexp.MustCompile(`^(finsvc|process|go)_`).MatchString(name) || regexp.MustCompile(`_(ms|milliseconds|kb|mb|minutes)(_|$)`).MatchString(name) {
		t.Errorf("the name %s", name)
	}
	last := int64(0)
	for _, key := range f.order {
		if !strings.HasPrefix(key, name+"_bucket") {
			last = 0
			continue
		}
		n, err := strconv.ParseInt(f.samples[key], 10, 64)
		if err != nil || n < last {
			t.Errorf("%s is %s after %d", key, f.samples[key], last)
		}
		last = n
		if labels, isLast := strings.CutSuffix(key, `,le="+Inf"}`); isLast && f.samples[name+"_count"+strings.TrimPrefix(labels, name+"_bucket")+"}"] != f.samples[key] {
			t.Errorf("%s is not the count", key)
		}
	}
}

func fetch(t *testing.T, method, url string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Hearth", "--owner", "ana@example.org")
	key := s.OK("apikey", "create", "telephone")
	r := s.Serve("--metrics", "127.0.0.1:0")
	r.Get("/api/v1/tags", key)
	r.Get("/api/v1/tags/0198f2a0-1234-7abc-8def-0123456789ab", key)
	r.Get("/up", "")
	// A request is counted when it was answered, which a client can see a moment before.
	resp, page := fetch(t, "GET", r.MetricsAddress()+"/metrics")
	for deadline := time.Now().Add(5 * time.Second); !strings.Contains(page, "finsvc_http_requests_in_flight 0\n") && time.Now().Before(deadline); {
		resp, page = fetch(t, "GET", r.MetricsAddress()+"/metrics")
	}
	if got := resp.Header.Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" || resp.StatusCode != 200 {
		t.Errorf("%d, type %q", resp.StatusCode, got)
	}
	all := exposition(t, page)
	for key, want := range map[string]string{
		`finsvc_http_requests_total{route="/api/v1/tags",method="GET",status="2xx"}`:     "1",
		`finsvc_http_requests_total{route="/api/v1/tags/:id",method="GET",status="4xx"}`: "1",
		`finsvc_http_requests_total{route="/up",method="GET",status="2xx"}`:              "1",
		"finsvc_http_requests_in_flight":                                                 "0",
		"finsvc_http_streams":                                                            "0",
		"finsvc_database_up":                                                             "1",
		`finsvc_worker_running{worker="imports"}`:                                        "1",
		`finsvc_imports{status="failed"}`:                                                "0",
		"finsvc_answers_pending":                                                         "0",
	} {
		name, _, _ := strings.Cut(key, "{")
		if f := all[name]; f == nil || f.samples[key] != want {
			t.Errorf("%s is not %s:\n%s", key, want, page)
		}
	}
	checkHandbook(t, all)
	for _, word := range []string{"Hearth", "ana@", "telephone", "0198f2a0", strings.TrimSpace(key)} {
		if strings.Contains(page, word) {
			t.Errorf("the metrics name %s", word)
		}
	}
	if resp, _ := fetch(t, "GET", r.MetricsAddress()+"/up"); resp.StatusCode != 404 {
		t.Errorf("another page: %d", resp.StatusCode)
	}
	if resp, _ := fetch(t, "POST", r.MetricsAddress()+"/metrics"); resp.StatusCode != 405 {
		t.Errorf("POST: %d", resp.StatusCode)
	}
	if status, _ := r.Get("/metrics", key); status != 404 {
		t.Errorf("metrics at the address of the API: %d", status)
	}
	cmdtest.NewCommandLine(t).Fails(6, []string{"serve", "--listen", "127.0.0.1:0", "--metrics", strings.TrimPrefix(r.MetricsAddress(), "http://")}, "in use", "--metrics")
	cmdtest.NewCommandLine(t).Fails(2, []string{"serve", "--listen", "127.0.0.1:0", "--metrics", "loud"}, "--metrics 127.0.0.1:9117")
	r.End()
}

// checkHandbook holds the metrics that the handbook names against those that there are.
func checkHandbook(t *testing.T, have map[string]*family) {
	t.Helper()
	text, err := os.ReadFile("../embed/handbook/server.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Metrics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := regexp.MustCompile("`(finsvc_[a-z_]+)`").FindAllStringSubmatch(section, -1)
	for _, found := range named {
		if have[found[1]] == nil && found[1] != "finsvc_backup_age_seconds" {
			t.Errorf("the handbook has %s, the page has not", found[1])
		}
	}
	if len(named) == 0 {
		t.Error("the handbook names no metric")
	}
}
