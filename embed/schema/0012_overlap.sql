-- What recognises a row of a file that was booked already, and what a person said where that is in doubt.

-- +goose Up

-- A hash of the name that the entry was born with, see ledger.TextKey: renaming it does not hide it from a file of
-- another bank program that has it, too. Null for what was booked before this column.
ALTER TABLE transactions ADD COLUMN text_key INTEGER;

-- What kind of file it is (type and header): a raw row is compared with those of files of the same layout.
ALTER TABLE imports ADD COLUMN layout INTEGER NOT NULL DEFAULT 0;
-- The version of the rule that makes raw keys, see importer.rawKey.
ALTER TABLE imports ADD COLUMN identity INTEGER NOT NULL DEFAULT 1;
-- How many rows were booked already, and how many may have been, when the file was looked at last.
ALTER TABLE imports ADD COLUMN matched_rows_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN doubtful_rows_count INTEGER NOT NULL DEFAULT 0;
-- What publishing would do, as a hash: the same plan has the same, see importer.outlook.
ALTER TABLE imports ADD COLUMN plan TEXT NOT NULL DEFAULT '';
-- The plan that the one who publishes has seen; blank when it does not matter.
ALTER TABLE imports ADD COLUMN agreed_plan TEXT NOT NULL DEFAULT '';

-- The like of import_matches for trades.
CREATE TABLE import_trade_matches (
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_number INTEGER NOT NULL,
    trade_id INTEGER NOT NULL REFERENCES trades (id) ON DELETE CASCADE ON UPDATE CASCADE,
    PRIMARY KEY (import_id, row_number)
) STRICT, WITHOUT ROWID;

-- A deleted trade takes its matches along.
CREATE INDEX import_trade_matches_by_trade ON import_trade_matches (trade_id);

-- What a person said of a row: same: it is the entry that was found; new: it is not. Kept for every file that has the row.
CREATE TABLE import_rulings (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    raw_key INTEGER NOT NULL,
    occurrence INTEGER NOT NULL,
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    ruling TEXT NOT NULL CHECK (ruling IN ('same', 'new')),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, raw_key, occurrence)
) STRICT, WITHOUT ROWID;

-- The rulings of a household.
CREATE INDEX import_rulings_by_household ON import_rulings (household_id);
