-- name: InsertChange :exec
-- Appends to a household's history.
INSERT INTO changes (household_id, at, user_id, api_key_id, origin, entity, entity_id, action, before, after, operation_id, undoes)
VALUES (@household_id, @at, @user_id, @api_key_id, @origin, @entity, @entity_id, @action, @before, @after, @operation_id, @undoes);

-- name: ListOperationIDs :many
-- The operations of a household before one, newest first: one step in the index for each.
WITH RECURSIVE step (id) AS (
    SELECT max(c.operation_id) FROM changes c INDEXED BY changes_by_operation
    WHERE c.household_id = @household_id AND c.operation_id < @before_id
    UNION ALL
    SELECT (SELECT max(d.operation_id) FROM changes d INDEXED BY changes_by_operation
        WHERE d.household_id = @household_id AND d.operation_id < step.id)
    FROM step WHERE step.id IS NOT NULL
)
SELECT CAST(id AS BLOB) AS operation_id FROM step WHERE id IS NOT NULL LIMIT CAST(@row_limit AS INTEGER) OFFSET CAST(@row_offset AS INTEGER);

-- name: SummarizeOperation :many
-- What an operation did, in numbers.
SELECT entity, action, CAST(count(*) AS INTEGER) AS changed FROM changes INDEXED BY changes_by_operation
WHERE household_id = @household_id AND operation_id = @operation_id
GROUP BY entity, action;

-- name: ListOperationChanges :many
-- A page of what an operation did, kind by kind, oldest first.
SELECT c.* FROM changes c INDEXED BY changes_by_operation
WHERE c.household_id = @household_id AND c.operation_id = @operation_id
ORDER BY c.entity, c.action, c.id LIMIT CAST(@row_limit AS INTEGER) OFFSET CAST(@row_offset AS INTEGER);

-- name: ListUndoings :many
-- The operations that took an operation back, oldest first.
SELECT DISTINCT operation_id FROM changes INDEXED BY changes_by_undone
WHERE household_id = @household_id AND undoes = @operation_id
ORDER BY operation_id;

-- name: ListLaterOperations :many
-- The operations that changed a thing after a change of it.
SELECT operation_id, undoes FROM changes INDEXED BY changes_by_entity
WHERE household_id = @household_id AND entity_id = @entity_id AND id > @after_id
ORDER BY id;

-- name: BeginOperation :exec
-- Notes that an operation is under way in several writes, or that it goes on.
INSERT INTO unfinished_operations (operation_id, household_id, lease_until) VALUES (@operation_id, @household_id, @lease_until)
ON CONFLICT (operation_id) DO UPDATE SET lease_until = excluded.lease_until;

-- name: EndOperation :exec
-- Notes that it is at its end.
DELETE FROM unfinished_operations WHERE operation_id = @operation_id AND household_id = @household_id;

-- name: ListAbandonedOperations :many
-- Those of all households whose time is over.
SELECT operation_id, household_id FROM unfinished_operations WHERE lease_until < @now ORDER BY operation_id;

-- name: IsImportOf :one
-- Whether an import with a key was there when an entry was made: keys of imports that were deleted are given anew.
SELECT CAST(EXISTS (SELECT 1 FROM imports WHERE id = @id AND household_id = @household_id AND created_at <= @created_at) AS INTEGER) AS found;

-- name: GetOperation :one
-- Who did an operation, when and from where, as one of its changes says.
SELECT c.at, c.origin, c.undoes, u.email, k.name AS key_name
FROM changes c INDEXED BY changes_by_operation
LEFT JOIN users u ON u.id = c.user_id AND u.household_id = c.household_id
LEFT JOIN api_keys k ON k.id = c.api_key_id AND k.household_id = c.household_id
WHERE c.household_id = @household_id AND c.operation_id = @operation_id
LIMIT 1;
