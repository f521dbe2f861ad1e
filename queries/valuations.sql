-- name: InsertValuation :execlastid
-- A new valuation, or one that comes back under its key; without a date it is an opening balance that lies before the
-- first entry.
INSERT INTO valuations (id, public_id, household_id, account_id, date, amount, kind, notes, import_id, created_at, updated_at, stated)
VALUES (sqlc.narg('id'), @public_id, @household_id, @account_id, @date, @amount, @kind, @notes, @import_id, @created_at, @updated_at, @stated);

-- name: GetUnstatedOpening :one
-- The opening balance of an account in which nothing is booked, if nobody has said what it is.
SELECT v.* FROM valuations v JOIN accounts a ON a.id = v.account_id
WHERE v.account_id = @account_id AND v.household_id = @household_id AND v.kind = 'opening_anchor' AND v.date IS NULL AND v.amount = 0 AND v.stated = 0
    AND a.transaction_count = 0 AND NOT EXISTS (SELECT 1 FROM trades t WHERE t.account_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM valuations w WHERE w.account_id = a.id AND w.id <> v.id);

-- name: ListImportOpenings :many
-- The opening balances that an import has set in accounts that were there before, and what they were.
SELECT sqlc.embed(v), CAST(x.before AS TEXT) AS was, CAST(x.after AS TEXT) AS became
FROM import_changes x JOIN valuations v ON v.public_id = x.entity_id
WHERE x.import_id = @import_id AND x.entity = 'valuation' AND x.before IS NOT NULL AND v.household_id = @household_id;

-- name: ForgetImportOpenings :exec
-- Drops the notes of them.
DELETE FROM import_changes WHERE import_id = @import_id AND entity = 'valuation' AND before IS NOT NULL
    AND import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);

-- name: ListAccountMoves :many
-- What moved in an account on each day of a range, in its own currency.
SELECT d.date, d.amount FROM account_days d JOIN accounts a ON a.id = d.account_id AND a.currency = d.currency
WHERE d.account_id = @account_id AND d.date >= @first_day AND d.date <= @last_day AND d.household_id = @household_id ORDER BY d.date;

-- name: GetOpening :one
-- The opening balance of an account.
SELECT * FROM valuations WHERE account_id = @account_id AND household_id = @household_id AND kind = 'opening_anchor';

-- name: UpdateValuation :exec
-- Writes what can change of a valuation.
UPDATE valuations SET date = @date, amount = @amount, notes = @notes, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: ListBalances :many
-- What the accounts of a household start from on a day, or one of them: the last valuation on or before it, and
-- the sum of all that was booked since in the account's own currency: the rest of the month of the valuation, whole
-- months, and the month of the day, which begins on month_start. An opening balance without a date lies before
-- everything. Each of the three sums is "upper lower", which stand for upper * 2^32 + lower: it may not fit into one number.
SELECT s.id, s.currency, s.since, s.amount, CAST(
    coalesce((SELECT sum(d.amount >> 32) || ' ' || sum(d.amount & 4294967295) FROM account_days d
        WHERE d.account_id = s.id AND d.date > s.since AND d.date < min(s.next_month, CAST(@month_start AS INTEGER)) AND d.other_currency = 0), '0 0') || ','
    || coalesce((SELECT sum(m.upper) || ' ' || sum(m.lower) FROM account_months m
        WHERE m.account_id = s.id AND m.month > s.month AND m.month < CAST(@month AS INTEGER)), '0 0') || ','
    || coalesce((SELECT sum(d.amount >> 32) || ' ' || sum(d.amount & 4294967295) FROM account_days d
        WHERE d.account_id = s.id AND d.date > max(s.since, CAST(@month_start AS INTEGER) - 1) AND d.date <= CAST(@day AS INTEGER) AND d.other_currency = 0), '0 0')
    AS TEXT) AS booked
FROM (
    SELECT a.id, a.household_id, a.currency, CAST(coalesce(v.date, -1000000) AS INTEGER) AS since,
        CAST(coalesce(strftime('%Y%m', v.date * 86400, 'unixepoch'), 0) AS INTEGER) AS month,
        CAST(coalesce(strftime('%s', v.date * 86400, 'unixepoch', 'start of month', '+1 month') / 86400, -1000000) AS INTEGER) AS next_month,
        CAST(coalesce(v.amount, f.amount, 0) AS INTEGER) AS amount
    FROM accounts a
    LEFT JOIN valuations v ON v.account_id = a.id
        AND v.date = (SELECT max(x.date) FROM valuations x WHERE x.account_id = a.id AND x.date <= CAST(@day AS INTEGER))
    LEFT JOIN valuations f ON f.account_id = a.id AND f.kind = 'opening_anchor' AND f.date IS NULL
    WHERE a.household_id = @household_id
        -- One account, or all when it is 0.
        AND (a.id = CAST(@account_id AS INTEGER) OR CAST(@account_id AS INTEGER) = 0)
) AS s;

