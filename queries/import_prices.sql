-- name: NoteImportPrices :exec
-- Notes the market prices that an import is about to write, given as a JSON list of [security, day, price, currency],
-- with those that they replace. What would not change is not noted.
INSERT INTO import_prices (import_id, security_id, date, household_id, price, currency, old_price, old_currency, old_source)
SELECT CAST(@import_id AS INTEGER), j.value ->> 0, j.value ->> 1, CAST(@household_id AS INTEGER), j.value ->> 2, j.value ->> 3,
    p.price, p.currency, p.source
FROM json_each(CAST(@prices AS TEXT)) j
LEFT JOIN security_prices p ON p.security_id = CAST(j.value ->> 0 AS INTEGER) AND p.date = CAST(j.value ->> 1 AS INTEGER)
    AND p.household_id = CAST(@household_id AS INTEGER)
WHERE p.price IS NULL OR p.price <> j.value ->> 2 OR p.currency <> j.value ->> 3
ON CONFLICT DO NOTHING;

-- name: ListImportPrices :many
-- The market prices that an import has written and nobody has changed since, oldest first, with those that they have
-- replaced.
SELECT i.security_id, i.date, i.old_price, i.old_currency, i.old_source
FROM import_prices i JOIN security_prices p ON p.security_id = i.security_id AND p.date = i.date
WHERE i.import_id = @import_id AND i.household_id = @household_id AND p.price = i.price AND p.currency = i.currency
ORDER BY i.security_id, i.date;

-- name: DeletePricesOfDays :exec
-- Removes market prices, given as a JSON list of [security, day].
DELETE FROM security_prices WHERE household_id = @household_id
    AND (security_id, date) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(CAST(@days AS TEXT)) j);

-- name: ForgetImportPrices :exec
-- Drops the notes of market prices.
DELETE FROM import_prices WHERE import_id = @import_id AND household_id = @household_id;

-- name: NoteImportSplit :exec
-- Notes a split that an import has written.
INSERT INTO import_splits (import_id, split_id, household_id) VALUES (@import_id, @split_id, @household_id);

-- name: ListImportSplits :many
-- The splits that an import has written and nobody has changed since.
SELECT s.* FROM import_splits i JOIN security_splits s ON s.id = i.split_id
WHERE i.import_id = @import_id AND i.household_id = @household_id AND s.updated_at = s.created_at;
