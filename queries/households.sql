-- name: GetHousehold :one
-- The household by its key.
SELECT * FROM households WHERE id = @household_id;