-- name: PackForeignDays :many
-- What was booked in other currencies than the account's, in accounts given as a JSON list of [account, day],
-- after that day and up to another; packed as "date amount" by commas. The currencies of an account are leapt
-- over one by one.
WITH RECURSIVE used (account_id, since, currency) AS (
    SELECT CAST(j.value ->> 0 AS INTEGER), CAST(j.value ->> 1 AS INTEGER), (SELECT min(d.currency) FROM account_days d
        WHERE d.account_id = CAST(j.value ->> 0 AS INTEGER) AND d.other_currency = 1 AND d.currency > '')
    FROM json_each(CAST(@accounts AS TEXT)) j
    UNION ALL
    SELECT x.account_id, x.since, (SELECT min(d.currency) FROM account_days d
        WHERE d.account_id = x.account_id AND d.other_currency = 1 AND d.currency > x.currency)
    FROM used x WHERE x.currency IS NOT NULL
)
SELECT a.id AS account_id, CAST(x.currency AS TEXT) AS currency, CAST(coalesce((SELECT group_concat(d.date || ' ' || d.amount) FROM account_days d
    WHERE d.account_id = x.account_id AND d.currency = x.currency AND d.other_currency = 1
        AND d.date > x.since AND d.date <= CAST(@last_day AS INTEGER)), '') AS TEXT) AS days
FROM used x CROSS JOIN accounts a ON a.id = x.account_id
WHERE a.household_id = @household_id AND x.currency IS NOT NULL;

-- name: ListHoldingLevels :many
-- What accounts hold at the end of a day, given as a JSON list of [account, day], by the currency of the prices.
-- The currencies of an account are leapt over one by one.
WITH RECURSIVE held (account_id, day, currency) AS (
    SELECT CAST(j.value ->> 0 AS INTEGER), CAST(j.value ->> 1 AS INTEGER),
        (SELECT min(h.currency) FROM holding_values h WHERE h.account_id = CAST(j.value ->> 0 AS INTEGER))
    FROM json_each(CAST(@accounts AS TEXT)) j
    UNION ALL
    SELECT x.account_id, x.day, (SELECT min(h.currency) FROM holding_values h WHERE h.account_id = x.account_id AND h.currency > x.currency)
    FROM held x WHERE x.currency IS NOT NULL
)
SELECT v.account_id, v.currency, CAST(x.day AS INTEGER) AS day, v.value
FROM held x CROSS JOIN holding_values v ON v.account_id = x.account_id AND v.currency = x.currency
    AND v.date = (SELECT max(y.date) FROM holding_values y WHERE y.account_id = x.account_id AND y.currency = x.currency AND y.date <= x.day)
WHERE v.household_id = @household_id;

-- name: PackHoldingLevels :many
-- What accounts hold from the end of each day on which that changes, after a day and up to another, or one
-- account when that is not 0; packed as "date value" by commas. The currencies of an account are leapt over.
WITH RECURSIVE held (account_id, currency) AS (
    SELECT a.id, (SELECT min(h.currency) FROM holding_values h WHERE h.account_id = a.id)
    FROM accounts a WHERE a.household_id = @household_id AND (a.id = CAST(@account_id AS INTEGER) OR CAST(@account_id AS INTEGER) = 0)
    UNION ALL
    SELECT x.account_id, (SELECT min(h.currency) FROM holding_values h WHERE h.account_id = x.account_id AND h.currency > x.currency)
    FROM held x WHERE x.currency IS NOT NULL
)
SELECT a.id AS account_id, CAST(x.currency AS TEXT) AS currency, CAST(coalesce((SELECT group_concat(v.date || ' ' || v.value) FROM holding_values v
    WHERE v.account_id = x.account_id AND v.currency = x.currency
        AND v.date > CAST(@after AS INTEGER) AND v.date <= CAST(@last_day AS INTEGER)), '') AS TEXT) AS days
FROM held x CROSS JOIN accounts a ON a.id = x.account_id
WHERE x.currency IS NOT NULL;

-- name: PackHoldingLevelsOn :many
-- The same on days alone, given as a JSON list.
WITH RECURSIVE held (account_id, currency) AS (
    SELECT a.id, (SELECT min(h.currency) FROM holding_values h WHERE h.account_id = a.id)
    FROM accounts a WHERE a.household_id = @household_id
    UNION ALL
    SELECT x.account_id, (SELECT min(h.currency) FROM holding_values h WHERE h.account_id = x.account_id AND h.currency > x.currency)
    FROM held x WHERE x.currency IS NOT NULL
)
SELECT a.id AS account_id, CAST(x.currency AS TEXT) AS currency, CAST(coalesce((SELECT group_concat(CAST(j.value AS INTEGER) || ' ' || (
        SELECT v.value FROM holding_values v WHERE v.account_id = x.account_id AND v.currency = x.currency AND v.date <= CAST(j.value AS INTEGER)
        ORDER BY v.date DESC LIMIT 1))
    FROM json_each(CAST(@days AS TEXT)) j), '') AS TEXT) AS days
