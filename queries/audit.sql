-- name: AuditAccounts :many
-- The accounts of a household, with how many transactions each says to have.
SELECT id, name, account_type, currency, transaction_count FROM accounts WHERE household_id = @household_id ORDER BY id;

-- name: AuditDays :many
-- The rollups of days in a range of them.
SELECT account_id, date, currency, amount, transactions, incomes, trades, other_currency FROM account_days
WHERE household_id = @household_id AND date >= @first_day AND date <= @last_day;

-- name: AuditMonths :many
-- The rollups of months that are not what their days come to; a sum is upper * 2^32 + lower.
SELECT CAST(x.account_id AS INTEGER) AS account_id, CAST(x.month AS INTEGER) AS month,
    CAST(sum(x.kept_upper) AS INTEGER) AS kept_upper, CAST(sum(x.kept_lower) AS INTEGER) AS kept_lower,
    CAST(sum(x.kept_days) AS INTEGER) AS kept_days,
    CAST(sum(x.counted_upper) AS INTEGER) AS counted_upper, CAST(sum(x.counted_lower) AS INTEGER) AS counted_lower,
    CAST(sum(x.counted_days) AS INTEGER) AS counted_days
FROM (
    SELECT m.account_id, m.month, m.upper AS kept_upper, m.lower AS kept_lower, m.days AS kept_days, 0 AS counted_upper, 0 AS counted_lower, 0 AS counted_days
    FROM account_months m WHERE m.household_id = @household_id
    UNION ALL
    SELECT d.account_id, CAST(strftime('%Y%m', d.date * 86400, 'unixepoch') AS INTEGER), 0, 0, 0, d.amount >> 32, d.amount & 4294967295, 1
    FROM account_days d WHERE d.household_id = @household_id AND d.other_currency = 0
) AS x
GROUP BY x.account_id, x.month
HAVING sum(x.kept_upper) <> sum(x.counted_upper) OR sum(x.kept_lower) <> sum(x.counted_lower) OR sum(x.kept_days) <> sum(x.counted_days);

-- name: AuditBands :many
-- The rollups of bands of amounts.
SELECT currency, band, transactions FROM amount_bands WHERE household_id = @household_id;

-- name: AuditTransfers :many
-- The transfers that are not money out of one account and into another one.
SELECT f.id, CAST(count(t.id) AS INTEGER) AS sides, CAST(count(DISTINCT t.account_id) AS INTEGER) AS accounts,
    CAST(coalesce(sum(t.amount > 0), 0) AS INTEGER) AS inflows, CAST(coalesce(sum(t.amount < 0), 0) AS INTEGER) AS outflows,
    CAST(coalesce(min(t.date), 0) AS INTEGER) AS first_day
FROM transfers f LEFT JOIN transactions t ON t.transfer_id = f.id
WHERE f.household_id = @household_id
GROUP BY f.id HAVING count(t.id) <> 2 OR count(DISTINCT t.account_id) <> 2 OR sum(t.amount > 0) <> 1 OR sum(t.amount < 0) <> 1;

-- name: AuditRejections :many
-- The pairs that were declared no transfer and are one all the same.
SELECT r.inflow_id, i.account_id, i.date FROM rejected_transfers r
CROSS JOIN transactions i NOT INDEXED ON i.id = r.inflow_id CROSS JOIN transactions o NOT INDEXED ON o.id = r.outflow_id
WHERE r.household_id = @household_id AND i.transfer_id = o.transfer_id;

-- name: AuditLines :many
-- The split transactions whose lines do not add up, are fewer than two, or stand beside a category. What the lines come to
-- is upper * 2^32 + lower.
SELECT l.transaction_id, t.account_id, t.date, t.amount, t.currency, CAST(t.category_id IS NOT NULL AS INTEGER) AS categories,
    CAST(sum(l.amount >> 32) AS INTEGER) AS upper, CAST(sum(l.amount & 4294967295) AS INTEGER) AS lower, CAST(count(*) AS INTEGER) AS lines
