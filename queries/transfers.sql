-- name: GetMatchSide :one
-- A transaction as the matching of transfers sees it, when it takes part: its account is not disabled, no
-- import is still writing it, and no transfer that was confirmed has it.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t JOIN accounts a ON a.id = t.account_id JOIN households h ON h.id = t.household_id
WHERE t.id = @id AND t.household_id = @household_id AND t.amount <> 0 AND a.status <> 'disabled'
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)
    AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'confirmed');

-- name: ListTransferCandidates :many
-- The first transactions of an amount on some days, in one account or, when that is 0, in all, that a transaction may be joined
-- with. The days are less than a span of the
-- index (id >> 34, 256 days), so they lie in one or two.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t INDEXED BY transactions_by_amount
WHERE t.household_id = @household_id AND t.id >> 34 IN (CAST(@first_key AS INTEGER) >> 34, CAST(@last_key AS INTEGER) >> 34)
    AND t.amount = @amount AND t.currency = @currency AND t.id >= CAST(@first_key AS INTEGER) AND t.id <= CAST(@last_key AS INTEGER)
    AND t.account_id <> @account_id AND (t.account_id = @other_account_id OR @other_account_id = 0)
    AND t.account_id NOT IN (SELECT a.id FROM accounts a WHERE a.household_id = @household_id AND a.status = 'disabled')
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
    AND (t.transfer_id IS NULL OR EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'pending'))
    -- Not those that it was rejected with.
    AND NOT EXISTS (SELECT 1 FROM rejected_transfers r
        WHERE r.inflow_id = CASE WHEN t.amount > 0 THEN t.id ELSE CAST(@id AS INTEGER) END
            AND r.outflow_id = CASE WHEN t.amount > 0 THEN CAST(@id AS INTEGER) ELSE t.id END)
LIMIT CAST(@count AS INTEGER);

-- name: ListForeignPaired :many
-- Those of them that were matched automatically with a transaction in another currency.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t INDEXED BY transactions_by_amount
WHERE t.household_id = @household_id AND t.id >> 34 IN (CAST(@first_key AS INTEGER) >> 34, CAST(@last_key AS INTEGER) >> 34)
    AND t.amount = @amount AND t.currency = @currency AND t.id >= CAST(@first_key AS INTEGER) AND t.id <= CAST(@last_key AS INTEGER)
    AND t.account_id <> @account_id
    AND EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'pending')
    AND EXISTS (SELECT 1 FROM transactions o WHERE o.transfer_id = t.transfer_id AND o.id <> t.id AND o.currency <> t.currency)
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

-- name: ListMatchCandidates :many
-- The transactions of an amount on some days that may be sides of transfers: of accounts that are not disabled, seen, in no
-- transfer that was confirmed. own says which of them an import has written, is_rejected which of them are of a rejected pair.
-- The days are less than a span of the index (id >> 34, 256 days), so they lie in one or two.
SELECT t.id, t.account_id, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id,
    CAST(coalesce(t.import_id = @import_id, 0) AS INTEGER) AS own,
    CAST(EXISTS (SELECT 1 FROM rejected_transfers r WHERE r.inflow_id = t.id)
        OR EXISTS (SELECT 1 FROM rejected_transfers s WHERE s.outflow_id = t.id) AS INTEGER) AS is_rejected
FROM transactions t INDEXED BY transactions_by_amount
WHERE t.household_id = @household_id AND t.id >> 34 IN (CAST(@first_key AS INTEGER) >> 34, CAST(@last_key AS INTEGER) >> 34)
    AND t.amount = @amount AND t.currency = @currency AND t.id >= CAST(@first_key AS INTEGER) AND t.id <= CAST(@last_key AS INTEGER)
    AND t.account_id NOT IN (SELECT a.id FROM accounts a WHERE a.household_id = @household_id AND a.status = 'disabled')
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
    AND (t.transfer_id IS NULL OR EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'pending'));

-- name: IsRejectedPair :one
-- Whether two transactions were declared to be no transfer.
SELECT CAST(EXISTS (SELECT 1 FROM rejected_transfers WHERE inflow_id = @inflow_id AND outflow_id = @outflow_id AND household_id = @household_id) AS INTEGER);

-- name: IsRejectedSide :one
-- Whether a transaction is one of two that were declared to be no transfer.
SELECT CAST(EXISTS (SELECT 1 FROM rejected_transfers r WHERE r.inflow_id = @id AND r.household_id = @household_id)
    OR EXISTS (SELECT 1 FROM rejected_transfers s WHERE s.outflow_id = @id AND s.household_id = @household_id) AS INTEGER);

