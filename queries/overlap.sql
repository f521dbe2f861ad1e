-- name: ListBookedKeys :many
-- The transactions of a day that imports have booked, as far as a row of the same kind of file is recognised by them.
SELECT t.id, t.account_id, CAST(t.source_hash AS INTEGER) AS source_hash, CAST(t.occurrence AS INTEGER) AS occurrence,
    CAST(coalesce(t.like_key, t.source_hash) AS INTEGER) AS like_key, t.created_at
FROM transactions t NOT INDEXED JOIN households h ON h.id = t.household_id
WHERE t.id >= @first_key AND t.id <= @last_key AND t.household_id = @household_id AND t.source_hash IS NOT NULL
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: ListBookedTexts :many
-- The transactions of a day, as far as a row of any other file is recognised by them.
SELECT t.id, t.account_id, t.amount, t.currency, t.name, t.name_hash, CAST(coalesce(t.import_id, 0) AS INTEGER) AS import_id,
    CAST(t.bank_key IS NOT NULL AS INTEGER) AS has_bank_key
FROM transactions t NOT INDEXED JOIN households h ON h.id = t.household_id
WHERE t.id >= @first_key AND t.id <= @last_key AND t.household_id = @household_id
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: ListExternalMatches :many
-- The transactions that have the ids elsewhere of some rows: a JSON list of lists of row, account, source or null, and id.
SELECT CAST(w.value ->> 0 AS INTEGER) AS import_row, t.id FROM json_each(CAST(@wanted AS TEXT)) AS w
CROSS JOIN transactions t INDEXED BY transactions_by_external_id
    ON t.account_id = w.value ->> 1 AND t.source IS w.value ->> 2 AND t.external_id = w.value ->> 3
JOIN households h ON h.id = t.household_id
WHERE t.household_id = @household_id AND t.external_id IS NOT NULL
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: ListOwnMatches :many
-- The transactions with the ids, in the accounts, that some rows have: a JSON list of lists of row, account, and id as
-- 32 hexadecimal digits.
SELECT CAST(w.value ->> 0 AS INTEGER) AS import_row, t.id FROM json_each(CAST(@wanted AS TEXT)) AS w
CROSS JOIN transactions t INDEXED BY transactions_by_public_id ON t.public_id = unhex(w.value ->> 2) AND t.account_id = w.value ->> 1
JOIN households h ON h.id = t.household_id
WHERE t.household_id = @household_id
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: HasBankKeys :one
-- Whether any row of the household was booked with an id of the bank, so that it is worth looking for one.
SELECT CAST(EXISTS (SELECT 1 FROM accounts a CROSS JOIN transactions t INDEXED BY transactions_by_bank_key
        ON t.account_id = a.id AND t.bank_key IS NOT NULL WHERE a.household_id = @household_id)
    OR EXISTS (SELECT 1 FROM accounts a CROSS JOIN trades r INDEXED BY trades_by_bank_key
        ON r.account_id = a.id AND r.bank_key IS NOT NULL WHERE a.household_id = @household_id) AS INTEGER) AS has;

-- name: ListBankMatches :many
-- The transactions that have the bank's ids of some rows: a JSON list of lists of row, account and key.
SELECT CAST(w.value ->> 0 AS INTEGER) AS import_row, t.id, t.date, t.amount, t.currency, t.name, t.name_hash
FROM json_each(CAST(@wanted AS TEXT)) AS w
CROSS JOIN transactions t INDEXED BY transactions_by_bank_key ON t.account_id = w.value ->> 1 AND t.bank_key = w.value ->> 2
JOIN households h ON h.id = t.household_id
WHERE t.household_id = @household_id AND t.bank_key IS NOT NULL
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: ListBankTradeMatches :many
-- The like for trades.
SELECT CAST(w.value ->> 0 AS INTEGER) AS import_row, t.id, t.date, t.amount, t.currency, t.kind, t.quantity, CAST(coalesce(s.ticker, '') AS TEXT) AS ticker
FROM json_each(CAST(@wanted AS TEXT)) AS w
CROSS JOIN trades t INDEXED BY trades_by_bank_key ON t.account_id = w.value ->> 1 AND t.bank_key = w.value ->> 2
LEFT JOIN securities s ON s.id = t.security_id
WHERE t.household_id = @household_id AND t.bank_key IS NOT NULL;

