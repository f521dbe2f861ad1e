-- name: RetireHousehold :exec
-- Puts a household's books aside, under a name and an id that are nobody's, until RetireDueHouseholds gives them up.
UPDATE households SET reset_from = public_id, public_id = @public_id, name = @name, abandoned_at = 0, reset_at = @at, updated_at = @at
WHERE id = @household_id;

-- name: GetResetHousehold :one
-- The books that a household had before it was last emptied, while they are kept.
SELECT * FROM households h
WHERE h.reset_from = (SELECT o.public_id FROM households o WHERE o.id = @household_id) AND h.reset_at IS NOT NULL
ORDER BY h.reset_at DESC, h.id DESC LIMIT 1;

-- name: BringBackHousehold :one
-- Gives books that were put aside the id and the name that their household has now, and whether it has users.
UPDATE households SET public_id = @public_id, name = @name, abandoned_at = @abandoned_at, reset_at = NULL, reset_from = NULL, updated_at = @at
WHERE id = @household_id
RETURNING *;

-- name: RestartImportsOfHousehold :exec
-- Lets imports go on that were at work when the household was emptied.
UPDATE imports SET status = stopped_status, stopped_status = NULL, updated_at = @at
WHERE household_id = @household_id AND stopped_status IS NOT NULL;

-- name: SucceedHousehold :one
-- A new household with the id that clients know, the name and the settings of one that is retired.
INSERT INTO households (public_id, name, currency, locale, timezone, locale_from_request, assistant, created_at, updated_at)
SELECT @public_id, @name, h.currency, h.locale, h.timezone, h.locale_from_request, h.assistant, h.created_at, @at
FROM households h WHERE h.id = @household_id
RETURNING *;

-- name: MoveUsers :exec
-- Gives a household's people to another one.
UPDATE users SET household_id = @successor_id WHERE household_id = @household_id;

-- name: MoveAPIKeys :exec
-- Gives a household's keys to another one.
UPDATE api_keys SET household_id = @successor_id WHERE household_id = @household_id;

-- name: MoveBrowserSessions :exec
-- Gives the browsers that are signed in at a household to another one.
UPDATE browser_sessions SET household_id = @successor_id WHERE household_id = @household_id;

-- name: MoveSignInLinks :exec
-- Gives the links to a household to another one.
UPDATE sign_in_links SET household_id = @successor_id WHERE household_id = @household_id;

-- name: CopyHistory :exec
-- Copies the history of a household itself, of its people and of its keys to another one, from an instant on.
INSERT INTO changes (household_id, at, user_id, api_key_id, origin, entity, entity_id, action, before, after, operation_id, undoes)
SELECT CAST(@successor_id AS INTEGER), c.at, c.user_id, c.api_key_id, c.origin, c.entity, c.entity_id, c.action, c.before, c.after, c.operation_id, c.undoes
FROM (SELECT @own_id AS entity_id
    UNION ALL SELECT u.public_id FROM users u WHERE u.household_id = @household_id
    UNION ALL SELECT k.public_id FROM api_keys k WHERE k.household_id = @household_id) own
CROSS JOIN changes c ON c.household_id = @household_id AND c.entity_id = own.entity_id AND c.at >= @since
ORDER BY c.id;

-- name: DeleteIdempotentAnswersOfHousehold :exec
-- Forgets what the keys of a household were answered.
DELETE FROM idempotent_answers WHERE idempotent_answers.api_key_id IN (SELECT k.id FROM api_keys k WHERE k.household_id = @household_id);

-- name: StopImportsOfHousehold :exec
-- Takes the imports of a household from their workers, who find that out at their next write.
UPDATE imports SET status = 'failed', stopped_status = status, updated_at = @at
-- See ClaimImport.
WHERE status IN ('receiving', 'importing', 'reverting') AND status IN ('importing', 'reverting') AND household_id = @household_id;

-- name: StopAnswersOfHousehold :exec
-- Takes the answers of a household's chats from their workers, who find that out at their next write.
UPDATE messages SET status = 'failed', lease_until = 0, updated_at = @at WHERE status = 'pending' AND household_id = @household_id;

-- name: CountHouseholdData :one
-- How much of each kind a household has. Categories are not counted: a new household has some.
SELECT (SELECT count(*) FROM accounts a WHERE a.household_id = @household_id) AS accounts,
    (SELECT CAST(coalesce(sum(a.transaction_count), 0) AS INTEGER) FROM accounts a WHERE a.household_id = @household_id) AS transactions,
    (SELECT count(*) FROM tags t WHERE t.household_id = @household_id) AS tags,
    (SELECT count(*) FROM merchants m WHERE m.household_id = @household_id) AS merchants,
    (SELECT count(*) FROM securities s WHERE s.household_id = @household_id) AS securities,
    (SELECT count(*) FROM rules r WHERE r.household_id = @household_id) AS rules,
    (SELECT count(*) FROM imports i WHERE i.household_id = @household_id) AS imports,
    (SELECT count(*) FROM users u JOIN chats c ON c.user_id = u.id AND c.household_id = u.household_id WHERE u.household_id = @household_id) AS chats;

-- name: DeleteSomeHistory :execrows
-- Removes a part of a deleted household's history.
DELETE FROM changes WHERE changes.id IN (SELECT c.id FROM changes c WHERE c.household_id = @household_id LIMIT CAST(@part_size AS INTEGER));

-- name: DeleteSomeTrades :execrows
-- Removes a part of a deleted household's trades, which hold on to its securities.
DELETE FROM trades WHERE trades.id IN (SELECT t.id FROM trades t WHERE t.household_id = @household_id
    AND t.id >= CAST(@household_id AS INTEGER) << 43 AND t.id < (CAST(@household_id AS INTEGER) + 1) << 43 LIMIT CAST(@part_size AS INTEGER));

-- name: DeleteSomeAccounts :execrows
-- Removes some accounts of a deleted household with their days.
DELETE FROM accounts WHERE accounts.id IN (SELECT a.id FROM accounts a WHERE a.household_id = @household_id LIMIT CAST(@part_size AS INTEGER));

-- name: DeleteSomeSecurities :execrows
-- Removes some securities of a deleted household with their prices.
DELETE FROM securities WHERE securities.id IN (SELECT s.id FROM securities s WHERE s.household_id = @household_id LIMIT CAST(@part_size AS INTEGER));

-- name: DeleteSomeImports :execrows
-- Removes some imports of a deleted household with their files.
DELETE FROM imports WHERE imports.id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id LIMIT CAST(@part_size AS INTEGER));

-- name: IsHouseholdAllThereIs :one
-- Whether no other household has a transaction that shows, and none is being written or removed there: then every text that
-- can be searched is of this household.
SELECT CAST(NOT EXISTS (SELECT 1 FROM accounts a WHERE a.household_id <> @household_id AND a.transaction_count > 0)
    AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.household_id <> @household_id AND o.first_sequence IS NOT NULL) AS INTEGER) AS alone;
