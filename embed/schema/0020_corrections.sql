-- What strangers found wrong: the columns and tables that mend it.

-- +goose Up

-- Whose the lease of a work is: 1 the server's of the file, of which there is one at a time, so that the next one knows
-- at its start that nobody works on it; 0 a command's.
ALTER TABLE imports ADD COLUMN held_by_server INTEGER NOT NULL DEFAULT 0 CHECK (held_by_server IN (0, 1));
ALTER TABLE messages ADD COLUMN held_by_server INTEGER NOT NULL DEFAULT 0 CHECK (held_by_server IN (0, 1));
-- A household that was emptied keeps its books for a day, in a row of their own: when that was, and the id of the household that
-- they were the books of. Null in all others. While reset_at is set, an abandoned_at of 0 deletes nothing.
ALTER TABLE households ADD COLUMN reset_at INTEGER;
ALTER TABLE households ADD COLUMN reset_from BLOB CHECK (length(reset_from) = 16);
-- What an import was at when its household was emptied; it goes on when the books are brought back.
ALTER TABLE imports ADD COLUMN stopped_status TEXT CHECK (stopped_status IN ('importing', 'reverting'));

-- Sums of money never leave the range of a number here: what a month comes to is kept in two halves, that of the upper 32
-- bits of its days' amounts and that of the lower ones, in which no month is too large and no order of writing matters.
DROP TRIGGER account_days_insert;
DROP TRIGGER account_days_update;
DROP TRIGGER account_days_delete;
DROP TABLE account_months;
-- Rollup of the days of an account by month (year * 100 + month), all currencies in one sum: a balance adds up
-- months, and days only at its two ends. Triggers keep it, so that there is no other way to write a day.
CREATE TABLE account_months (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    month INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    -- The sum is upper * 2^32 + lower.
    upper INTEGER NOT NULL,
    lower INTEGER NOT NULL,
    days INTEGER NOT NULL CHECK (days > 0),
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
INSERT INTO account_months (account_id, month, household_id, upper, lower, days)
SELECT account_id, CAST(strftime('%Y%m', date * 86400, 'unixepoch') AS INTEGER), household_id, sum(amount >> 32), sum(amount & 4294967295), count(*)
FROM account_days GROUP BY 1, 2, 3;

-- +goose StatementBegin
CREATE TRIGGER account_days_insert AFTER INSERT ON account_days BEGIN
    INSERT INTO account_months (account_id, month, household_id, upper, lower, days)
    VALUES (NEW.account_id, CAST(strftime('%Y%m', NEW.date * 86400, 'unixepoch') AS INTEGER), NEW.household_id, NEW.amount >> 32, NEW.amount & 4294967295, 1)
    ON CONFLICT (account_id, month) DO UPDATE SET upper = account_months.upper + excluded.upper, lower = account_months.lower + excluded.lower,
        days = account_months.days + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_days_update AFTER UPDATE OF amount ON account_days WHEN NEW.amount <> OLD.amount BEGIN
    UPDATE account_months SET upper = upper + (NEW.amount >> 32) - (OLD.amount >> 32), lower = lower + (NEW.amount & 4294967295) - (OLD.amount & 4294967295)
    WHERE account_id = NEW.account_id AND month = CAST(strftime('%Y%m', NEW.date * 86400, 'unixepoch') AS INTEGER);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_days_delete AFTER DELETE ON account_days BEGIN
    DELETE FROM account_months
    WHERE account_id = OLD.account_id AND month = CAST(strftime('%Y%m', OLD.date * 86400, 'unixepoch') AS INTEGER) AND days = 1;
    UPDATE account_months SET upper = upper - (OLD.amount >> 32), lower = lower - (OLD.amount & 4294967295), days = days - 1
    WHERE account_id = OLD.account_id AND month = CAST(strftime('%Y%m', OLD.date * 86400, 'unixepoch') AS INTEGER);
END;
-- +goose StatementEnd

-- Finds the accounts of which a balance may leave the range of an amount; no others are ever looked through for that: while
-- no day moves more than 2^45 minor units, all days between 1900 and 2199 come to less than 2^62.
CREATE INDEX account_days_large ON account_days (account_id) WHERE (amount < -35184372088832 OR amount > 35184372088832);
-- The same for what they hold.
CREATE INDEX holding_values_large ON holding_values (account_id) WHERE (value < -35184372088832 OR value > 35184372088832);
-- What rows of files are recognised by, besides the raw row: the bank's own id of the booking, where the file has one that differs in
-- every row, as a hash of 64 bits; and the raw row without the cells that a bank changes later (balances, states, notes,
-- categories), as a hash, null where that is the raw row itself. Null also for what was booked before these columns.
ALTER TABLE transactions ADD COLUMN bank_key INTEGER;
ALTER TABLE transactions ADD COLUMN like_key INTEGER;
ALTER TABLE trades ADD COLUMN bank_key INTEGER;
ALTER TABLE trades ADD COLUMN like_key INTEGER;

-- Finds an entry by the bank's own id: the bank may have changed its day.
CREATE INDEX transactions_by_bank_key ON transactions (account_id, bank_key) WHERE bank_key IS NOT NULL;
-- The like for trades.
CREATE INDEX trades_by_bank_key ON trades (account_id, bank_key) WHERE bank_key IS NOT NULL;

-- What becomes of rows that may be booked already and of which nobody has said whether they are.
ALTER TABLE imports ADD COLUMN possible_duplicates TEXT NOT NULL DEFAULT 'hold' CHECK (possible_duplicates IN ('hold', 'new', 'same'));
-- The creation number of row 1 of an import that is complete: rows that were held back take theirs when they are booked.
ALTER TABLE imports ADD COLUMN rows_sequence INTEGER;
-- Rows that are pending at the bank and were left out.
ALTER TABLE imports ADD COLUMN pending_rows_count INTEGER NOT NULL DEFAULT 0;

-- Rows of a complete import that were held back, as they may be booked already, and the entry that each may be; null when that
-- is gone.
CREATE TABLE import_held_rows (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_number INTEGER NOT NULL,
    transaction_id INTEGER REFERENCES transactions (id) ON DELETE SET NULL ON UPDATE CASCADE,
    trade_id INTEGER REFERENCES trades (id) ON DELETE SET NULL ON UPDATE CASCADE,
    PRIMARY KEY (import_id, row_number)
) STRICT, WITHOUT ROWID;

-- A deleted entry leaves the rows that may have been it.
CREATE INDEX import_held_rows_by_transaction ON import_held_rows (transaction_id) WHERE transaction_id IS NOT NULL;
-- The like for trades.
CREATE INDEX import_held_rows_by_trade ON import_held_rows (trade_id) WHERE trade_id IS NOT NULL;

-- The parts of a split transaction are rows of lists, in the place of the whole: so a line has an id that clients know,
-- and indexes in list order, which is by transaction, the newest first, and within it by position. Where name, notes or
-- merchant are NULL, they are those of the whole; the tags of the whole are also each line's.
CREATE TABLE transaction_parts (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 1),
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL CHECK (transaction_id >> 43 = household_id),
    amount INTEGER NOT NULL,
    name TEXT,
    notes TEXT,
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    merchant_id INTEGER REFERENCES merchants (id) ON DELETE SET NULL,
    PRIMARY KEY (transaction_id, position)
) STRICT, WITHOUT ROWID;
-- The ids are random ones, of version 4.
INSERT INTO transaction_parts (transaction_id, position, public_id, household_id, amount, name, notes, category_id, merchant_id)
SELECT transaction_id, position, unhex(hex(randomblob(6)) || '4' || substr(hex(randomblob(2)), 2) || substr('89AB', 1 + abs(random() % 4), 1)
    || substr(hex(randomblob(2)), 2) || hex(randomblob(6))), household_id, amount, name, notes, category_id, merchant_id FROM transaction_lines;

