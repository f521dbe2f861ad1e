package middleware

import (
	"net/http"
	"strings"

	"github.com/julienschmidt/httprouter"
)

// methods are those the API knows; OPTIONS is answered before routing.
func methods() []string {
	return []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete}
}

// router finds the route of a request. httprouter refuses a word beside a parameter (users/me beside
// users/:id), so there is one router for each number of parameters, asked in order: words win over
// parameters, which no id can be affected by. Nothing is ever redirected.
type router struct {
	levels []*httprouter.Router
	routes []*Route
}

// match carries the outcome of a look-up out of httprouter, which gives back only a handle. It is a
// ResponseWriter in name alone.
type match struct {
	http.ResponseWriter
	route  *Route
	params httprouter.Params
}

func newRouter(table []Route) *router {
	rt := &router{}
	for i := range table {
		rt.add(&table[i])
	}
	return rt
}

// add registers a route under its method and what follows from it: HEAD for GET, PUT for PATCH.
func (rt *router) add(r *Route) {
	r.counts = new(routeCounts)
	rt.routes = append(rt.routes, r)
	path := strings.TrimSuffix(r.Path, ".json")
	level := strings.Count(path, "/:")
	for len(rt.levels) <= level {
		rt.levels = append(rt.levels, httprouter.New())
	}
	handle := func(w http.ResponseWriter, _ *http.Request, ps httprouter.Params) {
		m := w.(*match)
		m.route, m.params = r, ps
	}
	rt.levels[level].Handle(r.Method, path, handle)
	switch r.Method {
	case http.MethodGet:
		rt.levels[level].Handle(http.MethodHead, path, handle)
	case http.MethodPatch:
		rt.levels[level].Handle(http.MethodPut, path, handle)
	}
}

// find gives the route of a request; without one, the methods that the path does have, if any.
func (rt *router) find(method, path string) (match, []string) {
	path = tidyPath(path)
	for _, level := range rt.levels {
		if m := lookup(level, method, path); m.route != nil {
			return m, nil
		}
		if allowed := allowedMethods(level, path); len(allowed) > 0 {
			return match{}, allowed
		}
	}
	return match{}, nil
}

func lookup(level *httprouter.Router, method, path string) match {
	var m match
	if handle, params, _ := level.Lookup(method, path); handle != nil {
		handle(&m, nil, params)
	}
	return m
}

func allowedMethods(level *httprouter.Router, path string) []string {
	var allowed []string
	for _, method := range methods() {
		if handle, _, _ := level.Lookup(method, path); handle != nil {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

// tidyPath takes away what real clients add to a path: a .json suffix, a trailing slash, doubled
// slashes from a base address that ends in one.
func tidyPath(path string) string {
	path = singleSlashes(path)
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return strings.TrimSuffix(path, ".json")
}

func singleSlashes(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}
