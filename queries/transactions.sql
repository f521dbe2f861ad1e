-- name: NextSequences :one
-- Reserves creation numbers for new entries of a household; gives the last one reserved.
UPDATE households SET entry_sequence = entry_sequence + CAST(@count AS INTEGER) WHERE id = @household_id
RETURNING entry_sequence;

-- name: InsertTransaction :exec
-- Adds a transaction; id is its ledger key.
INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, notes, category_id, merchant_id,
    external_id, source, import_id, import_row, source_hash, occurrence, name_hash, created_at, updated_at, user_fields, bank_key, like_key)
VALUES (@id, @public_id, @household_id, @account_id, @date, @amount, @currency, @name, @notes, @category_id, @merchant_id,
    @external_id, @source, @import_id, @import_row, @source_hash, @occurrence, @name_hash, @created_at, @updated_at, @user_fields, @bank_key, @like_key);

-- name: GetTransaction :one
-- One transaction by the id that clients know; rows of an import still being written do not exist yet.
SELECT t.* FROM transactions t JOIN households h ON h.id = t.household_id
WHERE t.public_id = @public_id AND t.household_id = @household_id
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: ListExternalIDs :many
-- The transactions that clients' own ids stand for, if they were sent before: a JSON list of lists of account, source and id.
SELECT t.id, t.account_id, CAST(t.source AS TEXT) AS source, CAST(t.external_id AS TEXT) AS external_id
FROM json_each(CAST(@sent AS TEXT)) AS j
CROSS JOIN transactions t INDEXED BY transactions_by_external_id ON t.account_id = CAST(json_extract(j.value, '$[0]') AS INTEGER)
    AND t.source = CAST(json_extract(j.value, '$[1]') AS TEXT) AND t.external_id = CAST(json_extract(j.value, '$[2]') AS TEXT)
WHERE t.household_id = @household_id;

-- name: UpdateTransaction :exec
-- Writes every field that a change may touch; a new date comes with a new key.
UPDATE transactions SET id = @new_id, account_id = @account_id, date = @date, amount = @amount, currency = @currency, name = @name, notes = @notes,
    category_id = @category_id, merchant_id = @merchant_id, updated_at = @updated_at, user_fields = @user_fields
WHERE id = @id AND household_id = @household_id;

-- name: MoveTransactions :exec
-- Gives transactions, a JSON list of keys, to another account. The household is asked of the key, as in DeleteTransactions.
UPDATE transactions SET account_id = @account_id, updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND id >> 43 = CAST(@household_id AS INTEGER);

-- name: ListTransfersOfTransactions :many
-- The transfers that transactions of a page belong to, with the other side's account.
SELECT t.id AS transaction_id, f.public_id, t.amount, t.currency, o.amount AS other_amount, o.currency AS other_currency,
    o.account_id AS other_account_id
FROM json_each(CAST(@ids AS TEXT)) AS page
CROSS JOIN transactions t NOT INDEXED ON t.id = page.value
CROSS JOIN transfers f ON f.id = t.transfer_id
CROSS JOIN transactions o ON o.transfer_id = t.transfer_id AND o.id <> t.id
WHERE t.household_id = @household_id;

-- name: InsertTransactionTag :exec
-- Puts a tag on a transaction; a second time does nothing.
INSERT INTO transaction_tags (transaction_id, tag_id) VALUES (@transaction_id, @tag_id) ON CONFLICT DO NOTHING;

-- name: ListTransactionTagIDs :many
-- The tags of one transaction.
SELECT tag_id FROM transaction_tags WHERE transaction_id = @transaction_id ORDER BY tag_id;

-- name: DeleteTransactionTags :exec
-- Takes all tags off a transaction.
DELETE FROM transaction_tags WHERE transaction_id = @transaction_id;

-- name: AddAccountDay :exec
-- Adds transactions and trades to the rollup of a day.
INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
SELECT a.id, CAST(@date AS INTEGER), CAST(@currency AS TEXT), a.household_id, CAST(@amount AS INTEGER), CAST(@transactions AS INTEGER),
    CAST(@incomes AS INTEGER), CAST(@trades AS INTEGER), a.currency <> CAST(@currency AS TEXT)
FROM accounts a WHERE a.id = @account_id AND a.household_id = @household_id
ON CONFLICT (account_id, date, currency) DO UPDATE SET amount = account_days.amount + excluded.amount,
    transactions = account_days.transactions + excluded.transactions, incomes = account_days.incomes + excluded.incomes,
    trades = account_days.trades + excluded.trades;

-- name: ChangeAccountDay :execrows
-- Changes the rollup of a day on which entries were and entries remain; what was taken out is negative.
UPDATE account_days SET amount = amount + CAST(@amount AS INTEGER), transactions = transactions + CAST(@transactions AS INTEGER),
    incomes = incomes + CAST(@incomes AS INTEGER), trades = trades + CAST(@trades AS INTEGER)
