package handlers

import (
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

// An answer has a tag, and a client that names it gets 304 without a body, compressed or not.
func TestETags(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for name := range strings.FieldsSeq("A B C D E F G H") {
		h.add(t, name, `"account_id":"{Checking}","date":"2026-08-20","amount":"4.80"`)
	}
	for _, path := range []string{"/transactions", "/transactions/{A}", "/accounts", "/tags", "/balance_sheet"} {
		plain := h.call(t, "GET", path, "")
		tag := plain.Header.Get("ETag")
		if len(tag) != 26 || h.call(t, "GET", path, "").Header.Get("ETag") != tag {
			t.Fatalf("%s: ETag %q", path, tag)
		}
		apitest.CheckHeaders(t, plain, map[string]string{"Cache-Control": "private, no-cache"})
		packedTag := strings.TrimSuffix(tag, `"`) + `-gzip"`
		if p := h.call(t, "GET", path, "", "Accept-Encoding: gzip"); p.Header.Get("Content-Encoding") == "gzip" && p.Header.Get("ETag") != packedTag {
			t.Errorf("%s: compressed it has the ETag %q", path, p.Header.Get("ETag"))
		}
		for _, c := range []struct {
			header string
			status int
		}{
			{tag, 304}, {packedTag, 304}, {"W/" + tag, 304}, {`"x", ` + tag, 304}, {"*", 304},
			{`"x"`, 200}, {"x", 200}, {"", 200}, {strings.ToLower(tag) + "x", 200},
		} {
			p := h.call(t, "GET", path, "", "If-None-Match: "+c.header)
			p.Is(t, c.status, "")
			if c.status == 304 && (p.Text != "" || p.Header.Get("ETag") != tag || p.Header.Get("X-Ratelimit-Limit") == "" || p.Header.Get("Content-Type") != "") {
				t.Errorf("%s, If-None-Match %s: %q %v", path, c.header, p.Text, p.Header)
			}
		}
	}
	tag := h.call(t, "GET", "/transactions", "").Header.Get("ETag")
	h.call(t, "PATCH", "/transactions/{A}", `{"transaction":{"name":"Z"}}`).Is(t, 200, "")
	h.call(t, "GET", "/transactions", "", "If-None-Match: "+tag).Is(t, 200, "")
}

// What nobody could use has none: errors, streams, and answers that are another one each time.
func TestNoETag(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	for _, path := range []string{"/usage", "/tags/nope", "/nope"} {
		if p := h.call(t, "GET", path, ""); p.Header.Get("ETag") != "" || p.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, p.Header)
		}
	}
	if p := h.Do(t, "GET", "/up", ""); p.Header.Get("ETag") != "" {
		t.Errorf("/up: %v", p.Header)
	}
}

// A write with If-Match is done only if nobody has changed the thing since.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "A", `"account_id":"{Checking}","date":"2026-08-20","amount":"4.80"`)
	tag := func(path string, headers ...string) string {
		return "If-Match: " + h.call(t, "GET", path, "", headers...).Header.Get("ETag")
	}
	old := tag("/transactions/{A}")
	h.call(t, "PATCH", "/transactions/{A}", `{"transaction":{"name":"first"}}`, old).Is(t, 200, "")
	before := h.print(t)
	for _, c := range []struct{ method, path, body, header, want string }{
		{"PATCH", "/transactions/{A}", `{"transaction":{"name":"second"}}`, old, "this is not what the ETag in If-Match was of"},
		{"PUT", "/transactions/{A}", `{"transaction":{"name":"second"}}`, `If-Match: "x"`, "this is not what"},
		{"DELETE", "/transactions/{A}", "", old, "this is not what"},
		{"PATCH", "/tags/{fun}", `{"tag":{"name":"z"}}`, tag("/tags/{Alltag}"), "this is not what"},
		{"POST", "/tags", `{"tag":{"name":"z"}}`, old, "this is not what"},
		{"DELETE", "/users/me", "", old, "nothing at this path has an ETag"},
	} {
		p := h.call(t, c.method, c.path, c.body, c.header)
		if p.StatusCode != 412 || p.Code() != "precondition_failed" || !strings.Contains(p.Text, c.want) {
			t.Errorf("%s %s: %d %s", c.method, c.path, p.StatusCode, p.Text)
		}
	}
	h.call(t, "PATCH", "/tags/{their fun}", `{"tag":{"name":"z"}}`, "If-Match: *").Is(t, 404, "")
	if after := h.print(t); after != before {
		t.Errorf("refused writes have changed something:\n%s", after)
	}
	h.call(t, "PATCH", "/transactions/{A}", `{"transaction":{"name":"second"}}`, tag("/transactions/{A}", "Accept-Encoding: gzip")).Is(t, 200, "")
	h.call(t, "POST", "/tags", `{"tag":{"name":"z"}}`, tag("/tags")).Is(t, 201, "")
	h.call(t, "DELETE", "/transactions/{A}", "", tag("/transactions/{A}"), "Idempotency-Key: k").Is(t, 200, "")
	h.call(t, "DELETE", "/transactions/{A}", "", tag("/transactions"), "Idempotency-Key: k").Is(t, 200, "") // what was done is told again
	h.call(t, "DELETE", "/tags/{fun}", "", "If-Match: *").Is(t, 204, "")
}

// Of many who change the same state of a thing, one does.
func TestIfMatchAtOnce(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	header := "If-Match: " + h.call(t, "GET", "/tags/{fun}", "").Header.Get("ETag")
	statuses := make(chan int, 8)
	for i := range cap(statuses) {
		go func() {
			statuses <- h.call(t, "PATCH", "/tags/{fun}", `{"tag":{"name":"fun `+string(rune('a'+i))+`"}}`, header).StatusCode
		}()
	}
	count := map[int]int{}
	for range cap(statuses) {
		count[<-statuses]++
	}
	if count[200] != 1 || count[412] != cap(statuses)-1 {
		t.Errorf("statuses: %v", count)
	}
}

// PATCH, PUT and DELETE are as safe to repeat as POST.
func TestIdempotencyKeyOfEveryWrite(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.add(t, "A", `"account_id":"{Checking}","date":"2026-08-20","amount":"4.80"`)
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"PATCH", "/transactions/{A}", `{"transaction":{"name":"first"}}`, 200},
		{"PUT", "/transactions/{A}", `{"transaction":{"name":"third"}}`, 200},
		{"DELETE", "/transactions/{A}", "", 200},
		{"DELETE", "/tags/{fun}", "", 204},
	} {
		key := "Idempotency-Key: " + c.method + c.path[1:4]
		first := h.call(t, c.method, c.path, c.body, key)
		first.Is(t, c.status, "")
		h.call(t, "PATCH", "/transactions/{A}", `{"transaction":{"name":"second"}}`)
		before := h.print(t)
		again := h.call(t, c.method, c.path, c.body, key)
		again.Is(t, c.status, strings.TrimSpace(first.Text))
		apitest.CheckHeaders(t, again, map[string]string{"Idempotency-Replayed": "true"})
		if h.print(t) != before {
			t.Errorf("%s %s was done twice", c.method, c.path)
		}
		h.call(t, c.method, c.path+"?x=1", c.body, key).Is(t, 409, "")
	}
}