-- name: ListBookedTrades :many
-- The trades of a day, as far as a row of a file is recognised by them.
SELECT t.id, t.account_id, t.amount, t.currency, t.kind, t.quantity, CAST(coalesce(s.ticker, '') AS TEXT) AS ticker,
    t.source_hash, CAST(coalesce(t.occurrence, 0) AS INTEGER) AS occurrence, CAST(coalesce(t.import_id, 0) AS INTEGER) AS import_id,
    CAST(coalesce(t.like_key, t.source_hash, 0) AS INTEGER) AS like_key, t.created_at, CAST(t.bank_key IS NOT NULL AS INTEGER) AS has_bank_key
FROM trades t LEFT JOIN securities s ON s.id = t.security_id
WHERE t.id >= @first_key AND t.id <= @last_key AND t.household_id = @household_id;

-- name: ListMovedTransactions :many
-- The transactions of imports that were put on another day than that of their row.
SELECT t.id, t.account_id, m.source_hash, m.occurrence, CAST(coalesce(t.like_key, t.source_hash) AS INTEGER) AS like_key, t.created_at FROM moved_entries m CROSS JOIN transactions t ON t.id = m.entry_id
    AND t.account_id = m.account_id AND t.source_hash = m.source_hash AND t.occurrence = m.occurrence
WHERE m.household_id = @household_id AND m.trade = 0 AND t.household_id = m.household_id;

-- name: ListMovedTrades :many
-- The like for trades.
SELECT t.id, t.account_id, m.source_hash, m.occurrence, CAST(coalesce(t.like_key, t.source_hash) AS INTEGER) AS like_key, t.created_at FROM moved_entries m CROSS JOIN trades t ON t.id = m.entry_id
    AND t.account_id = m.account_id AND t.source_hash = m.source_hash AND t.occurrence = m.occurrence
WHERE m.household_id = @household_id AND m.trade = 1 AND t.household_id = m.household_id;

-- name: ListImportLayouts :many
-- The layouts of a household's imports.
SELECT id, layout FROM imports WHERE household_id = @household_id;

-- name: ListDecisions :many
-- What people said of rows.
SELECT account_id, source_hash, occurrence, decision, created_at FROM import_decisions WHERE household_id = @household_id;

-- name: PutDecisions :exec
-- Keeps what a person said of several rows, a JSON list of lists of account, source hash and occurrence; the last word counts.
INSERT INTO import_decisions (account_id, source_hash, occurrence, household_id, decision, created_at)
SELECT a.id, w.value ->> 1, w.value ->> 2, a.household_id, CAST(@decision AS TEXT), CAST(@created_at AS INTEGER)
FROM json_each(CAST(@rows AS TEXT)) AS w CROSS JOIN accounts a ON a.id = w.value ->> 0 WHERE a.household_id = @household_id
ON CONFLICT (account_id, source_hash, occurrence) DO UPDATE SET decision = excluded.decision, created_at = excluded.created_at;

-- name: PutDecision :exec
-- Keeps what a person said of a row; the last word counts.
INSERT INTO import_decisions (account_id, source_hash, occurrence, household_id, decision, created_at)
VALUES (@account_id, @source_hash, @occurrence, @household_id, @decision, @created_at)
ON CONFLICT (account_id, source_hash, occurrence) DO UPDATE SET decision = excluded.decision, created_at = excluded.created_at;

-- name: DeleteDecision :exec
-- Forgets what a person said of a row.
DELETE FROM import_decisions WHERE account_id = @account_id AND source_hash = @source_hash AND occurrence = @occurrence AND household_id = @household_id;

-- name: UpdateImportPlan :exec
-- Notes what publishing would do now.
UPDATE imports SET plan = @plan, matched_rows_count = @matched_rows_count, doubtful_rows_count = @doubtful_rows_count
WHERE id = @id AND household_id = @household_id;

-- name: InsertImportMatches :exec
-- Notes which transactions rows were recognised as: a JSON object of keys by row. A list of pairs would be parsed twice.
INSERT INTO import_matches (import_id, row_number, transaction_id)
SELECT i.id, CAST(p.key AS INTEGER), p.value FROM json_each(CAST(@keys AS TEXT)) AS p CROSS JOIN imports i
WHERE i.id = @import_id AND i.household_id = @household_id;

-- name: InsertImportTradeMatches :exec
-- The like for trades.
INSERT INTO import_trade_matches (import_id, row_number, trade_id)
SELECT i.id, CAST(p.key AS INTEGER), p.value FROM json_each(CAST(@keys AS TEXT)) AS p CROSS JOIN imports i
WHERE i.id = @import_id AND i.household_id = @household_id;

-- name: DeleteImportMatches :exec
-- Forgets what the rows of an import were recognised as.
DELETE FROM import_matches WHERE import_id = @import_id AND import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);

