-- The database of finsvc.
--
-- Rules that hold for every table:
--   * Tables are STRICT. A row has an INTEGER key for joins and, where clients know it, a UUID in public_id.
--   * Money is a whole number of minor units, positive into the account. Quantities, prices and rates are decimals as
--     text: a column of numbers would turn them into binary floating point.
--   * A date is a number of days since 1970-01-01; an instant is a number of milliseconds since then, UTC.
--   * A row that belongs to a household names it, and so does every query that reads it.
--   * The key of what the history can bring back is given to nothing else (AUTOINCREMENT): it comes back under its own, and
--     what the history says of it stays true.
--   * A CHECK is called after its table and column, so that an error says what it is about.
--
-- A migration is the next number in this folder, forward only, and runs in one transaction.

-- +goose Up

-- ---------------------------------------------------------------------------------------------------------------------
-- Households, their people, their keys
-- ---------------------------------------------------------------------------------------------------------------------

-- A household owns everything but exchange rates. Its id is never used again: it is part of the keys of entries, and of
-- what is kept in memory.
CREATE TABLE households (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT households_public_id CHECK (length(public_id) = 16),
    name TEXT NOT NULL UNIQUE,
    currency TEXT NOT NULL CONSTRAINT households_currency CHECK (length(currency) = 3),
    locale TEXT NOT NULL,
    -- Whether nobody has chosen the locale: it is that of the first request.
    locale_from_request INTEGER NOT NULL DEFAULT 0 CONSTRAINT households_locale_from_request CHECK (locale_from_request IN (0, 1)),
    timezone TEXT NOT NULL,
    -- Whether its members may chat with the assistant.
    assistant INTEGER NOT NULL DEFAULT 1 CONSTRAINT households_assistant CHECK (assistant IN (0, 1)),
    -- The last creation number given to an entry, see transactions.id.
    entry_sequence INTEGER NOT NULL DEFAULT 0,
    -- The creation numbers of rows that an import is still writing, which no query shows; none while hidden_to < hidden_from.
    hidden_from INTEGER NOT NULL DEFAULT 0,
    hidden_to INTEGER NOT NULL DEFAULT -1,
    -- Moves with every change of a name or the looks of an account, category, merchant or tag, and of a rule, so that a copy
    -- of them in memory is known to be out of date, whichever process made the change. Triggers move it.
    refs_version INTEGER NOT NULL DEFAULT 0,
    -- When the last user went; the data is deleted 30 days later.
    abandoned_at INTEGER,
    -- A household that was emptied keeps its books for a day in a row of their own: when that was, and the id of the household
    -- that they were the books of. Null in all others. While reset_at is set, an abandoned_at of 0 deletes nothing.
    reset_at INTEGER,
    reset_from BLOB CONSTRAINT households_reset_from CHECK (length(reset_from) = 16),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT users_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    role TEXT NOT NULL CONSTRAINT users_role CHECK (role IN ('admin', 'member')),
    -- What argon2id makes of the password, with salt and parameters; null: none, this person comes in by links alone.
    password_hash TEXT,
    -- How this person wants pages to look and work; what is not in it is as it is for everybody.
    preferences TEXT NOT NULL DEFAULT '{}' CONSTRAINT users_preferences CHECK (json_valid(preferences)),
    deactivated_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- One active user has an address; a deactivated one frees it.
CREATE UNIQUE INDEX users_by_email ON users (email) WHERE deactivated_at IS NULL;
-- The people of a household.
CREATE INDEX users_by_household ON users (household_id);

-- A key is 256 random bits, of which only the SHA-256 is kept, and the first characters to recognise it by.
CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT api_keys_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The first of the keys that this one has replaced: repeats of requests are answered alike to all of them.
    first_key_id INTEGER REFERENCES api_keys (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CONSTRAINT api_keys_hash CHECK (length(hash) = 32),
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL CONSTRAINT api_keys_scope CHECK (scope IN ('read', 'read_write')),
    tier TEXT NOT NULL DEFAULT 'standard',
    rate_limit INTEGER NOT NULL CONSTRAINT api_keys_rate_limit CHECK (rate_limit > 0),
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

-- A name is free again once its key is revoked.
CREATE UNIQUE INDEX api_keys_by_name ON api_keys (user_id, name) WHERE revoked_at IS NULL;
-- The keys of a household.
CREATE INDEX api_keys_by_household ON api_keys (household_id);
-- Serves the reference: a removed key is the first of none.
CREATE INDEX api_keys_by_first ON api_keys (first_key_id) WHERE first_key_id IS NOT NULL;

-- A browser that is signed in. Its cookie is 256 random bits, of which only the SHA-256 is kept. One that was signed out
-- has no row; one that was idle for too long has one until somebody signs in next.
CREATE TABLE browser_sessions (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT browser_sessions_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The key that was pasted to sign in, with which the session ends.
    api_key_id INTEGER REFERENCES api_keys (id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE CONSTRAINT browser_sessions_hash CHECK (length(hash) = 32),
    way TEXT NOT NULL CONSTRAINT browser_sessions_way CHECK (way IN ('set-up', 'password', 'link', 'key', 'header')),
    scope TEXT NOT NULL CONSTRAINT browser_sessions_scope CHECK (scope IN ('read', 'read_write')),
    -- What the browser calls itself, and where it was when it signed in.
    agent TEXT NOT NULL,
    address TEXT NOT NULL,
    -- When the person was last proved to be the one who signed in; null: by nothing but a key.
    proved_at INTEGER,
    hide_amounts INTEGER NOT NULL DEFAULT 0 CONSTRAINT browser_sessions_hide_amounts CHECK (hide_amounts IN (0, 1)),
    last_used_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- The browsers of a person.
CREATE INDEX browser_sessions_by_user ON browser_sessions (household_id, user_id);

-- Links that sign a person in, once. Of the 256 random bits in a link only the SHA-256 is kept.
CREATE TABLE sign_in_links (
    hash BLOB PRIMARY KEY CONSTRAINT sign_in_links_hash CHECK (length(hash) = 32),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The links of a person.
CREATE INDEX sign_in_links_by_user ON sign_in_links (household_id, user_id);

-- What there is once in a file.
CREATE TABLE instance (
    id INTEGER PRIMARY KEY CONSTRAINT instance_id CHECK (id = 1),
    -- Tells this file from others whose pages have the same host name.
    identity BLOB NOT NULL CONSTRAINT instance_identity CHECK (length(identity) = 16),
    -- The SHA-256 of the code with which the first household is made in a browser, and until when it can be.
    set_up_hash BLOB CONSTRAINT instance_set_up_hash CHECK (length(set_up_hash) = 32),
    set_up_until INTEGER
) STRICT;

INSERT INTO instance (id, identity) VALUES (1, randomblob(16));

-- The answer to a request with an Idempotency-Key, kept for a day so that a repeat gets the same.
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

-- The answers that are old enough to go.
CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

-- Requests for a synchronisation. There is nothing to wait for, so each was complete when it was made; the newest hundred
-- of a household are kept.
CREATE TABLE syncs (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT syncs_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT;

-- Lists them, newest first.
CREATE INDEX syncs_by_household ON syncs (household_id, id);

-- Who changed what and when, and what it was before and after. What was created has no copy here: it is what its row
-- says, or what the next change of it says that was before; imports and prices that were put keep theirs, see
-- ledger.Store. Rows that an import brings are not listed one by one: the import is their record.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    user_id INTEGER,
    api_key_id INTEGER,
    origin TEXT NOT NULL CONSTRAINT changes_origin CHECK (origin IN ('api', 'cli', 'web', 'import', 'rule', 'assistant')),
    entity TEXT NOT NULL,
    entity_id BLOB NOT NULL CONSTRAINT changes_entity_id CHECK (length(entity_id) = 16),
    action TEXT NOT NULL CONSTRAINT changes_action CHECK (action IN ('create', 'update', 'delete')),
    before TEXT CONSTRAINT changes_before CHECK (before IS NULL OR json_valid(before)),
    after TEXT CONSTRAINT changes_after CHECK (after IS NULL OR json_valid(after)),
    -- What was done at once, in one write or in several, is one operation; and the operation that it took back.
    operation_id BLOB NOT NULL CONSTRAINT changes_operation_id CHECK (length(operation_id) = 16),
    undoes BLOB CONSTRAINT changes_undoes CHECK (length(undoes) = 16)
) STRICT;

-- The history of one thing.
CREATE INDEX changes_by_entity ON changes (household_id, entity_id, id);
-- The history by operations, newest first, each with what it did in numbers.
CREATE INDEX changes_by_operation ON changes (household_id, operation_id, entity, action);
-- Whether an operation was taken back, and by which.
CREATE INDEX changes_by_undone ON changes (household_id, undoes) WHERE undoes IS NOT NULL;

-- Operations of several writes that are not at their end. One whose time is over was cut short, by a crash say, and what it
-- did is taken back, so that it is done wholly or not at all.
CREATE TABLE unfinished_operations (
    operation_id BLOB PRIMARY KEY CONSTRAINT unfinished_operations_id CHECK (length(operation_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Those of a household.
CREATE INDEX unfinished_operations_by_household ON unfinished_operations (household_id);

-- Changes are added and never altered.
-- +goose StatementBegin
CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes BEGIN
    SELECT RAISE(ABORT, 'changes are append-only');
END;
-- +goose StatementEnd

-- ---------------------------------------------------------------------------------------------------------------------
-- Accounts, and what entries refer to
-- ---------------------------------------------------------------------------------------------------------------------

-- name_key is the normal form of a name, in which case and the way of writing accents make no difference.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT accounts_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    account_type TEXT NOT NULL CONSTRAINT accounts_account_type CHECK (account_type IN ('depository', 'investment', 'crypto', 'property', 'vehicle',
        'other_asset', 'credit_card', 'loan', 'other_liability')),
    subtype TEXT,
    currency TEXT NOT NULL CONSTRAINT accounts_currency CHECK (length(currency) = 3),
    status TEXT NOT NULL DEFAULT 'active' CONSTRAINT accounts_status CHECK (status IN ('active', 'draft', 'disabled')),
    institution_name TEXT,
    institution_domain TEXT,
    notes TEXT,
    -- Rollup: how many transactions lists show of the account, each split one as its lines.
    transaction_count INTEGER NOT NULL DEFAULT 0 CONSTRAINT accounts_transaction_count CHECK (transaction_count >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- Lists accounts by name; finds the account that a file names.
CREATE INDEX accounts_by_name ON accounts (household_id, name_key, id);

-- Two levels: a category with a parent has no children, and its classification is that of the parent.
CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT categories_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES categories (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    classification TEXT NOT NULL CONSTRAINT categories_classification CHECK (classification IN ('income', 'expense')),
    color TEXT NOT NULL CONSTRAINT categories_color CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
    icon TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A name is used once below each parent, and once among the roots.
CREATE UNIQUE INDEX categories_by_parent ON categories (household_id, coalesce(parent_id, 0), name_key);
-- Lists categories by name; finds the category that a file names.
CREATE INDEX categories_by_name ON categories (household_id, name_key, id);
-- The children of a category.
CREATE INDEX categories_by_child ON categories (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE merchants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT merchants_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    -- #rrggbb in lower case, and an address as it was written; empty when nobody has chosen one.
    color TEXT NOT NULL DEFAULT '',
    website_url TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A name is used once. Lists merchants by name.
CREATE UNIQUE INDEX merchants_by_name ON merchants (household_id, name_key);

CREATE TABLE tags (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT tags_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    color TEXT NOT NULL CONSTRAINT tags_color CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A name is used once. Lists tags by name.
CREATE UNIQUE INDEX tags_by_name ON tags (household_id, name_key);

-- ---------------------------------------------------------------------------------------------------------------------
-- Rules
-- ---------------------------------------------------------------------------------------------------------------------

-- Conditions and actions are JSON arrays in the shape of the service's own export.
CREATE TABLE rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT rules_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT,
    resource_type TEXT NOT NULL CONSTRAINT rules_resource_type CHECK (resource_type = 'transaction'),
    active INTEGER NOT NULL CONSTRAINT rules_active CHECK (active IN (0, 1)),
    effective_date INTEGER,
    conditions TEXT NOT NULL CONSTRAINT rules_conditions CHECK (json_valid(conditions)),
    actions TEXT NOT NULL CONSTRAINT rules_actions CHECK (json_valid(actions)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- The rules of a household, in the order in which they run.
CREATE INDEX rules_by_household ON rules (household_id, id);

-- Each time that a rule was run over the transactions that were there: how many its conditions matched, and how many of
-- them it changed.
CREATE TABLE rule_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT rule_runs_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    rule_id INTEGER NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    status TEXT NOT NULL CONSTRAINT rule_runs_status CHECK (status IN ('success', 'failed')),
    execution_type TEXT NOT NULL CONSTRAINT rule_runs_execution_type CHECK (execution_type = 'manual'),
    matched INTEGER NOT NULL CONSTRAINT rule_runs_matched CHECK (matched >= 0),
    changed INTEGER NOT NULL CONSTRAINT rule_runs_changed CHECK (changed >= 0),
    error TEXT,
    executed_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL
) STRICT;

-- Lists runs, newest first.
CREATE INDEX rule_runs_by_household ON rule_runs (household_id, id);
-- Serves the reference: a deleted rule takes its runs along.
CREATE INDEX rule_runs_by_rule ON rule_runs (rule_id);

-- Which rule has given a transaction a field its present value, and in words what the field was before.
CREATE TABLE transaction_rules (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    field TEXT NOT NULL CONSTRAINT transaction_rules_field CHECK (field IN ('name', 'category', 'merchant', 'tags', 'transfer')),
    rule_id INTEGER NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    before TEXT,
    PRIMARY KEY (transaction_id, field)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted rule takes its notes along; the transactions stay as they are.
CREATE INDEX transaction_rules_by_rule ON transaction_rules (rule_id);

-- Every change of what is referred to by name moves households.refs_version, see there.
-- +goose StatementBegin
CREATE TRIGGER accounts_ref_insert AFTER INSERT ON accounts BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER accounts_ref_update AFTER UPDATE OF name, account_type, currency ON accounts BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER accounts_ref_delete AFTER DELETE ON accounts BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER categories_ref_insert AFTER INSERT ON categories BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER categories_ref_update AFTER UPDATE OF name, classification, color, icon, parent_id ON categories BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER categories_ref_delete AFTER DELETE ON categories BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER merchants_ref_insert AFTER INSERT ON merchants BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER merchants_ref_update AFTER UPDATE OF name ON merchants BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER merchants_ref_delete AFTER DELETE ON merchants BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tags_ref_insert AFTER INSERT ON tags BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tags_ref_update AFTER UPDATE OF name, color ON tags BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tags_ref_delete AFTER DELETE ON tags BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rules_ref_insert AFTER INSERT ON rules BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rules_ref_update AFTER UPDATE ON rules BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rules_ref_delete AFTER DELETE ON rules BEGIN
    UPDATE households SET refs_version = refs_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd

-- ---------------------------------------------------------------------------------------------------------------------
-- Transactions
-- ---------------------------------------------------------------------------------------------------------------------

-- The key is made of the household (20 bits), the day (17 bits, days since 1900-01-01) and the household's creation number
-- (26 bits). So the table lies in the order in which it is listed, every index on it ends in that order, and a range of days
-- is a range of keys. Another date is another key; ON UPDATE CASCADE carries it along. See ledger.Key. The parts are no
-- generated columns: SQLite answers a query that names one from the table, and never from an index alone, as it does the
-- sums of a category or merchant.
CREATE TABLE transactions (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL CONSTRAINT transactions_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    name TEXT NOT NULL,
    notes TEXT,
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    merchant_id INTEGER REFERENCES merchants (id) ON DELETE SET NULL,
    transfer_id INTEGER REFERENCES transfers (id) ON DELETE SET NULL,
    -- A client's own id, and what kind of client.
    external_id TEXT,
    source TEXT,
    -- The fields that a person has set, a bit each: 1 name, 2 notes, 4 category, 8 merchant, 16 tags. Rules leave these
    -- alone. See ledger.ruleField.
    user_fields INTEGER NOT NULL DEFAULT 0,
    -- The import that created the row, and the number of the row in the file.
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    import_row INTEGER,
    -- What recognises the row when it is in another file, all hashes: its raw cells, with how many equal rows came before it in
    -- the file; the raw cells without those that a bank changes later (balances, states, notes, categories), null where these
    -- are the same; the bank's own id of the booking, where the file has one that differs in every row; and the name that the
    -- entry was born with (see ledger.NameHash), so that renaming it does not hide it from a file of another bank program.
    source_hash INTEGER,
    occurrence INTEGER,
    like_key INTEGER,
    bank_key INTEGER,
    name_hash INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT transactions_key CHECK (id >> 43 = household_id AND ((id >> 26) & 131071) - 25567 = date)
) STRICT;

-- Finds a transaction by the id that clients know.
CREATE UNIQUE INDEX transactions_by_public_id ON transactions (public_id);
-- Filter by account, in list order.
CREATE INDEX transactions_by_account ON transactions (account_id);
-- Filter by category, in list order, and sums of it, without a look at the rows, which lie far apart.
CREATE INDEX transactions_by_category ON transactions (category_id, id, amount, currency, transfer_id, account_id, merchant_id)
    WHERE category_id IS NOT NULL;
-- Filter by merchant, in list order, and sums of it, likewise.
CREATE INDEX transactions_by_merchant ON transactions (merchant_id, id, amount, currency, transfer_id, account_id, category_id)
    WHERE merchant_id IS NOT NULL;
-- Filter by amount when few rows have it; counts at the edges of a range of bands, per currency; the largest; the other side
-- of a transfer. Amounts lie span by span: 256 days, as id >> 34 is the household and the day without its last eight bits.
-- With all amounts of a household side by side, each batch of an import would write to every page of the index.
CREATE INDEX transactions_by_amount ON transactions (household_id, id >> 34, amount, currency);
-- Filter by type, in list order: incomes are the few.
CREATE INDEX transactions_of_income ON transactions (household_id) WHERE amount > 0;
-- What has no category, in list order: it is what people look for to give it one.
CREATE INDEX transactions_without_category ON transactions (household_id) WHERE category_id IS NULL;
-- The two legs of a transfer.
CREATE INDEX transactions_by_transfer ON transactions (transfer_id) WHERE transfer_id IS NOT NULL;
-- The legs of transfers in some days, in list order: what they cost, how many there are, and the filter of them. Of a million
-- transactions of ten years a month's are found in 1 ms instead of 20.
CREATE INDEX transactions_of_transfers ON transactions (household_id, id, transfer_id, amount) WHERE transfer_id IS NOT NULL;
-- A client's own id is used once per account and source.
CREATE UNIQUE INDEX transactions_by_external_id ON transactions (account_id, source, external_id) WHERE external_id IS NOT NULL;
-- The rows of an import: its results, its revert, its clean-up after a crash.
CREATE INDEX transactions_by_import ON transactions (import_id, import_row) WHERE import_id IS NOT NULL;
-- Finds an entry by the bank's own id: the bank may have changed its day.
CREATE INDEX transactions_by_bank_key ON transactions (account_id, bank_key) WHERE bank_key IS NOT NULL;

CREATE TABLE transaction_tags (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (transaction_id, tag_id)
) STRICT, WITHOUT ROWID;

-- Filter by tag, in list order.
CREATE INDEX transaction_tags_by_tag ON transaction_tags (tag_id, transaction_id);

-- The lines of a split transaction, which has at least two. They add up to its amount, in its currency, and have the
-- categories that the transaction itself then lacks: so nothing is counted twice. Lists show them in the place of the whole.
-- Where name, notes or merchant_id are null, they are those of the whole; its tags are also each line's. Lines lie in the
-- order of transactions, so that whether a household has any is one look at a range of keys.
CREATE TABLE transaction_lines (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    position INTEGER NOT NULL CONSTRAINT transaction_lines_position CHECK (position >= 1),
    public_id BLOB NOT NULL CONSTRAINT transaction_lines_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL CONSTRAINT transaction_lines_household_id CHECK (transaction_id >> 43 = household_id),
    amount INTEGER NOT NULL,
    name TEXT,
    notes TEXT,
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    merchant_id INTEGER REFERENCES merchants (id) ON DELETE SET NULL,
    PRIMARY KEY (transaction_id, position)
) STRICT, WITHOUT ROWID;

-- Finds a line by the id that clients know.
CREATE UNIQUE INDEX transaction_lines_by_public_id ON transaction_lines (public_id);
-- Filter by category, in list order: by transaction, the newest first, and within it by position.
CREATE INDEX transaction_lines_by_category ON transaction_lines (category_id, transaction_id, position DESC) WHERE category_id IS NOT NULL;
-- Filter by merchant, in list order.
CREATE INDEX transaction_lines_by_merchant ON transaction_lines (merchant_id, transaction_id, position DESC) WHERE merchant_id IS NOT NULL;
-- Filter by amount when few lines have it; the largest.
CREATE INDEX transaction_lines_by_amount ON transaction_lines (transaction_id >> 43, amount);
-- Filter by type, in list order.
CREATE INDEX transaction_lines_of_income ON transaction_lines (transaction_id, position DESC) WHERE amount > 0;

CREATE TABLE transaction_line_tags (
    transaction_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (transaction_id, position, tag_id),
    FOREIGN KEY (transaction_id, position) REFERENCES transaction_lines (transaction_id, position) ON DELETE CASCADE ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;

-- Filter by tag, in list order.
CREATE INDEX transaction_line_tags_by_tag ON transaction_line_tags (tag_id, transaction_id, position DESC);

-- Search for a part of name, notes or the merchant's name, of three characters or more; rowid is transactions.id.
CREATE VIRTUAL TABLE transactions_fts USING fts5 (
    name, notes, merchant, content = '', contentless_delete = 1, tokenize = 'trigram'
);

-- Up to fifteen parts of a size stay side by side. That saves an import a tenth of its time and a fifth of what it writes; a
-- search that looks into twenty parts instead of four takes hundredths of a millisecond longer.
INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('automerge', 16);
-- The same for db.TidySearch.
INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('usermerge', 16);
-- What a transaction writes becomes one part, up to this many bytes.
INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('hashsize', 4194304);
-- A part is written anew when half of its rows are gone, not at every tenth: that was a third of the time of a revert.
INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('deletemerge', 50);

-- Two transactions of different accounts that are one movement of money.
CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT transfers_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    status TEXT NOT NULL CONSTRAINT transfers_status CHECK (status IN ('pending', 'confirmed')),
    -- Why the two were matched, in words.
    reason TEXT NOT NULL,
    notes TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- The transfers of a household, and counts by status without a look at the rows.
CREATE INDEX transfers_by_household ON transfers (household_id, id, status);

-- Pairs that were declared no transfer, for good.
CREATE TABLE rejected_transfers (
    inflow_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    outflow_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT rejected_transfers_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (inflow_id, outflow_id)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted transaction takes its rejections along.
CREATE INDEX rejected_transfers_by_outflow ON rejected_transfers (outflow_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Valuations
-- ---------------------------------------------------------------------------------------------------------------------

-- The balance of an account at the end of a day, as somebody has stated it. The opening anchor may float (date is null): it
-- then lies on the day before the account's first entry.
CREATE TABLE valuations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT valuations_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    date INTEGER,
    amount INTEGER NOT NULL,
    kind TEXT NOT NULL CONSTRAINT valuations_kind CHECK (kind IN ('opening_anchor', 'reconciliation')),
    -- Whether a person or a file has said it. An opening balance that nobody has is 0, and the first file that proves another
    -- one sets it.
    stated INTEGER NOT NULL DEFAULT 0 CONSTRAINT valuations_stated CHECK (stated IN (0, 1)),
    notes TEXT,
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT valuations_only_an_opening_floats CHECK (date IS NOT NULL OR kind = 'opening_anchor')
) STRICT;

-- One valuation per account and day; the newest before a day.
CREATE UNIQUE INDEX valuations_by_day ON valuations (account_id, date) WHERE date IS NOT NULL;
-- One opening per account.
CREATE UNIQUE INDEX valuations_of_opening ON valuations (account_id) WHERE kind = 'opening_anchor';

-- ---------------------------------------------------------------------------------------------------------------------
-- Securities, their trades and prices, exchange rates
-- ---------------------------------------------------------------------------------------------------------------------

CREATE TABLE securities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT securities_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    ticker TEXT NOT NULL,
    -- Market identifier code (ISO 10383); empty when it is not known.
    mic TEXT NOT NULL DEFAULT '',
    name TEXT,
    kind TEXT NOT NULL DEFAULT 'standard' CONSTRAINT securities_kind CHECK (kind IN ('standard', 'cash')),
    -- A manual security is never looked up.
    manual INTEGER NOT NULL DEFAULT 0 CONSTRAINT securities_manual CHECK (manual IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A security is known by ticker and market.
CREATE UNIQUE INDEX securities_by_ticker ON securities (household_id, ticker, mic);

-- Market prices as they were quoted on their day: a later split changes none of them.
CREATE TABLE security_prices (
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    price TEXT NOT NULL,
    currency TEXT NOT NULL,
    source TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (security_id, date)
) STRICT, WITHOUT ROWID;

-- From its day on, a stock split multiplies what is held before it by numerator / denominator and divides older prices by
-- it; recorded trades and prices stay as they are.
CREATE TABLE security_splits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT security_splits_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    numerator INTEGER NOT NULL CONSTRAINT security_splits_numerator CHECK (numerator > 0),
    denominator INTEGER NOT NULL CONSTRAINT security_splits_denominator CHECK (denominator > 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A security is split once a day; its splits in order.
CREATE UNIQUE INDEX security_splits_by_day ON security_splits (security_id, date);

-- The key is made like that of transactions, and the columns from import_id on mean the same. amount is what the trade moves
-- in cash, fee included; quantity is positive for a purchase, negative for a sale and 0 for the other kinds, whose price is
-- 0 as well.
CREATE TABLE trades (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT trades_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    security_id INTEGER REFERENCES securities (id),
    date INTEGER NOT NULL,
    kind TEXT NOT NULL CONSTRAINT trades_kind CHECK (kind IN ('buy', 'sell', 'dividend', 'interest', 'fee')),
    quantity TEXT NOT NULL,
    price TEXT NOT NULL,
    fee INTEGER NOT NULL DEFAULT 0 CONSTRAINT trades_fee CHECK (fee >= 0),
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    -- A sale may take more than is held.
    allow_short INTEGER NOT NULL DEFAULT 0 CONSTRAINT trades_allow_short CHECK (allow_short IN (0, 1)),
    name TEXT NOT NULL,
    notes TEXT,
    activity_label TEXT,
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    import_row INTEGER,
    source_hash INTEGER,
    occurrence INTEGER,
    like_key INTEGER,
    bank_key INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CONSTRAINT trades_key CHECK (id >> 43 = household_id AND ((id >> 26) & 131071) - 25567 = date),
    CONSTRAINT trades_of_a_security CHECK (kind NOT IN ('buy', 'sell', 'dividend') OR security_id IS NOT NULL)
) STRICT;

-- Filter by account, in list order.
CREATE INDEX trades_by_account ON trades (account_id);
-- The trades of a security, in list order: what positions and the last price paid are computed from.
CREATE INDEX trades_by_security ON trades (security_id) WHERE security_id IS NOT NULL;
-- Serves the reference: a deleted category leaves its trades.
CREATE INDEX trades_by_category ON trades (category_id) WHERE category_id IS NOT NULL;
-- Trades that are income or an expense by themselves, which are few.
CREATE INDEX trades_of_income ON trades (household_id) WHERE kind IN ('dividend', 'interest', 'fee');
-- The rows of an import.
CREATE INDEX trades_by_import ON trades (import_id, import_row) WHERE import_id IS NOT NULL;
-- Finds a trade by the bank's own id: the bank may have changed its day.
CREATE INDEX trades_by_bank_key ON trades (account_id, bank_key) WHERE bank_key IS NOT NULL;

-- What one unit of from_currency is worth in to_currency. Rates are published facts and belong to no household.
CREATE TABLE exchange_rates (
    from_currency TEXT NOT NULL,
    to_currency TEXT NOT NULL,
    date INTEGER NOT NULL,
    rate TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (from_currency, to_currency, date)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------------------------------------------------------------
-- Rollups: what the same write keeps beside entries, so that no balance or count reads all rows
-- ---------------------------------------------------------------------------------------------------------------------

-- What happened in an account on a day, per currency: the sum of all that moved cash, and how many transactions, incomes
-- among them, and trades there were. other_currency: it is not the account's.
CREATE TABLE account_days (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    currency TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    amount INTEGER NOT NULL,
    transactions INTEGER NOT NULL CONSTRAINT account_days_transactions CHECK (transactions >= 0),
    incomes INTEGER NOT NULL CONSTRAINT account_days_incomes CHECK (incomes BETWEEN 0 AND transactions),
    trades INTEGER NOT NULL DEFAULT 0 CONSTRAINT account_days_trades CHECK (trades >= 0),
    other_currency INTEGER NOT NULL DEFAULT 0 CONSTRAINT account_days_other_currency CHECK (other_currency IN (0, 1)),
    PRIMARY KEY (account_id, date, currency),
    CONSTRAINT account_days_not_empty CHECK (transactions + trades > 0)
) STRICT, WITHOUT ROWID;

-- Counts per day of a household: totals of date filters, and the day on which a deep page begins.
CREATE INDEX account_days_by_date ON account_days (household_id, date, transactions, incomes);
-- What was booked in an account in other currencies than its own: it is converted day by day.
CREATE INDEX account_days_of_other_currencies ON account_days (account_id, currency, date, amount, other_currency) WHERE other_currency = 1;
-- The accounts of which a balance may leave the range of an amount; no others are ever looked through for that. While no day
-- moves more than 2^45 minor units, all days between 1900 and 2199 come to less than 2^62.
CREATE INDEX account_days_large ON account_days (account_id) WHERE (amount < -35184372088832 OR amount > 35184372088832);

-- What was booked in an account in its own currency by month (year * 100 + month): a balance adds up months, and days only
-- at its two ends. Sums never leave the range of a number here: they are kept in two halves, that of the upper 32 bits of
-- the days' amounts and that of the lower ones, in which no month is too large and no order of writing matters.
CREATE TABLE account_months (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    month INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    -- The sum is upper * 2^32 + lower.
    upper INTEGER NOT NULL,
    lower INTEGER NOT NULL,
    days INTEGER NOT NULL CONSTRAINT account_months_days CHECK (days > 0),
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- Triggers keep account_months, so that there is no other way to write a day.
-- +goose StatementBegin
CREATE TRIGGER account_days_insert AFTER INSERT ON account_days WHEN NEW.other_currency = 0 BEGIN
    INSERT INTO account_months (account_id, month, household_id, upper, lower, days)
    VALUES (NEW.account_id, CAST(strftime('%Y%m', NEW.date * 86400, 'unixepoch') AS INTEGER), NEW.household_id, NEW.amount >> 32, NEW.amount & 4294967295, 1)
    ON CONFLICT (account_id, month) DO UPDATE SET upper = account_months.upper + excluded.upper, lower = account_months.lower + excluded.lower,
        days = account_months.days + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_days_update AFTER UPDATE OF amount ON account_days WHEN NEW.other_currency = 0 AND NEW.amount <> OLD.amount BEGIN
    UPDATE account_months SET upper = upper + (NEW.amount >> 32) - (OLD.amount >> 32), lower = lower + (NEW.amount & 4294967295) - (OLD.amount & 4294967295)
    WHERE account_id = NEW.account_id AND month = CAST(strftime('%Y%m', NEW.date * 86400, 'unixepoch') AS INTEGER);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_days_delete AFTER DELETE ON account_days WHEN OLD.other_currency = 0 BEGIN
    DELETE FROM account_months
    WHERE account_id = OLD.account_id AND month = CAST(strftime('%Y%m', OLD.date * 86400, 'unixepoch') AS INTEGER) AND days = 1;
    UPDATE account_months SET upper = upper - (OLD.amount >> 32), lower = lower - (OLD.amount & 4294967295), days = days - 1
    WHERE account_id = OLD.account_id AND month = CAST(strftime('%Y%m', OLD.date * 86400, 'unixepoch') AS INTEGER);
END;
-- +goose StatementEnd

-- How many transactions have an amount within each band of a hundred minor units, so that a filter by amount knows its
-- total without reading the rows: measured on 300,000 of them, half of which were in the range, 0.2 ms against 290 ms that the
-- index of amounts takes.
CREATE TABLE amount_bands (
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    currency TEXT NOT NULL,
    band INTEGER NOT NULL,
    transactions INTEGER NOT NULL CONSTRAINT amount_bands_transactions CHECK (transactions > 0),
    PRIMARY KEY (household_id, currency, band)
) STRICT, WITHOUT ROWID;

-- What the transactions of a month add up to that has many of them, so that a sum over years need not read them. Each
-- part tells the sums apart by something else: nothing, account, merchant or tags, always by category besides; what is
-- in sums is in ledger/report/month_sums.go. Sides of transfers and rows that are hidden are left out. A month without
-- such a row is added up from its transactions, and triggers remove the row with whatever would change it: it is true
-- if it is there. Measured on 300,000 transactions, breakdowns of ten years take 3 to 16 ms so, and 225 to 680 ms from
-- the rows. As rows of a table, by month, category and merchant, the same sums take 176 ms where these take 15, and
-- twice the room.
CREATE TABLE month_sums (
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    -- All keys of the month lie between these two, or are one of them.
    first_key INTEGER NOT NULL,
    last_key INTEGER NOT NULL,
    part INTEGER NOT NULL CONSTRAINT month_sums_part CHECK (part BETWEEN 0 AND 3),
    sums BLOB NOT NULL,
    PRIMARY KEY (household_id, first_key, part)
) STRICT, WITHOUT ROWID;

-- What is booked or taken out changes a day; the millions of rows of an import, days alone. A month has 31 days at most, which
-- are 2080374784 keys.
-- +goose StatementBegin
CREATE TRIGGER month_sums_day_insert AFTER INSERT ON account_days BEGIN
    DELETE FROM month_sums WHERE household_id = NEW.household_id AND first_key > ((NEW.household_id << 43) | ((NEW.date + 25567) << 26)) - 2080374784
        AND first_key <= ((NEW.household_id << 43) | ((NEW.date + 25567) << 26)) AND last_key >= ((NEW.household_id << 43) | ((NEW.date + 25567) << 26));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER month_sums_day_update AFTER UPDATE ON account_days BEGIN
    DELETE FROM month_sums WHERE household_id = NEW.household_id AND first_key > ((NEW.household_id << 43) | ((NEW.date + 25567) << 26)) - 2080374784
        AND first_key <= ((NEW.household_id << 43) | ((NEW.date + 25567) << 26)) AND last_key >= ((NEW.household_id << 43) | ((NEW.date + 25567) << 26));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER month_sums_day_delete AFTER DELETE ON account_days BEGIN
    DELETE FROM month_sums WHERE household_id = OLD.household_id AND first_key > ((OLD.household_id << 43) | ((OLD.date + 25567) << 26)) - 2080374784
        AND first_key <= ((OLD.household_id << 43) | ((OLD.date + 25567) << 26)) AND last_key >= ((OLD.household_id << 43) | ((OLD.date + 25567) << 26));
END;
-- +goose StatementEnd
-- What else counts of a transaction.
-- +goose StatementBegin
CREATE TRIGGER month_sums_update AFTER UPDATE OF id, account_id, amount, currency, category_id, merchant_id, transfer_id ON transactions BEGIN
    DELETE FROM month_sums WHERE household_id = OLD.household_id AND first_key > OLD.id - 2080374784 AND first_key <= OLD.id AND last_key >= OLD.id;
    DELETE FROM month_sums WHERE household_id = NEW.household_id AND first_key > NEW.id - 2080374784 AND first_key <= NEW.id AND last_key >= NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER month_sums_tag AFTER INSERT ON transaction_tags BEGIN
    DELETE FROM month_sums WHERE household_id = NEW.transaction_id >> 43 AND first_key > NEW.transaction_id - 2080374784
        AND first_key <= NEW.transaction_id AND last_key >= NEW.transaction_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER month_sums_untag AFTER DELETE ON transaction_tags BEGIN
    DELETE FROM month_sums WHERE household_id = OLD.transaction_id >> 43 AND first_key > OLD.transaction_id - 2080374784
        AND first_key <= OLD.transaction_id AND last_key >= OLD.transaction_id;
END;
-- +goose StatementEnd
-- Amounts in the household's own currency are added up over the month, all others by day.
-- +goose StatementBegin
CREATE TRIGGER month_sums_household AFTER UPDATE OF hidden_from, hidden_to, currency ON households BEGIN
    DELETE FROM month_sums WHERE household_id = NEW.id;
END;
-- +goose StatementEnd

-- What is held of a security in an account from the end of this day until the next row's. Only days on which something
-- happened have a row, so a trade rewrites those of one security in one account from its day on, however many years are
-- valued with it.
CREATE TABLE positions (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    quantity TEXT NOT NULL,
    -- What was paid for all that is held, fees included, in currency: that of the trades so far. Where those
    -- differ, cost_unknown is 1 and the cost is computed from the trades when it is asked for.
    cost TEXT NOT NULL,
    currency TEXT NOT NULL,
    cost_unknown INTEGER NOT NULL CONSTRAINT positions_cost_unknown CHECK (cost_unknown IN (0, 1)),
    -- Whether the security is held from this day on, or no longer. Held is a quantity above zero.
    opens INTEGER NOT NULL CONSTRAINT positions_opens CHECK (opens IN (0, 1)),
    closes INTEGER NOT NULL CONSTRAINT positions_closes CHECK (closes IN (0, 1) AND opens + closes < 2),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, security_id, date)
) STRICT, WITHOUT ROWID;

-- When each position of a household is opened and closed: the days on which there are holdings.
CREATE INDEX positions_held ON positions (household_id, account_id, security_id, date, opens, closes) WHERE opens = 1 OR closes = 1;

-- The average price of a security's purchases and sales of a day, weighted by quantity. It stands in where the security has
-- no market price yet.
CREATE TABLE trade_prices (
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    price TEXT NOT NULL,
    currency TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    PRIMARY KEY (security_id, date)
) STRICT, WITHOUT ROWID;

-- What all that an account holds in securities of one currency is worth from the end of this day until the next row's, in
-- minor units; every holding is rounded by itself.
CREATE TABLE holding_values (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    currency TEXT NOT NULL,
    date INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    value INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency, date)
) STRICT, WITHOUT ROWID;

-- The like of account_days_large.
CREATE INDEX holding_values_large ON holding_values (account_id) WHERE (value < -35184372088832 OR value > 35184372088832);

-- ---------------------------------------------------------------------------------------------------------------------
-- Imports
-- ---------------------------------------------------------------------------------------------------------------------

-- A file that is to be imported, how it is read, and what came of it. The fate of each row is not stored: a row that was
-- published is found by transactions.import_row, and what is wrong with another is found by reading the bytes again.
-- status is the public one, but for 'receiving': an upload that has not ended, which no client sees and the next start
-- removes.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT imports_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    account_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL,
    type TEXT NOT NULL CONSTRAINT imports_type CHECK (type IN ('TransactionImport', 'TradeImport', 'AccountImport', 'MintImport', 'CategoryImport',
        'RuleImport', 'PdfImport', 'QifImport', 'ServiceImport')),
    status TEXT NOT NULL CONSTRAINT imports_status CHECK (status IN ('receiving', 'pending', 'importing', 'complete', 'reverting', 'revert_failed', 'failed')),
    error TEXT,
    -- The file as it was uploaded.
    file_name TEXT,
    byte_size INTEGER NOT NULL DEFAULT 0,
    sha256 BLOB,
    -- How the file is read: the settings; those among them that a person gave, or gave for an earlier file of the same layout;
    -- why each has its value, sentences by its name; and what must be answered before the file is published.
    settings TEXT NOT NULL CONSTRAINT imports_settings CHECK (json_valid(settings)),
    given TEXT NOT NULL DEFAULT '{}' CONSTRAINT imports_given CHECK (json_valid(given)),
    reasons TEXT NOT NULL DEFAULT '{}' CONSTRAINT imports_reasons CHECK (json_valid(reasons)),
    questions TEXT NOT NULL DEFAULT '[]' CONSTRAINT imports_questions CHECK (json_valid(questions)),
    -- A digest of the header and the separator, by which settings are remembered. Null before the file was read.
    fingerprint BLOB,
    -- What kind of file it is (type and header): a raw row is compared with those of files of the same layout. identity is the
    -- version of the rule that makes source hashes, see importer.sourceHash.
    layout INTEGER NOT NULL DEFAULT 0,
    identity INTEGER NOT NULL DEFAULT 1,
    -- What becomes of rows that may be booked already and of which nobody has said whether they are.
    possible_duplicates TEXT NOT NULL DEFAULT 'hold' CONSTRAINT imports_possible_duplicates CHECK (possible_duplicates IN ('hold', 'new', 'same')),
    skip_invalid_rows INTEGER NOT NULL DEFAULT 0 CONSTRAINT imports_skip_invalid_rows CHECK (skip_invalid_rows IN (0, 1)),
    -- What the rows were found to be when the file was read last: matched rows are booked already, doubtful ones may be, and
    -- pending ones wait at the bank and are left out.
    rows_count INTEGER NOT NULL DEFAULT 0,
    valid_rows_count INTEGER NOT NULL DEFAULT 0,
    invalid_rows_count INTEGER NOT NULL DEFAULT 0,
    matched_rows_count INTEGER NOT NULL DEFAULT 0,
    doubtful_rows_count INTEGER NOT NULL DEFAULT 0,
    pending_rows_count INTEGER NOT NULL DEFAULT 0,
    -- What publishing would do, as a hash (the same plan has the same), and the plan that the one who publishes has seen; blank
    -- when it does not matter.
    plan TEXT NOT NULL DEFAULT '',
    agreed_plan TEXT NOT NULL DEFAULT '',
    -- The creation numbers that are reserved for the rows that are being published, and that of row 1 once the import is
    -- complete: rows that were held back take theirs when they are booked.
    first_sequence INTEGER,
    last_sequence INTEGER,
    rows_sequence INTEGER,
    -- What the records of a backup come to and what was found of them after they were published, as JSON in the form that
    -- clients get; null for imports of other types.
    report TEXT CONSTRAINT imports_report CHECK (report IS NULL OR json_valid(report)),
    -- The balances that the file proves, beside what the accounts showed when it was published: a JSON list.
    reconciliation TEXT CONSTRAINT imports_reconciliation CHECK (reconciliation IS NULL OR json_valid(reconciliation)),
    -- How far the work on it is, of which import_work has the rest. How many rows there are to write or remove (null until a
    -- worker knows), how many are done, how many were done when the worker began, and when that was: an interrupted revert goes
    -- on where it was. started_at is null while the import waits.
    work_rows_count INTEGER,
    done_rows_count INTEGER NOT NULL DEFAULT 0,
    started_rows_count INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER,
    -- 1: whoever publishes the import is to take its rows back.
    cancelled INTEGER NOT NULL DEFAULT 0 CONSTRAINT imports_cancelled CHECK (cancelled IN (0, 1)),
    -- Whether an import that is being reverted still waits for its turn, and is in the books until then: 1 it does, 2 it does
    -- and what was changed since goes with it.
    revert_waits INTEGER NOT NULL DEFAULT 0 CONSTRAINT imports_revert_waits CHECK (revert_waits IN (0, 1, 2)),
    -- What it was at when its household was emptied; it goes on when the books are brought back.
    stopped_status TEXT CONSTRAINT imports_stopped_status CHECK (stopped_status IN ('importing', 'reverting')),
    published_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- Lists imports, newest first.
CREATE INDEX imports_by_household ON imports (household_id, id);
-- What is being uploaded, published or reverted, and what a crash has left of that.
CREATE INDEX imports_of_work ON imports (status) WHERE status IN ('receiving', 'importing', 'reverting');

-- The queue of imports: each that is to be published or reverted, and whose turn it is. What clients see of an import is not
-- written anew each time that its worker says that it lives.
CREATE TABLE import_work (
    import_id INTEGER PRIMARY KEY REFERENCES imports (id) ON DELETE CASCADE,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    -- The worker renews this instant; once it has passed, the work was abandoned. 0 while none has the import.
    lease_until INTEGER NOT NULL DEFAULT 0,
    -- Whether the worker is the server of the file, of which there is one at a time: so the next one knows at its start that
    -- the work stands still.
    held_by_server INTEGER NOT NULL DEFAULT 0 CONSTRAINT import_work_held_by_server CHECK (held_by_server IN (0, 1)),
    -- How often the work was begun without coming to an end, so that what kills the service each time is not begun for ever.
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Serves the reference: a deleted household takes its work along.
CREATE INDEX import_work_by_household ON import_work (household_id);

-- An import has a row of work as long as its status says that there is some.
-- +goose StatementBegin
CREATE TRIGGER imports_work_begins AFTER UPDATE OF status ON imports
WHEN NEW.status IN ('importing', 'reverting') AND OLD.status NOT IN ('importing', 'reverting') BEGIN
    INSERT INTO import_work (import_id, household_id) VALUES (NEW.id, NEW.household_id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER imports_work_ends AFTER UPDATE OF status ON imports
WHEN NEW.status NOT IN ('importing', 'reverting') AND OLD.status IN ('importing', 'reverting') BEGIN
    DELETE FROM import_work WHERE import_id = NEW.id;
END;
-- +goose StatementEnd

-- The uploaded bytes, unchanged, in pieces that are compressed one by one.
CREATE TABLE import_chunks (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (import_id, number)
) STRICT;

-- The given settings under which a file was published last, by account (null: the file names its accounts) and layout.
CREATE TABLE import_settings (
    id INTEGER PRIMARY KEY,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
    fingerprint BLOB NOT NULL CONSTRAINT import_settings_fingerprint CHECK (length(fingerprint) = 32),
    settings TEXT NOT NULL CONSTRAINT import_settings_settings CHECK (json_valid(settings)),
    learned_at INTEGER NOT NULL
) STRICT;

-- Finds what is remembered for a file; once for each household, account and layout.
CREATE UNIQUE INDEX import_settings_by_make ON import_settings (household_id, fingerprint, coalesce(account_id, 0));
-- Serves the reference: a deleted account takes along what was remembered for it.
CREATE INDEX import_settings_by_account ON import_settings (account_id);

-- What an import created or changed besides its own entries: accounts, categories, tags, merchants, securities, entries that
-- were there before. before is null for what it created. A revert reads this.
CREATE TABLE import_changes (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    entity TEXT NOT NULL CONSTRAINT import_changes_entity CHECK (entity IN ('account', 'category', 'tag', 'merchant', 'security', 'rule', 'transaction', 'trade', 'valuation')),
    entity_id BLOB NOT NULL CONSTRAINT import_changes_entity_id CHECK (length(entity_id) = 16),
    before TEXT CONSTRAINT import_changes_before CHECK (before IS NULL OR json_valid(before)),
    after TEXT CONSTRAINT import_changes_after CHECK (after IS NULL OR json_valid(after)),
    PRIMARY KEY (import_id, entity, entity_id)
) STRICT, WITHOUT ROWID;

-- The market prices that an import has written, for a revert: price and currency are what it wrote, the old ones what it
-- has replaced, null when there was no price.
CREATE TABLE import_prices (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    price TEXT NOT NULL,
    currency TEXT NOT NULL,
    old_price TEXT,
    old_currency TEXT,
    old_source TEXT,
    PRIMARY KEY (import_id, security_id, date)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted security takes them along.
CREATE INDEX import_prices_by_security ON import_prices (security_id);

-- The stock splits that an import has written, for a revert.
CREATE TABLE import_splits (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    split_id INTEGER NOT NULL REFERENCES security_splits (id) ON DELETE CASCADE,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    PRIMARY KEY (import_id, split_id)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted split takes them along.
CREATE INDEX import_splits_by_split ON import_splits (split_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Duplicates: rows of files that are booked already, or may be
-- ---------------------------------------------------------------------------------------------------------------------

-- Rows of an import that were booked already, and the transaction that each is.
CREATE TABLE import_matches (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_number INTEGER NOT NULL,
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY (import_id, row_number)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted transaction takes its matches along.
CREATE INDEX import_matches_by_transaction ON import_matches (transaction_id);

-- The like for trades.
CREATE TABLE import_trade_matches (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_number INTEGER NOT NULL,
    trade_id INTEGER NOT NULL REFERENCES trades (id) ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY (import_id, row_number)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted trade takes its matches along.
CREATE INDEX import_trade_matches_by_trade ON import_trade_matches (trade_id);

-- Rows of a complete import that were held back, as they may be booked already, and the entry that each may be; null when
-- that is gone.
CREATE TABLE import_held_rows (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_number INTEGER NOT NULL,
    transaction_id INTEGER REFERENCES transactions (id) ON DELETE SET NULL ON UPDATE CASCADE,
    trade_id INTEGER REFERENCES trades (id) ON DELETE SET NULL ON UPDATE CASCADE,
    PRIMARY KEY (import_id, row_number)
) STRICT, WITHOUT ROWID;

-- Serves the reference: a deleted transaction leaves the rows that may have been it.
CREATE INDEX import_held_rows_by_transaction ON import_held_rows (transaction_id) WHERE transaction_id IS NOT NULL;
-- The like for trades.
CREATE INDEX import_held_rows_by_trade ON import_held_rows (trade_id) WHERE trade_id IS NOT NULL;

-- What a person decided about a row, for every file that has it: same: it is the entry that was found; new: it is not.
CREATE TABLE import_decisions (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    source_hash INTEGER NOT NULL,
    occurrence INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    decision TEXT NOT NULL CONSTRAINT import_decisions_decision CHECK (decision IN ('same', 'new')),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, source_hash, occurrence)
) STRICT, WITHOUT ROWID;

-- The decisions of a household.
CREATE INDEX import_decisions_by_household ON import_decisions (household_id);

-- Entries of imports that a person has moved to another day, by what their rows are recognised by: a row is otherwise
-- looked for among the entries of its own day. entry_id is the key of a transaction or trade. It is no reference: an entry
-- that is gone is not found by it, and keys are never used again.
CREATE TABLE moved_entries (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    source_hash INTEGER NOT NULL,
    occurrence INTEGER NOT NULL,
    trade INTEGER NOT NULL CONSTRAINT moved_entries_trade CHECK (trade IN (0, 1)),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    entry_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, source_hash, occurrence, trade)
) STRICT, WITHOUT ROWID;

-- The moved entries of a household.
CREATE INDEX moved_entries_by_household ON moved_entries (household_id, trade);

-- A new key is a new day.
-- +goose StatementBegin
CREATE TRIGGER transactions_moved AFTER UPDATE OF id ON transactions WHEN NEW.id <> OLD.id AND NEW.source_hash IS NOT NULL BEGIN
    INSERT OR REPLACE INTO moved_entries (account_id, source_hash, occurrence, trade, household_id, entry_id)
    VALUES (NEW.account_id, NEW.source_hash, coalesce(NEW.occurrence, 0), 0, NEW.household_id, NEW.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER trades_moved AFTER UPDATE OF id ON trades WHEN NEW.id <> OLD.id AND NEW.source_hash IS NOT NULL BEGIN
    INSERT OR REPLACE INTO moved_entries (account_id, source_hash, occurrence, trade, household_id, entry_id)
    VALUES (NEW.account_id, NEW.source_hash, coalesce(NEW.occurrence, 0), 1, NEW.household_id, NEW.id);
END;
-- +goose StatementEnd

-- Transactions that were booked while they were pending at the bank, because a person wanted it or the balances said so: the
-- final row, of another day or text, is known by them. settled_by is the import that had it; from then on the transaction is
-- recognised by that row. What it was recognised by before is kept for the revert.
CREATE TABLE unsettled_entries (
    transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    settled_by INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    source_hash INTEGER,
    occurrence INTEGER,
    bank_key INTEGER,
    like_key INTEGER
) STRICT;

-- The unsettled entries of a household.
CREATE INDEX unsettled_entries_by_household ON unsettled_entries (household_id);
-- Serves the reference: a removed import settles nothing.
CREATE INDEX unsettled_entries_by_import ON unsettled_entries (settled_by) WHERE settled_by IS NOT NULL;

-- ---------------------------------------------------------------------------------------------------------------------
-- Conversations with the assistant
-- ---------------------------------------------------------------------------------------------------------------------

-- A chat belongs to a person, not to the household.
CREATE TABLE chats (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT chats_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A person's chats, newest first.
CREATE INDEX chats_by_user ON chats (user_id, id);

-- A pending message of the assistant is the place of its reply in the queue.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT messages_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    role TEXT NOT NULL CONSTRAINT messages_role CHECK (role IN ('user', 'assistant')),
    status TEXT NOT NULL CONSTRAINT messages_status CHECK (status IN ('pending', 'complete', 'failed')),
    content TEXT NOT NULL,
    -- The model that was asked for, and the one that replied.
    wanted_model TEXT,
    model TEXT,
    -- Where the conversation was sent; null when it did not leave the process.
    host TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    -- How often the reply was begun, until when a worker has the lease of it (0: none has), and whether that is the server's,
    -- see imports.held_by_server.
    attempts INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER NOT NULL DEFAULT 0,
    held_by_server INTEGER NOT NULL DEFAULT 0 CONSTRAINT messages_held_by_server CHECK (held_by_server IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- The messages of a chat, oldest first.
CREATE INDEX messages_by_chat ON messages (chat_id, id);
-- The queue of replies, oldest first; one is worked on at a time in each chat.
CREATE INDEX messages_of_work ON messages (id) WHERE status = 'pending';

CREATE TABLE tool_calls (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CONSTRAINT tool_calls_public_id CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    function_name TEXT NOT NULL,
    function_arguments TEXT NOT NULL CONSTRAINT tool_calls_function_arguments CHECK (json_valid(function_arguments)),
    function_result TEXT CONSTRAINT tool_calls_function_result CHECK (function_result IS NULL OR json_valid(function_result)),
    created_at INTEGER NOT NULL
) STRICT;

-- The tool calls of a message, in order.
CREATE INDEX tool_calls_by_message ON tool_calls (message_id, id);
