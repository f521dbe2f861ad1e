-- name: GetMatchSide :one
-- A transaction as the matching of transfers sees it, when it takes part: its account is not disabled, no
-- import is still writing it, and no transfer that was confirmed has it.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t JOIN accounts a ON a.id = t.account_id JOIN households h ON h.id = t.household_id
WHERE t.id = @id AND t.household_id = @household_id AND t.amount <> 0 AND a.status <> 'disabled'
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)
    AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'confirmed');

-- name: ListTransferCandidates :many
-- The transactions of an amount on some days that a transaction may be joined with. The days are less than a span of the
-- index (id >> 34, 256 days), so they lie in one or two.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t INDEXED BY transactions_by_amount
WHERE t.household_id = @household_id AND t.id >> 34 IN (CAST(@first_key AS INTEGER) >> 34, CAST(@last_key AS INTEGER) >> 34)
    AND t.amount = @amount AND t.currency = @currency AND t.id >= CAST(@first_key AS INTEGER) AND t.id <= CAST(@last_key AS INTEGER)
    AND t.account_id <> @account_id
    AND t.account_id NOT IN (SELECT a.id FROM accounts a WHERE a.household_id = @household_id AND a.status = 'disabled')
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
    AND (t.transfer_id IS NULL OR EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'pending'))
    -- Not those that it was rejected with.
    AND NOT EXISTS (SELECT 1 FROM rejected_transfers r
        WHERE r.inflow_id = CASE WHEN t.amount > 0 THEN t.id ELSE CAST(@id AS INTEGER) END
            AND r.outflow_id = CASE WHEN t.amount > 0 THEN CAST(@id AS INTEGER) ELSE t.id END);

-- name: ListForeignInflows :many
-- The transactions in other currencies, on some days, that an outflow may be joined with.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t INDEXED BY transactions_of_income
WHERE t.household_id = @household_id AND t.amount > 0 AND t.id >= @first_key AND t.id <= @last_key AND t.currency <> @currency
    AND t.account_id <> @account_id
    AND t.account_id NOT IN (SELECT a.id FROM accounts a WHERE a.household_id = @household_id AND a.status = 'disabled')
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
    AND (t.transfer_id IS NULL OR EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'pending'))
    AND NOT EXISTS (SELECT 1 FROM rejected_transfers r WHERE r.inflow_id = t.id AND r.outflow_id = CAST(@id AS INTEGER))
LIMIT CAST(@count AS INTEGER);

-- name: ListForeignOutflows :many
-- The transactions in other currencies, on some days, that an inflow may be joined with.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t NOT INDEXED
WHERE t.household_id = @household_id AND t.amount < 0 AND t.id >= @first_key AND t.id <= @last_key AND t.currency <> @currency
    AND t.account_id <> @account_id
    AND t.account_id NOT IN (SELECT a.id FROM accounts a WHERE a.household_id = @household_id AND a.status = 'disabled')
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
    AND (t.transfer_id IS NULL OR EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'pending'))
    AND NOT EXISTS (SELECT 1 FROM rejected_transfers r WHERE r.inflow_id = CAST(@id AS INTEGER) AND r.outflow_id = t.id)
LIMIT CAST(@count AS INTEGER);

-- name: ListImportPairs :many
-- The pairs of opposite amounts, at most four days apart, of which an import has written a side, or both (own); the keys of
-- the inflows lie within the days of the import and four more on either side. 67108864 is a day in a key; w is the span of the
-- index of amounts that the first of the outflow's days is in, or the next one.
SELECT i.id AS inflow_id, i.account_id AS inflow_account_id, i.name AS inflow_name, CAST(coalesce(i.transfer_id, 0) AS INTEGER) AS inflow_transfer_id,
    o.id AS outflow_id, o.account_id AS outflow_account_id, o.name AS outflow_name, CAST(coalesce(o.transfer_id, 0) AS INTEGER) AS outflow_transfer_id,
    i.amount, i.currency, CAST(coalesce(i.import_id = o.import_id, 0) AS INTEGER) AS own
FROM households h
CROSS JOIN transactions i INDEXED BY transactions_of_income ON i.household_id = h.id
CROSS JOIN (SELECT 0 AS later UNION ALL SELECT 1) w
CROSS JOIN transactions o INDEXED BY transactions_by_amount ON o.household_id = i.household_id AND o.id >> 34 = ((i.id / 67108864 - 4) >> 8) + w.later
    AND o.amount = -i.amount AND o.currency = i.currency
    AND o.id >= (i.id / 67108864 - 4) * 67108864 AND o.id < (i.id / 67108864 + 5) * 67108864
