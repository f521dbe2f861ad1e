package tenant

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// The scopes of keys.
const (
	ScopeRead      = "read"
	ScopeReadWrite = "read_write" // includes read
)

const (
	// DefaultRateLimit is how many requests an hour a key may make unless it was made with another limit.
	DefaultRateLimit = 10_000
	// MaxRateLimit is the highest limit a key can have, in requests an hour.
	MaxRateLimit = 1_000_000_000

	tierStandard = "standard" // the default rate
	tierCustom   = "custom"   // a rate of its own

	keyPrefix   = "fsk_"
	keyBytes    = 32
	keyDigits   = 43 // of base 62 for 256 bits
	shownLength = 12 // characters of a key that are kept to recognise it by
)

// APIKey is what is known of a key: everything but the key itself.
type APIKey struct {
	ID         int64 // inside only
	PublicID   uuid.UUID
	Name       string
	UserEmail  string
	UserActive bool
	Prefix     string // its first characters
	Scope      string
	Tier       string
	RateLimit  int       // requests an hour
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero while valid
	LastUsedAt time.Time // to the minute; zero: never
	CreatedAt  time.Time
}

// KeyInput describes a new key.
type KeyInput struct {
	Name      string        // default, default-2 and so on when empty
	UserEmail string        // the household's first admin when empty
	Scope     string        // read_write when empty
	Expires   time.Duration // from now; 0: never
	RateLimit int           // requests an hour; DefaultRateLimit when 0
}

// keyFacts is what the record of changes keeps of a key.
type keyFacts struct {
	Name      string `json:"name"`
	User      string `json:"user"`
	Prefix    string `json:"prefix"`
	Scope     string `json:"scope"`
	RateLimit int64  `json:"rate_limit"`
	ExpiresAt *int64 `json:"expires_at"`
	Revoked   bool   `json:"revoked"`
}

// CreateAPIKey makes a key for a person of the actor's household. The key itself is given here and never
// again: only a digest of it is kept.
func (s *Keys) CreateAPIKey(ctx context.Context, who ledger.Actor, in KeyInput) (plain string, key APIKey, err error) {
	row, err := in.row(s.Now())
	if err != nil {
		return "", APIKey{}, err
	}
	plain = newPlainKey()
	hash := hashKey(plain)
	row.Hash, row.Prefix, row.HouseholdID = hash[:], plain[:shownLength], who.HouseholdID
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		key, err = insertKey(ctx, tx, row, in.UserEmail)
		return err
	})
	if err != nil {
		return "", APIKey{}, err
	}
	return plain, key, nil
}

// Check says what is wrong with the input, as far as that shows without the database.
func (in KeyInput) Check() error {
	_, err := in.row(time.Time{})
	return err
}

// row checks the input and makes a row of it.
func (in KeyInput) row(now time.Time) (queries.InsertAPIKeyParams, error) {
	var problems ledger.Problems
	row := queries.InsertAPIKeyParams{Scope: in.Scope, Tier: tierStandard, RateLimit: DefaultRateLimit,
		At: now.UnixMilli()}
	if in.Name != "" {
		row.Name = problems.CheckName("name", in.Name)
	}
	switch in.Scope {
	case ScopeRead, ScopeReadWrite:
	case "":
		row.Scope = ScopeReadWrite
	default:
		problems.Add("scope", "must be read or read_write, got %s", ledger.Quote(in.Scope))
	}
	switch {
	case in.RateLimit < 0 || in.RateLimit > MaxRateLimit:
		problems.Add("rate_limit", "must be from 1 to %d requests an hour, got %d", MaxRateLimit, in.RateLimit)
	case in.RateLimit > 0:
		row.RateLimit, row.Tier = int64(in.RateLimit), tierCustom
	}
	switch {
	case in.Expires < 0:
		problems.Add("expires", "must lie in the future")
	case in.Expires > 0:
		at := now.Add(in.Expires).UnixMilli()
		row.ExpiresAt = &at
	}
	return row, problems.Err()
}

func insertKey(ctx context.Context, tx *ledger.Tx, row queries.InsertAPIKeyParams, email string) (APIKey, error) {
	user, err := keyOwner(ctx, tx, email)
	if err != nil {
		return APIKey{}, err
	}
	row.UserID = user.ID
	if row.Name == "" {
		row.Name, err = freeKeyName(ctx, tx, user.ID, "default")
		if err != nil {
			return APIKey{}, err
		}
	}
	return addKey(ctx, tx, row, user.Email)
}

// addKey writes a new key of the active user with the address.
func addKey(ctx context.Context, tx *ledger.Tx, row queries.InsertAPIKeyParams, email string) (APIKey, error) {
	var err error
	row.PublicID, err = ledger.NewID()
	if err != nil {
		return APIKey{}, err
	}
	made, err := tx.InsertAPIKey(ctx, row)
	if err != nil {
		return APIKey{}, takenConflict(err, "%s has a key named %s already; revoke it or choose another name", email,
			ledger.Quote(row.Name))
	}
	return asAPIKey(made, email, true), tx.Record(ctx, ledger.EntityKey, made.PublicID, nil, keyFactsOf(made, email))
}

