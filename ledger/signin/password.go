package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"finsvc/embed"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

const (
	// MinPassword is how many characters a password has at least.
	MinPassword = 10
	// MaxPassword is how many it has at most.
	MaxPassword = 1000

	fewestDifferent = 5 // characters of a password

	// What argon2id is asked for: 19 MiB in two passes, the least that is counted as safe, as a small computer has to
	// do it in a moment.
	hashMemory = 19 * 1024 // KiB
	hashPasses = 2
	hashLanes  = 1
	hashBytes  = 32
	saltBytes  = 16

	maxHashing = 2  // at once, for the memory
	maxWaiting = 16 // for that
)

// hashed is what is kept of a password.
type hashed struct {
	memory, passes uint32
	lanes          uint8
	salt, sum      []byte
}

// noPassword is what the password of somebody unknown is held against, so that the answer takes as long.
func noPassword() hashed {
	return hashed{hashMemory, hashPasses, hashLanes, make([]byte, saltBytes), make([]byte, hashBytes)}
}

// String is the form in which it is stored, which others know as the PHC string format.
func (h hashed) String() string {
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.lanes, text(h.salt),
		text(h.sum))
}

// parseHashed reads the stored form.
func parseHashed(stored string) (h hashed, err error) {
	version := 0
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return h, fmt.Errorf("a stored password is not in its form")
	}
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return h, fmt.Errorf("a stored password is of another version of argon2: %s", parts[2])
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.lanes); err != nil {
		return h, fmt.Errorf("parameters of a stored password: %w", err)
	}
	if h.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return h, fmt.Errorf("salt of a stored password: %w", err)
	}
	h.sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return h, err
}

// hashPassword gives what is kept of a new password.
func (s *Service) hashPassword(ctx context.Context, password string) (string, error) {
	h := noPassword()
	rand.Read(h.salt) // which does not fail
	sum, err := s.sum(ctx, h, password)
	h.sum = sum
	return h.String(), err
}

// verify reports whether a password is the one of which that is kept.
func (s *Service) verify(ctx context.Context, kept hashed, password string) (bool, error) {
	sum, err := s.sum(ctx, kept, password)
	return err == nil && subtle.ConstantTimeCompare(sum, kept.sum) == 1, err
}

// sum hashes a password when there is a place for it.
func (s *Service) sum(ctx context.Context, kept hashed, password string) ([]byte, error) {
	select {
	case s.waiting <- struct{}{}:
		defer func() { <-s.waiting }()
	default:
		return nil, errTooManyTries("too many people sign in at once", maxWaiting, maxWaiting, time.Second)
	}
	select {
	case s.hashing <- struct{}{}:
		defer func() { <-s.hashing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(ledger.NormalText(password)), kept.salt, kept.passes, kept.memory, kept.lanes,
		uint32(len(kept.sum))), nil
}

// checkPassword notes why a password cannot be somebody's. What is too easily guessed is refused, and nothing else is
// asked of it.
func checkPassword(p *ledger.Problems, password, email string) {
	password = ledger.NormalText(password)
	folded := strings.ToLower(password)
	different := map[rune]bool{}
	for _, r := range folded {
		different[r] = true
	}
	name, _, _ := strings.Cut(email, "@")
	switch length := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		p.Add("password", "must be text in UTF-8")
	case length < MinPassword:
		p.Add("password", "must have at least %d characters, has %d", MinPassword, length)
	case length > MaxPassword:
		p.Add("password", "must have at most %d characters, has %d", MaxPassword, length)
	case len(different) < fewestDifferent:
		p.Add("password", "must have at least %d different characters, has %d", fewestDifferent, len(different))
	case folded == email, folded == name, slices.Contains(strings.Fields(embed.CommonPasswords), folded):
		p.Add("password", "is one of the first that anybody would guess; a few words that do not belong together are good")
	}
}

// userFacts is what the history keeps of a person whose password is written.
type userFacts struct {
	Email    string `json:"email"`
	Password bool   `json:"password"` // has one
}

