-- name: GetLastValuation :one
-- The newest valuation of an account on or before a day; one without a date is not among them.
SELECT v.* FROM valuations v
WHERE v.account_id = @account_id AND v.household_id = @household_id
    AND v.date = (SELECT max(x.date) FROM valuations x WHERE x.account_id = @account_id AND x.date <= CAST(@day AS INTEGER));

-- name: SumDaysOfAccount :one
-- What was booked in an account after a day, up to another: the sum of what is in its own currency, and how
-- many entries there are in all: a split transaction is one, and counted by its parts in the days.
-- The sum is upper * 2^32 + lower.
SELECT CAST(coalesce(sum(iif(d.other_currency = 0, d.amount >> 32, 0)), 0) AS INTEGER) AS upper,
    CAST(coalesce(sum(iif(d.other_currency = 0, d.amount & 4294967295, 0)), 0) AS INTEGER) AS lower,
    CAST(coalesce(sum(d.transactions + d.trades), 0) - (SELECT count(*) FROM transaction_lines l CROSS JOIN transactions t ON t.id = l.transaction_id
        WHERE l.position > 1 AND l.transaction_id >= CAST(@first_key AS INTEGER) AND l.transaction_id <= CAST(@last_key AS INTEGER)
            AND t.account_id = @account_id AND l.household_id = @household_id
            AND ((l.transaction_id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
                OR (l.transaction_id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))) AS INTEGER) AS entries
FROM account_days d
WHERE d.account_id = @account_id AND d.household_id = @household_id AND d.date > CAST(@after AS INTEGER) AND d.date <= CAST(@day AS INTEGER);

-- name: ListEntryKeys :many
-- The keys of a page of the entries of an account, in a range of keys (which is of one household), oldest
-- first. Rows that an import is still writing are left out.
SELECT t.id FROM transactions t
WHERE t.account_id = @account_id AND t.id >= @first_key AND t.id <= @last_key
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
UNION ALL
SELECT r.id FROM trades r
WHERE r.account_id = @account_id AND r.id >= @first_key AND r.id <= @last_key
ORDER BY 1 LIMIT CAST(@row_limit AS INTEGER) OFFSET CAST(@row_offset AS INTEGER);

-- name: ListEntryTransactions :many
-- The transactions among the entries with the keys in a JSON list, in no order.
SELECT t.id, t.public_id, t.amount, t.currency, t.name FROM json_each(CAST(@ids AS TEXT)) j CROSS JOIN transactions t ON t.id = j.value
WHERE t.household_id = @household_id;

-- name: ListEntryTrades :many
-- The trades among them.
SELECT r.id, r.public_id, r.amount, r.currency, r.name, r.kind, r.security_id, r.quantity, r.price
FROM json_each(CAST(@ids AS TEXT)) j CROSS JOIN trades r ON r.id = j.value
WHERE r.household_id = @household_id;

-- name: SumEntries :one
-- What the entries of an account in a currency come to in a range of keys, upper * 2^32 + lower.
SELECT CAST(coalesce((SELECT sum(t.amount >> 32) FROM transactions t
        WHERE t.account_id = @account_id AND t.currency = @currency AND t.id >= @first_key AND t.id <= @last_key
            AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)), 0)
    + coalesce((SELECT sum(r.amount >> 32) FROM trades r
        WHERE r.account_id = @account_id AND r.currency = @currency AND r.id >= @first_key AND r.id <= @last_key), 0) AS INTEGER) AS upper,
    CAST(coalesce((SELECT sum(t.amount & 4294967295) FROM transactions t
        WHERE t.account_id = @account_id AND t.currency = @currency AND t.id >= @first_key AND t.id <= @last_key
            AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)), 0)
    + coalesce((SELECT sum(r.amount & 4294967295) FROM trades r
        WHERE r.account_id = @account_id AND r.currency = @currency AND r.id >= @first_key AND r.id <= @last_key), 0) AS INTEGER) AS lower
FROM households h WHERE h.id = @household_id;

-- name: ListAccountSecurities :many
-- The securities that an account ever had.
SELECT s.id FROM securities s
WHERE s.household_id = @household_id
    AND EXISTS (SELECT 1 FROM positions p WHERE p.account_id = CAST(@account_id AS INTEGER) AND p.security_id = s.id);

-- name: ListLineTrades :many
-- The purchases and sales that an account made of a security in a range of keys, oldest first.
SELECT r.id, r.public_id, r.date, r.name, r.quantity, r.price, r.amount, r.currency FROM trades r
WHERE r.security_id = @security_id AND r.account_id = @account_id AND r.household_id = @household_id
    AND r.id >= @first_key AND r.id <= @last_key AND r.kind IN ('buy', 'sell')
ORDER BY r.id;

-- name: ListAccountStatements :many
-- The valuations of an account after a day, up to another, by day.
SELECT v.public_id, CAST(v.date AS INTEGER) AS day, v.amount FROM valuations v
WHERE v.account_id = @account_id AND v.household_id = @household_id AND v.date > CAST(@after AS INTEGER) AND v.date <= CAST(@day AS INTEGER)
ORDER BY v.date;