-- name: DeleteImportTradeMatches :exec
-- The like for trades.
DELETE FROM import_trade_matches WHERE import_id = @import_id AND import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);

-- name: ListImportMatches :many
-- What some rows of an import were recognised as: transactions and trades.
SELECT m.row_number, t.id, t.public_id FROM import_matches m JOIN transactions t ON t.id = m.transaction_id
WHERE m.import_id = @import_id AND t.household_id = @household_id AND m.row_number >= @first_row AND m.row_number <= @last_row
UNION ALL
SELECT n.row_number, r.id, r.public_id FROM import_trade_matches n JOIN trades r ON r.id = n.trade_id
WHERE n.import_id = @import_id AND r.household_id = @household_id AND n.row_number >= @first_row AND n.row_number <= @last_row;

-- name: ListHeldRows :many
-- The rows of an import, of some, that were held back, and what each may be.
SELECT h.row_number, CAST(coalesce(h.transaction_id, h.trade_id, 0) AS INTEGER) AS entry_id, CAST(h.trade_id IS NOT NULL AS INTEGER) AS trade
FROM import_held_rows h JOIN imports i ON i.id = h.import_id
WHERE h.import_id = @import_id AND i.household_id = @household_id AND h.row_number >= @first_row AND h.row_number <= @last_row
ORDER BY h.row_number;

-- name: InsertHeldRows :exec
-- Notes which rows were held back, and as which transactions: a JSON object of keys by row.
INSERT INTO import_held_rows (import_id, row_number, transaction_id)
SELECT i.id, CAST(p.key AS INTEGER), p.value FROM json_each(CAST(@keys AS TEXT)) AS p CROSS JOIN imports i
WHERE i.id = @import_id AND i.household_id = @household_id;

-- name: InsertHeldTradeRows :exec
-- The like for trades.
INSERT INTO import_held_rows (import_id, row_number, trade_id)
SELECT i.id, CAST(p.key AS INTEGER), p.value FROM json_each(CAST(@keys AS TEXT)) AS p CROSS JOIN imports i
WHERE i.id = @import_id AND i.household_id = @household_id;

-- name: DeleteHeldRows :exec
-- Forgets which rows of an import were held back.
DELETE FROM import_held_rows WHERE import_id = @import_id AND import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);

-- name: DeleteSomeHeldRows :execrows
-- Rows, given as a JSON list of numbers, are held back no longer.
DELETE FROM import_held_rows WHERE import_id = @import_id AND row_number IN (SELECT value FROM json_each(CAST(@rows AS TEXT)))
    AND import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);

-- name: ReleaseHeldRows :execrows
-- Counts rows of a complete import that are held back no longer, and those of them that are booked already.
UPDATE imports SET doubtful_rows_count = doubtful_rows_count - CAST(@released AS INTEGER), matched_rows_count = matched_rows_count + CAST(@matched AS INTEGER),
    updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'complete' AND doubtful_rows_count >= CAST(@released AS INTEGER);

-- name: ListImportsRelying :many
-- Imports that are complete and recognised rows of another one as booked already, and how many rows.
SELECT o.public_id, o.file_name, o.created_at, count(*) AS matched FROM (
    SELECT m.import_id FROM transactions t INDEXED BY transactions_by_import JOIN import_matches m ON m.transaction_id = t.id
    WHERE t.import_id = @import_id AND t.household_id = @household_id
    UNION ALL
    SELECT n.import_id FROM trades r JOIN import_trade_matches n ON n.trade_id = r.id
    WHERE r.import_id = @import_id AND r.household_id = @household_id
) AS x JOIN imports o ON o.id = x.import_id
WHERE o.household_id = @household_id AND o.status = 'complete'
GROUP BY o.id ORDER BY o.id;

-- name: ListEntryOrigins :many
-- Transactions and trades, given by a JSON list of keys, and the rows of imports that they came from.
SELECT t.id, t.public_id, t.date, t.amount, t.currency, t.name, CAST(coalesce(t.notes, '') AS TEXT) AS notes,
    CAST(coalesce(t.import_id, 0) AS INTEGER) AS import_id, CAST(coalesce(t.import_row, 0) AS INTEGER) AS import_row
FROM json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN transactions t ON t.id = k.value WHERE t.household_id = @household_id
UNION ALL
SELECT r.id, r.public_id, r.date, r.amount, r.currency, r.name, CAST(coalesce(r.notes, '') AS TEXT),
    CAST(coalesce(r.import_id, 0) AS INTEGER), CAST(coalesce(r.import_row, 0) AS INTEGER)
