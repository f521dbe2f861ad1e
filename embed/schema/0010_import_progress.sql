-- How far the work on an import is, and that it is to be given up.

-- +goose Up

-- When a worker began with the rows, and how many were done then: a revert that was interrupted goes on where it
-- was. Null while the import waits, and when nothing is to be done.
ALTER TABLE imports ADD COLUMN started_at INTEGER;
ALTER TABLE imports ADD COLUMN started_rows_count INTEGER NOT NULL DEFAULT 0;
-- How many rows there are to write or remove; null until a worker knows.
ALTER TABLE imports ADD COLUMN work_rows_count INTEGER;
-- 1: whoever publishes the import is to take its rows back.
ALTER TABLE imports ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled IN (0, 1));

-- A part of the index for search is written anew when half of its rows are gone, not at every tenth: that was a
-- third of the time of a revert.
INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('deletemerge', 50);
