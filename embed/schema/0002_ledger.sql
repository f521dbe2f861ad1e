-- Accounts, what their entries are labelled with, the entries, and the sums kept beside them.

-- +goose Up

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    account_type TEXT NOT NULL CHECK (account_type IN ('depository', 'investment', 'crypto', 'property', 'vehicle',
        'other_asset', 'credit_card', 'loan', 'other_liability')),
    subtype TEXT,
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'draft', 'disabled')),
    institution_name TEXT,
    institution_domain TEXT,
    notes TEXT,
    -- How many transactions the account has: a rollup, so that lists know their total at once.
    transaction_count INTEGER NOT NULL DEFAULT 0 CHECK (transaction_count >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- Lists accounts by name; finds the account that a file names.
CREATE INDEX accounts_by_name ON accounts (household_id, name_key, id);

-- Two levels: a category with a parent has no children. A child's classification is its parent's.
CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES categories (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    classification TEXT NOT NULL CHECK (classification IN ('income', 'expense')),
    color TEXT NOT NULL CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
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

CREATE TABLE tags (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    color TEXT NOT NULL CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A tag's name is used once, whatever its case. Lists tags by name.
CREATE UNIQUE INDEX tags_by_name ON tags (household_id, name_key);

CREATE TABLE merchants (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A merchant's name is used once, whatever its case. Lists merchants by name.
CREATE UNIQUE INDEX merchants_by_name ON merchants (household_id, name_key);

-- households.labels_version, see there.
-- +goose StatementBegin
CREATE TRIGGER accounts_label_insert AFTER INSERT ON accounts BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER accounts_label_update AFTER UPDATE OF name, account_type, currency ON accounts BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER accounts_label_delete AFTER DELETE ON accounts BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER categories_label_insert AFTER INSERT ON categories BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER categories_label_update AFTER UPDATE OF name, classification, color, icon ON categories BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER categories_label_delete AFTER DELETE ON categories BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER merchants_label_insert AFTER INSERT ON merchants BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER merchants_label_update AFTER UPDATE OF name ON merchants BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER merchants_label_delete AFTER DELETE ON merchants BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tags_label_insert AFTER INSERT ON tags BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tags_label_update AFTER UPDATE OF name, color ON tags BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tags_label_delete AFTER DELETE ON tags BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd

-- Two transactions of different accounts that are one movement of money.
CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed')),
    -- Why the two were matched, in words.
    reason TEXT NOT NULL,
    notes TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- The transfers of a household.
CREATE INDEX transfers_by_household ON transfers (household_id, id);

-- The key is made of household (20 bits), day (17 bits, days since 1900-01-01) and the household's
-- creation number (26 bits): the table lies in the order in which it is listed, every index on it ends
-- in that order, and a range of days is a range of keys. A change of date changes the key; ON UPDATE
-- CASCADE carries it along. See ledger.Key.
CREATE TABLE transactions (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
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
    external_id TEXT,
    source TEXT,
    -- The import that created the row, the number of the row in the file, a hash of its raw cells and
    -- how many equal rows came before it in the file: what recognises the row when it is imported again.
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    import_row INTEGER,
    raw_key INTEGER,
    occurrence INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK (id >> 43 = household_id AND ((id >> 26) & 131071) - 25567 = date)
) STRICT;

-- Finds a transaction by the id that clients know.
CREATE UNIQUE INDEX transactions_by_public_id ON transactions (public_id);
-- Filter by account, in list order.
CREATE INDEX transactions_by_account ON transactions (account_id);
-- Filter by category, in list order; a deleted category leaves its transactions.
CREATE INDEX transactions_by_category ON transactions (category_id) WHERE category_id IS NOT NULL;
-- Filter by merchant, in list order; a deleted merchant leaves its transactions.
CREATE INDEX transactions_by_merchant ON transactions (merchant_id) WHERE merchant_id IS NOT NULL;
-- Filter by amount when few rows have it; counts at the edges of a range of bands, per currency.
CREATE INDEX transactions_by_amount ON transactions (household_id, amount, currency);
-- Filter by type: incomes are the few.
CREATE INDEX transactions_of_income ON transactions (household_id) WHERE amount > 0;
-- The two sides of a transfer.
CREATE INDEX transactions_by_transfer ON transactions (transfer_id) WHERE transfer_id IS NOT NULL;
-- A client's own id is used once per account and source.
CREATE UNIQUE INDEX transactions_by_external_id ON transactions (account_id, source, external_id) WHERE external_id IS NOT NULL;
-- The rows of an import: its results, its revert, its clean-up after a crash.
CREATE INDEX transactions_by_import ON transactions (import_id, import_row) WHERE import_id IS NOT NULL;

CREATE TABLE transaction_tags (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (transaction_id, tag_id)
) STRICT, WITHOUT ROWID;

-- Filter by tag, in list order.
CREATE INDEX transaction_tags_by_tag ON transaction_tags (tag_id, transaction_id);

-- Substring search over name, notes and the merchant's name; rowid is transactions.id.
CREATE VIRTUAL TABLE transactions_fts USING fts5 (
    name, notes, merchant, content = '', contentless_delete = 1, tokenize = 'trigram'
);

-- Merging fewer parts of the index at a time costs imports a fifth of their time; a search looks into
-- twice as many parts, which is not measurable.
INSERT INTO transactions_fts (transactions_fts, rank) VALUES ('automerge', 8);

-- Pairs that were declared no transfer, for good.
CREATE TABLE rejected_transfers (
    inflow_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    outflow_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (inflow_id, outflow_id)
) STRICT, WITHOUT ROWID;

-- A deleted transaction takes its rejections along.
CREATE INDEX rejected_transfers_by_outflow ON rejected_transfers (outflow_id);

-- An account's balance at the end of a day. The opening anchor may float (date is null): it then lies
-- on the day before the account's first entry.
CREATE TABLE valuations (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    date INTEGER,
    amount INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('opening_anchor', 'reconciliation')),
    notes TEXT,
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK (date IS NOT NULL OR kind = 'opening_anchor')
) STRICT;

-- One valuation per account and day; the newest before a day.
CREATE UNIQUE INDEX valuations_by_day ON valuations (account_id, date) WHERE date IS NOT NULL;
-- One opening per account.
CREATE UNIQUE INDEX valuations_of_opening ON valuations (account_id) WHERE kind = 'opening_anchor';

-- Rollup of transactions: what happened in an account on a day, per currency. Written by the same
-- transaction that writes the entry.
CREATE TABLE account_days (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    currency TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    amount INTEGER NOT NULL,
    transactions INTEGER NOT NULL CHECK (transactions > 0),
    incomes INTEGER NOT NULL CHECK (incomes BETWEEN 0 AND transactions),
    PRIMARY KEY (account_id, date, currency)
) STRICT, WITHOUT ROWID;

-- Counts per day of a household: totals of date filters, and the day on which a deep page begins.
CREATE INDEX account_days_by_date ON account_days (household_id, date, transactions, incomes);

-- Rollup of transactions: how many have an amount within each band of a hundred minor units, so that
-- a filter by amount knows its total without reading the rows.
CREATE TABLE amount_bands (
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    currency TEXT NOT NULL,
    band INTEGER NOT NULL,
    transactions INTEGER NOT NULL CHECK (transactions > 0),
    PRIMARY KEY (household_id, currency, band)
) STRICT, WITHOUT ROWID;

-- Conditions and actions are JSON arrays in the shape of the service's own export.
CREATE TABLE rules (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    name TEXT,
    resource_type TEXT NOT NULL CHECK (resource_type = 'transaction'),
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    effective_date INTEGER,
    conditions TEXT NOT NULL CHECK (json_valid(conditions)),
    actions TEXT NOT NULL CHECK (json_valid(actions)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- The rules of a household, in the order in which they run.
CREATE INDEX rules_by_household ON rules (household_id, id);
