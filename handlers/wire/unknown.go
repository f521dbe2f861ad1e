package wire

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"finsvc/ledger"
)

// unknown are the parameters of a query that nobody asked for, each once, without brackets.
func (q *Query) unknown() (names []string) {
	for _, p := range q.pairs {
		name, _, _ := strings.Cut(p.name, "[")
		if !slices.Contains(q.asked, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// alike is the parameter that an unknown one was probably meant for; "" when none is like it.
func (q *Query) alike(unknown string) string {
	key := lettersOf(unknown)
	for _, name := range q.asked {
		known := lettersOf(name)
		if distance := ledger.Distance(key, known); distance == 0 || distance <= 2 && len(known) > 5 || distance == 1 && len(known) > 3 {
			return name
		}
	}
	return ""
}

// lettersOf is a name without case and punctuation: startDate and start-date are start_date.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(ledger.ClipText(name, 60)))
}

// RefuseUnknown adds a problem for each parameter that nobody asked for: of a write, one that was meant to narrow what
// it is of must not be ignored. What is asked for later is unknown.
func (q *Query) RefuseUnknown() {
	for _, name := range q.unknown() {
		text := "is no parameter of this request"
		if meant := q.alike(name); meant != "" {
			text += "; did you mean " + meant + "?"
		}
		q.Problems.Add(ledger.ClipText(name, 60), "%s", text)
	}
}

// Warn adds to an answer which parameters of the query were ignored though they look like ones that the request has.
func (a *Answer) Warn(r *Request) {
	body := bytes.TrimSpace(a.Json.Buf)
	if r.query == nil || a.Streaming || len(body) < 2 || body[0] != '{' || body[len(body)-1] != '}' {
		return
	}
	var warnings []string
	for _, name := range r.query.unknown() {
		if meant := r.query.alike(name); meant != "" {
			warnings = append(warnings, fmt.Sprintf("the parameter %s is not known and was ignored; did you mean %s?", ledger.Quote(name), meant))
		}
	}
	if warnings == nil {
		return
	}
	a.Json.Buf = body[:len(body)-1] // but for the brace that ends the object
	a.Json.Texts("warnings", warnings)
	a.Json.Close()
}
