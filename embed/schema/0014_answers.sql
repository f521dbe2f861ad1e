-- What an answer needs beside its text: who works on it, where the question went, and what it cost.

-- +goose Up

-- Whether the members of a household may chat.
ALTER TABLE households ADD COLUMN assistant INTEGER NOT NULL DEFAULT 1 CHECK (assistant IN (0, 1));

-- The model that was asked for; model is the one that answered.
ALTER TABLE messages ADD COLUMN wanted_model TEXT;
-- Where the conversation was sent; NULL when it did not leave the process.
ALTER TABLE messages ADD COLUMN host TEXT;
ALTER TABLE messages ADD COLUMN input_tokens INTEGER;
ALTER TABLE messages ADD COLUMN output_tokens INTEGER;
-- Until when somebody works on the answer: unix ms, 0 when nobody does.
ALTER TABLE messages ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0;

-- Questions may wait in a chat while one is being answered.
DROP INDEX messages_of_work;
-- The queue of answers, oldest first; one is worked on at a time in each chat.
CREATE INDEX messages_of_work ON messages (id) WHERE status = 'pending';
