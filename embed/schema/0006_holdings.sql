-- What follows from trades, prices and splits, kept beside them by the same write. Trades, prices and splits
-- could not be written before this migration, so their tables are made anew; the days of accounts keep theirs.

-- +goose Up

-- The key is made like that of transactions. amount is what the trade moves in cash, fee included, into the
-- account positive; quantity is positive for a purchase, negative for a sale and 0 for the other kinds, whose
-- price is 0 as well.
DROP TABLE trades;
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
    fee INTEGER NOT NULL DEFAULT 0 CHECK (fee >= 0),
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    -- A sale may take more than is held.
    allow_short INTEGER NOT NULL DEFAULT 0 CHECK (allow_short IN (0, 1)),
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
    CHECK (id >> 43 = household_id AND ((id >> 26) & 131071) - 25567 = date),
    CHECK (kind NOT IN ('buy', 'sell', 'dividend') OR security_id IS NOT NULL)
) STRICT;

-- Filter by account, in list order.
CREATE INDEX trades_by_account ON trades (account_id);
-- The trades of a security, in list order: what positions and the last price paid are computed from.
CREATE INDEX trades_by_security ON trades (security_id) WHERE security_id IS NOT NULL;
-- A deleted category leaves its trades.
CREATE INDEX trades_by_category ON trades (category_id) WHERE category_id IS NOT NULL;
-- The rows of an import.
CREATE INDEX trades_by_import ON trades (import_id, import_row) WHERE import_id IS NOT NULL;

-- Market prices as they were quoted on their day: a later split changes none of them.
DROP TABLE security_prices;
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

-- From its day on, a split multiplies what is held before it by numerator / denominator and divides older
-- prices by it; recorded trades and prices stay as they are.
DROP TABLE security_splits;
CREATE TABLE security_splits (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    numerator INTEGER NOT NULL CHECK (numerator > 0),
    denominator INTEGER NOT NULL CHECK (denominator > 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A security is split once a day; its splits in order.
CREATE UNIQUE INDEX security_splits_by_day ON security_splits (security_id, date);

-- Rollup of trades and splits: what is held of a security in an account from the end of this day until the
-- next row's. Only days on which something happened have a row, so a trade rewrites those of one security in
-- one account from its day on, however many years are valued with it.
CREATE TABLE positions (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    quantity TEXT NOT NULL,
    -- What was paid for all that is held, fees included, in currency: that of the trades so far. Where those
    -- differ, mixed is 1 and the cost is computed from the trades when it is asked for.
    cost TEXT NOT NULL,
    currency TEXT NOT NULL,
    mixed INTEGER NOT NULL CHECK (mixed IN (0, 1)),
    -- 1: held from this day on; -1: no longer held from this day on; else 0. Held is a quantity above zero.
    edge INTEGER NOT NULL CHECK (edge IN (-1, 0, 1)),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, security_id, date)
) STRICT, WITHOUT ROWID;

-- When each position of a household is opened and closed: the days on which there are holdings.
CREATE INDEX positions_of_edges ON positions (household_id, account_id, security_id, date, edge) WHERE edge <> 0;

-- Rollup of trades: the average price of a security's purchases and sales of a day, weighted by quantity. It
-- stands in where the security has no market price yet.
CREATE TABLE trade_prices (
    security_id INTEGER NOT NULL REFERENCES securities (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    price TEXT NOT NULL,
    currency TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    PRIMARY KEY (security_id, date)
) STRICT, WITHOUT ROWID;

-- Rollup of positions and prices: what all that an account holds in securities of one currency is worth from
-- the end of this day until the next row's, in minor units; every holding is rounded by itself.
CREATE TABLE holding_values (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    currency TEXT NOT NULL,
    date INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    value INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency, date)
) STRICT, WITHOUT ROWID;

-- The days of accounts take in what trades move in cash, and know whether they are in another currency than
-- the account's.
CREATE TABLE account_days_with_trades (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    currency TEXT NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    amount INTEGER NOT NULL,
    transactions INTEGER NOT NULL CHECK (transactions >= 0),
    incomes INTEGER NOT NULL CHECK (incomes BETWEEN 0 AND transactions),
    trades INTEGER NOT NULL DEFAULT 0 CHECK (trades >= 0),
    other_currency INTEGER NOT NULL DEFAULT 0 CHECK (other_currency IN (0, 1)),
    PRIMARY KEY (account_id, date, currency),
    CHECK (transactions + trades > 0)
) STRICT, WITHOUT ROWID;
INSERT INTO account_days_with_trades (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
SELECT d.account_id, d.date, d.currency, d.household_id, d.amount, d.transactions, d.incomes, 0, d.currency <> a.currency
FROM account_days d JOIN accounts a ON a.id = d.account_id;
DROP TABLE account_days;
ALTER TABLE account_days_with_trades RENAME TO account_days;

-- Counts per day of a household: totals of date filters, and the day on which a deep page begins.
CREATE INDEX account_days_by_date ON account_days (household_id, date, transactions, incomes);
-- What was booked in an account in other currencies than its own: it is converted day by day.
CREATE INDEX account_days_of_other_currencies ON account_days (account_id, currency, date, amount, other_currency) WHERE other_currency = 1;

-- Rollup of the days of an account by month (year * 100 + month), all currencies in one sum: a balance adds up
-- months, and days only at its two ends. Triggers keep it, so that there is no other way to write a day.
CREATE TABLE account_months (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    month INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    amount INTEGER NOT NULL,
    days INTEGER NOT NULL CHECK (days > 0),
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
INSERT INTO account_months (account_id, month, household_id, amount, days)
SELECT account_id, CAST(strftime('%Y%m', date * 86400, 'unixepoch') AS INTEGER), household_id, sum(amount), count(*) FROM account_days GROUP BY 1, 2, 3;

-- +goose StatementBegin
CREATE TRIGGER account_days_insert AFTER INSERT ON account_days BEGIN
    INSERT INTO account_months (account_id, month, household_id, amount, days)
    VALUES (NEW.account_id, CAST(strftime('%Y%m', NEW.date * 86400, 'unixepoch') AS INTEGER), NEW.household_id, NEW.amount, 1)
    ON CONFLICT (account_id, month) DO UPDATE SET amount = account_months.amount + excluded.amount, days = account_months.days + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_days_update AFTER UPDATE OF amount ON account_days WHEN NEW.amount <> OLD.amount BEGIN
    UPDATE account_months SET amount = amount + NEW.amount - OLD.amount
    WHERE account_id = NEW.account_id AND month = CAST(strftime('%Y%m', NEW.date * 86400, 'unixepoch') AS INTEGER);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_days_delete AFTER DELETE ON account_days BEGIN
    DELETE FROM account_months
    WHERE account_id = OLD.account_id AND month = CAST(strftime('%Y%m', OLD.date * 86400, 'unixepoch') AS INTEGER) AND days = 1;
    UPDATE account_months SET amount = amount - OLD.amount, days = days - 1
    WHERE account_id = OLD.account_id AND month = CAST(strftime('%Y%m', OLD.date * 86400, 'unixepoch') AS INTEGER);
END;
-- +goose StatementEnd
