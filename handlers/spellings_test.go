package handlers

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
)

// TestSpellingsOfRoutes asks for every route with a .json suffix, a slash at the end and doubled slashes, and where it
// is PATCH or GET also by PUT or HEAD: it must be the same route. What is not found at all asks for no key.
func TestSpellingsOfRoutes(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	asked := 0
	aliases := map[string]string{http.MethodPatch: http.MethodPut, http.MethodGet: http.MethodHead}
	for _, rt := range g.routes() {
		methods, path := []string{rt.Method}, apitest.Concrete(rt.Path)
		if alias := aliases[rt.Method]; alias != "" {
			methods = append(methods, alias)
		}
		for _, method := range methods {
			for _, spelling := range []string{path, strings.TrimSuffix(path, ".json") + ".json", path + "/", strings.ReplaceAll(path, "/", "//")} {
				asked++
				id := "asked-" + strconv.Itoa(asked)
				p := g.Do(t, method, spelling, "", "X-Request-Id: "+id)
				if !rt.Quiet { // those are not in the log
					apitest.Until(t, "the request is in the log", func() bool { return g.logged(id) != "" })
					if line := g.logged(id); !strings.Contains(line, `"route":"`+rt.Path+`"`) {
						t.Errorf("%s %s: not the route %s %s, but %s", method, spelling, rt.Method, rt.Path, line)
					}
				}
				if rt.Access != middleware.Public && p.StatusCode != http.StatusUnauthorized {
					t.Errorf("%s %s without a key: got %d", method, spelling, p.StatusCode)
				}
			}
		}
	}
}

// TestWhatThereIsNot: clients of other services ask for more than there is, and are told so in JSON.
func TestWhatThereIsNot(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	const id = "/0198f2a0-1234-7abc-8def-0123456789ab"
	for method, paths := range map[string][]string{
		"GET": {"/budgets", "/budgets" + id, "/budget_categories", "/budget_categories" + id, "/recurring_transactions", "/recurring_transactions" + id,
			"/family_exports", "/family_exports" + id, "/family_exports" + id + "/download", "/import_sessions" + id, "/provider_connections"},
		"POST": {"/recurring_transactions", "/family_exports", "/import_sessions", "/import_sessions" + id + "/chunks", "/import_sessions" + id + "/publish",
			"/auth/signup", "/auth/login", "/auth/refresh", "/auth/sso_exchange", "/auth/sso_link", "/auth/sso_create_account"},
		"PATCH":  {"/recurring_transactions" + id},
		"PUT":    {"/recurring_transactions" + id},
		"DELETE": {"/recurring_transactions" + id},
	} {
		for _, path := range paths {
			for _, key := range []string{"write", ""} {
				p := g.Do(t, method, "/api/v1"+path, "{}", "X-Api-Key: "+key, "Content-Type: application/json")
				p.Is(t, 404, `{"error":"not_found","message":"there is nothing at this path","details":null}`)
				if got := p.Header.Get("Content-Type"); got != wire.TypeJSON {
					t.Errorf("%s %s: the content type is %s", method, path, got)
				}
			}
		}
	}
}
