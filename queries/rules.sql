-- name: InsertRule :execlastid
-- A new rule; it runs after those that are there.
INSERT INTO rules (id, public_id, household_id, name, resource_type, active, effective_date, conditions, actions, created_at, updated_at)
VALUES (sqlc.narg('id'), @public_id, @household_id, @name, @resource_type, @active, @effective_date, @conditions, @actions, @created_at, @updated_at);

-- name: UpdateRule :exec
-- Writes what can change of a rule.
UPDATE rules SET name = @name, active = @active, effective_date = @effective_date, conditions = @conditions, actions = @actions,
    updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteRule :exec
-- Removes a rule with the notes of what it did; the transactions stay as they are.
DELETE FROM rules WHERE id = @id AND household_id = @household_id;

-- name: GetRule :one
-- One rule by the id that clients know.
SELECT * FROM rules WHERE public_id = @public_id AND household_id = @household_id;

-- name: ListRules :many
-- A page of a household's rules in the order in which they run.
SELECT * FROM rules
WHERE household_id = @household_id AND (sqlc.narg('resource_type') IS NULL OR resource_type = sqlc.narg('resource_type'))
    AND (sqlc.narg('active') IS NULL OR active = sqlc.narg('active'))
ORDER BY id LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountRules :one
-- How many rules the same filters select.
SELECT count(*) FROM rules
WHERE household_id = @household_id AND (sqlc.narg('resource_type') IS NULL OR resource_type = sqlc.narg('resource_type'))
    AND (sqlc.narg('active') IS NULL OR active = sqlc.narg('active'));

-- name: ListAllRules :many
-- All rules of a household in the order in which they run, to be kept in memory.
SELECT * FROM rules WHERE household_id = @household_id ORDER BY id;

-- name: InsertRuleRun :exec
-- Notes that a rule was run, unless it was deleted meanwhile.
INSERT INTO rule_runs (public_id, household_id, rule_id, status, execution_type, matched, changed, error, executed_at, finished_at)
SELECT @public_id, r.household_id, r.id, CAST(@status AS TEXT), 'manual', CAST(@matched AS INTEGER), CAST(@changed AS INTEGER), sqlc.narg('error'),
    CAST(@executed_at AS INTEGER), CAST(@finished_at AS INTEGER)
FROM rules r WHERE r.id = @rule_id AND r.household_id = @household_id;

-- name: ListRunsOfRule :many
-- All runs of a rule that is about to be deleted.
SELECT * FROM rule_runs WHERE rule_id = @rule_id AND household_id = @household_id ORDER BY id;

-- name: RestoreRuleRun :exec
-- Writes a run of a rule that comes back, as it was.
INSERT INTO rule_runs (id, public_id, household_id, rule_id, status, execution_type, matched, changed, error, executed_at, finished_at)
VALUES (@id, @public_id, @household_id, @rule_id, @status, @execution_type, @matched, @changed, @error, @executed_at, @finished_at);

-- name: ListRuleHolders :many
-- The transactions of which a rule has set a field, by the ids that clients know.
SELECT t.public_id FROM rules r
CROSS JOIN transaction_rules n ON n.rule_id = r.id
CROSS JOIN transactions t ON t.id = n.transaction_id
WHERE r.id = @rule_id AND r.household_id = @household_id AND n.field <> 'transfer';

-- name: ListRuleTransfers :many
-- The transactions that a rule has made a side of a transfer, likewise.
SELECT t.public_id FROM rules r
CROSS JOIN transaction_rules n ON n.rule_id = r.id AND n.field = 'transfer'
CROSS JOIN transactions t ON t.id = n.transaction_id
WHERE r.id = @rule_id AND r.household_id = @household_id;

-- name: GetRuleRun :one
-- One run by the id that clients know, with its rule.
SELECT sqlc.embed(n), r.public_id AS rule_public_id, r.name AS rule_name, r.resource_type AS rule_resource_type, r.active AS rule_active
FROM rule_runs n JOIN rules r ON r.id = n.rule_id
WHERE n.public_id = @public_id AND n.household_id = @household_id;

