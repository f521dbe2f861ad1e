-- What strangers found wrong: the columns and tables that mend it.

-- +goose Up

-- Whose the lease of a work is: 1 the server's of the file, of which there is one at a time, so that the next one knows
-- at its start that nobody works on it; 0 a command's.
ALTER TABLE imports ADD COLUMN held_by_server INTEGER NOT NULL DEFAULT 0 CHECK (held_by_server IN (0, 1));
ALTER TABLE messages ADD COLUMN held_by_server INTEGER NOT NULL DEFAULT 0 CHECK (held_by_server IN (0, 1));
-- A household that was emptied keeps its books for a day, in a row of their own: when that was, and the id of the household that
-- they were the books of. Null in all others. While reset_at is set, an abandoned_at of 0 deletes nothing.
ALTER TABLE households ADD COLUMN reset_at INTEGER;
ALTER TABLE households ADD COLUMN reset_from BLOB CHECK (length(reset_from) = 16);
-- What an import was at when its household was emptied; it goes on when the books are brought back.
ALTER TABLE imports ADD COLUMN stopped_status TEXT CHECK (stopped_status IN ('importing', 'reverting'));
