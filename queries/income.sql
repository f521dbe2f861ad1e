-- name: PackIncome :many
-- What was booked in some accounts on each day of a range, transfers left out: the day and a text of "amount,
-- currency, key of the category or 0" without anything between the three, by comma. Sorting the rows into groups
-- takes five times as long as this. 67108864 is a day in a key; days are counted as keys count them.
WITH RECURSIVE days (day) AS (
    SELECT CAST(@first_key AS INTEGER) / 67108864
    UNION ALL SELECT day + 1 FROM days WHERE day < CAST(@last_key AS INTEGER) / 67108864
)
SELECT CAST(d.day AS INTEGER) AS day, CAST(coalesce((
        SELECT group_concat(t.amount || t.currency || coalesce(t.category_id, 0)) FROM transactions t NOT INDEXED
        WHERE t.id >= d.day * 67108864 AND t.id < (d.day + 1) * 67108864 AND t.household_id = @household_id AND t.transfer_id IS NULL
            -- Of accounts in a JSON list of keys, or of all when it is null.
            AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a))
            -- Mostly no import is writing, and one look is enough for all rows.
            AND ((SELECT h.hidden_to FROM households h WHERE h.id = @household_id) < 0
                OR (t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
                OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
    ), '') AS TEXT) AS packed
FROM days d;

-- name: ListIncomeTrades :many
-- What trades brought in and cost besides purchases and sales.
SELECT t.date, t.amount, t.currency, t.account_id, CAST(coalesce(t.category_id, 0) AS INTEGER) AS category_id FROM trades t
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key AND t.kind IN ('dividend', 'interest', 'fee')
    AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a))
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id));

-- name: CountTransfersLeftOut :one
-- How many transfers have a side in some accounts in a range.
SELECT count(DISTINCT t.transfer_id) FROM transactions t INDEXED BY transactions_by_transfer
WHERE t.transfer_id > 0 AND t.id >= @first_key AND t.id <= @last_key AND t.household_id = @household_id
    AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a));

-- name: ListTransferFees :many
-- What of transfers in one currency left in a range and did not arrive.
SELECT o.date, CAST(o.amount + i.amount AS INTEGER) AS amount, o.currency, o.account_id,
    CAST(coalesce(o.category_id, 0) AS INTEGER) AS category_id, CAST(coalesce(o.merchant_id, 0) AS INTEGER) AS merchant_id,
    CAST(coalesce((SELECT group_concat(x.tag_id, '+') FROM transaction_tags x WHERE x.transaction_id = o.id), '') AS TEXT) AS tags
FROM transactions o INDEXED BY transactions_by_transfer
CROSS JOIN transactions i INDEXED BY transactions_by_transfer ON i.transfer_id = o.transfer_id
WHERE o.transfer_id > 0 AND o.id >= @first_key AND o.id <= @last_key AND o.household_id = @household_id
    AND o.amount < 0 AND i.amount > 0 AND i.currency = o.currency AND o.amount + i.amount < 0
    AND (CAST(@accounts AS TEXT) = 'null' OR o.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a));

-- name: GetFirstBooked :one
-- The first transaction in a range of keys: before it nothing needs to be read.
SELECT t.id FROM transactions t NOT INDEXED WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key ORDER BY t.id LIMIT 1;

-- name: GetLastBooked :one
-- The last transaction in a range of keys.
SELECT t.id FROM transactions t NOT INDEXED WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key ORDER BY t.id DESC LIMIT 1;
