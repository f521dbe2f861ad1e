-- What was found out about how a file is to be read, and what people said about files of the same make.

-- +goose Up

-- Why each setting has its value: sentences by the name of the setting.
ALTER TABLE imports ADD COLUMN reasons TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(reasons));
-- What must be answered before the import can be published: see the importer's questions.
ALTER TABLE imports ADD COLUMN questions TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(questions));
-- The settings that a person gave, or gave for an earlier file of the same make.
ALTER TABLE imports ADD COLUMN given TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(given));
-- Tells files of the same make: a digest of the header and the separator. Null before the file was read.
ALTER TABLE imports ADD COLUMN fingerprint BLOB;

-- The given settings under which a file was published last, by account (null: the file names its accounts) and make.
CREATE TABLE import_settings (
    id INTEGER PRIMARY KEY,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    learned_at INTEGER NOT NULL
) STRICT;

-- Finds what is remembered for a file; once for each household, account and make.
CREATE UNIQUE INDEX import_settings_by_make ON import_settings (household_id, fingerprint, coalesce(account_id, 0));
-- A deleted account takes along what was remembered for it.
CREATE INDEX import_settings_by_account ON import_settings (account_id);
