-- name: CountBooks :one
-- How much a household has: people who may act, accounts in use, transactions. For the greeting of a server.
SELECT (SELECT count(*) FROM users u WHERE u.household_id = h.id AND u.deactivated_at IS NULL) AS people,
    (SELECT count(*) FROM accounts a WHERE a.household_id = h.id AND a.status <> 'disabled') AS accounts,
    CAST((SELECT coalesce(sum(a.transaction_count), 0) FROM accounts a WHERE a.household_id = h.id) AS INTEGER) AS transactions
FROM households h WHERE h.id = @household_id;

-- name: ListAccountActivity :many
-- For each account in use that has entries: the day of the newest, and on how many days of the year that ends there it
-- had any. It tells accounts that fell silent from those in which little ever happens.
SELECT a.id, a.name, CAST(x.last_day AS INTEGER) AS last_day,
    (SELECT count(*) FROM account_days d WHERE d.account_id = a.id AND d.date > x.last_day - 365 AND d.date <= x.last_day) AS days
FROM accounts a JOIN (
    SELECT b.id, (SELECT max(d.date) FROM account_days d WHERE d.account_id = b.id) AS last_day
    FROM accounts b WHERE b.household_id = @household_id
) AS x ON x.id = a.id
WHERE a.household_id = @household_id AND a.status <> 'disabled' AND x.last_day IS NOT NULL
ORDER BY a.name_key, a.id;

-- name: GetNewestStamp :one
-- The latest instant among the newest thousand entries of a household's history; 0 where it has none. It lies in the
-- future when a clock was or is wrong.
SELECT CAST(coalesce(max(n.at), 0) AS INTEGER) AS at FROM (
    SELECT c.at FROM changes AS c NOT INDEXED WHERE c.household_id = @household_id ORDER BY c.id DESC LIMIT 1000
) AS n;
