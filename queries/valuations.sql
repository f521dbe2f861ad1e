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
-- booked since, whatever its currency. mixed says whether the household has entries in another currency
-- than the account's: then the account's foreign days have to be looked at. An opening balance without a
-- date lies before everything.
SELECT s.id, s.currency, s.since, CAST(s.amount + coalesce((
        SELECT sum(d.amount) FROM account_days d WHERE d.account_id = s.id AND d.date > s.since AND d.date <= CAST(@day AS INTEGER)
    ), 0) AS INTEGER) AS amount,
    CAST(EXISTS (SELECT 1 FROM amount_bands b WHERE b.household_id = s.household_id AND b.currency < s.currency)
        OR EXISTS (SELECT 1 FROM amount_bands b WHERE b.household_id = s.household_id AND b.currency > s.currency) AS INTEGER) AS mixed
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
    CAST(EXISTS (SELECT 1 FROM amount_bands b WHERE b.household_id = s.household_id AND b.currency < s.currency)
        OR EXISTS (SELECT 1 FROM amount_bands b WHERE b.household_id = s.household_id AND b.currency > s.currency) AS INTEGER) AS mixed
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
    AND d.currency <> @currency
ORDER BY d.currency, d.date;
