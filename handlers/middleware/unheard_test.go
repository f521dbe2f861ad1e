package middleware

import (
	"net/netip"
	"strings"
	"sync"
	"testing"
)

// warnings are the lines of the log that name the setting.
func (g *rig) warnings() (lines []string) {
	for line := range strings.Lines(g.log.String()) {
		if strings.Contains(line, "trusted-proxies") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestWarningOfAProxy: whoever puts a proxy before the server without naming it is told so, once, whichever header it
// sends and however many requests come at a time. What the headers say is not in the log.
func TestWarningOfAProxy(t *testing.T) {
	t.Parallel()
	for _, header := range append(forwardedHeaders(), "x-forwarded-for") {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			g := newRig(t)
			g.Do(t, "GET", "/up", "").Is(t, 200, "")
			g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: read", "X-Forwarded: 198.51.100.7", "Via: 1.1 198.51.100.7").Is(t, 200, "")
			if got := g.warnings(); got != nil {
				t.Fatalf("warned without a reason: %q", got)
			}
			var all sync.WaitGroup
			for _, path := range []string{"/up", "/api/v1/usage", "/nothing", "/api/v1/tags"} {
				all.Go(func() { g.Do(t, "GET", path, "", "X-Api-Key: read", header+": 198.51.100.7") })
			}
			all.Wait()
			got := g.warnings()
			if len(got) != 1 || !strings.Contains(got[0], `"level":"WARN"`) || !strings.Contains(got[0], `"address":"127.0.0.1"`) || !strings.Contains(got[0], `"setting":"--trusted-proxies 127.0.0.1"`) {
				t.Errorf("warned %q", got)
			}
			if strings.Contains(g.log.String(), "198.51.100.7") {
				t.Errorf("the log has what the header says: %s", g.log)
			}
		})
	}
}

func TestNoWarningOfATrustedProxy(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	g.Origins.proxies = proxies{netip.MustParsePrefix("127.0.0.0/8")}
	g.proxies = g.Origins.proxies
	g.Do(t, "GET", "/up", "", "X-Forwarded-For: 198.51.100.7", "Forwarded: for=198.51.100.7").Is(t, 200, "")
	if got := g.warnings(); got != nil {
		t.Errorf("warned %q", got)
	}
}