FROM transaction_lines l JOIN transactions t ON t.id = l.transaction_id
WHERE l.household_id = @household_id AND l.transaction_id >= @first_key AND l.transaction_id <= @last_key
GROUP BY l.transaction_id HAVING sum(l.amount >> 32) + (sum(l.amount & 4294967295) >> 32) <> t.amount >> 32
    OR sum(l.amount & 4294967295) & 4294967295 <> t.amount & 4294967295 OR count(*) < 2 OR t.category_id IS NOT NULL;

-- name: AuditCategories :many
-- The sub-categories that have sub-categories' parents or are of another classification than their parent.
SELECT c.name, p.name AS parent, CAST(p.parent_id IS NOT NULL AS INTEGER) AS too_deep, c.classification, p.classification AS parent_classification
FROM categories c JOIN categories p ON p.id = c.parent_id
WHERE c.household_id = @household_id AND (p.parent_id IS NOT NULL OR p.classification <> c.classification)
ORDER BY c.name_key;

-- name: AuditHidden :one
-- Creation numbers that are hidden though no import works on rows with them.
SELECT CAST(count(*) AS INTEGER) AS hidden FROM households h
WHERE h.id = @household_id AND h.hidden_to >= h.hidden_from AND NOT EXISTS (SELECT 1 FROM imports i
    WHERE i.household_id = h.id AND i.status IN ('importing', 'reverting')
        AND i.first_sequence <= h.hidden_from AND i.last_sequence >= h.hidden_to);

-- name: AuditImports :many
-- Imports that rest and hold on to what only work on them has.
SELECT id, status FROM imports
WHERE household_id = @household_id AND status NOT IN ('receiving', 'importing', 'reverting') AND (first_sequence IS NOT NULL OR last_sequence IS NOT NULL);

-- name: AuditMissingTexts :many
-- The transactions between two keys that a search does not find; hidden ones may be missing. To be asked of a few
-- thousand at a time.
SELECT t.id FROM transactions t NOT INDEXED
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key
    AND ((t.id & 67108863) < CAST(@hidden_from AS INTEGER) OR (t.id & 67108863) > CAST(@hidden_to AS INTEGER))
EXCEPT SELECT s.rowid FROM transactions_fts s WHERE s.rowid >= CAST(@first_key AS INTEGER) AND s.rowid <= CAST(@last_key AS INTEGER);

-- name: AuditStrangeTexts :many
-- What a search finds between two keys that is no transaction. To be asked of a few thousand at a time.
SELECT CAST(s.rowid AS INTEGER) AS id FROM transactions_fts s WHERE s.rowid >= CAST(@first_key AS INTEGER) AND s.rowid <= CAST(@last_key AS INTEGER)
EXCEPT SELECT t.id FROM transactions t NOT INDEXED
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key;

-- name: AuditKeys :many
-- Entries whose household is not the one in their key.
SELECT t.id, t.account_id, t.date FROM transactions t
WHERE t.household_id = @household_id AND (t.id < @first_key OR t.id > @last_key)
UNION ALL
SELECT d.id, d.account_id, d.date FROM trades d
WHERE d.household_id = @household_id AND (d.id < @first_key OR d.id > @last_key);

-- name: AuditValuations :many
-- The valuations of a household.
SELECT v.account_id, CAST(coalesce(v.date, 0) AS INTEGER) AS day FROM valuations v WHERE v.household_id = @household_id;

-- name: AuditCurrencies :many
-- The currencies of a household's accounts and market prices.
SELECT a.currency FROM accounts a WHERE a.household_id = @household_id
UNION SELECT p.currency FROM security_prices p WHERE p.household_id = @household_id;

-- name: AuditValueKeys :many
-- The accounts and currencies in which holdings have a value.
SELECT DISTINCT account_id, currency FROM holding_values WHERE household_id = @household_id ORDER BY account_id, currency;

-- name: AuditNextKey :one
-- The first key between two of a transaction or of what a search finds; the largest number when there is none.
SELECT CAST(min(
    coalesce((SELECT min(t.id) FROM transactions t NOT INDEXED WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key), 9223372036854775807),
    coalesce((SELECT s.rowid FROM transactions_fts s WHERE s.rowid >= CAST(@first_key AS INTEGER) AND s.rowid <= CAST(@last_key AS INTEGER) ORDER BY s.rowid LIMIT 1), 9223372036854775807)
) AS INTEGER) AS next_key;
