-- name: CountAccountUse :one
-- What goes with an account that is deleted, or to another one: its transactions, the lines of those that are split, trades,
-- valuations, transfers with a side in it, imports that name it or have rows in it, and rules that name it.
SELECT CAST((SELECT count(*) FROM transactions t WHERE t.account_id = a.id) AS INTEGER) AS transactions,
    CAST((SELECT count(*) FROM transaction_lines l CROSS JOIN transactions t ON t.id = l.transaction_id
        WHERE l.transaction_id >= a.household_id << 43 AND l.transaction_id < (a.household_id + 1) << 43 AND t.account_id = a.id) AS INTEGER) AS split_lines,
    CAST((SELECT count(*) FROM trades r WHERE r.account_id = a.id) AS INTEGER) AS trades,
    CAST((SELECT count(*) FROM valuations v WHERE v.account_id = a.id) AS INTEGER) AS valuations,
    CAST((SELECT count(*) FROM transfers f CROSS JOIN transactions t ON t.transfer_id = f.id
        WHERE f.household_id = a.household_id AND t.account_id = a.id) AS INTEGER) AS transfers,
    CAST((SELECT count(*) FROM imports i WHERE i.household_id = a.household_id AND (i.account_id = a.id
        OR EXISTS (SELECT 1 FROM transactions t WHERE t.import_id = i.id AND t.account_id = a.id)
        OR EXISTS (SELECT 1 FROM trades r WHERE r.import_id = i.id AND r.account_id = a.id))) AS INTEGER) AS imports,
    CAST((SELECT count(*) FROM rules n WHERE n.household_id = a.household_id
        AND instr(replace(n.conditions || n.actions, '-', ''), lower(hex(a.public_id))) > 0) AS INTEGER) AS rules
FROM accounts a WHERE a.id = @account_id AND a.household_id = @household_id;

-- name: CountTransfersBetween :one
-- The transfers between two accounts.
SELECT count(*) FROM transfers f CROSS JOIN transactions t ON t.transfer_id = f.id CROSS JOIN transactions o ON o.transfer_id = f.id
WHERE f.household_id = @household_id AND t.account_id = @account_id AND o.account_id = @other_id;

-- name: CountWorkingImports :one
-- The imports of a household that are being published or reverted.
SELECT count(*) FROM imports WHERE status IN ('importing', 'reverting') AND household_id = @household_id;

-- name: ListAccountTransactionIDs :many
-- The transactions of an account by the ids that clients know, in list order, oldest first.
SELECT public_id FROM transactions WHERE account_id = @account_id AND household_id = @household_id ORDER BY id;

-- name: ListTradesOfAccount :many
-- The trades of an account.
SELECT * FROM trades WHERE account_id = @account_id AND household_id = @household_id ORDER BY id;

-- name: ListAccountValuations :many
-- The valuations of an account.
SELECT * FROM valuations WHERE account_id = @account_id AND household_id = @household_id ORDER BY id;

-- name: ListAccountImports :many
-- The imports that name an account.
SELECT public_id FROM imports WHERE account_id = @account_id AND household_id = @household_id ORDER BY id;

-- name: ListAccountImportSettings :many
-- What is remembered for files of an account.
SELECT * FROM import_settings WHERE account_id = @account_id AND household_id = @household_id ORDER BY id;

-- name: ListAccountDecisions :many
-- What people decided about rows of files of an account.
SELECT * FROM import_decisions WHERE account_id = @account_id AND household_id = @household_id ORDER BY source_hash, occurrence;

-- name: ListAccountMovedEntries :many
-- The entries of an account that a person has moved to another day than that of their row.
SELECT * FROM moved_entries WHERE account_id = @account_id AND household_id = @household_id ORDER BY source_hash, occurrence, trade;

-- name: ListRulesNaming :many
-- The rules that name something, by its id without hyphens, in lower case.
SELECT * FROM rules WHERE household_id = @household_id AND instr(replace(conditions || actions, '-', ''), CAST(@digits AS TEXT)) > 0 ORDER BY id;

-- name: NameImportAccount :exec
-- Has imports, a JSON list of ids in hexadecimal digits, name another account than the one that they name; 0 is none.
UPDATE imports SET account_id = @account_id
WHERE household_id = @household_id AND coalesce(account_id, 0) = CAST(@former_id AS INTEGER)
    AND public_id IN (SELECT unhex(value) FROM json_each(CAST(@ids AS TEXT)));

-- name: MoveImportSettings :exec
-- Has what is remembered for files of one account be remembered for another one, unless that has the like.
UPDATE OR IGNORE import_settings SET account_id = @target_id WHERE account_id = @account_id AND household_id = @household_id;

-- name: MoveDecisions :exec
-- The like for what people decided about rows.
UPDATE OR IGNORE import_decisions SET account_id = @target_id WHERE account_id = @account_id AND household_id = @household_id;

-- name: MoveMovedEntries :exec
-- The like for entries on other days than their rows.
UPDATE OR IGNORE moved_entries SET account_id = @target_id WHERE account_id = @account_id AND household_id = @household_id;

