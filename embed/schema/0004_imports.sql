-- Imports: the bytes as they came and the settings they were read with. The fate of a row is not stored:
-- a row that was published is found by transactions.import_row, and what is wrong with another one is
-- found by reading the bytes again.

-- +goose Up

-- status is the public state, but for 'receiving': an upload that has not ended, which no client sees
-- and the next start removes. rows_count and valid_rows_count are known once the upload was read.
-- first_sequence and last_sequence are the creation numbers reserved for the rows being published.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
    type TEXT NOT NULL CHECK (type IN ('TransactionImport', 'TradeImport', 'AccountImport', 'MintImport', 'CategoryImport',
        'RuleImport', 'PdfImport', 'QifImport', 'ServiceImport')),
    status TEXT NOT NULL CHECK (status IN ('receiving', 'pending', 'importing', 'complete', 'reverting', 'revert_failed', 'failed')),
    error TEXT,
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    skip_invalid_rows INTEGER NOT NULL DEFAULT 0 CHECK (skip_invalid_rows IN (0, 1)),
    file_name TEXT,
    byte_size INTEGER NOT NULL DEFAULT 0,
    sha256 BLOB,
    rows_count INTEGER NOT NULL DEFAULT 0,
    valid_rows_count INTEGER NOT NULL DEFAULT 0,
    invalid_rows_count INTEGER NOT NULL DEFAULT 0,
    -- Rows written so far while importing, for people who wait.
    done_rows_count INTEGER NOT NULL DEFAULT 0,
    first_sequence INTEGER,
    last_sequence INTEGER,
    -- Who works on it renews this instant; once it has passed, the work was abandoned.
    lease_until INTEGER NOT NULL DEFAULT 0,
    published_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- Lists imports, newest first.
CREATE INDEX imports_by_household ON imports (household_id, id);
-- The queue: what a worker has to do, and what a crash left behind.
CREATE INDEX imports_of_work ON imports (status) WHERE status IN ('receiving', 'importing', 'reverting');

-- The uploaded bytes, unchanged, in pieces that are compressed one by one.
CREATE TABLE import_chunks (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (import_id, number)
) STRICT;

-- Rows that were in the ledger already, and which entry they match.
CREATE TABLE import_matches (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_number INTEGER NOT NULL,
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY (import_id, row_number)
) STRICT, WITHOUT ROWID;

-- A deleted transaction takes its matches along.
CREATE INDEX import_matches_by_transaction ON import_matches (transaction_id);

-- What an import created or changed besides its own entries: accounts, categories, tags, merchants,
-- securities, entries that were there before. before is null for what it created. Revert reads this.
CREATE TABLE import_changes (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    entity TEXT NOT NULL CHECK (entity IN ('account', 'category', 'tag', 'merchant', 'security', 'rule', 'transaction', 'trade', 'valuation')),
    entity_id BLOB NOT NULL CHECK (length(entity_id) = 16),
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    PRIMARY KEY (import_id, entity, entity_id)
) STRICT, WITHOUT ROWID;