CROSS JOIN accounts a ON a.id = i.account_id CROSS JOIN accounts b ON b.id = o.account_id
WHERE h.id = @household_id AND i.amount > 0 AND i.id >= @first_key AND i.id <= @last_key
    AND o.account_id <> i.account_id AND (i.import_id = @import_id OR o.import_id = @import_id)
    AND a.status <> 'disabled' AND b.status <> 'disabled'
    AND ((i.id & 67108863) < h.hidden_from OR (i.id & 67108863) > h.hidden_to)
    AND ((o.id & 67108863) < h.hidden_from OR (o.id & 67108863) > h.hidden_to)
    AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = i.transfer_id AND f.status = 'confirmed')
    AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = o.transfer_id AND f.status = 'confirmed')
    AND NOT EXISTS (SELECT 1 FROM rejected_transfers r WHERE r.inflow_id = i.id AND r.outflow_id = o.id);

-- name: ListPairsOf :many
-- The pairs of opposite amounts, at most four days apart, that some transactions, given as a JSON list of keys, can be a
-- side of; those with two of them come twice. 67108864 is a day in a key; w is as in ListImportPairs.
SELECT s.id, s.account_id, s.amount, s.currency, s.name, CAST(coalesce(s.transfer_id, 0) AS INTEGER) AS transfer_id,
    t.id AS other_id, t.account_id AS other_account_id, t.name AS other_name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS other_transfer_id
FROM households h CROSS JOIN json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN transactions s ON s.id = k.value AND s.household_id = h.id
CROSS JOIN (SELECT 0 AS later UNION ALL SELECT 1) w
CROSS JOIN transactions t INDEXED BY transactions_by_amount ON t.household_id = s.household_id AND t.id >> 34 = ((s.id / 67108864 - 4) >> 8) + w.later
    AND t.amount = -s.amount AND t.currency = s.currency
    AND t.id >= (s.id / 67108864 - 4) * 67108864 AND t.id < (s.id / 67108864 + 5) * 67108864
CROSS JOIN accounts a ON a.id = s.account_id CROSS JOIN accounts b ON b.id = t.account_id
WHERE h.id = @household_id AND s.amount <> 0 AND t.account_id <> s.account_id
    AND a.status <> 'disabled' AND b.status <> 'disabled'
    AND ((s.id & 67108863) < h.hidden_from OR (s.id & 67108863) > h.hidden_to)
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)
    AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = s.transfer_id AND f.status = 'confirmed')
    AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'confirmed')
    AND NOT EXISTS (SELECT 1 FROM rejected_transfers r
        WHERE r.inflow_id = CASE WHEN s.amount > 0 THEN s.id ELSE t.id END AND r.outflow_id = CASE WHEN s.amount > 0 THEN t.id ELSE s.id END)
LIMIT CAST(@count AS INTEGER);

-- name: ListNamedSides :many
-- Transactions, given as a JSON list of keys, that an imported file names as sides of transfers; those that a confirmed
-- transfer has are left out.
SELECT t.id, t.account_id, t.amount, t.currency, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id, CAST(coalesce(t.import_id, 0) AS INTEGER) AS import_id
FROM json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN transactions t ON t.id = k.value
WHERE t.household_id = @household_id AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'confirmed');

-- name: ListImportKeys :many
-- The transactions that an import has written, in the order of its rows.
SELECT id FROM transactions WHERE import_id = @import_id AND household_id = @household_id ORDER BY import_row;

-- name: InsertTransfer :execlastid
-- A new transfer, whose sides are said by SetTransfers.
INSERT INTO transfers (public_id, household_id, status, reason, notes, created_at, updated_at)
VALUES (@public_id, @household_id, @status, @reason, @notes, @created_at, @updated_at);

-- name: FreeSides :exec
-- Makes the sides of a transfer ordinary transactions again.
UPDATE transactions SET transfer_id = NULL, updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE transfer_id = @transfer_id AND household_id = @household_id;

-- name: UpdateTransfer :exec
-- Writes what can change of a transfer.
UPDATE transfers SET status = @status, reason = @reason, notes = @notes, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteTransfer :exec
-- Undoes a transfer; its sides are ordinary transactions again.
DELETE FROM transfers WHERE id = @id AND household_id = @household_id;

-- name: GetTransfer :one
-- One transfer by the id that clients know, with its sides.
SELECT sqlc.embed(f), sqlc.embed(i), sqlc.embed(o)
FROM transfers f CROSS JOIN transactions i ON i.transfer_id = f.id CROSS JOIN transactions o ON o.transfer_id = f.id
WHERE f.public_id = @public_id AND f.household_id = @household_id AND i.amount > 0 AND o.amount < 0;

-- name: GetTransferByKey :one
-- The same by its key.
SELECT sqlc.embed(f), sqlc.embed(i), sqlc.embed(o)
FROM transfers f CROSS JOIN transactions i ON i.transfer_id = f.id CROSS JOIN transactions o ON o.transfer_id = f.id
WHERE f.id = @id AND f.household_id = @household_id AND i.amount > 0 AND o.amount < 0;

