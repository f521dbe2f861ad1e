package middleware

import (
	"strconv"
	"testing"

	"finsvc/db"
	"finsvc/handlers/wire"
)

// A read with If-Match is a read: it must not take the one writer, least of all for as long as a stream lasts.
func TestIfMatchOfReads(t *testing.T) {
	t.Parallel()
	inWrite := func(a *wire.Answer, r *wire.Request) error {
		a.Message(strconv.FormatBool(db.InWrite(r.Context())))
		return nil
	}
	g := newRig(t, Route{Method: "GET", Path: "/a", Access: Read, Handle: inWrite}, Route{Method: "GET", Path: "/live", Access: Read, Live: true, Handle: inWrite},
		Route{Method: "PATCH", Path: "/a", Access: Write, Handle: inWrite})
	for _, path := range []string{"/a", "/live"} {
		g.Do(t, "GET", path, "", "X-Api-Key: read", `If-Match: "x"`).Is(t, 200, `{"message":"false"}`)
	}
	g.Do(t, "PATCH", "/a", "", "X-Api-Key: write", "If-Match: *").Is(t, 200, `{"message":"true"}`)
}
