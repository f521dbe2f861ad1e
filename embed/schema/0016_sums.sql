-- What sums over many years are made of: of one category or merchant without a look at the rows, which lie far apart, and
-- of everything month by month.

-- +goose Up

DROP INDEX transactions_by_category;
-- Filter by category, in list order, and sums of it; a deleted category leaves its transactions.
CREATE INDEX transactions_by_category ON transactions (category_id, id, amount, currency, transfer_id, account_id, merchant_id)
    WHERE category_id IS NOT NULL;

DROP INDEX transactions_by_merchant;
-- Filter by merchant, in list order, and sums of it; a deleted merchant leaves its transactions.
CREATE INDEX transactions_by_merchant ON transactions (merchant_id, id, amount, currency, transfer_id, account_id, category_id)
    WHERE merchant_id IS NOT NULL;

-- Trades that are income or an expense by themselves, which are few.
CREATE INDEX trades_of_income ON trades (household_id) WHERE kind IN ('dividend', 'interest', 'fee');

-- What the transactions of a month add up to that has many of them, so that a sum over years need not read them. Each part
-- tells the sums apart by something else: nothing, account, merchant or tags, always by category besides; what is in
-- sums is in ledger/month_sums.go. Sides of transfers and rows that are hidden are left out. A month without such a row
-- is added up from its transactions, and triggers remove the row with whatever would change it: it is true if it is there.
CREATE TABLE month_sums (
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    -- All keys of the month lie between these two, or are one of them.
    first_key INTEGER NOT NULL,
    last_key INTEGER NOT NULL,
    part INTEGER NOT NULL CHECK (part BETWEEN 0 AND 3),
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
