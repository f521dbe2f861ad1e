package signin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

const (
	// IdleFor is how long a session lasts that is not used.
	IdleFor = 30 * 24 * time.Hour
	// LastsFor is how long a session lasts at most.
	LastsFor = 90 * 24 * time.Hour
	// ProvedFor is how long a person counts as proved after giving the password.
	ProvedFor = 10 * time.Minute

	// usedEvery is how far apart the uses of a session are that are written down.
	usedEvery = time.Hour
	// maxSessions is how many browsers a person can be signed in with; the one not used for longest makes place.
	maxSessions = 100
)

// Way is how a person signed in.
type Way string

// The ways in.
const (
	WaySetUp    Way = "set-up"
	WayPassword Way = "password"
	WayLink     Way = "link"
	WayKey      Way = "key"
	WayHeader   Way = "header" // of a proxy that has asked who it is
)

// Session is a browser that is signed in: who acts, with which rights, in which household. The key of the actor is the
// one that was pasted to sign in, if any.
type Session struct {
	ledger.Actor
	ID          uuid.UUID
	User        tenant.User
	Household   ledger.Household
	Way         Way
	Scope       string // tenant.ScopeRead or tenant.ScopeReadWrite
	HasPassword bool
	HideAmounts bool
	Prefs       Preferences
	SignedInAt  time.Time
	Version     int64 // of the data, asked before anything was read, see [db.DB.Version]

	provedAt time.Time
}

// Writes reports whether the session may change anything.
func (s Session) Writes() bool { return s.Scope == tenant.ScopeReadWrite }

// IsCalled reports whether a name is that of the session's person, as [Service.WithPassword] takes names.
func (s Session) IsCalled(name string) bool {
	name = tenant.FoldEmail(name)
	local, _, _ := strings.Cut(s.User.Email, "@")
	return name == s.User.Email || name == local
}

// ProvedAt is when the person last gave the password, or came by what stands for one; zero for a session by a key,
// which proves no person.
func (s Session) ProvedAt() time.Time { return s.provedAt }

// Open gives the session of a cookie. A token that is unknown, whose session was ended or is over, or whose person or
// key is no longer valid, gives an Unauthorized error. A change counts at once, whichever process made it.
func (s *Service) Open(ctx context.Context, token string) (*Session, error) {
	if len(token) != tokenDigits {
		return nil, errSignedOut()
	}
	version, err := s.DB.Version(ctx)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	var row queries.FindBrowserSessionRow
	err = s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		row, err = q.FindBrowserSession(ctx, queries.FindBrowserSessionParams{Hash: hashToken(token), Now: now.UnixMilli(),
			UsedAfter: now.Add(-IdleFor).UnixMilli(), MadeAfter: now.Add(-LastsFor).UnixMilli()})
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil, errSignedOut()
	}
	if err != nil {
		return nil, err
	}
	session, err := asSession(row, version)
	if err != nil {
		return nil, err
	}
	if now.Sub(ledger.Instant(row.BrowserSession.LastUsedAt)) < usedEvery {
		return session, nil
	}
	err = s.Write(ctx, session.Actor, func(ctx context.Context, tx *ledger.Tx) error {
		return tx.SetBrowserSessionUsed(ctx, queries.SetBrowserSessionUsedParams{UsedAt: now.UnixMilli(),
			HouseholdID: tx.HouseholdID, PublicID: row.BrowserSession.PublicID})
	})
	if err != nil && !ledger.IsUnavailable(err) { // pages can be read from a full disk
		return nil, err
	}
	return session, nil
}

func asSession(row queries.FindBrowserSessionRow, version int64) (*Session, error) {
	session := &Session{
		Actor: ledger.Actor{HouseholdID: row.Household.ID, UserID: row.User.ID, Origin: ledger.OriginWeb},
		ID:    uuid.UUID(row.BrowserSession.PublicID), User: tenant.AsUser(row.User),
		Household: ledger.AsHousehold(row.Household), Way: Way(row.BrowserSession.Way), Scope: row.BrowserSession.Scope,
		HasPassword: row.User.PasswordHash != nil, HideAmounts: row.BrowserSession.HideAmounts != 0,
		Prefs: DefaultPreferences(), SignedInAt: ledger.Instant(row.BrowserSession.CreatedAt), Version: version,
		provedAt: ledger.OptionalInstant(row.BrowserSession.ProvedAt),
	}
	if key := row.BrowserSession.ApiKeyID; key != nil {
		session.KeyID = *key
	}
	return session, json.Unmarshal([]byte(row.User.Preferences), &session.Prefs)
}

// errSignedOut does not say which of its reasons it is: a guesser learns nothing.
func errSignedOut() error {
	return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized", Message: "this browser is not signed in"}
}

