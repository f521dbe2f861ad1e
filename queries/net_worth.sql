-- name: ListSheetAccounts :many
-- The accounts that count in the household's totals, by name.
SELECT id, public_id, account_type, currency FROM accounts
WHERE household_id = @household_id AND status <> 'disabled'
ORDER BY name_key, id;

-- name: ListSheetDays :many
-- What happened to the balance of each of these accounts after a day, up to another. A row per day takes
-- longer to hand over than to find, so the days of an account are one text: "date amount" by commas, and in
-- flows a third word where the currency is not the account's.
SELECT a.id,
    CAST(coalesce((SELECT group_concat(d.date || ' ' || d.amount || iif(d.currency = a.currency, '', ' ' || d.currency)) FROM account_days d
        WHERE d.account_id = a.id AND d.date > CAST(@after AS INTEGER) AND d.date <= CAST(@last_day AS INTEGER)), '') AS TEXT) AS flows,
    CAST(coalesce((SELECT group_concat(v.date || ' ' || v.amount) FROM valuations v
        WHERE v.account_id = a.id AND v.date > CAST(@after AS INTEGER) AND v.date <= CAST(@last_day AS INTEGER)), '') AS TEXT) AS valuations
FROM accounts a
WHERE a.household_id = @household_id AND a.status <> 'disabled';
