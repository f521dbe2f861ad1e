-- Rows of files are recognised by what is booked on their day. What a person has put on another day is found here.

-- +goose Up

-- Entries of imports that were moved to another day, by what their rows are recognised by. entry_id is the key of a
-- transaction or trade. It is no reference: an entry that is gone is not found by it, and keys are never used again.
CREATE TABLE moved_entries (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    raw_key INTEGER NOT NULL,
    occurrence INTEGER NOT NULL,
    trade INTEGER NOT NULL CHECK (trade IN (0, 1)),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    entry_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, raw_key, occurrence, trade)
) STRICT, WITHOUT ROWID;

-- The moved entries of a household.
CREATE INDEX moved_entries_by_household ON moved_entries (household_id, trade);

-- +goose StatementBegin
CREATE TRIGGER transactions_moved AFTER UPDATE OF id ON transactions WHEN NEW.id <> OLD.id AND NEW.raw_key IS NOT NULL BEGIN
    INSERT OR REPLACE INTO moved_entries (account_id, raw_key, occurrence, trade, household_id, entry_id)
    VALUES (NEW.account_id, NEW.raw_key, coalesce(NEW.occurrence, 0), 0, NEW.household_id, NEW.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER trades_moved AFTER UPDATE OF id ON trades WHEN NEW.id <> OLD.id AND NEW.raw_key IS NOT NULL BEGIN
    INSERT OR REPLACE INTO moved_entries (account_id, raw_key, occurrence, trade, household_id, entry_id)
    VALUES (NEW.account_id, NEW.raw_key, coalesce(NEW.occurrence, 0), 1, NEW.household_id, NEW.id);
END;
-- +goose StatementEnd

-- What was moved before, as the history has it.
INSERT OR REPLACE INTO moved_entries (account_id, raw_key, occurrence, trade, household_id, entry_id)
SELECT t.account_id, t.raw_key, coalesce(t.occurrence, 0), 0, t.household_id, t.id
FROM changes c JOIN transactions t ON t.public_id = c.entity_id
WHERE c.entity = 'transaction' AND c.action = 'update' AND c.origin <> 'rule' AND t.raw_key IS NOT NULL AND c.before ->> 'ID' <> c.after ->> 'ID';
INSERT OR REPLACE INTO moved_entries (account_id, raw_key, occurrence, trade, household_id, entry_id)
SELECT t.account_id, t.raw_key, coalesce(t.occurrence, 0), 1, t.household_id, t.id
FROM changes c JOIN trades t ON t.public_id = c.entity_id
WHERE c.entity = 'trade' AND c.action = 'update' AND t.raw_key IS NOT NULL AND c.before ->> 'ID' <> c.after ->> 'ID';
