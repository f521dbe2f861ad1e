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
SELECT 1;

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
