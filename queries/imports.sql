-- name: InsertImport :one
-- Begins an upload.
INSERT INTO imports (public_id, household_id, user_id, type, status, settings, created_at, updated_at)
VALUES (@public_id, @household_id, @user_id, 'TransactionImport', 'receiving', '{}', @stamp, @stamp)
RETURNING id;

-- name: InsertImportChunk :exec
-- Stores a piece of an upload.
INSERT INTO import_chunks (import_id, number, data) VALUES (@import_id, @number, @data);

-- name: GetImportChunk :one
-- Reads a piece of an upload back.
SELECT c.data FROM import_chunks c JOIN imports i ON i.id = c.import_id
WHERE c.import_id = @import_id AND c.number = @number AND i.household_id = @household_id;

-- name: FinishUpload :exec
-- An upload was read to its end: what it is, and what the rows are worth.
UPDATE imports SET account_id = @account_id, type = @type, status = @status, error = @error, settings = @settings,
    skip_invalid_rows = @skip_invalid_rows, file_name = @file_name, byte_size = @byte_size, sha256 = @sha256,
    rows_count = @rows_count, valid_rows_count = @valid_rows_count, invalid_rows_count = @invalid_rows_count, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'receiving';

-- name: DeleteImport :exec
-- Removes an upload that came to nothing.
DELETE FROM imports WHERE id = @id AND household_id = @household_id AND status = 'receiving';

-- name: DeleteStaleUploads :exec
-- Removes uploads that a crash or a stop cut off, in all households.
DELETE FROM imports
-- See ClaimImport.
WHERE status IN ('receiving', 'importing', 'reverting') AND status = 'receiving' AND created_at < @before;

-- name: GetImport :one
-- One import by the id that clients know.
SELECT * FROM imports WHERE public_id = @public_id AND household_id = @household_id AND status <> 'receiving';

-- name: ListImports :many
-- A page of a household's imports, newest first; a filter is a JSON array of the values that match.
SELECT * FROM imports
WHERE household_id = @household_id AND status <> 'receiving'
    AND (sqlc.narg('statuses') IS NULL OR status IN (SELECT value FROM json_each(CAST(sqlc.narg('statuses') AS TEXT))))
    AND (sqlc.narg('types') IS NULL OR type IN (SELECT value FROM json_each(CAST(sqlc.narg('types') AS TEXT))))
ORDER BY id DESC LIMIT @count OFFSET @skip;

-- name: CountImports :one
-- How many imports the same filters match.
SELECT count(*) FROM imports
WHERE household_id = @household_id AND status <> 'receiving'
    AND (sqlc.narg('statuses') IS NULL OR status IN (SELECT value FROM json_each(CAST(sqlc.narg('statuses') AS TEXT))))
    AND (sqlc.narg('types') IS NULL OR type IN (SELECT value FROM json_each(CAST(sqlc.narg('types') AS TEXT))));

-- name: QueueImport :execrows
-- Asks for an import to be published; not from every state.
UPDATE imports SET status = 'importing', error = NULL, skip_invalid_rows = @skip_invalid_rows, done_rows_count = 0,
    lease_until = 0, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status IN ('pending', 'failed');

-- name: HoldImport :exec
-- Says why an import was not published.
UPDATE imports SET error = @error, updated_at = @updated_at WHERE id = @id AND household_id = @household_id;

-- name: ClaimImport :one
-- Takes the oldest import that waits, or that was abandoned, of any household in which no other is
-- being written.
UPDATE imports SET lease_until = @lease_until
WHERE id = (SELECT i.id FROM imports i
    -- The condition of the index of work, word for word: without it the index is not used.
    WHERE i.status IN ('receiving', 'importing', 'reverting') AND i.status = 'importing' AND i.lease_until < @now
    AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.household_id = i.household_id AND o.id <> i.id AND o.first_sequence IS NOT NULL
        AND o.status = 'importing')
    ORDER BY i.id LIMIT 1)
RETURNING *;

-- name: ReserveImport :execrows
-- Notes the creation numbers of the rows to be written.
UPDATE imports SET first_sequence = @first_sequence, last_sequence = @last_sequence
WHERE id = @id AND household_id = @household_id AND status = 'importing' AND lease_until = @lease_until;

-- name: HideEntries :exec
-- Makes the rows with these creation numbers invisible; last below first hides nothing.
UPDATE households SET hidden_from = @hidden_from, hidden_to = @hidden_to WHERE id = @household_id;

-- name: RenewImport :execrows
-- Keeps hold of an import and says how far it is; no row when somebody else has taken it.
UPDATE imports SET done_rows_count = @done_rows_count, lease_until = @lease_until, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'importing' AND lease_until = @old_lease;

-- name: SettleImport :execrows
-- Ends the work on an import.
UPDATE imports SET status = @status, error = @error, done_rows_count = @done_rows_count, first_sequence = NULL, last_sequence = NULL,
    lease_until = 0, published_at = @published_at, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'importing' AND lease_until = @old_lease;

-- name: ReleaseImport :exec
-- Lets go of an import that the stopping service will take up again.
UPDATE imports SET lease_until = 0 WHERE id = @id AND household_id = @household_id AND lease_until = @old_lease;

-- name: ListImportEntryKeys :many
-- Some of the entries that an import has written.
SELECT id FROM transactions WHERE import_id = @import_id AND household_id = @household_id LIMIT @count;

-- name: ListImportEntries :many
-- The entries that came from some rows of an import.
SELECT t.import_row, t.public_id FROM transactions t
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.import_row >= @first_row AND t.import_row <= @last_row;

-- name: InsertImportCreation :exec
-- Notes that an import created an account, category, tag or merchant; a second time does nothing.
INSERT INTO import_changes (import_id, entity, entity_id, after) VALUES (@import_id, @entity, @entity_id, @after) ON CONFLICT DO NOTHING;

-- name: DeleteUnusedImportCategories :exec
-- Takes back categories that an import created and nothing uses.
DELETE FROM categories WHERE categories.household_id = @household_id
    AND categories.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'category')
    AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.category_id = categories.id)
    AND NOT EXISTS (SELECT 1 FROM categories c WHERE c.parent_id = categories.id);

-- name: DeleteUnusedImportTags :exec
-- Takes back tags that an import created and nothing uses.
DELETE FROM tags WHERE tags.household_id = @household_id
    AND tags.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'tag')
    AND NOT EXISTS (SELECT 1 FROM transaction_tags u WHERE u.tag_id = tags.id);

-- name: DeleteUnusedImportAccounts :exec
-- Takes back accounts that an import created and nothing uses.
DELETE FROM accounts WHERE accounts.household_id = @household_id
    AND accounts.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'account')
    AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM trades t WHERE t.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM valuations v WHERE v.account_id = accounts.id AND v.kind <> 'opening_anchor');

-- name: ForgetImportCreations :exec
-- Drops the notes of what an import created, once it was taken back.
DELETE FROM import_changes WHERE import_id = @import_id AND before IS NULL;

-- name: ListImportCreations :many
-- What an import created, to tell it from what was there before.
SELECT x.entity_id FROM import_changes x JOIN imports i ON i.id = x.import_id
WHERE x.import_id = @import_id AND i.household_id = @household_id AND x.before IS NULL;
