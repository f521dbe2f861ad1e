-- Securities, what they cost, what was traded, and exchange rates. Quantities, prices and rates are
-- decimals as text: a number column would turn them into binary floating point.

-- +goose Up

CREATE TABLE securities (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    ticker TEXT NOT NULL,
    -- Market identifier code (ISO 10383); empty when it is not known.
    mic TEXT NOT NULL DEFAULT '',
    name TEXT,
    kind TEXT NOT NULL DEFAULT 'standard' CHECK (kind IN ('standard', 'cash')),
    -- A manual security is never looked up.
    manual INTEGER NOT NULL DEFAULT 0 CHECK (manual IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A security is known by ticker and market.
CREATE UNIQUE INDEX securities_by_ticker ON securities (household_id, ticker, mic);

CREATE TABLE security_prices (
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    price TEXT NOT NULL,
    currency TEXT NOT NULL,
    source TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    PRIMARY KEY (security_id, date)
) STRICT, WITHOUT ROWID;

-- A split multiplies what is held before the day by numerator / denominator; recorded trades stay.
CREATE TABLE security_splits (
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    numerator INTEGER NOT NULL CHECK (numerator > 0),
    denominator INTEGER NOT NULL CHECK (denominator > 0),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    PRIMARY KEY (security_id, date)
) STRICT, WITHOUT ROWID;

-- The key is made like that of transactions. amount is what the trade moves in cash, fee included,
-- into the account positive; quantity is negative for a sale and 0 for income.
CREATE TABLE trades (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    security_id INTEGER REFERENCES securities (id),
    date INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('buy', 'sell', 'dividend', 'interest', 'fee')),
    quantity TEXT NOT NULL,
    price TEXT NOT NULL,
    fee INTEGER NOT NULL DEFAULT 0,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    name TEXT NOT NULL,
    notes TEXT,
    activity_label TEXT,
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    import_row INTEGER,
    raw_key INTEGER,
    occurrence INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK (id >> 43 = household_id AND ((id >> 26) & 131071) - 25567 = date)
) STRICT;

-- Filter by account, in list order; the trades that make up an account's holdings.
CREATE INDEX trades_by_account ON trades (account_id, security_id);
-- The trades of a security; the last price paid.
CREATE INDEX trades_by_security ON trades (security_id);
-- A deleted category leaves its trades.
CREATE INDEX trades_by_category ON trades (category_id) WHERE category_id IS NOT NULL;
-- The rows of an import.
CREATE INDEX trades_by_import ON trades (import_id, import_row) WHERE import_id IS NOT NULL;

-- What one unit of from_currency is worth in to_currency. Published facts: they belong to nobody.
CREATE TABLE exchange_rates (
    from_currency TEXT NOT NULL,
    to_currency TEXT NOT NULL,
    date INTEGER NOT NULL,
    rate TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (from_currency, to_currency, date)
) STRICT, WITHOUT ROWID;
