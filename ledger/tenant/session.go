package tenant

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"time"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// Session is what a presented key opens: who acts, with which rights, in which household.
type Session struct {
	ledger.Actor
	KeyName, Scope, Tier string
	RateLimit            int // requests an hour
	KeyCreatedAt         time.Time
	LastUsedAt           time.Time // the very request that is being served
	Household            ledger.Household
	// of the first of the keys that were rotated into this one: repeats of requests are answered alike to all
	FirstKeyID int64
	Version    int64 // of the data, asked before anything was read, see [db.DB.Version]

	hash [sha256.Size]byte // of the key
}

// maxSessions bounds the sessions kept in memory.
const maxSessions = 1024

// sessionCache remembers for a moment what keys open, and when keys were used until that is written down.
type sessionCache struct {
	mu       sync.Mutex
	sessions map[[sha256.Size]byte]*openKey
	uses     map[int64]keyUse
}

// openKey is what the database says of a key.
type openKey struct {
	session   Session // its version is that of the data at least
	expiresAt *int64
	active    bool // the user is
	revoked   bool
}

type keyUse struct{ householdID, at int64 }

// Authenticate gives the session of a presented key. A key that is unknown, revoked or expired, and one
// whose user is deactivated, give an Unauthorized error. A change counts at once, whichever process made it.
func (s *Keys) Authenticate(ctx context.Context, presented string) (*Session, error) {
	if len(presented) != len(keyPrefix)+keyDigits || !strings.HasPrefix(presented, keyPrefix) {
		return nil, errUnknownKey()
	}
	hash, now := hashKey(presented), s.Now()
	open, err := s.openKey(ctx, hash)
	if err != nil {
		return nil, err
	}
	if err := open.refusal(now); err != nil {
		return nil, err
	}
	session := open.session
	session.LastUsedAt = ledger.Instant(now.UnixMilli())
	s.keys.used(session.Actor, now.UnixMilli())
	return &session, nil
}

// CheckSession gives the error that [Keys.Authenticate] would give now for the key of a session. It is no use of
// the key.
func (s *Keys) CheckSession(ctx context.Context, session *Session) error {
	open, err := s.openKey(ctx, session.hash)
	if err != nil {
		return err
	}
	return open.refusal(s.Now())
}

// openKey gives what is remembered of a key as long as nothing in the database has changed.
func (s *Keys) openKey(ctx context.Context, hash [sha256.Size]byte) (*openKey, error) {
	version, err := s.DB.Version(ctx)
	if err != nil {
		return nil, err
	}
	if open := s.keys.find(hash, version); open != nil {
		return open, nil
	}
	open, err := s.readKey(ctx, hash, version)
	if err == nil {
		s.keys.keep(hash, open)
	}
	return open, err
}

// readKey asks the database.
func (s *Keys) readKey(ctx context.Context, hash [sha256.Size]byte, version int64) (*openKey, error) {
	var row queries.FindAPIKeyRow
	err := s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		row, err = q.FindAPIKey(ctx, hash[:])
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil, errUnknownKey()
	}
	if err != nil {
		return nil, err
	}
	key := row.ApiKey
	return &openKey{
		expiresAt: key.ExpiresAt, active: row.DeactivatedAt == nil, revoked: key.RevokedAt != nil,
		session: Session{
			Actor: ledger.Actor{HouseholdID: key.HouseholdID, UserID: key.UserID, KeyID: key.ID,
				Origin: ledger.OriginAPI},
			FirstKeyID: *cmp.Or(key.FirstKeyID, &key.ID),
			KeyName:    key.Name, Scope: key.Scope, Tier: key.Tier, RateLimit: int(key.RateLimit),
			KeyCreatedAt: ledger.Instant(key.CreatedAt), Household: ledger.AsHousehold(row.Household), Version: version,
			hash: hash,
		},
	}, nil
}

// refusal says why the key opens nothing now; nil when it does.
func (o *openKey) refusal(now time.Time) error {
	switch {
	case o.revoked, o.expiresAt != nil && *o.expiresAt <= now.UnixMilli():
		return errUnknownKey()
	case !o.active:
		return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized",
			Message: "the user of this API key has been deactivated"}
	}
	return nil
}

// errUnknownKey does not say which of its reasons it is: a guesser learns nothing.
func errUnknownKey() error {
	return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized",
		Message: "the API key is missing, unknown, revoked or expired"}
}

// FlushKeyUse writes down when keys were last used. It is to be called about once a minute and at the
// end; what cannot be written is kept for the next call.
func (s *Keys) FlushKeyUse(ctx context.Context) error {
	uses := s.keys.takeUses()
	if len(uses) == 0 {
		return nil
	}
	err := s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		for id, use := range uses {
			note := queries.SetAPIKeyUsedParams{UsedAt: &use.at, HouseholdID: use.householdID, KeyID: id}
			if err := q.SetAPIKeyUsed(ctx, note); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.keys.returnUses(uses)
	}
	return err
}

func (r *sessionCache) find(hash [sha256.Size]byte, version int64) *openKey {
	r.mu.Lock()
	defer r.mu.Unlock()
	if open := r.sessions[hash]; open != nil && open.session.Version == version {
		return open
	}
	return nil
}

// keep remembers an answer, which nobody changes any more. A full memory is emptied: what is in use is
// back at once.
func (r *sessionCache) keep(hash [sha256.Size]byte, open *openKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sessions == nil || len(r.sessions) >= maxSessions {
		r.sessions = map[[sha256.Size]byte]*openKey{}
	}
	r.sessions[hash] = open
}

func (r *sessionCache) used(who ledger.Actor, at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.uses == nil {
		r.uses = map[int64]keyUse{}
	}
	r.uses[who.KeyID] = keyUse{who.HouseholdID, at}
}

func (r *sessionCache) takeUses() map[int64]keyUse {
	r.mu.Lock()
	defer r.mu.Unlock()
	uses := r.uses
	r.uses = nil
	return uses
}

// returnUses takes back what could not be written, unless a key was used again since.
func (r *sessionCache) returnUses(uses map[int64]keyUse) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, use := range r.uses {
		uses[id] = use
	}
	r.uses = uses
}