-- name: ListRuleRuns :many
-- A page of the runs of a household's rules, newest first.
SELECT sqlc.embed(n), r.public_id AS rule_public_id, r.name AS rule_name, r.resource_type AS rule_resource_type, r.active AS rule_active
FROM rule_runs n JOIN rules r ON r.id = n.rule_id
WHERE n.household_id = @household_id AND (sqlc.narg('rule_id') IS NULL OR n.rule_id = sqlc.narg('rule_id'))
    AND (sqlc.narg('status') IS NULL OR n.status = sqlc.narg('status'))
    AND n.executed_at >= @from_stamp AND n.executed_at <= @to_stamp
ORDER BY n.id DESC LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountRuleRuns :one
-- How many runs the same filters select.
SELECT count(*) FROM rule_runs n
WHERE n.household_id = @household_id AND (sqlc.narg('rule_id') IS NULL OR n.rule_id = sqlc.narg('rule_id'))
    AND (sqlc.narg('status') IS NULL OR n.status = sqlc.narg('status'))
    AND n.executed_at >= @from_stamp AND n.executed_at <= @to_stamp;

-- name: PutRuleNote :exec
-- Notes which rule has set a field of a transaction. What was before the first rule stays.
INSERT INTO transaction_rules (transaction_id, field, rule_id, before) VALUES (@transaction_id, @field, @rule_id, @before)
ON CONFLICT (transaction_id, field) DO UPDATE SET rule_id = excluded.rule_id;

-- name: DeleteRuleNotes :exec
-- Forgets which rules have set some fields, a JSON list, of a transaction.
DELETE FROM transaction_rules WHERE transaction_id = @transaction_id AND field IN (SELECT value FROM json_each(CAST(@fields AS TEXT)));

-- name: ListRuleNotes :many
-- Which rules have set which fields of some transactions, a JSON list of keys.
SELECT n.transaction_id, n.field, n.rule_id, n.before
FROM json_each(CAST(@ids AS TEXT)) AS page
CROSS JOIN transaction_rules n ON n.transaction_id = page.value
CROSS JOIN rules r ON r.id = n.rule_id
WHERE r.household_id = @household_id;

-- name: ListRuleRows :many
-- A part of a household's transactions in the order of their keys, for rules to look at.
SELECT sqlc.embed(t), CAST(coalesce((SELECT group_concat(x.tag_id) FROM transaction_tags x WHERE x.transaction_id = t.id), '') AS TEXT) AS tag_keys
FROM transactions t NOT INDEXED
WHERE t.household_id = @household_id AND t.id > @after_key AND t.id <= @last_key
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
ORDER BY t.id LIMIT CAST(@count AS INTEGER);

-- name: ListImportWishes :many
-- The rows of an import that a rule calls one side of a transfer.
SELECT n.transaction_id, n.rule_id FROM transactions t INDEXED BY transactions_by_import
CROSS JOIN transaction_rules n ON n.transaction_id = t.id AND n.field = 'transfer'
WHERE t.import_id = @import_id AND t.household_id = @household_id;

-- name: NoteImportChange :exec
-- Notes that an import has made or changed something, from the last entry of its history: before the first time, after
-- the last.
INSERT INTO import_changes (import_id, entity, entity_id, before, after)
SELECT i.id, CAST(@entity AS TEXT), c.entity_id, c.before, c.after FROM imports i JOIN changes c ON c.household_id = i.household_id
WHERE i.id = @import_id AND i.household_id = @household_id AND c.entity_id = @entity_id
ORDER BY c.id DESC LIMIT 1
ON CONFLICT (import_id, entity, entity_id) DO UPDATE SET after = excluded.after;

-- name: ListImportRules :many
-- The rules that an import has made or replaced and that are still there.
SELECT sqlc.embed(r), x.before, x.after FROM import_changes x JOIN rules r ON r.public_id = x.entity_id
WHERE x.import_id = @import_id AND x.entity = 'rule' AND r.household_id = @household_id;

-- name: ForgetImportRule :exec
-- Drops the note of a rule that is as it was before the import.
DELETE FROM import_changes WHERE import_changes.import_id = @import_id AND import_changes.entity = 'rule' AND import_changes.entity_id = @entity_id
    AND import_changes.import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);