WHERE account_id = @account_id AND date = @date AND currency = @currency AND household_id = @household_id
    AND transactions + trades + CAST(@transactions AS INTEGER) + CAST(@trades AS INTEGER) > 0;

-- name: MayLeaveRange :one
-- Whether a balance of the account may be no amount any more: some day of it moves a lot, or it holds a lot.
SELECT CAST(EXISTS (SELECT 1 FROM account_days d INDEXED BY account_days_large
        WHERE d.account_id = a.id AND (d.amount < -35184372088832 OR d.amount > 35184372088832))
    OR EXISTS (SELECT 1 FROM holding_values v INDEXED BY holding_values_large
        WHERE v.account_id = a.id AND (v.value < -35184372088832 OR v.value > 35184372088832)) AS INTEGER) AS may
FROM accounts a WHERE a.id = @account_id AND a.household_id = @household_id;

-- name: ListLargeAccounts :many
-- The accounts of a household of which a balance may leave it.
SELECT a.id FROM accounts a
WHERE a.household_id = @household_id AND (EXISTS (SELECT 1 FROM account_days d INDEXED BY account_days_large
        WHERE d.account_id = a.id AND (d.amount < -35184372088832 OR d.amount > 35184372088832))
    OR EXISTS (SELECT 1 FROM holding_values v INDEXED BY holding_values_large
        WHERE v.account_id = a.id AND (v.value < -35184372088832 OR v.value > 35184372088832)));

-- name: DeleteAccountDay :exec
-- Removes the rollup of a day on which nothing remains.
DELETE FROM account_days WHERE account_id = @account_id AND date = @date AND currency = @currency AND household_id = @household_id;

-- name: AddAmountBand :exec
-- Adds transactions to the count of an amount band.
INSERT INTO amount_bands (household_id, currency, band, transactions) VALUES (@household_id, @currency, @band, @transactions)
ON CONFLICT (household_id, currency, band) DO UPDATE SET transactions = amount_bands.transactions + excluded.transactions;

-- name: SubtractAmountBand :execrows
-- Takes transactions out of the count of an amount band in which others remain.
UPDATE amount_bands SET transactions = transactions - CAST(@transactions AS INTEGER)
WHERE household_id = @household_id AND currency = @currency AND band = @band AND transactions > CAST(@transactions AS INTEGER);

-- name: DeleteAmountBand :exec
-- Removes the count of an amount band in which nothing remains.
DELETE FROM amount_bands WHERE household_id = @household_id AND currency = @currency AND band = @band;

-- name: AddTransactionCount :exec
-- Moves the number of transactions of an account; the count may be negative.
UPDATE accounts SET transaction_count = transaction_count + CAST(@count AS INTEGER)
WHERE id = @account_id AND household_id = @household_id;

-- name: GetListState :one
-- What every list of transactions begins with: how many there are, whether any is split, whether the labels kept in
-- memory are still true, and which creation numbers an import is writing, none when they end before they begin.
SELECT h.refs_version, h.hidden_from, h.hidden_to, CAST(coalesce((SELECT sum(a.transaction_count) FROM accounts a WHERE a.household_id = h.id), 0) AS INTEGER) AS transactions,
    CAST(EXISTS (SELECT 1 FROM transaction_lines l
        WHERE l.transaction_id >= (h.id << 43) AND l.transaction_id < ((h.id + 1) << 43)) AS INTEGER) AS has_splits
FROM households h WHERE h.id = @household_id;

-- name: ListDayCounts :many
-- Transactions and incomes per day of a household, newest day first: where a deep page begins.
SELECT date, CAST(sum(transactions) AS INTEGER) AS transactions, CAST(sum(incomes) AS INTEGER) AS incomes
FROM account_days INDEXED BY account_days_by_date
WHERE household_id = @household_id AND date >= @first_day AND date <= @last_day
GROUP BY date ORDER BY date DESC;

-- name: ListAccountDayCounts :many
-- The same of some accounts.
SELECT date, CAST(sum(transactions) AS INTEGER) AS transactions, CAST(sum(incomes) AS INTEGER) AS incomes
FROM account_days
WHERE account_id IN (SELECT value FROM json_each(CAST(@account_ids AS TEXT)))
    AND date >= @first_day AND date <= @last_day AND household_id = @household_id
GROUP BY date ORDER BY date DESC;

-- name: ListAmountBandCurrencies :many
-- The currencies in which a household has transactions.
SELECT DISTINCT currency FROM amount_bands WHERE household_id = @household_id ORDER BY currency;

-- name: CountAmountBands :one
-- How many transactions of a currency have an amount in a range of whole bands.
SELECT CAST(coalesce(sum(transactions), 0) AS INTEGER) FROM amount_bands
WHERE household_id = @household_id AND currency = @currency AND band >= @first_band AND band <= @last_band;

