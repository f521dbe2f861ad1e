-- name: InsertUser :one
-- A new person of a household.
INSERT INTO users (public_id, household_id, email, role, created_at, updated_at)
VALUES (@public_id, @household_id, @email, @role, @at, @at)
RETURNING *;

-- name: GetUser :one
-- A person of the household by key.
SELECT * FROM users WHERE household_id = @household_id AND id = @user_id;

-- name: ListUsersByEmail :many
-- Who has or had an address, in whatever household: the active user first, then the latest that went.
SELECT * FROM users WHERE email = @email ORDER BY deactivated_at IS NOT NULL, deactivated_at DESC, id DESC;

-- name: ListUsers :many
-- The people of the household: active admins first, then in the order they came.
SELECT * FROM users WHERE household_id = @household_id ORDER BY deactivated_at IS NOT NULL, role, id;

-- name: CountActiveUsers :one
-- How many people of the household are active.
SELECT count(*) FROM users WHERE household_id = @household_id AND deactivated_at IS NULL;

-- name: SetUserDeactivated :one
-- Notes when a person went; null when they are back.
UPDATE users SET deactivated_at = @deactivated_at, updated_at = @at
WHERE household_id = @household_id AND id = @user_id
RETURNING *;
