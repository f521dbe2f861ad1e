package signin

import (
	"context"
	"errors"
	"time"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// LinkFor is how long a link can be used that signs a person in.
const LinkFor = 10 * time.Minute

// WithPassword signs in who gives the password of an active person. The name is their address, or what stands before
// its @ where that is one person's alone. It takes as long for a name that is nobody's, and longer with each failure.
func (s *Service) WithPassword(ctx context.Context, name, password string, device Device) (string, *Session, error) {
	user, err := s.checkedPassword(ctx, name, password, device)
	if err != nil {
		return "", nil, err
	}
	who := ledger.Actor{HouseholdID: user.HouseholdID, UserID: user.ID}
	return s.begin(ctx, who, WayPassword, tenant.ScopeReadWrite, device, func(ctx context.Context, tx *ledger.Tx) error {
		now, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: tx.UserID})
		if errors.Is(err, db.ErrNotFound) || err == nil && (now.DeactivatedAt != nil ||
			!ledger.Same(now.PasswordHash, user.PasswordHash)) {
			return errWrongPassword() // it was changed while it was looked at
		}
		return err
	})
}

// checkedPassword gives the person whose name and password these are.
func (s *Service) checkedPassword(ctx context.Context, name, password string, device Device) (user queries.User,
	err error) {
	name = ledger.ClipText(tenant.FoldEmail(name), tenant.MaxEmail)
	byName, byAddress := "name "+name, device.throttleKey()
	if err := s.tries.try(s.Ran(), byName, byAddress); err != nil {
		return user, err
	}
	user, right, err := s.comparePassword(ctx, name, password)
	switch {
	case err != nil: // which is no failure of the one who tries
		s.tries.takeBack(byName)
		s.tries.takeBack(byAddress)
		return user, err
	case !right:
		return user, errWrongPassword()
	}
	s.tries.passed(byName)
	s.tries.takeBack(byAddress)
	return user, nil
}

// comparePassword does the same work whether or not there is such a person.
func (s *Service) comparePassword(ctx context.Context, name, password string) (user queries.User, right bool,
	err error) {
	kept := noPassword()
	user, err = s.named(ctx, name)
	switch {
	case ledger.IsKind(err, ledger.Unauthorized): // by the other comparison
	case err != nil:
		return user, false, err
	case user.PasswordHash != nil:
		if kept, err = parseHashed(*user.PasswordHash); err != nil {
			return user, false, err
		}
	}
	right, err = s.verify(ctx, kept, ledger.ClipText(password, MaxPassword))
	return user, right && user.PasswordHash != nil, err
}

// named is the one active person with an address, or whose address alone begins with the name.
func (s *Service) named(ctx context.Context, name string) (user queries.User, err error) {
	var found []queries.User
	err = s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		found, err = q.ListUsersNamed(ctx, name)
		return err
	})
	if err != nil {
		return user, err
	}
	for _, user := range found {
		if user.Email == name {
			return user, nil
		}
	}
	if len(found) != 1 {
		return user, errUnknownPerson()
	}
	return found[0], nil
}

// errWrongPassword does not say whether there is such a name: a guesser learns nothing.
func errWrongPassword() error {
	return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized", Message: "the name or the password is wrong"}
}

func errUnknownPerson() error {
	return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized", Message: "nobody active has this name"}
}

// linkFacts is what the history keeps of a person for whom a link is made: until when it can be used.
type linkFacts struct {
	Email     string `json:"email"`
	LinkUntil *int64 `json:"link_until"`
}

// NewLink makes a link that signs a person of the actor's household in, once and within [LinkFor]. What it ends in is
// given here and never again: only a digest of it is kept.
func (s *Service) NewLink(ctx context.Context, who ledger.Actor, userID int64) (token string, until time.Time, err error) {
	token = newToken()
	until = ledger.Instant(s.Now().Add(LinkFor).UnixMilli())
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		user, err := activeUser(ctx, tx, userID)
		if err != nil {
			return err
		}
		if err := tx.DeleteOldSignInLinks(ctx, tx.Stamp()); err != nil {
			return err
		}
		if err := tx.InsertSignInLink(ctx, queries.InsertSignInLinkParams{Hash: hashToken(token),
			HouseholdID: tx.HouseholdID, UserID: userID, ExpiresAt: until.UnixMilli()}); err != nil {
			return err
		}
		return tx.Record(ctx, ledger.EntityUser, queries.PublicID(user.PublicID), linkFacts{user.Email, nil},
			linkFacts{user.Email, new(until.UnixMilli())})
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return token, until, nil
}

// WithLink signs in who has a link, which is used up by it.
func (s *Service) WithLink(ctx context.Context, link string, device Device) (token string, session *Session, err error) {
	token = newToken()
	if len(link) != tokenDigits {
		return "", nil, errOldLink()
	}
	err = s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		taken, err := q.TakeSignInLink(ctx, hashToken(link))
		if errors.Is(err, db.ErrNotFound) || err == nil && taken.ExpiresAt <= s.Stamp() {
			return errOldLink()
		}
		if err != nil {
			return err
		}
		who := ledger.Actor{HouseholdID: taken.HouseholdID, UserID: taken.UserID, Origin: ledger.OriginWeb}
		return insertSession(ctx, s.Tx(q, who), token, WayLink, tenant.ScopeReadWrite, device)
	})
	if err != nil {
		return "", nil, err
	}
	session, err = s.Open(ctx, token)
	return token, session, err
}

func errOldLink() error {
	return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized",
		Message: "this link was used, is older than ten minutes or is not whole; make a new one: finsvc user link"}
}

// WithKey signs in who has an API key. The session may do what the key may, and ends with it.
func (s *Service) WithKey(ctx context.Context, key string, device Device) (string, *Session, error) {
	byAddress := device.throttleKey()
	if err := s.tries.try(s.Ran(), byAddress); err != nil {
		return "", nil, err
	}
	opened, err := s.keys.Authenticate(ctx, key)
	if !ledger.IsKind(err, ledger.Unauthorized) {
		s.tries.takeBack(byAddress)
	}
	if err != nil {
		return "", nil, err
	}
	return s.begin(ctx, opened.Actor, WayKey, opened.Scope, device, func(context.Context, *ledger.Tx) error { return nil })
}

// WithHeader signs in the active person whose name a trusted proxy says it has found out, see [Service.WithPassword]
// for names.
func (s *Service) WithHeader(ctx context.Context, name string, device Device) (string, *Session, error) {
	user, err := s.named(ctx, tenant.FoldEmail(name))
	if err != nil {
		return "", nil, err
	}
	who := ledger.Actor{HouseholdID: user.HouseholdID, UserID: user.ID}
	return s.begin(ctx, who, WayHeader, tenant.ScopeReadWrite, device, func(ctx context.Context, tx *ledger.Tx) error {
		_, err := activeUser(ctx, tx, tx.UserID)
		return err
	})
}
