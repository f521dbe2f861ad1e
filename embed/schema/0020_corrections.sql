-- What strangers found wrong: the columns and tables that mend it.

-- +goose Up

-- Whose the lease of a work is: 1 the server's of the file, of which there is one at a time, so that the next one knows
-- at its start that nobody works on it; 0 a command's.
ALTER TABLE imports ADD COLUMN held_by_server INTEGER NOT NULL DEFAULT 0 CHECK (held_by_server IN (0, 1));
ALTER TABLE messages ADD COLUMN held_by_server INTEGER NOT NULL DEFAULT 0 CHECK (held_by_server IN (0, 1));
