-- A transaction may say what its parts were for.

-- +goose Up

-- The lines of a split transaction, which has at least two of them. They add up to its amount, in its currency, into
-- the account positive, and have the categories that the transaction itself then lacks: so nothing is counted
-- twice. The transaction stays one row of its account. Lines lie in the order of transactions, so that whether a
-- household has any is one look at a range of keys. household_id is the one within the key.
CREATE TABLE transaction_lines (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    household_id INTEGER NOT NULL CHECK (transaction_id >> 43 = household_id),
    amount INTEGER NOT NULL,
    name TEXT,
    notes TEXT,
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    merchant_id INTEGER REFERENCES merchants (id) ON DELETE SET NULL,
    PRIMARY KEY (transaction_id, position)
) STRICT, WITHOUT ROWID;

-- Filter by category, in list order; a deleted category leaves its lines.
CREATE INDEX transaction_lines_by_category ON transaction_lines (category_id, transaction_id) WHERE category_id IS NOT NULL;
-- Filter by merchant, in list order; a deleted merchant leaves its lines.
CREATE INDEX transaction_lines_by_merchant ON transaction_lines (merchant_id, transaction_id) WHERE merchant_id IS NOT NULL;

-- The tags of lines.
CREATE TABLE transaction_line_tags (
    transaction_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (transaction_id, position, tag_id),
    FOREIGN KEY (transaction_id, position) REFERENCES transaction_lines (transaction_id, position) ON DELETE CASCADE ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;

-- Filter by tag, in list order.
CREATE INDEX transaction_line_tags_by_tag ON transaction_line_tags (tag_id, transaction_id);