CREATE TABLE transaction_part_tags (
    transaction_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (transaction_id, position, tag_id),
    FOREIGN KEY (transaction_id, position) REFERENCES transaction_parts (transaction_id, position) ON DELETE CASCADE ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO transaction_part_tags (transaction_id, position, tag_id) SELECT transaction_id, position, tag_id FROM transaction_line_tags;

DROP TABLE transaction_line_tags;
DROP TABLE transaction_lines;
ALTER TABLE transaction_parts RENAME TO transaction_lines;
ALTER TABLE transaction_part_tags RENAME TO transaction_line_tags;

-- Finds a part by the id that clients know.
CREATE UNIQUE INDEX transaction_lines_by_public_id ON transaction_lines (public_id);
-- Filter by category, in list order; a deleted category leaves its lines.
CREATE INDEX transaction_lines_by_category ON transaction_lines (category_id, transaction_id, position DESC) WHERE category_id IS NOT NULL;
-- Filter by merchant, in list order; a deleted merchant leaves its lines.
CREATE INDEX transaction_lines_by_merchant ON transaction_lines (merchant_id, transaction_id, position DESC) WHERE merchant_id IS NOT NULL;
-- Filter by amount when few lines have it; the largest.
CREATE INDEX transaction_lines_by_amount ON transaction_lines (transaction_id >> 43, amount);
-- Filter by type, in list order.
CREATE INDEX transaction_lines_of_income ON transaction_lines (transaction_id, position DESC) WHERE amount > 0;
-- Filter by tag, in list order.
CREATE INDEX transaction_line_tags_by_tag ON transaction_line_tags (tag_id, transaction_id, position DESC);

-- What lists count is now a transaction's parts in its place, if it has any. Rows that an import is still writing are not
-- counted yet.
CREATE TEMPORARY TABLE counted_parts AS
SELECT l.household_id, t.account_id, t.date, t.currency, l.position = 1 AS is_first, t.amount AS whole, l.amount
FROM transaction_lines l JOIN transactions t ON t.id = l.transaction_id JOIN households h ON h.id = l.household_id
WHERE (t.id & 67108863) NOT BETWEEN h.hidden_from AND h.hidden_to;

UPDATE accounts SET transaction_count = transaction_count + (SELECT count(*) - sum(p.is_first) FROM counted_parts p WHERE p.account_id = accounts.id)
WHERE id IN (SELECT account_id FROM counted_parts);

-- For the two sums of each day.
CREATE INDEX counted_by_day ON counted_parts (account_id, date, currency);
UPDATE account_days SET transactions = transactions + (SELECT sum(1 - p.is_first) FROM counted_parts p
        WHERE p.account_id = account_days.account_id AND p.date = account_days.date AND p.currency = account_days.currency),
    incomes = incomes + (SELECT sum((p.amount > 0) - (p.is_first AND p.whole > 0)) FROM counted_parts p
        WHERE p.account_id = account_days.account_id AND p.date = account_days.date AND p.currency = account_days.currency)
WHERE EXISTS (SELECT 1 FROM counted_parts p
    WHERE p.account_id = account_days.account_id AND p.date = account_days.date AND p.currency = account_days.currency);

INSERT INTO amount_bands (household_id, currency, band, transactions)
SELECT household_id, currency, amount / 100 - (amount < 0 AND amount % 100 <> 0), count(*) FROM counted_parts WHERE TRUE GROUP BY 1, 2, 3
ON CONFLICT (household_id, currency, band) DO UPDATE SET transactions = amount_bands.transactions + excluded.transactions;
CREATE TEMPORARY TABLE counted_wholes AS
SELECT household_id, currency, whole / 100 - (whole < 0 AND whole % 100 <> 0) AS band, count(*) AS transactions FROM counted_parts WHERE is_first GROUP BY 1, 2, 3;
DELETE FROM amount_bands WHERE EXISTS (SELECT 1 FROM counted_wholes w WHERE w.household_id = amount_bands.household_id AND w.currency = amount_bands.currency
    AND w.band = amount_bands.band AND w.transactions = amount_bands.transactions);
UPDATE amount_bands SET transactions = transactions - (SELECT w.transactions FROM counted_wholes w
    WHERE w.household_id = amount_bands.household_id AND w.currency = amount_bands.currency AND w.band = amount_bands.band)
WHERE EXISTS (SELECT 1 FROM counted_wholes w
    WHERE w.household_id = amount_bands.household_id AND w.currency = amount_bands.currency AND w.band = amount_bands.band);

DROP TABLE counted_wholes;
DROP TABLE counted_parts;
-- Transactions that an import has booked while they were pending at the bank, because somebody wanted it or the balances said so: the
-- final row, of another day or text, is known by them. settled_by is the import that had it: the transaction is recognised by that row then. What it was recognised by before is kept
-- for the revert.
CREATE TABLE unsettled_entries (
    transaction_id INTEGER PRIMARY KEY REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    settled_by INTEGER REFERENCES imports (id) ON DELETE SET NULL,
    raw_key INTEGER,
    occurrence INTEGER,
    bank_key INTEGER,
    like_key INTEGER
) STRICT;

-- The unsettled entries of a household.
CREATE INDEX unsettled_entries_by_household ON unsettled_entries (household_id);
-- A removed import settles nothing.
CREATE INDEX unsettled_entries_by_import ON unsettled_entries (settled_by) WHERE settled_by IS NOT NULL;

-- Whether somebody has said what an opening balance is: one that nobody has is 0, and the first file that proves another one sets it.
ALTER TABLE valuations ADD COLUMN stated INTEGER NOT NULL DEFAULT 0 CHECK (stated IN (0, 1));
UPDATE valuations SET stated = 1 WHERE kind <> 'opening_anchor' OR date IS NOT NULL OR amount <> 0 OR updated_at <> created_at;

-- The balances that the file of an import proves, beside what the accounts showed when it was published: a JSON list.
ALTER TABLE imports ADD COLUMN reconciliation TEXT CHECK (reconciliation IS NULL OR json_valid(reconciliation));

-- How often the work on an import was begun without coming to an end: when it is killed with the service each time, it is not begun
-- for ever. A service that stops gives the attempt back.
ALTER TABLE imports ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
-- Whether an import that is being reverted still waits for its turn, and is in the books until then: 1 it does, 2 it does and what
-- was changed since goes with it.
ALTER TABLE imports ADD COLUMN revert_waits INTEGER NOT NULL DEFAULT 0 CHECK (revert_waits IN (0, 1, 2));
-- Of a key that has replaced another one: the first of them. Repeats of requests are answered alike to all of them.
ALTER TABLE api_keys ADD COLUMN first_key_id INTEGER REFERENCES api_keys (id) ON DELETE SET NULL;
-- A removed key is nobody's first.
CREATE INDEX api_keys_by_first ON api_keys (first_key_id) WHERE first_key_id IS NOT NULL;
