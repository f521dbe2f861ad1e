-- name: PackTags :one
-- The tags of the transactions of a range: a text of "transaction tag+tag" by comma. Asking for those of each transaction
-- takes four times as long as this.
SELECT CAST(coalesce(group_concat(o.tags), '') AS TEXT) AS packed FROM (
    SELECT x.transaction_id || ' ' || group_concat(x.tag_id, '+') AS tags FROM transaction_tags x
    WHERE x.transaction_id >= @first_key AND x.transaction_id <= @last_key AND x.transaction_id >> 43 = CAST(@household_id AS INTEGER)
    GROUP BY x.transaction_id
) o;

-- name: ListIncomeTrades :many
-- What trades brought in and cost besides purchases and sales.
SELECT t.date, t.amount, t.currency, t.account_id, CAST(coalesce(t.category_id, 0) AS INTEGER) AS category_id FROM trades t INDEXED BY trades_of_income
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key AND t.kind IN ('dividend', 'interest', 'fee')
    AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a))
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id));

-- name: CountTransfersLeftOut :one
-- How many transfers have a side in some accounts in a range.
SELECT count(DISTINCT t.transfer_id) FROM transactions t INDEXED BY transactions_of_transfers
WHERE t.transfer_id > 0 AND t.id >= @first_key AND t.id <= @last_key AND t.household_id = @household_id
    AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a));

-- name: ListTransferFees :many
-- What of transfers in one currency left in a range and did not arrive. Most come to nothing within the range, which their
-- index tells without a look at the rows.
SELECT o.date, CAST(o.amount + i.amount AS INTEGER) AS amount, o.currency, o.account_id,
    CAST(coalesce(o.category_id, 0) AS INTEGER) AS category_id, CAST(coalesce(o.merchant_id, 0) AS INTEGER) AS merchant_id,
    CAST(coalesce((SELECT group_concat(x.tag_id, '+') FROM transaction_tags x WHERE x.transaction_id = o.id), '') AS TEXT) AS tags
FROM (
    SELECT t.transfer_id FROM transactions t INDEXED BY transactions_of_transfers
    WHERE t.transfer_id > 0 AND t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key
    GROUP BY t.transfer_id HAVING sum(t.amount) <> 0
) f
CROSS JOIN transactions o INDEXED BY transactions_by_transfer ON o.transfer_id = f.transfer_id
CROSS JOIN transactions i INDEXED BY transactions_by_transfer ON i.transfer_id = f.transfer_id
WHERE o.transfer_id > 0 AND i.transfer_id > 0 AND o.id >= @first_key AND o.id <= @last_key AND o.household_id = @household_id
    AND o.amount < 0 AND i.amount > 0 AND i.currency = o.currency AND o.amount + i.amount < 0
    AND (CAST(@accounts AS TEXT) = 'null' OR o.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a));

-- name: GetFirstBooked :one
-- The first transaction in a range of keys: before it nothing needs to be read.
SELECT t.id FROM transactions t NOT INDEXED WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key ORDER BY t.id LIMIT 1;

-- name: GetLastBooked :one
-- The last transaction in a range of keys.
SELECT t.id FROM transactions t NOT INDEXED WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key ORDER BY t.id DESC LIMIT 1;

-- name: CountTagged :one
-- How many transactions of a range have some tags, up to a number that is many: each is one seek for the row when it is added up by itself.
SELECT count(*) FROM (
    SELECT 1 FROM transaction_tags x WHERE x.tag_id IN (SELECT value FROM json_each(CAST(@tags AS TEXT)))
        AND x.transaction_id >= @first_key AND x.transaction_id <= @last_key AND x.transaction_id >> 43 = CAST(@household_id AS INTEGER)
    LIMIT CAST(@many AS INTEGER)
);