FROM json_each(CAST(@ids AS TEXT)) AS k CROSS JOIN trades r ON r.id = k.value WHERE r.household_id = @household_id;

-- name: GetImportByKey :one
-- One import by its inner key.
SELECT * FROM imports WHERE id = @id AND household_id = @household_id;

-- name: ListImportRowKeys :many
-- The transactions that some rows of an import, given as a JSON list of numbers, have become.
SELECT t.import_row, t.id FROM json_each(CAST(@rows AS TEXT)) AS k
CROSS JOIN transactions t INDEXED BY transactions_by_import ON t.import_id = @import_id AND t.import_row = k.value
WHERE t.household_id = @household_id;

-- name: GetImportBasis :one
-- What differs when anything has changed by which the rows of a file are recognised: what the household has, what its other imports have
-- booked, and what people said of rows.
SELECT h.entry_sequence, h.refs_version,
    CAST(coalesce((SELECT c.id FROM changes c NOT INDEXED WHERE c.household_id = h.id ORDER BY c.id DESC LIMIT 1), 0) AS INTEGER) AS last_change,
    CAST((SELECT coalesce(sum(o.published_at), 0) FROM imports o WHERE o.household_id = h.id AND o.id <> @import_id) AS INTEGER) AS published,
    CAST((SELECT coalesce(sum(d.doubtful_rows_count), 0) FROM imports d WHERE d.household_id = h.id AND d.id <> @import_id AND d.status = 'complete') AS INTEGER) AS held,
    CAST((SELECT coalesce(sum(r.created_at * (1 + (r.decision = 'same'))), 0) FROM import_decisions r WHERE r.household_id = h.id) AS INTEGER) AS ruled
FROM households h WHERE h.id = @household_id;

-- name: InsertUnsettled :exec
-- Notes which rows of an import, a JSON list of numbers, were booked while they were pending at the bank.
INSERT INTO unsettled_entries (transaction_id, household_id)
SELECT t.id, t.household_id FROM json_each(CAST(@rows AS TEXT)) AS k
CROSS JOIN transactions t INDEXED BY transactions_by_import ON t.import_id = @import_id AND t.import_row = k.value
WHERE t.household_id = @household_id;

-- name: ListUnsettled :many
-- The transactions of a household that were booked while they were pending, and of which no final row has come.
SELECT t.id, t.account_id, t.date, t.amount, t.currency, t.name, t.name_hash
FROM unsettled_entries u CROSS JOIN transactions t ON t.id = u.transaction_id JOIN households h ON h.id = t.household_id
WHERE u.household_id = @household_id AND u.settled_by IS NULL AND t.household_id = u.household_id
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: SettleEntry :execrows
-- The final row of a transaction has come with an import. What the transaction was recognised by is kept.
UPDATE unsettled_entries SET settled_by = @import_id,
    source_hash = (SELECT t.source_hash FROM transactions t WHERE t.id = unsettled_entries.transaction_id),
    occurrence = (SELECT t.occurrence FROM transactions t WHERE t.id = unsettled_entries.transaction_id),
    bank_key = (SELECT t.bank_key FROM transactions t WHERE t.id = unsettled_entries.transaction_id),
    like_key = (SELECT t.like_key FROM transactions t WHERE t.id = unsettled_entries.transaction_id)
WHERE unsettled_entries.transaction_id = @transaction_id AND unsettled_entries.household_id = @household_id AND unsettled_entries.settled_by IS NULL;

-- name: RekeyTransaction :exec
-- Has a transaction recognised by another row.
UPDATE transactions SET source_hash = @source_hash, occurrence = @occurrence, bank_key = @bank_key, like_key = @like_key WHERE id = @id AND household_id = @household_id;

-- name: NoteMoved :exec
-- A transaction stands on another day than the row that it is recognised by.
INSERT OR REPLACE INTO moved_entries (account_id, source_hash, occurrence, trade, household_id, entry_id)
SELECT t.account_id, t.source_hash, t.occurrence, 0, t.household_id, t.id FROM transactions t
WHERE t.id = @id AND t.household_id = @household_id AND t.source_hash IS NOT NULL AND t.occurrence IS NOT NULL;

-- name: ListSettled :many
-- What the rows of an import have settled.
SELECT * FROM unsettled_entries WHERE settled_by = @import_id AND household_id = @household_id;

-- name: UnsettleEntries :exec
-- What the rows of an import have settled is open again.
UPDATE unsettled_entries SET settled_by = NULL WHERE settled_by = @import_id AND household_id = @household_id;
