-- name: InsertValuation :execlastid
-- A new valuation; without a date it is an opening balance that lies before the first entry.
INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, notes, import_id, created_at, updated_at)
VALUES (@public_id, @household_id, @account_id, @date, @amount, @kind, @notes, @import_id, @created_at, @updated_at);

-- name: GetOpening :one
-- The opening balance of an account.
SELECT * FROM valuations WHERE account_id = @account_id AND household_id = @household_id AND kind = 'opening_anchor';

-- name: UpdateValuation :exec
-- Writes what can change of a valuation.
UPDATE valuations SET date = @date, amount = @amount, notes = @notes, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: ListBalances :many
-- The balance of every account of a household at the end of a day: its last valuation and all that was
-- booked since, whatever its currency. mixed says whether some of it is in another currency than the
-- account's: then its foreign days have to be looked at. An opening balance without a
-- date lies before everything.
SELECT s.id, s.currency, s.since, CAST(s.amount + coalesce((
        SELECT sum(d.amount) FROM account_days d WHERE d.account_id = s.id AND d.date > s.since AND d.date <= CAST(@day AS INTEGER)
    ), 0) AS INTEGER) AS amount,
    CAST(EXISTS (SELECT 1 FROM account_days o WHERE o.account_id = s.id AND o.other_currency = 1) AS INTEGER) AS mixed
FROM (
    SELECT a.id, a.household_id, a.currency, CAST(coalesce(v.date, -1000000) AS INTEGER) AS since,
        CAST(coalesce(v.amount, f.amount, 0) AS INTEGER) AS amount
    FROM accounts a
    LEFT JOIN valuations v ON v.account_id = a.id
        AND v.date = (SELECT max(x.date) FROM valuations x WHERE x.account_id = a.id AND x.date <= CAST(@day AS INTEGER))
    LEFT JOIN valuations f ON f.account_id = a.id AND f.kind = 'opening_anchor' AND f.date IS NULL
    WHERE a.household_id = @household_id
) AS s;

-- name: GetBalance :one
-- The same of one account.
SELECT s.id, s.currency, s.since, CAST(s.amount + coalesce((
        SELECT sum(d.amount) FROM account_days d WHERE d.account_id = s.id AND d.date > s.since AND d.date <= CAST(@day AS INTEGER)
    ), 0) AS INTEGER) AS amount,
    CAST(EXISTS (SELECT 1 FROM account_days o WHERE o.account_id = s.id AND o.other_currency = 1) AS INTEGER) AS mixed
FROM (
    SELECT a.id, a.household_id, a.currency, CAST(coalesce(v.date, -1000000) AS INTEGER) AS since,
        CAST(coalesce(v.amount, f.amount, 0) AS INTEGER) AS amount
    FROM accounts a
    LEFT JOIN valuations v ON v.account_id = a.id
        AND v.date = (SELECT max(x.date) FROM valuations x WHERE x.account_id = a.id AND x.date <= CAST(@day AS INTEGER))
    LEFT JOIN valuations f ON f.account_id = a.id AND f.kind = 'opening_anchor' AND f.date IS NULL
    WHERE a.id = @account_id AND a.household_id = @household_id
) AS s;

-- name: ListForeignDays :many
-- What was booked in an account in other currencies than its own, per day.
SELECT d.date, d.currency, d.amount FROM account_days d
WHERE d.account_id = @account_id AND d.household_id = @household_id AND d.date > CAST(@since AS INTEGER) AND d.date <= CAST(@day AS INTEGER)
    AND d.other_currency = 1
ORDER BY d.currency, d.date;

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
-- What of it came in. Rows that an import is still writing are left out, as the sums do not have them yet.
SELECT t.account_id, t.date, t.currency, CAST(sum(t.amount) AS INTEGER) AS amount
FROM households h CROSS JOIN transactions t ON t.household_id = h.id
WHERE h.id = @household_id AND t.amount > 0 AND t.id >= @first_key AND t.id <= @last_key
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to)
GROUP BY t.account_id, t.date, t.currency;
