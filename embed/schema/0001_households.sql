-- Who uses the file: households, their people and their keys.
--
-- Rules of all migrations: tables are STRICT; rows have an INTEGER key for joins and a UUIDv7 in
-- public_id for the outside; money is minor units, into the account positive; dates are days since
-- 1970-01-01; instants are milliseconds since then, UTC; every row that belongs to a household names it.

-- +goose Up

-- A household owns everything but rates. entry_sequence is the last creation number given to an entry
-- (see transactions.id). hidden_from and hidden_to are the creation numbers of rows that an import is
-- still writing: no query shows them. hidden_to < hidden_from: none. labels_version moves with every
-- change of an account's, category's, merchant's or tag's name and looks, so that a copy of them kept in
-- memory knows that it is out of date, whichever process made the change. An id is never used again: it
-- is part of keys and of what is kept in memory.
CREATE TABLE households (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    name TEXT NOT NULL UNIQUE,
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    locale TEXT NOT NULL,
    timezone TEXT NOT NULL,
    locale_from_request INTEGER NOT NULL DEFAULT 0 CHECK (locale_from_request IN (0, 1)),
    entry_sequence INTEGER NOT NULL DEFAULT 0,
    hidden_from INTEGER NOT NULL DEFAULT 0,
    hidden_to INTEGER NOT NULL DEFAULT -1,
    labels_version INTEGER NOT NULL DEFAULT 0,
    -- When the last user went; the data is deleted 30 days later.
    abandoned_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
    deactivated_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- An address is taken by one active user only; a deactivated one frees it.
CREATE UNIQUE INDEX users_by_email ON users (email) WHERE deactivated_at IS NULL;
-- The people of a household.
CREATE INDEX users_by_household ON users (household_id);

-- Keys are 256 random bits; only their SHA-256 is kept, and the first characters to recognise them by.
CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'read_write')),
    tier TEXT NOT NULL DEFAULT 'standard',
    rate_limit INTEGER NOT NULL CHECK (rate_limit > 0),
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

-- A key's name is free again once the key is revoked.
CREATE UNIQUE INDEX api_keys_by_name ON api_keys (user_id, name) WHERE revoked_at IS NULL;
-- The keys of a household.
CREATE INDEX api_keys_by_household ON api_keys (household_id);

-- Answers to requests that carried an Idempotency-Key, kept for a day so that a repeat gets the same.
CREATE TABLE idempotent_answers (
    api_key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    idempotency_key TEXT NOT NULL,
    request_hash BLOB NOT NULL,
    status INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    body BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (api_key_id, idempotency_key)
) STRICT, WITHOUT ROWID;

-- Finds the answers that are old enough to go.
CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

-- Append-only: who changed what, when, and what it was before and after. Rows that an import brings are
-- not listed one by one: the import is their record.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    user_id INTEGER,
    api_key_id INTEGER,
    origin TEXT NOT NULL CHECK (origin IN ('api', 'cli', 'import', 'rule', 'assistant')),
    entity TEXT NOT NULL,
    entity_id BLOB NOT NULL CHECK (length(entity_id) = 16),
    action TEXT NOT NULL CHECK (action IN ('create', 'update', 'delete')),
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after))
) STRICT;

-- The history of one thing.
CREATE INDEX changes_by_entity ON changes (household_id, entity_id, id);

-- +goose StatementBegin
CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes BEGIN
    SELECT RAISE(ABORT, 'changes are append-only');
END;
-- +goose StatementEnd