-- name: DropImportSettings :exec
-- Forgets what is remembered for files of an account and layout, as it was learned at an instant.
DELETE FROM import_settings WHERE account_id = @account_id AND fingerprint = @fingerprint AND learned_at = @learned_at AND household_id = @household_id;

-- name: DropDecision :exec
-- Forgets what was decided about a row, as it was at an instant.
DELETE FROM import_decisions WHERE account_id = @account_id AND source_hash = @source_hash AND occurrence = @occurrence AND created_at = @created_at
    AND household_id = @household_id;

-- name: DropMovedEntry :exec
-- Forgets that an entry stands on another day than its row.
DELETE FROM moved_entries WHERE account_id = @account_id AND source_hash = @source_hash AND occurrence = @occurrence AND trade = @trade
    AND entry_id = @entry_id AND household_id = @household_id;

-- name: PutImportSettings :exec
-- Remembers again what was remembered for files of an account.
INSERT OR IGNORE INTO import_settings (household_id, account_id, fingerprint, settings, learned_at)
VALUES (@household_id, @account_id, @fingerprint, @settings, @learned_at);

-- name: PutMovedEntry :exec
-- Notes again that an entry stands on another day than its row.
INSERT OR IGNORE INTO moved_entries (account_id, source_hash, occurrence, trade, household_id, entry_id)
VALUES (@account_id, @source_hash, @occurrence, @trade, @household_id, @entry_id);

-- name: InsertAccountAgain :exec
-- An account that comes back under its key.
INSERT INTO accounts (id, public_id, household_id, name, name_key, account_type, subtype, currency, status, institution_name,
    institution_domain, notes, created_at, updated_at)
VALUES (@id, @public_id, @household_id, @name, @name_key, @account_type, @subtype, @currency, @status, @institution_name,
    @institution_domain, @notes, @created_at, @updated_at);

-- name: DeleteAccount :exec
-- Removes an account that nothing is booked in, with its valuations and what was remembered for it.
DELETE FROM accounts WHERE id = @id AND household_id = @household_id;

-- name: PutValuation :exec
-- A valuation that comes back under its key.
INSERT INTO valuations (id, public_id, household_id, account_id, date, amount, kind, stated, notes, import_id, created_at, updated_at)
VALUES (@id, @public_id, @household_id, @account_id, @date, @amount, @kind, @stated, @notes, @import_id, @created_at, @updated_at);

-- name: RemoveValuations :exec
-- Removes valuations, a JSON list of keys.
DELETE FROM valuations WHERE id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND household_id = @household_id;

-- name: SetRuleTexts :exec
-- Writes what a rule says.
UPDATE rules SET conditions = @conditions, actions = @actions, updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE id = @id AND household_id = @household_id;

-- name: MoveTrade :exec
-- Gives a trade to another account.
UPDATE trades SET account_id = @account_id, updated_at = @updated_at WHERE id = @id AND household_id = @household_id;

-- name: ListExternalTwins :many
-- The transactions of two accounts that have the same id of a client, of which one account can have only one.
SELECT t.public_id, o.public_id AS other_public_id, CAST(t.external_id AS TEXT) AS external_id, t.date, t.name
FROM transactions t INDEXED BY transactions_by_external_id CROSS JOIN transactions o INDEXED BY transactions_by_external_id
    ON o.account_id = CAST(@target_id AS INTEGER) AND o.source IS t.source AND o.external_id = t.external_id
WHERE t.account_id = @account_id AND t.external_id IS NOT NULL AND t.source IS NOT NULL AND t.household_id = @household_id
LIMIT CAST(@row_limit AS INTEGER);

-- name: CountTwins :one
-- How many transactions of an account have a like of the same day, amount and currency in another one, each of which counts
-- once; and how many trades have one of the same day, kind, security, quantity and amount.
SELECT CAST(coalesce((SELECT sum(min(x.n, y.n)) FROM
        (SELECT t.date, t.amount, t.currency, count(*) AS n FROM transactions t WHERE t.account_id = @account_id GROUP BY t.date, t.amount, t.currency) x
        JOIN (SELECT o.date, o.amount, o.currency, count(*) AS n FROM transactions o WHERE o.account_id = @target_id GROUP BY o.date, o.amount, o.currency) y
        ON y.date = x.date AND y.amount = x.amount AND y.currency = x.currency), 0) AS INTEGER) AS transactions,
    CAST(coalesce((SELECT sum(min(v.n, w.n)) FROM
        (SELECT r.date, r.kind, r.security_id, r.quantity, r.amount, count(*) AS n FROM trades r WHERE r.account_id = @account_id
            GROUP BY r.date, r.kind, r.security_id, r.quantity, r.amount) v
        JOIN (SELECT s.date, s.kind, s.security_id, s.quantity, s.amount, count(*) AS n FROM trades s WHERE s.account_id = @target_id
            GROUP BY s.date, s.kind, s.security_id, s.quantity, s.amount) w
        ON w.date = v.date AND w.kind = v.kind AND w.security_id IS v.security_id AND w.quantity = v.quantity AND w.amount = v.amount), 0) AS INTEGER) AS trades
FROM households h WHERE h.id = @household_id;

-- name: GetAccountID :one
-- By which id clients know an account.
SELECT public_id FROM accounts WHERE id = @id AND household_id = @household_id;
