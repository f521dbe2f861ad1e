-- name: InsertAPIKey :one
-- A new key.
INSERT INTO api_keys (public_id, household_id, user_id, name, hash, prefix, scope, tier, rate_limit, expires_at, created_at, first_key_id)
VALUES (@public_id, @household_id, @user_id, @name, @hash, @prefix, @scope, @tier, @rate_limit, @expires_at, @at, @first_key_id)
RETURNING *;

-- name: ListAPIKeys :many
-- The keys of the household and whose they are, in the order they were made.
SELECT sqlc.embed(k), u.email, u.deactivated_at
FROM api_keys k JOIN users u ON u.id = k.user_id
WHERE k.household_id = @household_id
ORDER BY k.id;

-- name: ListKeyNames :many
-- The names that a person's keys have at present.
SELECT name FROM api_keys WHERE household_id = @household_id AND user_id = @user_id AND revoked_at IS NULL;

-- name: RevokeAPIKey :exec
-- Ends a key.
UPDATE api_keys SET revoked_at = @revoked_at WHERE household_id = @household_id AND id = @key_id;

-- name: RetireAPIKey :exec
-- Gives a key that another one replaces a name of its own and the instant at which it ends.
UPDATE api_keys SET name = @name, expires_at = @expires_at WHERE household_id = @household_id AND id = @key_id;

-- name: FindAPIKey :one
-- What a presented key opens: the key by its hash, its user's state and its household.
SELECT sqlc.embed(k), sqlc.embed(h), u.deactivated_at
FROM api_keys k JOIN users u ON u.id = k.user_id JOIN households h ON h.id = k.household_id
WHERE k.hash = @hash;

-- name: SetAPIKeyUsed :exec
-- Notes a key's last use, unless a later one is noted already.
UPDATE api_keys SET last_used_at = @used_at
WHERE household_id = @household_id AND id = @key_id AND (last_used_at < @used_at OR last_used_at IS NULL);
