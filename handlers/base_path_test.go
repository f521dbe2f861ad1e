package handlers

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"finsvc/handlers/apitest"
)

// TestEveryRouteBelowABasePath: each route answers below the path and nowhere else, but for health.
func TestEveryRouteBelowABasePath(t *testing.T) {
	t.Parallel()
	g := newRig(t, below("/home/finance"))
	for _, r := range g.routes() {
		path := apitest.Concrete(r.Path)
		if got := g.Do(t, "PROPFIND", g.options.BasePath+path, ""); got.StatusCode != 405 || !strings.Contains(got.Header.Get("Allow"), r.Method) {
			t.Errorf("%s below the path: %d %s", path, got.StatusCode, got.Text)
		}
		want := 404
		if path == "/" || path == "/up" || path == "/healthz" {
			want = 405
		}
		for _, outside := range []string{path, "/home" + path, g.options.BasePath + "x" + path} {
			if outside != path {
				want = 404
			}
			if got := g.Do(t, "PROPFIND", outside, ""); got.StatusCode != want {
				t.Errorf("%s: %d, want %d: %s", outside, got.StatusCode, want, got.Text)
			}
		}
	}
}

func TestBasePath(t *testing.T) {
	t.Parallel()
	g := newRig(t, below("/finance"))
	for path, want := range map[string]int{
		"/finance/api/v1/tags":         200,
		"/finance//api/v1/tags.json/":  200,
		"//finance/api/v1/tags":        200,
		"/finance/up":                  200,
		"/up":                          200,
		"/api/v1/tags":                 404,
		"/finance":                     200,
		"/finance/":                    200,
		"/":                            200,
		"/-":                           404,
		"/other":                       404,
		"/financeapi/v1/tags":          404,
		"/finance/finance/api/v1/tags": 404,
		"/finance/../api/v1/tags":      404,
		"/FINANCE/api/v1/tags":         404,
	} {
		got := g.Do(t, "GET", path, "", "X-Api-Key: read")
		if got.StatusCode != want || want == 404 && got.Code() != "not_found" {
			t.Errorf("%s: got %d %s, want %d", path, got.StatusCode, got.Text, want)
		}
	}
	if got := g.Do(t, "OPTIONS", "/finance/api/v1/tags", ""); got.StatusCode != 204 || got.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a browser's question: %d", got.StatusCode)
	}
	made := g.Do(t, "POST", "/finance/api/v1/tags", `{"tag":{"name":"One"}}`, "X-Api-Key: write", "Content-Type: application/json")
	made.Is(t, 201, "")
	var tag struct{ ID string }
	if err := json.Unmarshal([]byte(made.Text), &tag); err != nil {
		t.Fatal(err)
	}
	path := "/finance/api/v1/tags/" + tag.ID
	etag := g.Do(t, "GET", path, "", "X-Api-Key: read").Header.Get("ETag")
	g.Do(t, "PATCH", path, `{"tag":{"name":"Two"}}`, "X-Api-Key: write", "Content-Type: application/json", `If-Match: "other"`).Is(t, 412, "")
	g.Do(t, "PATCH", path, `{"tag":{"name":"Two"}}`, "X-Api-Key: write", "Content-Type: application/json", "If-Match: "+etag).Is(t, 200, "")
}

// TestLinksFollowTheOrigin: what answers name of the server itself is where the client finds it.
func TestLinksFollowTheOrigin(t *testing.T) {
	t.Parallel()
	g := newRig(t, below("/finance"), func(o *Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	outside := []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: home.example.org", "X-Forwarded-Prefix: /outer"}
	var described struct{ Servers []struct{ URL string } }
	if err := json.Unmarshal([]byte(g.Do(t, "GET", "/finance/api/v1/openapi.json", "", outside...).Text), &described); err != nil || described.Servers[0].URL != "/outer/finance" {
		t.Errorf("JSON names %+v, %v", described, err)
	}
	if err := yaml.Unmarshal([]byte(g.Do(t, "GET", "/finance/api/v1/openapi.yaml", "").Text), &described); err != nil || described.Servers[0].URL != "/finance" {
		t.Errorf("YAML names %+v, %v", described, err)
	}
	page := g.Do(t, "GET", "/finance/api/docs", "", outside...).Text
	for _, want := range []string{`href="/outer/finance/api/v1/openapi.yaml"`, "https://home.example.org/outer/finance/api/v1/tags"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, wrong := range []string{`href="/api/`, "localhost:7117"} {
		if strings.Contains(page, wrong) {
			t.Errorf("the page has %s", wrong)
		}
	}
	if got := g.Do(t, "GET", "/finance/api/docs", "", outside[0]); got.StatusCode != http.StatusOK || !strings.Contains(got.Text, "https://127.0.0.1:") {
		t.Error("without other headers the page does not name the host that was asked")
	}
}