// begin signs a browser in. What is checked in the same write, by allowed, holds when the session begins.
func (s *Service) begin(ctx context.Context, who ledger.Actor, way Way, scope string, device Device,
	allowed func(ctx context.Context, tx *ledger.Tx) error) (token string, session *Session, err error) {
	token = newToken()
	who.Origin = ledger.OriginWeb
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		if err := allowed(ctx, tx); err != nil {
			return err
		}
		return insertSession(ctx, tx, token, way, scope, device)
	})
	if err != nil {
		return "", nil, err
	}
	session, err = s.Open(ctx, token)
	return token, session, err
}

// insertSession writes the session of the actor, and clears away what is over.
func insertSession(ctx context.Context, tx *ledger.Tx, token string, way Way, scope string, device Device) error {
	now := tx.Stamp()
	if err := tx.DeleteOldBrowserSessions(ctx, queries.DeleteOldBrowserSessionsParams{
		UsedUntil: now - IdleFor.Milliseconds(), MadeUntil: now - LastsFor.Milliseconds()}); err != nil {
		return err
	}
	if err := tx.DeleteOldestBrowserSessions(ctx, queries.DeleteOldestBrowserSessionsParams{HouseholdID: tx.HouseholdID,
		UserID: tx.UserID, Most: maxSessions - 1}); err != nil {
		return err
	}
	id, err := ledger.NewID()
	if err != nil {
		return err
	}
	row := queries.InsertBrowserSessionParams{PublicID: id, HouseholdID: tx.HouseholdID, UserID: tx.UserID,
		ApiKeyID: ledger.OptionalKey(tx.KeyID), Hash: hashToken(token), Way: string(way), Scope: scope,
		Agent: ledger.ClipText(strings.ToValidUTF8(device.Agent, "?"), maxAgent), ProvedAt: &now, At: now}
	if device.Address.IsValid() {
		row.Address = device.Address.Unmap().WithZone("").String()
	}
	if way == WayKey {
		row.ProvedAt = nil
	}
	return tx.InsertBrowserSession(ctx, row)
}

// Browser is a session as a list of them shows it.
type Browser struct {
	ID         uuid.UUID
	Way        Way
	Scope      string
	Agent      string
	Address    string // empty: not known
	SignedInAt time.Time
	LastUsedAt time.Time // to the hour
}

// List are the browsers that the acting person is signed in with, the one last used first.
func (s *Service) List(ctx context.Context, who ledger.Actor) ([]Browser, error) {
	var list []Browser
	err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		now := s.Now()
		rows, err := tx.ListBrowserSessions(ctx, queries.ListBrowserSessionsParams{HouseholdID: tx.HouseholdID,
			UserID: tx.UserID, UsedAfter: now.Add(-IdleFor).UnixMilli(), MadeAfter: now.Add(-LastsFor).UnixMilli()})
		for _, row := range rows {
			list = append(list, Browser{uuid.UUID(row.PublicID), Way(row.Way), row.Scope, row.Agent, row.Address,
				ledger.Instant(row.CreatedAt), ledger.Instant(row.LastUsedAt)})
		}
		return err
	})
	return list, err
}

// End signs out a browser of the acting person.
func (s *Service) End(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		ended, err := tx.EndBrowserSession(ctx, queries.EndBrowserSessionParams{HouseholdID: tx.HouseholdID,
			UserID: tx.UserID, PublicID: queries.PublicID(id)})
		if err == nil && ended == 0 {
			return ledger.NewNotFound("Session")
		}
		return err
	})
}

// EndOthers signs out all browsers of a person but this one, and says how many.
func (s *Service) EndOthers(ctx context.Context, session *Session) (ended int64, err error) {
	err = s.Write(ctx, session.Actor, func(ctx context.Context, tx *ledger.Tx) error {
		ended, err = tx.EndOtherBrowserSessions(ctx, queries.EndOtherBrowserSessionsParams{HouseholdID: tx.HouseholdID,
			UserID: tx.UserID, PublicID: queries.PublicID(session.ID)})
		return err
	})
	return ended, err
}

// SignOut ends a session; one that has ended already stays so.
func (s *Service) SignOut(ctx context.Context, session *Session) error {
	err := s.End(ctx, session.Actor, session.ID)
	if ledger.IsKind(err, ledger.NotFound) {
		return nil
	}
	return err
}

// SetHideAmounts says whether the pages of a session leave amounts out.
func (s *Service) SetHideAmounts(ctx context.Context, session *Session, hide bool) error {
	err := s.Write(ctx, session.Actor, func(ctx context.Context, tx *ledger.Tx) error {
		return tx.SetAmountsHidden(ctx, queries.SetAmountsHiddenParams{HideAmounts: ledger.AsInteger(hide),
			HouseholdID: tx.HouseholdID, PublicID: queries.PublicID(session.ID)})
	})
	if err == nil {
		session.HideAmounts = hide
	}
	return err
}