// SetPassword gives a person of the actor's household a password, and ends their sessions and links. It is for whoever
// holds the file; a person who is signed in has [Service.ChangePassword].
func (s *Service) SetPassword(ctx context.Context, who ledger.Actor, userID int64, password string) error {
	return s.setPassword(ctx, who, userID, password, queries.PublicID{})
}

// ChangePassword gives the person of a session, who must be proved, a password, and ends their other sessions and
// links.
func (s *Service) ChangePassword(ctx context.Context, session *Session, password string) error {
	if err := s.CheckProved(session); err != nil {
		return err
	}
	return s.setPassword(ctx, session.Actor, session.UserID, password, queries.PublicID(session.ID))
}

func (s *Service) setPassword(ctx context.Context, who ledger.Actor, userID int64, password string,
	keep queries.PublicID) error {
	var user tenant.User
	err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) (err error) {
		user, err = activeUser(ctx, tx, userID)
		return err
	})
	if err != nil {
		return err
	}
	var problems ledger.Problems
	checkPassword(&problems, password, user.Email)
	if err := problems.Err(); err != nil {
		return err
	}
	hash, err := s.hashPassword(ctx, password) // which takes too long for a write
	if err != nil {
		return err
	}
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		if _, err := activeUser(ctx, tx, userID); err != nil {
			return err
		}
		if _, err := tx.EndOtherBrowserSessions(ctx, queries.EndOtherBrowserSessionsParams{HouseholdID: tx.HouseholdID,
			UserID: userID, PublicID: keep}); err != nil {
			return err
		}
		if err := tx.EndSignInLinks(ctx, queries.EndSignInLinksParams{HouseholdID: tx.HouseholdID,
			UserID: userID}); err != nil {
			return err
		}
		return writePassword(ctx, tx, userID, hash)
	})
}

// writePassword keeps a hash, and notes in the history that there is a new one.
func writePassword(ctx context.Context, tx *ledger.Tx, userID int64, hash string) error {
	before, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: userID})
	if err != nil {
		return ledger.Missing(err, "User")
	}
	if err := tx.SetUserPassword(ctx, queries.SetUserPasswordParams{PasswordHash: &hash, At: tx.Stamp(),
		HouseholdID: tx.HouseholdID, UserID: userID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityUser, before.PublicID,
		userFacts{before.Email, before.PasswordHash != nil}, userFacts{before.Email, true})
}

// activeUser is a person of the household, or a conflict when they were deactivated.
func activeUser(ctx context.Context, tx *ledger.Tx, userID int64) (tenant.User, error) {
	row, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: userID})
	if err != nil {
		return tenant.User{}, ledger.Missing(err, "User")
	}
	if row.DeactivatedAt != nil {
		return tenant.User{}, ledger.NewConflict("%s is deactivated; bring them back: finsvc user restore %s", row.Email,
			row.Email)
	}
	return tenant.AsUser(row), nil
}

// Prove takes the password of a session's person again, for what is severe. Failures make the next try wait.
func (s *Service) Prove(ctx context.Context, session *Session, password string, device Device) error {
	row, err := s.checkedPassword(ctx, session.User.Email, password, device)
	if err != nil {
		return err
	}
	if row.ID != session.UserID {
		return errWrongPassword()
	}
	now := s.Now()
	err = s.Write(ctx, session.Actor, func(ctx context.Context, tx *ledger.Tx) error {
		return tx.SetBrowserSessionProved(ctx, queries.SetBrowserSessionProvedParams{ProvedAt: new(now.UnixMilli()),
			HouseholdID: tx.HouseholdID, PublicID: queries.PublicID(session.ID)})
	})
	if err == nil {
		session.provedAt = ledger.Instant(now.UnixMilli())
	}
	return err
}

// CheckProved refuses a session whose person was not proved within [ProvedFor].
func (s *Service) CheckProved(session *Session) error {
	since := s.Now().Sub(session.provedAt)
	if session.provedAt.IsZero() || since < 0 || since > ProvedFor {
		return &ledger.Error{Kind: ledger.Forbidden, Code: "password_needed",
			Message: "confirm your password first; it is asked for what is severe"}
	}
	return nil
}
