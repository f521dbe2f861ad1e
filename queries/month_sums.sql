-- name: ListMonthSums :many
-- The next months between two keys of which sums are kept, a year of them at most.
SELECT first_key, last_key, sums FROM month_sums
WHERE household_id = @household_id AND first_key >= @first_key AND first_key <= CAST(@until AS INTEGER) AND last_key <= CAST(@until AS INTEGER) AND part = @part
ORDER BY first_key LIMIT 12;

-- name: ListKeptMonths :many
-- The first keys of the months of which sums are kept.
SELECT DISTINCT first_key FROM month_sums WHERE household_id = @household_id ORDER BY first_key;

-- name: KeepMonthSums :exec
-- Keeps the sums of a month.
INSERT INTO month_sums (household_id, first_key, last_key, part, sums) VALUES (@household_id, @first_key, @last_key, @part, @sums)
ON CONFLICT (household_id, first_key, part) DO UPDATE SET sums = excluded.sums;
