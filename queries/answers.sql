-- name: ClaimAnswers :many
-- Takes the oldest answers that wait, or that were abandoned, of any household: of each chat only its oldest one, so
-- that questions are answered in turn. What a worker that is gone has written of them goes.
UPDATE messages SET lease_until = @lease_until, held_by_server = CAST(@held_by_server AS BOOLEAN), attempts = attempts + 1, content = '', updated_at = @updated_at
WHERE id IN (SELECT m.id FROM messages m
    -- A lease far beyond the longest is of a clock that was wrong.
    WHERE m.status = 'pending' AND (m.lease_until < @now OR m.lease_until > CAST(@lease_until AS INTEGER) + 30000)
    -- In one chat, or in all for 0.
    AND (m.chat_id = CAST(@chat_id AS INTEGER) OR CAST(@chat_id AS INTEGER) = 0)
    -- The queue is short, a chat may be long.
    AND NOT EXISTS (SELECT 1 FROM messages o INDEXED BY messages_of_work WHERE o.chat_id = m.chat_id AND o.id < m.id AND o.status = 'pending')
    ORDER BY m.id LIMIT CAST(@most AS INTEGER))
RETURNING *;

-- name: FreeAnswers :exec
-- Lets go of the answers, in all households, that a server held which is gone.
UPDATE messages SET lease_until = 0 WHERE status = 'pending' AND held_by_server = 1;

-- name: DeleteCallsOfAnswer :exec
-- Removes the calls of an answer that is begun anew.
DELETE FROM tool_calls WHERE message_id = @message_id AND household_id = @household_id;

-- name: HoldsAnswer :one
-- Whether an answer is there and is still its worker's: 1 or 0. A message's inner id may come again after it is
-- deleted, its public one does not.
SELECT count(*) FROM messages WHERE public_id = @public_id AND household_id = @household_id AND status = 'pending' AND lease_until = @old_lease;

-- name: KeepAnswer :execrows
-- Writes down how far an answer is and keeps hold of it; no row when it is its worker's no more.
UPDATE messages SET content = @content, lease_until = @lease_until, updated_at = @updated_at
WHERE public_id = @public_id AND household_id = @household_id AND status = 'pending' AND lease_until = @old_lease;

-- name: SettleAnswer :one
-- Ends the work on an answer.
UPDATE messages SET status = @status, content = @content, model = @model, host = @host, input_tokens = @input_tokens, output_tokens = @output_tokens,
    lease_until = 0, updated_at = @updated_at
WHERE public_id = @public_id AND household_id = @household_id AND status = 'pending' AND lease_until = @old_lease
RETURNING *;

-- name: HandBackAnswer :execrows
-- Lets go of an answer that somebody else is to begin anew; the attempt does not count.
UPDATE messages SET content = '', lease_until = 0, attempts = attempts - 1, updated_at = @updated_at
WHERE public_id = @public_id AND household_id = @household_id AND status = 'pending' AND lease_until = @old_lease;

-- name: InsertToolCall :one
-- A call that was made for an answer, with its result.
INSERT INTO tool_calls (public_id, household_id, message_id, function_name, function_arguments, function_result, created_at)
VALUES (@public_id, @household_id, @message_id, @function_name, @function_arguments, @function_result, @created_at)
RETURNING *;

-- name: SetChatError :exec
-- Notes in a chat why its last answer failed; null when it did not.
UPDATE chats SET error = @error, updated_at = @updated_at WHERE id = @id AND household_id = @household_id;

-- name: GetUserOfChat :one
-- Whose chat it is.
SELECT u.* FROM chats c JOIN users u ON u.id = c.user_id WHERE c.id = @chat_id AND c.household_id = @household_id;

-- name: ListTurnsBefore :many
-- What was said in a chat before an answer, newest first, cut where no prompt would hold it.
SELECT role, CAST(substr(content, 1, CAST(@longest AS INTEGER)) AS TEXT) AS content FROM messages
WHERE chat_id = @chat_id AND household_id = @household_id AND id < @before AND status = 'complete'
ORDER BY id DESC LIMIT CAST(@most AS INTEGER);
