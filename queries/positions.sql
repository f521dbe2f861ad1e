-- name: ListPositionTrades :many
-- The purchases and sales of a security from a key on, up to another, in all accounts: what positions and trade
-- prices are computed from.
SELECT id, account_id, date, quantity, price, amount, currency, allow_short FROM trades
WHERE security_id = @security_id AND household_id = @household_id AND id >= @first_key AND id <= @last_key AND kind IN ('buy', 'sell')
ORDER BY id;

-- name: ListPositionSplits :many
-- The splits of a security, by day.
SELECT date, numerator, denominator FROM security_splits
WHERE security_id = @security_id AND household_id = @household_id
ORDER BY date;

-- name: ListPositionAccounts :many
-- The accounts that ever held a security.
SELECT a.id FROM accounts a
WHERE a.household_id = @household_id
    AND EXISTS (SELECT 1 FROM positions p WHERE p.account_id = a.id AND p.security_id = CAST(@security_id AS INTEGER));

-- name: ListPositionsBefore :many
-- The position in a security of every account that ever held it, as it stood before a day.
SELECT p.account_id, p.quantity, p.cost, p.currency, p.cost_unknown
FROM accounts a CROSS JOIN positions p ON p.account_id = a.id AND p.security_id = CAST(@security_id AS INTEGER)
WHERE a.household_id = @household_id
    AND p.date = (SELECT max(x.date) FROM positions x
        WHERE x.account_id = a.id AND x.security_id = CAST(@security_id AS INTEGER) AND x.date < CAST(@day AS INTEGER));

-- name: ListPositionsFrom :many
-- The positions in a security of every account from a day on.
SELECT p.account_id, p.date, p.quantity, p.cost, p.currency, p.cost_unknown, p.opens, p.closes
FROM accounts a CROSS JOIN positions p ON p.account_id = a.id AND p.security_id = CAST(@security_id AS INTEGER)
WHERE a.household_id = @household_id AND p.date >= CAST(@day AS INTEGER);

-- name: PutPositions :exec
-- Writes positions in a security, given as a JSON list of [account, day, quantity, cost, currency, cost_unknown, opens, closes].
INSERT INTO positions (account_id, security_id, date, household_id, quantity, cost, currency, cost_unknown, opens, closes, updated_at)
SELECT CAST(j.value ->> 0 AS INTEGER), CAST(@security_id AS INTEGER), CAST(j.value ->> 1 AS INTEGER), CAST(@household_id AS INTEGER),
    CAST(j.value ->> 2 AS TEXT), CAST(j.value ->> 3 AS TEXT), CAST(j.value ->> 4 AS TEXT), CAST(j.value ->> 5 AS INTEGER),
    CAST(j.value ->> 6 AS INTEGER), CAST(j.value ->> 7 AS INTEGER), CAST(@updated_at AS INTEGER)
FROM json_each(CAST(@positions AS TEXT)) AS j WHERE true
ON CONFLICT (account_id, security_id, date) DO UPDATE SET quantity = excluded.quantity, cost = excluded.cost, currency = excluded.currency,
    cost_unknown = excluded.cost_unknown, opens = excluded.opens, closes = excluded.closes, updated_at = excluded.updated_at;

-- name: DeletePosition :exec
-- Removes the position of a day on which nothing happens any more.
DELETE FROM positions WHERE account_id = @account_id AND security_id = @security_id AND date = @date AND household_id = @household_id;

-- name: PackTradePrices :one
-- The trade prices of a security from a day on, as one text: "date price currency" by commas. A row per price
-- takes longer to hand over than to find.
SELECT CAST(coalesce(group_concat(date || ' ' || price || ' ' || currency || ' 0'), '') AS TEXT) AS prices FROM trade_prices
WHERE security_id = @security_id AND household_id = @household_id AND date >= @day;

-- name: PutTradePrice :exec
-- Writes the trade price of a security on a day.
INSERT INTO trade_prices (security_id, date, price, currency, household_id)
VALUES (@security_id, @date, @price, @currency, @household_id)
ON CONFLICT (security_id, date) DO UPDATE SET price = excluded.price, currency = excluded.currency;

-- name: DeleteTradePrice :exec
-- Removes the trade price of a day on which the security is no longer traded.
DELETE FROM trade_prices WHERE security_id = @security_id AND date = @date AND household_id = @household_id;

