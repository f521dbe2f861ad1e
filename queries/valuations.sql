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
-- The balance of every account of a household at the end of a day, in the account's currency: its last
-- valuation and what was booked since. foreign_days counts the days with entries in other currencies,
-- which are not part of the sum.
SELECT s.id, s.currency, s.since, CAST(s.amount + coalesce(sum(d.amount) FILTER (WHERE d.currency = s.currency), 0) AS INTEGER) AS amount,
    CAST(coalesce(sum(d.currency <> s.currency), 0) AS INTEGER) AS foreign_days
FROM (
    SELECT a.id, a.currency, CAST(coalesce(v.date, -1000000) AS INTEGER) AS since, CAST(coalesce(v.amount, f.amount, 0) AS INTEGER) AS amount
    FROM accounts a
    LEFT JOIN valuations v ON v.account_id = a.id AND v.date = (SELECT max(x.date) FROM valuations x WHERE x.account_id = a.id AND x.date <= CAST(@day AS INTEGER))
    -- An opening balance without a date lies before everything.
    LEFT JOIN valuations f ON f.account_id = a.id AND f.kind = 'opening_anchor' AND f.date IS NULL
    WHERE a.household_id = @household_id
) AS s
LEFT JOIN account_days d ON d.account_id = s.id AND d.date > s.since AND d.date <= CAST(@day AS INTEGER)
GROUP BY s.id;
