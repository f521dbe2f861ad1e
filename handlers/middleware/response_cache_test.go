package middleware

import (
	"strconv"
	"strings"
	"testing"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// countingGet answers with how often it was called.
func countingGet(calls *int) Handler {
	return func(a *wire.Answer, _ *wire.Request) error {
		*calls++
		a.Message("call " + strconv.Itoa(*calls))
		return nil
	}
}

// What was answered is answered again without any work until something is committed, by whomever.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	calls := 0
	g := newRig(t, Route{Method: "GET", Path: "/a", Access: Read, Handle: countingGet(&calls)},
		Route{Method: "GET", Path: "/live", Access: Read, Live: true, Handle: countingGet(&calls)})
	ask := func(path, key, want string, headers ...string) {
		t.Helper()
		g.Do(t, "GET", path, "", append(headers, "X-Api-Key: "+key)...).Is(t, 200, `{"message":"call `+want+`"}`)
	}
	ask("/a", "read", "1")
	ask("/a", "read", "1")
	ask("/a", "write", "2") // of another key
	ask("/a?x=1", "read", "3")
	ask("/a", "read", "1", "Accept-Language: fr") // the household does not let requests choose
	ask("/a", "read", "1")
	ask("/live", "read", "4")
	ask("/live", "read", "5")
	home, err := g.session(t.Context(), "read")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.ledger.Labels.CreateTag(t.Context(), home.Actor, catalog.TagInput{Name: ledger.Some("new")}); err != nil {
		t.Fatal(err)
	}
	ask("/a", "read", "6")
	ask("/a", "read", "6")
}

// Memory for answers is bounded.
func TestKeptAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var k responseCache
	stamp := cacheStamp{1, 1}
	long := &wire.Representation{Body: make([]byte, cacheLongest-cacheBeside-2)}
	for i := range 20 {
		k.keep(cacheKey{path: strconv.Itoa(i)}, stamp, long)
		if k.size > cacheMax || len(k.answers) > cacheMax/cacheLongest {
			t.Fatalf("%d answers of %d bytes are kept", len(k.answers), k.size)
		}
	}
	tooLong := cacheKey{path: "too long"}
	k.keep(tooLong, stamp, &wire.Representation{Body: make([]byte, cacheLongest+1)})
	if k.find(tooLong, stamp) != nil {
		t.Error("an answer above the limit is kept")
	}
	if k.find(cacheKey{path: "19"}, stamp) == nil || k.find(cacheKey{path: "19"}, cacheStamp{1, 2}) != nil || k.find(cacheKey{path: "19"}, cacheStamp{2, 1}) != nil {
		t.Error("an answer is found under its own stamp, and under no other")
	}
}

// What belongs to an answer counts, too: many short ones, and those with long queries and languages.
func TestKeptAnswersCountEverything(t *testing.T) {
	t.Parallel()
	var k responseCache
	short := &wire.Representation{Body: []byte("{}"), Etag: "x"}
	for i := range 3 * cacheMax / cacheBeside {
		k.keep(cacheKey{path: "/", query: strconv.Itoa(i)}, cacheStamp{1, 1}, short)
		if len(k.answers) > cacheMax/cacheBeside {
			t.Fatalf("%d short answers are kept", len(k.answers))
		}
	}
	for i := range 200 {
		k.keep(cacheKey{query: strconv.Itoa(i) + strings.Repeat("q", 50_000), language: strings.Repeat("l", 60_000)}, cacheStamp{2, 1}, short)
		if len(k.answers) > cacheMax/110_000 {
			t.Fatalf("%d answers with long keys are kept", len(k.answers))
		}
	}
	if k.keep(cacheKey{query: strings.Repeat("q", cacheLongest)}, cacheStamp{2, 1}, short); k.find(cacheKey{query: strings.Repeat("q", cacheLongest)}, cacheStamp{2, 1}) != nil {
		t.Error("a key above the limit is kept")
	}
}
