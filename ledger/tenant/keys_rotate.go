package tenant

import (
	"cmp"
	"context"
	"time"

	"finsvc/ledger"
	"finsvc/queries"
)

// KeyRotation says how a key is replaced by a new one.
type KeyRotation struct {
	NameOrPrefix string        // of the old key, as [Keys.RevokeAPIKey] takes it
	Grace        time.Duration // how long the old key goes on working; 0: not at all
	Expires      time.Duration // how long the new key is valid; 0: as long as the old one was made for
}

// Rotated is what came of replacing a key. The new key itself is given here and never again.
type Rotated struct {
	Plain    string
	Old, New APIKey
}

// RotateAPIKey makes a key with the name, the user, the scope and the limit of an old one, and ends the old one: at
// once, or after the grace. A repeat of a request that one of them has made is answered alike to both. Until then the
// old one is called after the new one with -old behind it, and ends sooner where it would have anyway.
func (s *Keys) RotateAPIKey(ctx context.Context, who ledger.Actor, in KeyRotation) (done Rotated, err error) {
	if in.Grace < 0 || in.Expires < 0 {
		return done, ledger.NewInvalid("grace", "and expires must not be negative")
	}
	done.Plain = newPlainKey()
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListAPIKeys(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		old, err := oneKey(rows, in.NameOrPrefix)
		if err != nil {
			return err
		}
		if old.DeactivatedAt != nil {
			return ledger.NewConflict("%s, whose key it is, is deactivated; bring them back: finsvc user restore %s",
				old.Email, old.Email)
		}
		done.Old, err = retireKey(ctx, tx, old, in.Grace)
		if err != nil {
			return err
		}
		done.New, err = addKey(ctx, tx, successor(tx, old.ApiKey, in.Expires, done.Plain), old.Email)
		return err
	})
	if err != nil {
		return Rotated{}, err
	}
	return done, nil
}

// successor is the row of a key like another one.
func successor(tx *ledger.Tx, old queries.ApiKey, expires time.Duration, plain string) queries.InsertAPIKeyParams {
	hash, now := hashKey(plain), tx.Stamp()
	row := queries.InsertAPIKeyParams{HouseholdID: old.HouseholdID, UserID: old.UserID, Name: old.Name, Hash: hash[:],
		Prefix: plain[:shownLength],
		Scope:  old.Scope, Tier: old.Tier, RateLimit: old.RateLimit, At: now,
		FirstKeyID: cmp.Or(old.FirstKeyID, &old.ID)}
	switch {
	case expires > 0:
		row.ExpiresAt = new(now + expires.Milliseconds())
	case old.ExpiresAt != nil:
		row.ExpiresAt = new(now + *old.ExpiresAt - old.CreatedAt)
	}
	return row
}

// retireKey ends a key at once, or gives it another name and lets it end after the grace.
func retireKey(ctx context.Context, tx *ledger.Tx, old queries.ListAPIKeysRow, grace time.Duration) (APIKey, error) {
	end := tx.Stamp() + grace.Milliseconds()
	if old.ApiKey.ExpiresAt != nil {
		end = min(end, *old.ApiKey.ExpiresAt)
	}
	if end <= tx.Stamp() {
		return revokeKey(ctx, tx, old)
	}
	before := keyFactsOf(old.ApiKey, old.Email)
	name, err := freeKeyName(ctx, tx, old.ApiKey.UserID, old.ApiKey.Name+"-old")
	if err != nil {
		return APIKey{}, err
	}
	old.ApiKey.Name, old.ApiKey.ExpiresAt = name, &end
	if err := tx.RetireAPIKey(ctx, queries.RetireAPIKeyParams{Name: name, ExpiresAt: &end, HouseholdID: tx.HouseholdID,
		KeyID: old.ApiKey.ID}); err != nil {
		return APIKey{}, err
	}
	return asAPIKey(old.ApiKey, old.Email, true), tx.Record(ctx, ledger.EntityKey, old.ApiKey.PublicID, before,
		keyFactsOf(old.ApiKey, old.Email))
}
