package conformance

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// record is what was asked and shown by which scenario.
type record struct {
	mu       sync.Mutex
	requests map[string]map[string]bool
	shown    map[string]map[int]bool
}

func newRecord() *record {
	return &record{requests: map[string]map[string]bool{}, shown: map[string]map[int]bool{}}
}

// request notes a request as "GET /accounts/{id} 200".
func (r *record) request(scenario, method, path string, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	path = strings.TrimPrefix(strings.ReplaceAll(path, "//", "/"), "/api/v1")
	note(r.requests, scenario, fmt.Sprintf("%s %s %d", method, ids.ReplaceAllString(path, "{id}"), status))
}

// shows notes that the scenario has proved a behaviour by its number.
func (c *client) shows(number int) {
	r := c.server.seen
	r.mu.Lock()
	defer r.mu.Unlock()
	note(r.shown, c.name, number)
}

func note[T comparable](all map[string]map[T]bool, scenario string, what T) {
	if all[scenario] == nil {
		all[scenario] = map[T]bool{}
	}
	all[scenario][what] = true
}
