-- What merchants look like, and what clients that ask for a synchronisation are told afterwards.

-- +goose Up

-- #rrggbb in lower case, and an address as it was written; empty when nobody has said.
ALTER TABLE merchants ADD COLUMN color TEXT NOT NULL DEFAULT '';
ALTER TABLE merchants ADD COLUMN website_url TEXT NOT NULL DEFAULT '';

-- Requests for a synchronisation. There is nothing to wait for, so each was complete when it was made; the newest
-- hundred of a household are kept.
CREATE TABLE syncs (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT;

-- Lists them, newest first.
CREATE INDEX syncs_by_household ON syncs (household_id, id);
