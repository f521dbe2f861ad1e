package handlers

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// keptMax bounds what is kept in bytes, all together and with all that belongs to it, and keptLongest one answer.
	keptMax     = 4 << 20
	keptLongest = 512 << 10
	// keptBeside is about what an answer takes besides its texts: its place in the map, which is up to half empty, and what
	// the texts hang on.
	keptBeside = 512
	// keptFor is the longest that an answer is kept. What is asked for "until today" changes at midnight, which
	// in every time zone is at a quarter of an hour.
	keptFor = 15 * time.Minute
)

// keptAnswers are the answers to GET since the last commit to the database, to be given again. Whatever could change
// them is in their key or in their stamp: they are never out of date.
//
// At each quarter of an hour, which is when days end somewhere, answers are made anew. An ETag is a hash of the body
// and survives a restart.
type keptAnswers struct {
	mu      sync.Mutex
	stamp   keptStamp // of all of them
	size    int
	answers map[keptKey]*representation
}

// keptKey is what an answer depends on besides the data and the day.
type keptKey struct {
	keyID    int64
	path     string
	query    string
	language string // where the request may choose
	packed   bool
}

// keptStamp is when an answer was begun: at which version of the data, in which quarter of an hour.
type keptStamp struct{ version, quarter int64 }

// find gives a kept answer; nil where there is none.
func (k *keptAnswers) find(key keptKey, stamp keptStamp) *representation {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stamp != stamp {
		return nil
	}
	return k.answers[key]
}

// keep remembers an answer that was begun at a stamp. Others of another stamp are forgotten, and so are all when they
// are too many: what is in use is back at once.
func (k *keptAnswers) keep(key keptKey, stamp keptStamp, rep *representation) {
	takes := keptBeside + cap(rep.body) + len(rep.etag) + len(rep.contentType) + len(key.path) + len(key.query) + len(key.language)
	if takes > keptLongest {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil || k.stamp != stamp || k.size+takes > keptMax {
		k.stamp, k.size, k.answers = stamp, 0, map[keptKey]*representation{}
	}
	if k.answers[key] == nil {
		k.size += takes
		k.answers[key.apart()] = rep
	}
}

// apart is the key without the request that it was taken from, of which each text is a part.
func (k keptKey) apart() keptKey {
	k.path, k.query, k.language = strings.Clone(k.path), strings.Clone(k.query), strings.Clone(k.language)
	return k
}

// recall answers GET as it did the last time if nothing was committed since, else anew.
func (s *Server) recall(a *answer, r *request) error {
	key, stamp := keyOf(r), keptStamp{r.session.Version, s.now().UnixMilli() / keptFor.Milliseconds()}
	if a.ready = s.kept.find(key, stamp); a.ready != nil {
		return nil
	}
	if err := s.timely(a, r); err != nil || a.streaming || a.status != http.StatusOK {
		return err
	}
	rep := a.represent()
	rep.body = append(make([]byte, 0, len(rep.body)), rep.body...) // the pool gets the other
	a.ready = &rep
	s.kept.keep(key, stamp, &rep)
	return nil
}

func keyOf(r *request) keptKey {
	key := keptKey{keyID: r.session.KeyID, path: r.URL.Path, query: r.URL.RawQuery, packed: acceptsGzip(r.Header.Get("Accept-Encoding"))}
	if r.session.Household.LocaleFromRequest {
		key.language = r.Header.Get("Accept-Language")
	}
	return key
}