FROM held x CROSS JOIN accounts a ON a.id = x.account_id
WHERE x.currency IS NOT NULL;

-- name: GetValuation :one
-- One valuation by the id that clients know.
SELECT * FROM valuations WHERE public_id = @public_id AND household_id = @household_id;

-- name: GetValuationOfDay :one
-- The valuation that an account has on a day.
SELECT * FROM valuations
WHERE account_id = @account_id AND date = CAST(@day AS INTEGER) AND household_id = @household_id;

-- name: DeleteValuation :exec
-- Removes a valuation.
DELETE FROM valuations WHERE id = @id AND household_id = @household_id;

-- name: ListValuationDays :many
-- What accounts are worth by valuation on the days of a range; openings without a date are not among them.
SELECT v.id, v.account_id, CAST(v.date AS INTEGER) AS day, v.amount
FROM accounts a CROSS JOIN valuations v ON v.account_id = a.id
WHERE a.household_id = @household_id AND v.date >= CAST(@first_day AS INTEGER) AND v.date <= CAST(@last_day AS INTEGER)
    -- Of one account, or of all when it is 0.
    AND (a.id = CAST(@account_id AS INTEGER) OR CAST(@account_id AS INTEGER) = 0);

-- name: ListValuationsByID :many
-- The valuations with the keys in a JSON list, in no order.
SELECT * FROM valuations
WHERE household_id = @household_id AND id IN (SELECT value FROM json_each(CAST(@ids AS TEXT)));

-- name: ListAccountStarts :many
-- On which day each account's entries begin, if ever, and the key of its opening balance when that has no
-- date (else 0); in no order.
SELECT a.id, a.currency, a.created_at, CAST(coalesce(f.id, 0) AS INTEGER) AS floating,
    CAST(min(
        coalesce((SELECT min(d.date) FROM account_days d WHERE d.account_id = a.id), 1000000),
        coalesce((SELECT min(x.date) FROM valuations x WHERE x.account_id = a.id AND x.date IS NOT NULL), 1000000)
    ) AS INTEGER) AS first_day
FROM accounts a LEFT JOIN valuations f ON f.account_id = a.id AND f.kind = 'opening_anchor' AND f.date IS NULL
WHERE a.household_id = @household_id;

-- name: ListDaySums :many
-- What was booked in some accounts (keys in a JSON list) on the days of a range, by currency.
SELECT d.account_id, d.date, d.currency, d.amount
FROM json_each(CAST(@accounts AS TEXT)) j CROSS JOIN account_days d ON d.account_id = j.value
WHERE d.household_id = @household_id AND d.date >= CAST(@first_day AS INTEGER) AND d.date <= CAST(@last_day AS INTEGER);

-- name: ListDayIncomes :many
-- What of it came in, upper * 2^32 + lower. Rows that an import is still writing are left out, as the sums do not have
-- them yet.
SELECT t.account_id, t.date, t.currency, CAST(sum(t.amount >> 32) AS INTEGER) AS upper, CAST(sum(t.amount & 4294967295) AS INTEGER) AS lower
FROM households h CROSS JOIN transactions t ON t.household_id = h.id
WHERE h.id = @household_id AND t.amount > 0 AND t.id >= @first_key AND t.id <= @last_key
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)
GROUP BY t.account_id, t.date, t.currency;

-- name: ListDayTrades :many
-- What trades moved in cash on the days of a range of keys, by account and currency: what came in of it, what
-- purchases and sales took out of securities in all (into the account positive), and the part of that which
-- came in. Each sum is upper * 2^32 + lower.
SELECT t.account_id, t.date, t.currency,
    CAST(sum(iif(t.amount > 0, t.amount >> 32, 0)) AS INTEGER) AS incomes_upper,
    CAST(sum(iif(t.amount > 0, t.amount & 4294967295, 0)) AS INTEGER) AS incomes_lower,
    CAST(sum(iif(t.kind IN ('buy', 'sell'), t.amount >> 32, 0)) AS INTEGER) AS moved_upper,
    CAST(sum(iif(t.kind IN ('buy', 'sell'), t.amount & 4294967295, 0)) AS INTEGER) AS moved_lower,
    CAST(sum(iif(t.kind IN ('buy', 'sell') AND t.amount > 0, t.amount >> 32, 0)) AS INTEGER) AS sold_upper,
    CAST(sum(iif(t.kind IN ('buy', 'sell') AND t.amount > 0, t.amount & 4294967295, 0)) AS INTEGER) AS sold_lower
FROM trades t
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key
GROUP BY t.account_id, t.date, t.currency;
