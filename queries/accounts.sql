-- name: InsertAccount :execlastid
-- A new account.
INSERT INTO accounts (public_id, household_id, name, name_key, account_type, subtype, currency, status, institution_name,
    institution_domain, notes, created_at, updated_at)
VALUES (@public_id, @household_id, @name, @name_key, @account_type, @subtype, @currency, @status, @institution_name,
    @institution_domain, @notes, @created_at, @updated_at);

-- name: UpdateAccount :exec
-- Writes what can change of an account.
UPDATE accounts SET name = @name, name_key = @name_key, account_type = @account_type, subtype = @subtype, currency = @currency,
    status = @status, institution_name = @institution_name, institution_domain = @institution_domain, notes = @notes,
    updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: GetAccount :one
-- One account by the id that clients know, with its opening balance.
SELECT sqlc.embed(a), CAST(coalesce(v.amount, 0) AS INTEGER) AS opening_amount, v.date AS opening_date
FROM accounts a LEFT JOIN valuations v ON v.account_id = a.id AND v.kind = 'opening_anchor'
WHERE a.public_id = @public_id AND a.household_id = @household_id;

-- name: GetAccountName :one
-- What an account is called.
SELECT name FROM accounts WHERE id = @id AND household_id = @household_id;

-- name: ListAccounts :many
-- A page of the household's accounts by name, with their opening balances.
SELECT sqlc.embed(a), CAST(coalesce(v.amount, 0) AS INTEGER) AS opening_amount, v.date AS opening_date
FROM accounts a LEFT JOIN valuations v ON v.account_id = a.id AND v.kind = 'opening_anchor'
WHERE a.household_id = @household_id
    -- Disabled ones only when they are wanted.
    AND (a.status <> 'disabled' OR CAST(@include_disabled AS INTEGER) = 1)
ORDER BY a.name_key, a.id LIMIT @row_limit OFFSET @row_offset;

-- name: CountAccounts :one
-- How many accounts the pages of ListAccounts have together.
SELECT count(*) FROM accounts a
WHERE a.household_id = @household_id
    AND (a.status <> 'disabled' OR CAST(@include_disabled AS INTEGER) = 1);

-- name: ListAccountsNamed :many
-- The accounts that a file or a person means by a name; the oldest first.
SELECT * FROM accounts WHERE household_id = @household_id AND name_key = @name_key ORDER BY id;

-- name: HasAccountEntries :one
-- Whether anything but the opening balance was ever booked in an account: then its currency is fixed; and
-- whether there are trades among it: then its type is.
SELECT CAST(EXISTS (SELECT 1 FROM transactions t WHERE t.account_id = a.id)
    OR EXISTS (SELECT 1 FROM trades r WHERE r.account_id = a.id)
    OR EXISTS (SELECT 1 FROM valuations v WHERE v.account_id = a.id AND v.date IS NOT NULL AND v.kind = 'reconciliation') AS INTEGER) AS has_entries,
    CAST(EXISTS (SELECT 1 FROM trades x WHERE x.account_id = a.id) AS INTEGER) AS has_trades
FROM accounts a WHERE a.id = @id AND a.household_id = @household_id;
