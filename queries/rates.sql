-- name: ListRatePairs :many
-- Which pairs of currencies have rates. With statistics SQLite leaps from pair to pair.
SELECT DISTINCT from_currency, to_currency FROM exchange_rates ORDER BY from_currency, to_currency;

-- name: ListRates :many
-- The rates of a pair in a range of days, by day.
SELECT date, rate FROM exchange_rates
WHERE from_currency = @from_currency AND to_currency = @to_currency AND date >= @first_day AND date <= @last_day
ORDER BY date;
