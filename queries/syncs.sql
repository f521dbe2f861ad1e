-- name: InsertSync :one
-- Notes a request for a synchronisation.
INSERT INTO syncs (public_id, household_id, created_at) VALUES (@public_id, @household_id, @created_at)
RETURNING *;

-- name: DeleteOldSyncs :exec
-- Forgets all but the newest requests of a household.
DELETE FROM syncs WHERE syncs.household_id = @household_id AND syncs.id <=
    (SELECT s.id FROM syncs s WHERE s.household_id = @household_id ORDER BY s.id DESC LIMIT 1 OFFSET CAST(@kept AS INTEGER));

-- name: GetSync :one
-- One request by the id that clients know.
SELECT * FROM syncs WHERE public_id = @public_id AND household_id = @household_id;

-- name: ListSyncs :many
-- A page of a household's requests, newest first.
SELECT * FROM syncs WHERE household_id = @household_id ORDER BY id DESC LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountSyncs :one
-- How many requests of a household are kept.
SELECT count(*) FROM syncs WHERE household_id = @household_id;
