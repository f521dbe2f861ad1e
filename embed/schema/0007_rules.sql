-- What rules need besides themselves: what they must not change, what they have changed, and when they ran.

-- +goose Up

-- Which fields a person has set, a bit each: 1 name, 2 notes, 4 category, 8 merchant, 16 tags. Rules leave these
-- alone. See ledger.ruleField.
ALTER TABLE transactions ADD COLUMN set_by_person INTEGER NOT NULL DEFAULT 0;

-- Who changed a transaction so far, and which field, was not kept: all fields of those that were changed count.
UPDATE transactions SET set_by_person = 31 WHERE updated_at > created_at AND EXISTS (SELECT 1 FROM changes c
    WHERE c.household_id = transactions.household_id AND c.entity_id = transactions.public_id AND c.action = 'update');

-- Which rule has given a transaction a field its present value, and in words what the field was before.
CREATE TABLE transaction_rules (
    transaction_id INTEGER NOT NULL REFERENCES transactions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    field TEXT NOT NULL CHECK (field IN ('name', 'category', 'merchant', 'tags', 'transfer')),
    rule_id INTEGER NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    before TEXT,
    PRIMARY KEY (transaction_id, field)
) STRICT, WITHOUT ROWID;

-- A deleted rule takes its notes along; the transactions stay as they are.
CREATE INDEX transaction_rules_by_rule ON transaction_rules (rule_id);

-- Each time a rule was run over the transactions that are there. matched is how many its conditions selected,
-- changed how many it changed.
CREATE TABLE rule_runs (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    household_id INTEGER NOT NULL REFERENCES households (id) ON DELETE CASCADE,
    rule_id INTEGER NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    status TEXT NOT NULL CHECK (status IN ('success', 'failed')),
    execution_type TEXT NOT NULL CHECK (execution_type = 'manual'),
    matched INTEGER NOT NULL CHECK (matched >= 0),
    changed INTEGER NOT NULL CHECK (changed >= 0),
    error TEXT,
    executed_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL
) STRICT;

-- Lists runs, newest first.
CREATE INDEX rule_runs_by_household ON rule_runs (household_id, id);
-- A deleted rule takes its runs along.
CREATE INDEX rule_runs_by_rule ON rule_runs (rule_id);

-- Rules are kept in memory with the labels; see households.labels_version.
-- +goose StatementBegin
CREATE TRIGGER rules_label_insert AFTER INSERT ON rules BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rules_label_update AFTER UPDATE ON rules BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = NEW.household_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rules_label_delete AFTER DELETE ON rules BEGIN
    UPDATE households SET labels_version = labels_version + 1 WHERE id = OLD.household_id;
END;
-- +goose StatementEnd
