-- name: ListSheetAccounts :many
-- The accounts that count in the household's totals, by name.
SELECT id, public_id, account_type, currency FROM accounts
WHERE household_id = @household_id AND status <> 'disabled'
ORDER BY name_key, id;

-- name: PackSheetDays :many
-- What was booked in each of these accounts on every day after one, up to another, in its own currency. A row
-- per day takes longer to hand over than to find, so the days of an account are one text: "date amount" by
-- commas.
SELECT a.id, CAST(coalesce((SELECT group_concat(d.date || ' ' || d.amount) FROM account_days d
    WHERE d.account_id = a.id AND d.date > CAST(@after AS INTEGER) AND d.date <= CAST(@last_day AS INTEGER) AND d.other_currency = 0), '') AS TEXT) AS flows
FROM accounts a
WHERE a.household_id = @household_id AND a.status <> 'disabled';

-- name: PackSheetSums :many
-- The same in sums of several days, given as a JSON list of [day before, last day, month]: "date upper lower" by commas,
-- where a sum is upper * 2^32 + lower. The month is 0 where the days are not exactly those of one.
SELECT a.id, CAST(coalesce((SELECT group_concat(CAST(j.value ->> 1 AS INTEGER) || ' ' || iif(CAST(j.value ->> 2 AS INTEGER) > 0,
        (SELECT m.upper || ' ' || m.lower FROM account_months m WHERE m.account_id = a.id AND m.month = CAST(j.value ->> 2 AS INTEGER)),
        (SELECT sum(d.amount >> 32) || ' ' || sum(d.amount & 4294967295) FROM account_days d
            WHERE d.account_id = a.id AND d.date > CAST(j.value ->> 0 AS INTEGER) AND d.date <= CAST(j.value ->> 1 AS INTEGER)
                AND d.other_currency = 0)))
    FROM json_each(CAST(@spans AS TEXT)) j), '') AS TEXT) AS flows
FROM accounts a
WHERE a.household_id = @household_id AND a.status <> 'disabled';
