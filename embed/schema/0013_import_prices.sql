-- The market prices and splits that imports have written, so that a revert can take them back.

-- +goose Up

-- price and currency are what the import wrote, the old ones what it has replaced: NULL when there was no price.
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

-- For the removal of a security.
CREATE INDEX import_prices_by_security ON import_prices (security_id);

CREATE TABLE import_splits (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    split_id INTEGER NOT NULL REFERENCES security_splits (id) ON DELETE CASCADE,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    PRIMARY KEY (import_id, split_id)
) STRICT, WITHOUT ROWID;

-- For the removal of a split.
CREATE INDEX import_splits_by_split ON import_splits (split_id);
