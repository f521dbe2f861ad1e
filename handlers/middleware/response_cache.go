package middleware

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"finsvc/handlers/wire"
)

const (
	// cacheMax bounds what is kept in bytes, all together and with all that belongs to it, and cacheLongest one answer.
	cacheMax     = 4 << 20
	cacheLongest = 512 << 10
	// cacheBeside is about what an answer takes besides its texts: its place in the map, which is up to half empty,
	// and what the texts hang on.
	cacheBeside = 512
	// cacheFor is the longest that an answer is kept. What is asked for "until today" changes at midnight, which
	// in every time zone is at a quarter of an hour.
	cacheFor = 15 * time.Minute
)

// responseCache are the answers to GET since the last commit to the database, to be given again. Whatever could change
// them is in their key or in their stamp: they are never out of date.
//
// At each quarter of an hour, which is when days end somewhere, answers are made anew. An ETag is a hash of the body
// and survives a restart.
type responseCache struct {
	mu      sync.Mutex
	stamp   cacheStamp // of all of them
	size    int
	answers map[cacheKey]*wire.Representation
}

// cacheKey is what an answer depends on besides the data and the day.
type cacheKey struct {
	keyID    int64
	path     string
	query    string
	language string // where the request may choose
	packed   bool
}

// cacheStamp is when an answer was begun: at which version of the data, in which quarter of an hour.
type cacheStamp struct{ version, quarter int64 }

// find gives a kept answer; nil where there is none.
func (k *responseCache) find(key cacheKey, stamp cacheStamp) *wire.Representation {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stamp != stamp {
		return nil
	}
	return k.answers[key]
}

// keep remembers an answer that was begun at a stamp. Others of another stamp are forgotten, and so are all when they
// are too many: what is in use is back at once.
func (k *responseCache) keep(key cacheKey, stamp cacheStamp, rep *wire.Representation) {
	takes := cacheBeside + cap(rep.Body) + len(rep.Etag) + len(rep.ContentType) + len(key.path) + len(key.query) +
		len(key.language)
	if takes > cacheLongest {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil || k.stamp != stamp || k.size+takes > cacheMax {
		k.stamp, k.size, k.answers = stamp, 0, map[cacheKey]*wire.Representation{}
	}
	if k.answers[key] == nil {
		k.size += takes
		k.answers[key.apart()] = rep
	}
}

// apart is the key without the request that it was taken from, of which each text is a part.
func (k cacheKey) apart() cacheKey {
	k.path, k.query, k.language = strings.Clone(k.path), strings.Clone(k.query), strings.Clone(k.language)
	return k
}

// cached answers GET as it did the last time if nothing was committed since, else anew.
func (k *responseCache) cached(a *wire.Answer, r *inbound, now time.Time,
	handle func(*wire.Answer, *inbound) error) error {
	key, stamp := keyOf(r.Request), cacheStamp{r.Session.Version, now.UnixMilli() / cacheFor.Milliseconds()}
	a.Ready = k.find(key, stamp)
	if a.Ready != nil {
		return nil
	}
	err := handle(a, r)
	if err != nil || a.Streaming || a.Status != http.StatusOK {
		return err
	}
	rep := a.Represent()
	rep.Body = append(make([]byte, 0, len(rep.Body)), rep.Body...) // the pool gets the other
	a.Ready = &rep
	k.keep(key, stamp, &rep)
	return nil
}

func keyOf(r *wire.Request) cacheKey {
	key := cacheKey{keyID: r.Session.KeyID, path: r.URL.Path, query: r.URL.RawQuery,
		packed: wire.AcceptsGzip(r.Header.Get("Accept-Encoding"))}
	if r.Session.Household.LocaleFromRequest {
		key.language = r.Header.Get("Accept-Language")
	}
	return key
}
