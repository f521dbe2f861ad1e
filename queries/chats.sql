-- name: InsertChat :one
-- A new chat.
INSERT INTO chats (public_id, household_id, user_id, title, created_at, updated_at)
VALUES (@public_id, @household_id, @user_id, @title, @at, @at)
RETURNING *;

-- name: GetChat :one
-- One of a person's chats by the id that clients know.
SELECT * FROM chats WHERE public_id = @public_id AND household_id = @household_id AND user_id = @user_id;

-- name: ListChats :many
-- A page of a person's chats, newest first, each with how many messages it has and when the newest of them was written; 0 when
-- there is none.
SELECT sqlc.embed(c), (SELECT count(*) FROM messages n WHERE n.chat_id = c.id) AS message_count,
    CAST(coalesce((SELECT m.created_at FROM messages m WHERE m.chat_id = c.id ORDER BY m.id DESC LIMIT 1), 0) AS INTEGER) AS last_message_at
FROM chats c
WHERE c.household_id = @household_id AND c.user_id = @user_id
ORDER BY c.id DESC LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountChats :one
-- How many chats a person has.
SELECT count(*) FROM chats c
WHERE c.household_id = @household_id AND c.user_id = @user_id;

-- name: UpdateChat :exec
-- Writes what can change of a chat.
UPDATE chats SET title = @title, error = @error, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteChat :exec
-- Removes a chat with its messages.
DELETE FROM chats WHERE id = @id AND household_id = @household_id;

-- name: InsertMessage :one
-- A new message, behind all others of its chat. A pending one of the assistant waits for its text.
INSERT INTO messages (public_id, household_id, chat_id, role, status, content, model, wanted_model, created_at, updated_at)
VALUES (@public_id, @household_id, @chat_id, @role, @status, @content, @model, @wanted_model, @at, @at)
RETURNING *;

-- name: GetMessage :one
-- One message of a chat by the id that clients know.
SELECT * FROM messages WHERE public_id = @public_id AND chat_id = @chat_id AND household_id = @household_id;

-- name: GetLastMessage :one
-- The newest message of a chat.
SELECT * FROM messages WHERE chat_id = @chat_id AND household_id = @household_id ORDER BY id DESC LIMIT 1;

-- name: ListMessages :many
-- A page of the messages of a chat, oldest first. The household is asked of the chat, lest every message be looked at.
SELECT * FROM messages WHERE chat_id = (SELECT c.id FROM chats c WHERE c.id = @chat_id AND c.household_id = @household_id)
ORDER BY id LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountMessages :one
-- How many messages a chat has.
SELECT count(*) FROM messages WHERE chat_id = (SELECT c.id FROM chats c WHERE c.id = @chat_id AND c.household_id = @household_id);

-- name: ListToolCalls :many
-- The tool calls of a range of a chat's messages, in the order in which they were made.
SELECT t.* FROM messages m CROSS JOIN tool_calls t ON t.message_id = m.id
WHERE m.chat_id = @chat_id AND m.household_id = @household_id AND m.id >= @first_id AND m.id <= @last_id
ORDER BY m.id, t.id;

-- name: CountWaitingAnswers :one
-- How many answers of a chat are still to be written. The queue is short, a chat may be long.
SELECT count(*) FROM messages INDEXED BY messages_of_work
WHERE status = 'pending' AND chat_id = @chat_id AND household_id = @household_id;

-- name: CancelAnswer :exec
-- Gives up an answer that is still to be written; whoever writes it loses the lease.
UPDATE messages SET status = 'failed', lease_until = 0, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'pending';

-- name: DeleteMessage :exec
-- Removes a message with its tool calls.
DELETE FROM messages WHERE id = @id AND household_id = @household_id;