// keyOwner is the active person with the address or, without one, the household's first admin.
func keyOwner(ctx context.Context, tx *ledger.Tx, email string) (queries.User, error) {
	users, err := tx.ListUsers(ctx, tx.HouseholdID)
	if err != nil {
		return queries.User{}, err
	}
	for _, user := range users {
		if user.DeactivatedAt == nil && (email == "" || user.Email == FoldEmail(email)) {
			return user, nil
		}
	}
	if email == "" {
		return queries.User{}, ledger.NewConflict("the household has no active user")
	}
	return queries.User{}, ledger.NewNotFound("Active user " + ledger.Quote(email))
}

// freeKeyName is the name that is wished for a key of a user, or that with -2 and so on when it is taken.
func freeKeyName(ctx context.Context, tx *ledger.Tx, userID int64, wish string) (string, error) {
	taken, err := tx.ListKeyNames(ctx, queries.ListKeyNamesParams{HouseholdID: tx.HouseholdID, UserID: userID})
	name := wish
	for n := 2; slices.Contains(taken, name); n++ {
		name = fmt.Sprintf("%s-%d", wish, n)
	}
	return name, err
}

// ListAPIKeys are the keys of the actor's household in the order they were made, revoked ones included.
func (s *Keys) ListAPIKeys(ctx context.Context, who ledger.Actor) ([]APIKey, error) {
	var keys []APIKey
	err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListAPIKeys(ctx, tx.HouseholdID)
		for _, row := range rows {
			keys = append(keys, asAPIKey(row.ApiKey, row.Email, row.DeactivatedAt == nil))
		}
		return err
	})
	return keys, err
}

// RevokeAPIKey ends the key of the actor's household that has the name or begins with the characters,
// of which there must be at least eight. A name that several people use is a conflict.
func (s *Keys) RevokeAPIKey(ctx context.Context, who ledger.Actor, nameOrPrefix string) (APIKey, error) {
	var key APIKey
	err := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListAPIKeys(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		found, err := oneKey(rows, nameOrPrefix)
		if err != nil {
			return err
		}
		key, err = revokeKey(ctx, tx, found)
		return err
	})
	return key, err
}

func revokeKey(ctx context.Context, tx *ledger.Tx, found queries.ListAPIKeysRow) (APIKey, error) {
	before := keyFactsOf(found.ApiKey, found.Email)
	now := tx.Stamp()
	found.ApiKey.RevokedAt = &now
	key := asAPIKey(found.ApiKey, found.Email, found.DeactivatedAt == nil)
	if err := tx.RevokeAPIKey(ctx, queries.RevokeAPIKeyParams{RevokedAt: &now, HouseholdID: tx.HouseholdID,
		KeyID: key.ID}); err != nil {
		return key, err
	}
	return key, tx.Record(ctx, ledger.EntityKey, found.ApiKey.PublicID, before, keyFactsOf(found.ApiKey, found.Email))
}

// oneKey is the only valid key that is meant.
func oneKey(rows []queries.ListAPIKeysRow, nameOrPrefix string) (queries.ListAPIKeysRow, error) {
	const fewest = 8
	var found []queries.ListAPIKeysRow
	var prefixes []string
	for _, row := range rows {
		meant := ledger.NormalText(row.ApiKey.Name) == ledger.NormalText(nameOrPrefix) ||
			len(nameOrPrefix) >= fewest && strings.HasPrefix(row.ApiKey.Prefix, nameOrPrefix)
		if meant && row.ApiKey.RevokedAt == nil {
			found = append(found, row)
			prefixes = append(prefixes, row.ApiKey.Prefix)
		}
	}
	switch len(found) {
	case 0:
		return queries.ListAPIKeysRow{}, ledger.NewNotFound("API key " +
			ledger.Quote(nameOrPrefix[:min(len(nameOrPrefix), shownLength)]))
	case 1:
		return found[0], nil
	}
	return queries.ListAPIKeysRow{}, ledger.NewConflict("several keys are named so; name one by its first characters: %s", strings.Join(prefixes, ", "))
}

// newPlainKey makes 256 random bits readable. Reading random bits does not fail.
func newPlainKey() string {
	random := make([]byte, keyBytes)
	rand.Read(random)
	digits := new(big.Int).SetBytes(random).Text(62)
	return keyPrefix + strings.Repeat("0", keyDigits-len(digits)) + digits
}

// hashKey is what is kept of a key. The bits are random: a slow hash would protect nothing.
func hashKey(plain string) [sha256.Size]byte { return sha256.Sum256([]byte(plain)) }

func asAPIKey(row queries.ApiKey, email string, active bool) APIKey {
	return APIKey{
		ID: row.ID, PublicID: uuid.UUID(row.PublicID), Name: row.Name, UserEmail: email, UserActive: active,
		Prefix: row.Prefix,
		Scope:  row.Scope, Tier: row.Tier, RateLimit: int(row.RateLimit),
		ExpiresAt: ledger.OptionalInstant(row.ExpiresAt),
		RevokedAt: ledger.OptionalInstant(row.RevokedAt), LastUsedAt: ledger.OptionalInstant(row.LastUsedAt),
		CreatedAt: ledger.Instant(row.CreatedAt),
	}
}

func keyFactsOf(row queries.ApiKey, email string) keyFacts {
	return keyFacts{row.Name, email, row.Prefix, row.Scope, row.RateLimit, row.ExpiresAt, row.RevokedAt != nil}
}
