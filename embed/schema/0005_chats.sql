-- Conversations with the assistant. A chat belongs to a person, not to the household.

-- +goose Up

CREATE TABLE chats (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A person's chats, newest first.
CREATE INDEX chats_by_user ON chats (user_id, id);

-- A pending assistant message is the queue entry of its answer.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'complete', 'failed')),
    content TEXT NOT NULL,
    model TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- The messages of a chat, oldest first.
CREATE INDEX messages_by_chat ON messages (chat_id, id);
-- The queue of answers; one at a time per chat.
CREATE UNIQUE INDEX messages_of_work ON messages (chat_id) WHERE status = 'pending';

CREATE TABLE tool_calls (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    function_name TEXT NOT NULL,
    function_arguments TEXT NOT NULL CHECK (json_valid(function_arguments)),
    function_result TEXT CHECK (function_result IS NULL OR json_valid(function_result)),
    created_at INTEGER NOT NULL
) STRICT;

-- The tool calls of a message, in order.
CREATE INDEX tool_calls_by_message ON tool_calls (message_id, id);