-- name: ListLinePositions :many
-- The positions of lines, given as a JSON list of [account, security]: those after a day, up to another, and the
-- one in force on the first.
SELECT p.account_id, p.security_id, p.date, p.quantity, p.cost, p.currency, p.cost_unknown, p.updated_at
FROM json_each(CAST(@lines AS TEXT)) j
CROSS JOIN positions p ON p.account_id = CAST(j.value ->> 0 AS INTEGER) AND p.security_id = CAST(j.value ->> 1 AS INTEGER)
WHERE p.household_id = @household_id AND p.date <= CAST(@last_day AS INTEGER)
    AND p.date >= coalesce((SELECT max(x.date) FROM positions x WHERE x.account_id = CAST(j.value ->> 0 AS INTEGER)
        AND x.security_id = CAST(j.value ->> 1 AS INTEGER) AND x.date <= CAST(@first_day AS INTEGER)), CAST(@first_day AS INTEGER));

-- name: PackLinePrices :many
-- The market prices of securities, given as a JSON list of keys: those after a day, up to another, and the one
-- in force on the first; packed as "date price currency updated_at" by commas.
SELECT CAST(j.value AS INTEGER) AS security_id, CAST(coalesce((
        SELECT group_concat(p.date || ' ' || p.price || ' ' || p.currency || ' ' || p.updated_at) FROM security_prices p
        WHERE p.security_id = CAST(j.value AS INTEGER) AND p.household_id = CAST(@household_id AS INTEGER) AND p.date <= CAST(@last_day AS INTEGER)
            AND p.date >= coalesce((SELECT max(x.date) FROM security_prices x
                WHERE x.security_id = CAST(j.value AS INTEGER) AND x.date <= CAST(@first_day AS INTEGER)), CAST(@first_day AS INTEGER))
    ), '') AS TEXT) AS prices
FROM json_each(CAST(@securities AS TEXT)) j;

-- name: PackLineTradePrices :many
-- The same of trade prices.
SELECT CAST(j.value AS INTEGER) AS security_id, CAST(coalesce((
        SELECT group_concat(p.date || ' ' || p.price || ' ' || p.currency || ' 0') FROM trade_prices p
        WHERE p.security_id = CAST(j.value AS INTEGER) AND p.household_id = CAST(@household_id AS INTEGER) AND p.date <= CAST(@last_day AS INTEGER)
            AND p.date >= coalesce((SELECT max(x.date) FROM trade_prices x
                WHERE x.security_id = CAST(j.value AS INTEGER) AND x.date <= CAST(@first_day AS INTEGER)), CAST(@first_day AS INTEGER))
    ), '') AS TEXT) AS prices
FROM json_each(CAST(@securities AS TEXT)) j;

-- name: ListLineSplits :many
-- The splits of securities, given as a JSON list of keys, in no order.
SELECT s.security_id, s.date, s.numerator, s.denominator
FROM json_each(CAST(@securities AS TEXT)) j CROSS JOIN security_splits s ON s.security_id = CAST(j.value AS INTEGER)
WHERE s.household_id = @household_id;

-- name: PackHoldingValues :one
-- What an account's holdings of a currency are worth on the days of a range, packed as "date value" by commas,
-- beginning with the value in force before the first.
SELECT CAST(coalesce(group_concat(v.date || ' ' || v.value), '') AS TEXT) AS levels FROM holding_values v
WHERE v.account_id = @account_id AND v.currency = @currency AND v.household_id = @household_id AND v.date <= CAST(@last_day AS INTEGER)
    AND v.date >= coalesce((SELECT max(x.date) FROM holding_values x
        WHERE x.account_id = @account_id AND x.currency = @currency AND x.date < CAST(@first_day AS INTEGER)), CAST(@first_day AS INTEGER));

-- name: PutHoldingValues :exec
-- Writes what an account's holdings of a currency are worth, given as a JSON object of values by day.
INSERT INTO holding_values (account_id, currency, date, household_id, value)
SELECT CAST(@account_id AS INTEGER), CAST(@currency AS TEXT), CAST(j.key AS INTEGER), CAST(@household_id AS INTEGER), CAST(j.value AS INTEGER)
FROM json_each(CAST(@levels AS TEXT)) AS j WHERE true
ON CONFLICT (account_id, currency, date) DO UPDATE SET value = excluded.value;

-- name: DeleteHoldingValues :exec
-- Removes the values of days, given as a JSON list, on which nothing changes any more.
DELETE FROM holding_values WHERE account_id = @account_id AND currency = @currency AND household_id = @household_id
    AND date IN (SELECT CAST(j.value AS INTEGER) FROM json_each(CAST(@days AS TEXT)) j);