-- name: ListTransfersByKey :many
-- The same of many, given as a JSON list of keys.
SELECT sqlc.embed(f), sqlc.embed(i), sqlc.embed(o)
FROM json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN transfers f ON f.id = k.value
CROSS JOIN transactions i ON i.transfer_id = f.id CROSS JOIN transactions o ON o.transfer_id = f.id
WHERE f.household_id = @household_id AND i.amount > 0 AND o.amount < 0;

-- name: GetTransferRow :one
-- A transfer without its sides, which may not fit any more.
SELECT * FROM transfers WHERE id = @id AND household_id = @household_id;

-- name: ListTransferSides :many
-- The transactions that a transfer joins, whatever their amounts.
SELECT t.* FROM transactions t WHERE t.transfer_id = @transfer_id AND t.household_id = @household_id;

-- name: ListTransfers :many
-- A page of transfers, newest created first.
SELECT sqlc.embed(f), sqlc.embed(i), sqlc.embed(o)
FROM transfers f CROSS JOIN transactions i ON i.transfer_id = f.id CROSS JOIN transactions o ON o.transfer_id = f.id
WHERE f.household_id = @household_id AND i.amount > 0 AND o.amount < 0
    -- Of one status.
    AND (f.status = sqlc.narg('status') OR sqlc.narg('status') IS NULL)
    -- With a side in one of some accounts (keys in a JSON list).
    AND (sqlc.narg('accounts') IS NULL OR i.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT)))
        OR o.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT))))
    -- With a side on one of some days.
    AND (i.date >= CAST(@first_day AS INTEGER) AND i.date <= CAST(@last_day AS INTEGER)
        OR o.date >= CAST(@first_day AS INTEGER) AND o.date <= CAST(@last_day AS INTEGER))
ORDER BY f.id DESC LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountTransfers :one
-- How many transfers the same filters match.
SELECT count(*)
FROM transfers f CROSS JOIN transactions i ON i.transfer_id = f.id CROSS JOIN transactions o ON o.transfer_id = f.id
WHERE f.household_id = @household_id AND i.amount > 0 AND o.amount < 0
    AND (f.status = sqlc.narg('status') OR sqlc.narg('status') IS NULL)
    AND (sqlc.narg('accounts') IS NULL OR i.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT)))
        OR o.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT))))
    AND (i.date >= CAST(@first_day AS INTEGER) AND i.date <= CAST(@last_day AS INTEGER)
        OR o.date >= CAST(@first_day AS INTEGER) AND o.date <= CAST(@last_day AS INTEGER));

-- name: InsertRejectedTransfer :exec
-- Two transactions were declared to be no transfer.
INSERT INTO rejected_transfers (inflow_id, outflow_id, public_id, household_id, created_at)
VALUES (@inflow_id, @outflow_id, @public_id, @household_id, @created_at);

-- name: DeleteRejectedTransfer :exec
-- Takes such a declaration back, if there is one.
DELETE FROM rejected_transfers WHERE inflow_id = @inflow_id AND outflow_id = @outflow_id AND household_id = @household_id;

-- name: GetRejectedTransfer :one
-- One rejected pair by the id that clients know.
SELECT sqlc.embed(r), sqlc.embed(i), sqlc.embed(o)
FROM rejected_transfers r CROSS JOIN transactions i ON i.id = r.inflow_id CROSS JOIN transactions o ON o.id = r.outflow_id
WHERE r.public_id = @public_id AND r.household_id = @household_id;

-- name: ListRejectedTransfers :many
-- A page of rejected pairs, newest first.
SELECT sqlc.embed(r), sqlc.embed(i), sqlc.embed(o)
FROM rejected_transfers r CROSS JOIN transactions i ON i.id = r.inflow_id CROSS JOIN transactions o ON o.id = r.outflow_id
WHERE r.household_id = @household_id
    -- With a side in one of some accounts (keys in a JSON list).
    AND (sqlc.narg('accounts') IS NULL OR i.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT)))
        OR o.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT))))
    -- With a side on one of some days.
    AND (i.date >= CAST(@first_day AS INTEGER) AND i.date <= CAST(@last_day AS INTEGER)
        OR o.date >= CAST(@first_day AS INTEGER) AND o.date <= CAST(@last_day AS INTEGER))
ORDER BY r.created_at DESC, r.public_id DESC LIMIT CAST(@count AS INTEGER) OFFSET CAST(@skip AS INTEGER);

-- name: CountRejectedTransfers :one
-- How many rejected pairs the same filters match.
SELECT count(*)
FROM rejected_transfers r CROSS JOIN transactions i ON i.id = r.inflow_id CROSS JOIN transactions o ON o.id = r.outflow_id
WHERE r.household_id = @household_id
    AND (sqlc.narg('accounts') IS NULL OR i.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT)))
        OR o.account_id IN (SELECT value FROM json_each(CAST(sqlc.narg('accounts') AS TEXT))))
    AND (i.date >= CAST(@first_day AS INTEGER) AND i.date <= CAST(@last_day AS INTEGER)
        OR o.date >= CAST(@first_day AS INTEGER) AND o.date <= CAST(@last_day AS INTEGER));
