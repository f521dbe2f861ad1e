-- name: ListSecurities :many
-- A page of the household's securities by ticker and market.
SELECT * FROM securities
WHERE household_id = @household_id
    -- Of one ticker, or of all when it is empty.
    AND (ticker = CAST(@ticker AS TEXT) OR CAST(@ticker AS TEXT) = '')
    -- Of one market, or of all when it is empty.
    AND (mic = CAST(@mic AS TEXT) OR CAST(@mic AS TEXT) = '')
    -- Of one kind, or of both when it is empty.
    AND (kind = CAST(@kind AS TEXT) OR CAST(@kind AS TEXT) = '')
    -- Manual ones when it is 1, the others when it is 0, all when it is -1.
    AND (manual = CAST(@manual AS INTEGER) OR CAST(@manual AS INTEGER) < 0)
ORDER BY ticker, mic, id LIMIT CAST(@size AS INTEGER) OFFSET CAST(@skipped AS INTEGER);

-- name: CountSecurities :one
-- How many securities the same filters select.
SELECT count(*) FROM securities
WHERE household_id = @household_id
    -- Of one ticker, or of all when it is empty.
    AND (ticker = CAST(@ticker AS TEXT) OR CAST(@ticker AS TEXT) = '')
    -- Of one market, or of all when it is empty.
    AND (mic = CAST(@mic AS TEXT) OR CAST(@mic AS TEXT) = '')
    -- Of one kind, or of both when it is empty.
    AND (kind = CAST(@kind AS TEXT) OR CAST(@kind AS TEXT) = '')
    -- Manual ones when it is 1, the others when it is 0, all when it is -1.
    AND (manual = CAST(@manual AS INTEGER) OR CAST(@manual AS INTEGER) < 0);

-- name: GetSecurity :one
-- A security by the id that clients know.
SELECT * FROM securities WHERE public_id = @public_id AND household_id = @household_id;

-- name: InsertSecurity :one
-- Makes a security and gives its key, which one that comes back has already.
INSERT INTO securities (id, public_id, household_id, ticker, mic, name, kind, manual, created_at, updated_at)
VALUES (sqlc.narg('id'), @public_id, @household_id, @ticker, @mic, @name, @kind, @manual, @created_at, @updated_at) RETURNING id;

-- name: UpdateSecurity :exec
-- Writes what can be changed of a security.
UPDATE securities SET ticker = @ticker, mic = @mic, name = @name, manual = @manual, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteSecurity :exec
-- Removes a security with its prices and splits.
DELETE FROM securities WHERE id = @id AND household_id = @household_id;

-- name: GetTradeStart :one
-- The day of a security's first trade and the currency of its last; nothing when it was never traded.
SELECT f.date, CAST((SELECT x.currency FROM trades x
    WHERE x.security_id = @security_id AND x.household_id = @household_id ORDER BY x.id DESC LIMIT 1) AS TEXT) AS currency
FROM trades f WHERE f.security_id = @security_id AND f.household_id = @household_id ORDER BY f.id LIMIT 1;
