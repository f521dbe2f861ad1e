-- name: GetHousehold :one
-- The household by its key.
SELECT * FROM households WHERE id = @household_id;

-- name: ListHouseholds :many
-- All households of the file, for the operator, by name; without books that were put aside, see RetireHousehold, and what is
-- being deleted.
SELECT * FROM households WHERE abandoned_at IS NULL OR abandoned_at > 0 ORDER BY name COLLATE NOCASE, id;

-- name: InsertHousehold :one
-- A new household.
INSERT INTO households (public_id, name, currency, locale, timezone, locale_from_request, created_at, updated_at)
VALUES (@public_id, @name, @currency, @locale, @timezone, @locale_from_request, @at, @at)
RETURNING *;

-- name: UpdateHousehold :one
-- Writes what a household can change.
UPDATE households
SET name = @name, currency = @currency, locale = @locale, timezone = @timezone,
    locale_from_request = @locale_from_request, assistant = @assistant, updated_at = @at
WHERE id = @household_id
RETURNING *;

-- name: SetHouseholdAbandoned :exec
-- Notes when the last user went; null when one is back.
UPDATE households SET abandoned_at = @abandoned_at, updated_at = @at WHERE id = @household_id;

-- name: NoteDueHouseholds :exec
-- Notes, in updated_at, of households without users that they have waited long enough, unless their history knows that the
-- clock was behind when the last one went.
UPDATE households SET updated_at = @now
WHERE abandoned_at > 0 AND abandoned_at + CAST(@wait AS INTEGER) <= CAST(@now AS INTEGER) AND updated_at < abandoned_at + CAST(@wait AS INTEGER)
    AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.household_id = households.id
        AND c.at > CAST(@now AS INTEGER) - CAST(@wait AS INTEGER) AND c.at <= CAST(@now AS INTEGER));

-- name: NoteDueResets :exec
-- Notes, in updated_at, of books that were put aside that they have waited long enough.
UPDATE households SET updated_at = @now
WHERE reset_at + CAST(@wait AS INTEGER) <= CAST(@now AS INTEGER) AND updated_at < reset_at + CAST(@wait AS INTEGER);

-- name: ForgetNotesOfHouseholds :exec
-- Takes back what a clock that was ahead has noted of households without users, and of books that were put aside.
UPDATE households SET updated_at = @now WHERE (abandoned_at > 0 OR reset_at IS NOT NULL) AND updated_at > @now;

-- name: RedateHouseholds :exec
-- Lets the wait of households begin whose last user went in the future, if that was noted at that instant or earlier.
UPDATE households SET abandoned_at = CAST(@now AS INTEGER), updated_at = @now WHERE abandoned_at > CAST(@now AS INTEGER) AND updated_at <= CAST(@noted_until AS INTEGER);

-- name: RedateResets :exec
-- The like of RedateHouseholds for books that were put aside in the future.
UPDATE households SET reset_at = CAST(@now AS INTEGER), updated_at = @now WHERE reset_at > CAST(@now AS INTEGER) AND updated_at <= CAST(@noted_until AS INTEGER);

-- name: RetireDueHouseholds :exec
-- Gives up the households that have waited long enough, if that was noted at that instant or earlier.
UPDATE households SET abandoned_at = 0
WHERE abandoned_at > 0 AND updated_at >= abandoned_at + CAST(@wait AS INTEGER) AND updated_at <= CAST(@noted_until AS INTEGER);

-- name: RetireDueResets :exec
-- Gives up books that were put aside and have waited long enough, if that was noted at that instant or earlier.
UPDATE households SET reset_at = NULL, reset_from = NULL
WHERE updated_at >= reset_at + CAST(@wait AS INTEGER) AND updated_at <= CAST(@noted_until AS INTEGER);

-- name: ListRetiredHouseholds :many
-- The households that are being deleted.
SELECT id FROM households WHERE abandoned_at = 0 AND reset_at IS NULL ORDER BY id;

-- name: ListFirstTransactions :many
-- The keys of the first part of a household's transactions.
SELECT t.id FROM transactions t NOT INDEXED
WHERE t.household_id = @household_id AND t.id >= CAST(@household_id AS INTEGER) << 43 AND t.id < (CAST(@household_id AS INTEGER) + 1) << 43
ORDER BY t.id LIMIT CAST(@part_size AS INTEGER);

-- name: DeleteSearchTexts :exec
-- Removes what is searchable in a range of transactions. A range of keys belongs to one household.
DELETE FROM transactions_fts WHERE rowid >= CAST(@first_key AS INTEGER) AND rowid <= CAST(@last_key AS INTEGER);

-- name: DeleteHousehold :exec
-- Removes a household and all that refers to it.
DELETE FROM households WHERE id = @household_id;
