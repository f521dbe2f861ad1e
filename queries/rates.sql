-- name: ListRatePairs :many
-- Which pairs of currencies have rates.
SELECT DISTINCT from_currency, to_currency FROM exchange_rates ORDER BY from_currency, to_currency;

-- name: ListRates :many
-- All rates of a pair, by day.
SELECT date, rate FROM exchange_rates WHERE from_currency = @from_currency AND to_currency = @to_currency ORDER BY date;
