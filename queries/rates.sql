-- name: ListRatePairs :many
-- Which pairs of currencies have rates. With statistics SQLite leaps from pair to pair.
SELECT DISTINCT from_currency, to_currency FROM exchange_rates ORDER BY from_currency, to_currency;

-- name: PackRates :one
-- The rates of a pair in a range of days, and the newest before it when its first day has none, as one text: "date rate"
-- by commas. A row per rate takes longer to hand over than to find.
SELECT CAST(coalesce(group_concat(r.date || ' ' || r.rate), '') AS TEXT) AS rates FROM exchange_rates r
WHERE r.from_currency = @from_currency AND r.to_currency = @to_currency AND r.date <= @last_day
    AND r.date >= coalesce((SELECT max(n.date) FROM exchange_rates n
        WHERE n.from_currency = @from_currency AND n.to_currency = @to_currency AND n.date <= CAST(@first_day AS INTEGER)),
        CAST(@first_day AS INTEGER));

-- name: PackRatesOn :one
-- The newest rates of a pair on or before each day of a JSON list, packed in the same way; one may come twice.
SELECT CAST(coalesce(group_concat((SELECT r.date || ' ' || r.rate FROM exchange_rates r
        WHERE r.from_currency = @from_currency AND r.to_currency = @to_currency AND r.date <= CAST(j.value AS INTEGER)
        ORDER BY r.date DESC LIMIT 1)), '') AS TEXT) AS rates
FROM json_each(CAST(@days AS TEXT)) j;

-- name: PutRates :execrows
-- Writes the rates of a pair, given as a JSON object of rates by day. What is there already is replaced, and
-- what would not change is not counted.
INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
SELECT CAST(@from_currency AS TEXT), CAST(@to_currency AS TEXT), CAST(j.key AS INTEGER), j.value, CAST(@source AS TEXT)
FROM json_each(CAST(@rates AS TEXT)) AS j WHERE true
ON CONFLICT (from_currency, to_currency, date) DO UPDATE SET rate = excluded.rate, source = excluded.source
WHERE exchange_rates.rate <> excluded.rate OR exchange_rates.source <> excluded.source;

-- name: GetRateSpan :one
-- How many rates a pair has, from when to when, and the newest.
SELECT count(*) AS rates, CAST(coalesce(min(r.date), 0) AS INTEGER) AS first_day, CAST(coalesce(max(r.date), 0) AS INTEGER) AS last_day,
    CAST(coalesce((SELECT x.rate FROM exchange_rates x
        WHERE x.from_currency = @from_currency AND x.to_currency = @to_currency ORDER BY x.date DESC LIMIT 1), '') AS TEXT) AS newest
FROM exchange_rates r WHERE r.from_currency = @from_currency AND r.to_currency = @to_currency;
