-- name: ListSplits :many
-- The splits of one security, or of all when it is 0, in a range of days, the newest first.
SELECT * FROM security_splits
WHERE household_id = @household_id AND date >= CAST(@first_day AS INTEGER) AND date <= CAST(@last_day AS INTEGER)
    AND (security_id = CAST(@security_id AS INTEGER) OR CAST(@security_id AS INTEGER) = 0)
ORDER BY date DESC, id DESC;

-- name: GetSplit :one
-- A split by the id that clients know.
SELECT * FROM security_splits WHERE public_id = @public_id AND household_id = @household_id;

-- name: InsertSplit :one
-- Notes a split and gives its key, which one that comes back has already.
INSERT INTO security_splits (id, public_id, household_id, security_id, date, numerator, denominator, created_at, updated_at)
VALUES (sqlc.narg('id'), @public_id, @household_id, @security_id, @date, @numerator, @denominator, @created_at, @updated_at) RETURNING id;

-- name: DeleteSplit :exec
-- Removes a split.
DELETE FROM security_splits WHERE id = @id AND household_id = @household_id;
