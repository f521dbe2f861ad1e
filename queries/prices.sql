-- name: ListPrices :many
-- A page of the market prices of securities, given as a JSON list of keys in the order in which those of the
-- same day are to stand; the newest day first.
SELECT p.security_id, p.date, p.price, p.currency, p.source, p.created_at, p.updated_at
FROM json_each(CAST(@securities AS TEXT)) j CROSS JOIN security_prices p ON p.security_id = CAST(j.value AS INTEGER)
WHERE p.household_id = @household_id AND p.date >= CAST(@first_day AS INTEGER) AND p.date <= CAST(@last_day AS INTEGER)
    -- In one currency, or in all when it is empty.
    AND (p.currency = CAST(@currency AS TEXT) OR CAST(@currency AS TEXT) = '')
ORDER BY p.date DESC, j.key LIMIT CAST(@size AS INTEGER) OFFSET CAST(@skipped AS INTEGER);

-- name: CountPrices :one
-- How many prices the same filters select.
SELECT count(*)
FROM json_each(CAST(@securities AS TEXT)) j CROSS JOIN security_prices p ON p.security_id = CAST(j.value AS INTEGER)
WHERE p.household_id = @household_id AND p.date >= CAST(@first_day AS INTEGER) AND p.date <= CAST(@last_day AS INTEGER)
    -- In one currency, or in all when it is empty.
    AND (p.currency = CAST(@currency AS TEXT) OR CAST(@currency AS TEXT) = '');

-- name: GetPrice :one
-- The market price of a security on a day.
SELECT * FROM security_prices WHERE security_id = @security_id AND date = CAST(@day AS INTEGER) AND household_id = @household_id;

-- name: ListNewestPrices :many
-- The newest market price of each of some securities, given as a JSON list of keys, in no order.
SELECT p.security_id, p.date, p.price, p.currency
FROM json_each(CAST(@securities AS TEXT)) j CROSS JOIN security_prices p ON p.security_id = CAST(j.value AS INTEGER)
WHERE p.household_id = @household_id AND p.date = (SELECT max(x.date) FROM security_prices x WHERE x.security_id = CAST(j.value AS INTEGER));

-- name: GetPriceSpan :one
-- How many market prices a security has, from when to when.
SELECT count(*) AS prices, CAST(coalesce(min(date), 0) AS INTEGER) AS first_day, CAST(coalesce(max(date), 0) AS INTEGER) AS last_day
FROM security_prices WHERE security_id = @security_id AND household_id = @household_id;

-- name: PutPrices :exec
-- Writes prices of a security in a currency, given as a JSON object of prices by day. What is there already is
-- replaced, and what would not change stays as it is.
INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at)
SELECT CAST(@security_id AS INTEGER), CAST(j.key AS INTEGER), j.value, CAST(@currency AS TEXT), CAST(@source AS TEXT),
    CAST(@household_id AS INTEGER), CAST(@stamp AS INTEGER), CAST(@stamp AS INTEGER)
FROM json_each(CAST(@prices AS TEXT)) AS j WHERE true
ON CONFLICT (security_id, date) DO UPDATE SET price = excluded.price, currency = excluded.currency, source = excluded.source,
    updated_at = max(excluded.updated_at, security_prices.updated_at + 1)
WHERE security_prices.price <> excluded.price OR security_prices.currency <> excluded.currency;

-- name: ListSecurityPrices :many
-- The market prices of a security in a range of days, in order: what the history keeps of those that are replaced or go.
SELECT * FROM security_prices
WHERE security_id = @security_id AND household_id = @household_id
    AND date >= CAST(@first_day AS INTEGER) AND date <= CAST(@last_day AS INTEGER)
ORDER BY date;

-- name: RestorePrice :exec
-- Writes a market price as it was, in the place of the one of its day.
INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at)
VALUES (@security_id, @date, @price, @currency, @source, @household_id, @created_at, @updated_at)
ON CONFLICT (security_id, date) DO UPDATE SET price = excluded.price, currency = excluded.currency, source = excluded.source,
    updated_at = max(excluded.updated_at, security_prices.updated_at + 1);

-- name: DeletePrice :exec
-- Removes the market price of a day.
DELETE FROM security_prices WHERE security_id = @security_id AND date = CAST(@day AS INTEGER) AND household_id = @household_id;