-- name: ListKeysWithOpposite :many
-- Those of some transactions, given as a JSON list of keys, whose amount went the other way at most four days before or
-- after, in whatever account: no others can be sides of transfers in one currency. 67108864 is a day in a key, 8 of them above
-- the sequence are 256 days.
SELECT s.id
FROM json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN transactions s ON s.id = k.value
WHERE s.household_id = @household_id AND s.amount <> 0
    AND EXISTS (SELECT 1 FROM transactions t INDEXED BY transactions_by_amount WHERE t.household_id = s.household_id
        AND t.id >> 34 IN ((s.id / 67108864 - 4) >> 8, (s.id / 67108864 + 4) >> 8) AND t.amount = -s.amount AND t.currency = s.currency
        AND t.id >= (s.id / 67108864 - 4) * 67108864 AND t.id < (s.id / 67108864 + 5) * 67108864);

-- name: ListOppositeDays :many
-- The days in a range on which an amount came in that went out at most four days before or after, each with one of the incomes.
-- Transfers in one currency lie around them.
SELECT i.amount, i.currency, CAST(min(i.id) AS INTEGER) AS id
FROM transactions i INDEXED BY transactions_of_income
WHERE i.household_id = @household_id AND i.amount > 0 AND i.id >= @first_key AND i.id <= @last_key
    AND EXISTS (SELECT 1 FROM transactions o INDEXED BY transactions_by_amount WHERE o.household_id = i.household_id
        AND o.id >> 34 IN ((i.id / 67108864 - 4) >> 8, (i.id / 67108864 + 4) >> 8) AND o.amount = -i.amount AND o.currency = i.currency
        AND o.id >= (i.id / 67108864 - 4) * 67108864 AND o.id < (i.id / 67108864 + 5) * 67108864)
GROUP BY i.amount, i.currency, i.id >> 26
ORDER BY i.amount, i.currency, i.id >> 26;

-- name: ListNamedSides :many
-- Transactions, given as a JSON list of keys, that an imported file names as sides of transfers; those that a confirmed
-- transfer has are left out.
SELECT t.id, t.account_id, t.amount, t.currency, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id, CAST(coalesce(t.import_id, 0) AS INTEGER) AS import_id
FROM json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN transactions t ON t.id = k.value
WHERE t.household_id = @household_id AND NOT EXISTS (SELECT 1 FROM transfers f WHERE f.id = t.transfer_id AND f.status = 'confirmed');

-- name: ListImportSides :many
-- The transactions that an import has written, as the matching of transfers sees them.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, CAST(coalesce(t.transfer_id, 0) AS INTEGER) AS transfer_id
FROM transactions t
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.amount <> 0;

-- name: InsertTransfer :execlastid
-- A new transfer, whose sides are said by SetTransfers.
INSERT INTO transfers (public_id, household_id, status, reason, notes, created_at, updated_at)
VALUES (@public_id, @household_id, @status, @reason, @notes, @created_at, @updated_at);

-- name: FreeSides :exec
-- Makes the sides of a transfer ordinary transactions again. The household is asked of the key, lest an index of all the sides
-- that it has be walked.
UPDATE transactions SET transfer_id = NULL, updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE transfer_id = @transfer_id AND id >> 43 = CAST(@household_id AS INTEGER);

-- name: FreeSidesByKey :exec
-- Makes transactions, given as a JSON list of keys, that are sides of transfers ordinary ones again. The household is asked of
-- the key, lest an index of all that the household has be walked.
UPDATE transactions SET transfer_id = NULL, updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND id >> 43 = CAST(@household_id AS INTEGER);

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
SELECT t.* FROM transactions t INDEXED BY transactions_by_transfer WHERE t.transfer_id = @transfer_id AND t.household_id = @household_id;

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

-- name: CountAllTransfers :one
-- How many transfers a household has, of one status or of both. Each has its two sides.
SELECT count(*) FROM transfers WHERE household_id = @household_id AND (status = sqlc.narg('status') OR sqlc.narg('status') IS NULL);

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

-- name: ListRejectionsOf :many
-- The rejected pairs of transactions, a JSON list of keys, with the ids of both.
SELECT sqlc.embed(r), i.public_id AS inflow_public_id, o.public_id AS outflow_public_id
FROM rejected_transfers r CROSS JOIN transactions i ON i.id = r.inflow_id CROSS JOIN transactions o ON o.id = r.outflow_id
WHERE r.household_id = @household_id AND (r.inflow_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT)))
    OR r.outflow_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))));