-- name: HasSplitsBetween :one
-- Whether any transaction of some days is split.
SELECT EXISTS (SELECT 1 FROM transaction_lines l WHERE l.transaction_id >= CAST(@first_key AS INTEGER)
    AND l.transaction_id <= CAST(@last_key AS INTEGER) AND l.transaction_id >> 43 = CAST(@household_id AS INTEGER));

-- name: SumDays :one
-- How many transactions and incomes a household has in a range of days.
SELECT CAST(coalesce(sum(transactions), 0) AS INTEGER) AS transactions, CAST(coalesce(sum(incomes), 0) AS INTEGER) AS incomes
FROM account_days INDEXED BY account_days_by_date
WHERE household_id = @household_id AND date >= @first_day AND date <= @last_day;

-- name: SumAccountDays :one
-- The same of some accounts.
SELECT CAST(coalesce(sum(transactions), 0) AS INTEGER) AS transactions, CAST(coalesce(sum(incomes), 0) AS INTEGER) AS incomes
FROM account_days
WHERE account_id IN (SELECT value FROM json_each(CAST(@account_ids AS TEXT)))
    AND date >= @first_day AND date <= @last_day AND household_id = @household_id;

-- name: ListIDsEndingIn :many
-- The transactions and parts whose ids end in four bytes, which is how people are shown them; it reads the index of ids.
SELECT t.public_id FROM transactions t INDEXED BY transactions_by_public_id
WHERE substr(t.public_id, 13) = CAST(@tail AS BLOB) AND t.household_id = @household_id
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
UNION ALL
SELECT l.public_id FROM transaction_lines l INDEXED BY transaction_lines_by_public_id
WHERE substr(l.public_id, 13) = CAST(@tail AS BLOB) AND l.household_id = @household_id;

-- name: ListStored :many
-- Some transactions by the ids that clients know, a JSON list of hexadecimal digits, with their tags and whether they are
-- split; rows of an import still being written do not exist yet.
SELECT sqlc.embed(t), CAST(coalesce((SELECT group_concat(x.tag_id) FROM transaction_tags x WHERE x.transaction_id = t.id), '') AS TEXT) AS tag_keys,
    CAST(EXISTS (SELECT 1 FROM transaction_lines l WHERE l.transaction_id = t.id) AS INTEGER) AS is_split
FROM json_each(CAST(@ids AS TEXT)) AS j
CROSS JOIN transactions t ON t.public_id = unhex(j.value)
WHERE t.household_id = @household_id
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id));

-- name: ListImportMarks :many
-- The rows of imports that were recognised as transactions, or held back as they may be one; a JSON list of keys.
SELECT m.transaction_id, i.public_id, m.row_number, CAST(0 AS INTEGER) AS held
FROM json_each(CAST(@ids AS TEXT)) AS j CROSS JOIN import_matches m ON m.transaction_id = j.value CROSS JOIN imports i ON i.id = m.import_id
WHERE i.household_id = @household_id
UNION ALL
SELECT CAST(w.transaction_id AS INTEGER), i.public_id, w.row_number, 1
FROM json_each(CAST(@ids AS TEXT)) AS j CROSS JOIN import_held_rows w ON w.transaction_id = j.value CROSS JOIN imports i ON i.id = w.import_id
WHERE i.household_id = @household_id;

-- name: PutImportMatch :exec
-- Notes again that a row of an import was recognised as a transaction, if the import and no other such note is there.
INSERT OR IGNORE INTO import_matches (import_id, row_number, transaction_id)
SELECT i.id, CAST(@row_number AS INTEGER), CAST(@transaction_id AS INTEGER) FROM imports i WHERE i.public_id = @public_id AND i.household_id = @household_id;

-- name: PutHeldRow :exec
-- Notes again that a row that is held back may be a transaction.
UPDATE import_held_rows SET transaction_id = @transaction_id
WHERE import_id = (SELECT i.id FROM imports i WHERE i.public_id = @public_id AND i.household_id = @household_id) AND row_number = @row_number
    AND transaction_id IS NULL;

-- name: ListUnsettledOf :many
-- Those of transactions, a JSON list of keys, that were booked while they were pending, with the import that has settled each.
SELECT sqlc.embed(u), i.public_id FROM json_each(CAST(@ids AS TEXT)) AS j CROSS JOIN unsettled_entries u ON u.transaction_id = j.value
LEFT JOIN imports i ON i.id = u.settled_by WHERE u.household_id = @household_id;

-- name: PutUnsettled :exec
-- Notes again that a transaction was booked while it was pending.
INSERT INTO unsettled_entries (transaction_id, household_id, settled_by, source_hash, occurrence, bank_key, like_key)
VALUES (@transaction_id, @household_id, (SELECT i.id FROM imports i WHERE i.public_id = @settler AND i.household_id = @household_id),
    @source_hash, @occurrence, @bank_key, @like_key);
