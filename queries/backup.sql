-- name: ListBackupTransactions :many
-- The next transactions after a key, up to another, with the keys of their tags by commas. Rows that an import is
-- still writing are left out (see households).
SELECT t.id, t.public_id, t.account_id, t.amount, t.currency, t.name, t.notes, t.category_id, t.merchant_id, t.external_id, t.source,
    t.created_at, t.updated_at,
    CAST(coalesce((SELECT group_concat(x.tag_id) FROM transaction_tags x WHERE x.transaction_id = t.id), '') AS TEXT) AS tags,
    CAST(EXISTS (SELECT 1 FROM transaction_lines l WHERE l.transaction_id = t.id) AS INTEGER) AS is_split
FROM transactions t
WHERE t.id > @after AND t.id <= @last_key AND +t.household_id = @household_id
    AND ((t.id & 67108863) < CAST(@hidden_from AS INTEGER) OR (t.id & 67108863) > CAST(@hidden_to AS INTEGER))
ORDER BY t.id LIMIT CAST(@size AS INTEGER);

-- name: ListBackupTrades :many
-- The same of trades.
SELECT t.* FROM trades t
WHERE t.id > @after AND t.id <= @last_key AND +t.household_id = @household_id
    AND ((t.id & 67108863) < CAST(@hidden_from AS INTEGER) OR (t.id & 67108863) > CAST(@hidden_to AS INTEGER))
ORDER BY t.id LIMIT CAST(@size AS INTEGER);

-- name: ListBackupTransfers :many
-- The next transfers after a key, as they were made, with the ids of their sides.
SELECT f.id, f.public_id, f.status, f.reason, f.notes, f.created_at, f.updated_at, i.public_id AS inflow_id, o.public_id AS outflow_id
FROM transfers f
CROSS JOIN transactions i ON i.transfer_id = f.id AND i.amount > 0
CROSS JOIN transactions o ON o.transfer_id = f.id AND o.amount < 0
WHERE f.household_id = @household_id AND f.id > @after ORDER BY f.id LIMIT CAST(@size AS INTEGER);

-- name: ListBackupRejections :many
-- The rejected pairs of a household by the keys of their sides; those of its transactions lie in a range.
SELECT r.public_id, r.created_at, i.public_id AS inflow_id, o.public_id AS outflow_id
FROM rejected_transfers r CROSS JOIN transactions i ON i.id = r.inflow_id CROSS JOIN transactions o ON o.id = r.outflow_id
WHERE r.inflow_id >= @first_key AND r.inflow_id <= @last_key AND +r.household_id = @household_id
ORDER BY r.inflow_id, r.outflow_id;

-- name: ListBackupPrices :many
-- The market prices of a security by day.
SELECT date, price, currency, source FROM security_prices
WHERE security_id = @security_id AND household_id = @household_id ORDER BY date;

-- name: ListBackupSplits :many
-- The splits of a security by day.
SELECT * FROM security_splits WHERE security_id = @security_id AND household_id = @household_id ORDER BY date;

-- name: ListBackupValuations :many
-- The valuations of an account, in no order.
SELECT v.* FROM valuations v WHERE v.account_id = @account_id AND v.household_id = @household_id AND v.date IS NOT NULL
UNION ALL
SELECT f.* FROM valuations f WHERE f.account_id = @account_id AND f.household_id = @household_id AND f.kind = 'opening_anchor' AND f.date IS NULL;

-- name: ListBackupRules :many
-- The rules of a household in the order in which they run.
SELECT * FROM rules WHERE household_id = @household_id ORDER BY id;

-- name: GetImportSide :one
-- The transaction that a row of an import became, or that was there already.
SELECT t.* FROM transactions t
WHERE t.household_id = @household_id AND t.id = coalesce(
    (SELECT e.id FROM transactions e WHERE e.import_id = @import_id AND e.import_row = @import_row),
    (SELECT m.transaction_id FROM import_matches m WHERE m.import_id = @import_id AND m.row_number = @import_row));

-- name: CountImportRows :one
-- How many transactions and trades an import has written, and how many of its rows were there already.
SELECT CAST((SELECT count(*) FROM transactions t WHERE t.import_id = i.id) AS INTEGER) AS transactions,
    CAST((SELECT count(*) FROM trades t WHERE t.import_id = i.id) AS INTEGER) AS trades,
    CAST((SELECT count(*) FROM import_matches m WHERE m.import_id = i.id) AS INTEGER) AS matches
FROM imports i WHERE i.id = @import_id AND i.household_id = @household_id;

-- name: SumImportCreations :many
-- How many things of each kind an import has created.
SELECT x.entity, count(*) AS things FROM import_changes x JOIN imports i ON i.id = x.import_id
WHERE x.import_id = @import_id AND i.household_id = @household_id AND x.before IS NULL GROUP BY x.entity;

-- name: SumImportEntries :one
-- How many transactions and trades of an import are there.
SELECT (SELECT count(*) FROM transactions t WHERE t.import_id = @import_id AND t.household_id = @household_id) AS transactions,
    (SELECT count(*) FROM trades r WHERE r.import_id = @import_id AND r.household_id = @household_id) AS trades;

-- name: SetImportReport :exec
-- Keeps what was found of an import.
UPDATE imports SET report = @report WHERE id = @id AND household_id = @household_id;
