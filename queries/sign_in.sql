-- name: ListUsersNamed :many
-- The active people with an address, or with a name before its sign 64, in whatever household; three are too many.
SELECT * FROM users
WHERE deactivated_at IS NULL AND (email = @name OR substr(email, 1, instr(email, char(64)) - 1) = @name)
LIMIT 3;

-- name: SetUserPassword :exec
-- Writes what is kept of a person's password.
UPDATE users SET password_hash = @password_hash, updated_at = @at WHERE household_id = @household_id AND id = @user_id;

-- name: SetUserPreferences :exec
-- Writes how a person wants pages.
UPDATE users SET preferences = @preferences WHERE household_id = @household_id AND id = @user_id;

-- name: InsertBrowserSession :exec
-- A browser that has signed in.
INSERT INTO browser_sessions (public_id, household_id, user_id, api_key_id, hash, way, scope, agent, address, proved_at, last_used_at, created_at)
VALUES (@public_id, @household_id, @user_id, @api_key_id, @hash, @way, @scope, @agent, @address, @proved_at, @at, @at);

-- name: FindBrowserSession :one
-- What a cookie opens: the session by its hash, unless it is over or its person or key is, with its person and household.
SELECT sqlc.embed(s), sqlc.embed(u), sqlc.embed(h)
FROM browser_sessions s JOIN users u ON u.id = s.user_id JOIN households h ON h.id = s.household_id
WHERE s.hash = @hash AND s.last_used_at > @used_after AND s.created_at > @made_after AND u.deactivated_at IS NULL
    AND (s.api_key_id IS NULL OR EXISTS (SELECT 1 FROM api_keys k
        WHERE k.id = s.api_key_id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > CAST(@now AS INTEGER))));

-- name: SetBrowserSessionUsed :exec
-- Notes a session's last use, unless a later one is noted already.
UPDATE browser_sessions SET last_used_at = @used_at
WHERE household_id = @household_id AND public_id = @public_id AND last_used_at < @used_at;

-- name: SetBrowserSessionProved :exec
-- Notes when the person of a session has given the password.
UPDATE browser_sessions SET proved_at = @proved_at WHERE household_id = @household_id AND public_id = @public_id;

-- name: SetAmountsHidden :exec
-- Writes whether a session's pages show amounts.
UPDATE browser_sessions SET hide_amounts = @hide_amounts WHERE household_id = @household_id AND public_id = @public_id;

-- name: ListBrowserSessions :many
-- The browsers of a person that are not over, the one last used first.
SELECT * FROM browser_sessions
WHERE household_id = @household_id AND user_id = @user_id AND last_used_at > @used_after AND created_at > @made_after
ORDER BY last_used_at DESC, id DESC;

-- name: EndBrowserSession :execrows
-- Ends a session of a person.
DELETE FROM browser_sessions WHERE household_id = @household_id AND user_id = @user_id AND public_id = @public_id;

-- name: EndOtherBrowserSessions :execrows
-- Ends all sessions of a person but one, which need not exist.
DELETE FROM browser_sessions WHERE household_id = @household_id AND user_id = @user_id AND public_id <> @public_id;

-- name: DeleteOldestBrowserSessions :exec
-- Ends the sessions of a person that were not used for longest, beyond a number.
DELETE FROM browser_sessions WHERE browser_sessions.id IN (SELECT s.id FROM browser_sessions s
    WHERE s.household_id = @household_id AND s.user_id = @user_id
    ORDER BY s.last_used_at DESC, s.id DESC LIMIT -1 OFFSET CAST(@most AS INTEGER));

-- name: DeleteOldBrowserSessions :exec
-- Removes the sessions that are over.
DELETE FROM browser_sessions WHERE last_used_at <= @used_until OR created_at <= @made_until;

-- name: InsertSignInLink :exec
-- A link that signs a person in.
INSERT INTO sign_in_links (hash, household_id, user_id, expires_at) VALUES (@hash, @household_id, @user_id, @expires_at);

-- name: TakeSignInLink :one
-- Uses a link up, and says whose it was.
DELETE FROM sign_in_links WHERE hash = @hash RETURNING household_id, user_id, expires_at;

-- name: EndSignInLinks :exec
-- Ends the links of a person.
DELETE FROM sign_in_links WHERE household_id = @household_id AND user_id = @user_id;

-- name: DeleteOldSignInLinks :exec
-- Removes the links whose time is over.
DELETE FROM sign_in_links WHERE expires_at <= @now;

-- name: GetInstance :one
-- What there is once in the file.
SELECT * FROM instance WHERE id = 1;

-- name: SetSetUpCode :exec
-- Writes which code sets the file up, and until when; null: none does.
UPDATE instance SET set_up_hash = @hash, set_up_until = @until WHERE id = 1;

-- name: HasHousehold :one
-- Whether there is a household that is not being deleted, as of ListHouseholds.
SELECT CAST(EXISTS (SELECT 1 FROM households WHERE abandoned_at IS NULL OR abandoned_at > 0) AS INTEGER) AS has;
