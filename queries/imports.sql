-- name: InsertImport :one
-- Begins an upload.
INSERT INTO imports (public_id, household_id, user_id, type, status, settings, created_at, updated_at)
VALUES (@public_id, @household_id, @user_id, 'TransactionImport', 'receiving', '{}', @stamp, @stamp)
RETURNING id;

-- name: InsertImportChunk :exec
-- Stores a piece of an upload.
INSERT INTO import_chunks (import_id, number, data) VALUES (@import_id, @number, @data);

-- name: GetImportChunk :one
-- Reads a piece of an upload back.
SELECT c.data FROM import_chunks c JOIN imports i ON i.id = c.import_id
WHERE c.import_id = @import_id AND c.number = @number AND i.household_id = @household_id;

-- name: FinishUpload :exec
-- An upload was read to its end: what it is, and what the rows are worth.
UPDATE imports SET account_id = @account_id, type = @type, status = @status, error = @error, settings = @settings,
    skip_invalid_rows = @skip_invalid_rows, file_name = @file_name, byte_size = @byte_size, sha256 = @sha256,
    rows_count = @rows_count, valid_rows_count = @valid_rows_count, invalid_rows_count = @invalid_rows_count,
    matched_rows_count = @matched_rows_count, doubtful_rows_count = @doubtful_rows_count, plan = @plan, agreed_plan = @agreed_plan,
    layout = @layout, identity = @identity, possible_duplicates = @possible_duplicates, pending_rows_count = @pending_rows_count,
    updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'receiving';

-- name: DeleteImport :exec
-- Removes an upload that came to nothing.
DELETE FROM imports WHERE id = @id AND household_id = @household_id AND status = 'receiving';

-- name: DeleteStaleUploads :exec
-- Removes uploads that a crash or a stop cut off, in all households.
DELETE FROM imports
-- See ClaimImport.
WHERE status IN ('receiving', 'importing', 'reverting') AND status = 'receiving' AND created_at < @before;

-- name: GetImport :one
-- One import by the id that clients know.
SELECT * FROM imports WHERE public_id = @public_id AND household_id = @household_id AND status <> 'receiving';

-- name: ListImports :many
-- A page of a household's imports, newest first; a filter is a JSON array of the values that match.
SELECT * FROM imports
WHERE household_id = @household_id AND status <> 'receiving'
    AND (sqlc.narg('statuses') IS NULL OR status IN (SELECT value FROM json_each(CAST(sqlc.narg('statuses') AS TEXT))))
    AND (sqlc.narg('types') IS NULL OR type IN (SELECT value FROM json_each(CAST(sqlc.narg('types') AS TEXT))))
ORDER BY id DESC LIMIT @count OFFSET @skip;

-- name: CountImports :one
-- How many imports the same filters match.
SELECT count(*) FROM imports
WHERE household_id = @household_id AND status <> 'receiving'
    AND (sqlc.narg('statuses') IS NULL OR status IN (SELECT value FROM json_each(CAST(sqlc.narg('statuses') AS TEXT))))
    AND (sqlc.narg('types') IS NULL OR type IN (SELECT value FROM json_each(CAST(sqlc.narg('types') AS TEXT))));

-- name: QueueImport :execrows
-- Asks for an import to be published; not from every state.
UPDATE imports SET status = 'importing', error = NULL, skip_invalid_rows = @skip_invalid_rows, done_rows_count = 0,
    agreed_plan = @agreed_plan, possible_duplicates = @possible_duplicates, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status IN ('pending', 'failed');

-- name: HoldImport :exec
-- Says why an import was not published.
UPDATE imports SET error = @error, updated_at = @updated_at WHERE id = @id AND household_id = @household_id;

-- name: ClaimImport :one
-- Takes the oldest import that waits, or that was abandoned, of any household in which no other is
-- being written.
UPDATE import_work SET lease_until = @lease_until, held_by_server = CAST(@held_by_server AS BOOLEAN), attempts = attempts + 1
WHERE import_id = (SELECT w.import_id FROM import_work w
    -- A lease far beyond the longest is of a clock that was wrong.
    WHERE (w.lease_until < CAST(@now AS INTEGER) OR w.lease_until > CAST(@lease_until AS INTEGER) + 30000)
    AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.household_id = w.household_id AND o.id <> w.import_id AND o.first_sequence IS NOT NULL
        AND o.status IN ('importing', 'reverting', 'revert_failed'))
    ORDER BY w.import_id LIMIT 1)
RETURNING *;

-- name: StartImport :one
-- Notes that the work on an import has begun, or goes on.
UPDATE imports SET started_at = @started_at, started_rows_count = done_rows_count
WHERE id = @id AND household_id = @household_id
RETURNING *;

-- name: FreeImports :exec
-- Lets go of the imports, in all households, that a server held which is gone.
UPDATE import_work SET lease_until = 0 WHERE held_by_server = 1;

-- name: ReserveImport :execrows
-- Notes the creation numbers of the rows to be written. The plan that was agreed to has been checked.
UPDATE imports SET first_sequence = @first_sequence, last_sequence = @last_sequence, rows_sequence = @first_sequence, agreed_plan = '',
    started_at = CAST(@now AS INTEGER), started_rows_count = 0, done_rows_count = 0
WHERE imports.id = @id AND imports.household_id = @household_id AND status = 'importing'
    AND EXISTS (SELECT 1 FROM import_work w WHERE w.import_id = imports.id AND w.lease_until = @old_lease);

-- name: HideEntries :exec
-- Makes the rows with these creation numbers invisible; last below first hides nothing.
UPDATE households SET hidden_from = @hidden_from, hidden_to = @hidden_to WHERE id = @household_id;

-- name: RenewLease :execrows
-- Keeps hold of an import; no row when another worker has taken it.
UPDATE import_work SET lease_until = @lease_until
WHERE import_id = @import_id AND household_id = @household_id AND lease_until = @old_lease;

-- name: NoteImportProgress :exec
-- Says how far the work on an import is.
UPDATE imports SET done_rows_count = @done_rows_count, work_rows_count = @work_rows_count, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: SettleImport :execrows
-- Ends the work on an import.
UPDATE imports SET status = @status, error = @error, done_rows_count = @done_rows_count, first_sequence = NULL, last_sequence = NULL,
    started_at = NULL, work_rows_count = NULL, cancelled = 0, published_at = @published_at, updated_at = @updated_at
WHERE imports.id = @id AND imports.household_id = @household_id AND status IN ('importing', 'reverting')
    AND EXISTS (SELECT 1 FROM import_work w WHERE w.import_id = imports.id AND w.lease_until = @old_lease);

-- name: ReleaseLease :execrows
-- Lets go of an import that the stopping service will take up again; the attempt does not count.
UPDATE import_work SET lease_until = 0, attempts = max(attempts - 1, 0)
WHERE import_id = @import_id AND household_id = @household_id AND lease_until = @old_lease;

-- name: PauseImport :exec
-- Notes that nothing works on an import for the moment.
UPDATE imports SET started_at = NULL WHERE id = @id AND household_id = @household_id;

-- name: DequeueImport :execrows
-- Cancels an import that only waits, at once: no worker has it, and none has left rows of it.
UPDATE imports SET status = 'pending', started_at = NULL, updated_at = @updated_at
WHERE imports.id = @id AND imports.household_id = @household_id AND status = 'importing' AND first_sequence IS NULL
    AND EXISTS (SELECT 1 FROM import_work w WHERE w.import_id = imports.id AND w.lease_until < CAST(@now AS INTEGER));

-- name: CancelImport :exec
-- Asks whoever publishes an import to give it up.
UPDATE imports SET cancelled = 1, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status = 'importing';

-- name: IsImportCancelled :one
-- Whether an import that is being published is to be given up.
SELECT cancelled FROM imports WHERE id = @id AND household_id = @household_id;

-- name: ListImportEntryKeys :many
-- The entries that an import has written. The household stands in the key as well, and so the index alone is read.
SELECT id FROM transactions INDEXED BY transactions_by_import WHERE import_id = @import_id AND id >> 43 = CAST(@household_id AS INTEGER);

-- name: ListImportEntries :many
-- The entries that came from some rows of an import.
SELECT t.import_row, t.public_id FROM transactions t
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.import_row >= @first_row AND t.import_row <= @last_row;

-- name: InsertImportCreation :exec
-- Notes that an import created an account, category, tag or merchant; a second time does nothing.
INSERT INTO import_changes (import_id, entity, entity_id, after) VALUES (@import_id, @entity, @entity_id, @after) ON CONFLICT DO NOTHING;

-- name: DeleteUnusedImportCategories :execrows
-- Takes back categories that an import created and nothing uses; that may leave parents that nothing uses any more.
DELETE FROM categories WHERE categories.household_id = @household_id
    AND categories.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'category' AND x.before IS NULL)
    AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.category_id = categories.id)
    AND NOT EXISTS (SELECT 1 FROM transaction_lines l WHERE l.category_id = categories.id)
    AND NOT EXISTS (SELECT 1 FROM trades r WHERE r.category_id = categories.id)
    AND NOT EXISTS (SELECT 1 FROM categories c WHERE c.parent_id = categories.id)
    AND NOT EXISTS (SELECT 1 FROM rules n WHERE n.household_id = categories.household_id
        AND instr(replace(n.conditions || n.actions, '-', ''), lower(hex(categories.public_id))) > 0);

-- name: ListImportMoves :many
-- The categories that an import has put elsewhere and that are still there, with their looks before and after.
SELECT sqlc.embed(c), CAST(x.before AS TEXT) AS was, CAST(x.after AS TEXT) AS became
FROM import_changes x JOIN categories c ON c.public_id = x.entity_id
WHERE x.import_id = @import_id AND x.entity = 'category' AND x.before IS NOT NULL AND c.household_id = @household_id;

-- name: ForgetImportMoves :exec
-- Drops the notes of categories that an import had put elsewhere.
DELETE FROM import_changes WHERE import_changes.import_id = @import_id AND import_changes.entity = 'category' AND import_changes.before IS NOT NULL
    AND import_changes.import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);

-- name: DeleteUnusedImportTags :exec
-- Takes back tags that an import created and nothing uses.
DELETE FROM tags WHERE tags.household_id = @household_id
    AND tags.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'tag')
    AND NOT EXISTS (SELECT 1 FROM transaction_tags u WHERE u.tag_id = tags.id)
    AND NOT EXISTS (SELECT 1 FROM transaction_line_tags l WHERE l.tag_id = tags.id)
    AND NOT EXISTS (SELECT 1 FROM rules n WHERE n.household_id = tags.household_id
        AND instr(replace(n.conditions || n.actions, '-', ''), lower(hex(tags.public_id))) > 0);

-- name: DeleteUnusedImportAccounts :exec
-- Takes back accounts that an import created and nothing uses. The opening balance that the file says is no use of it; one
-- that a person has stated since is.
DELETE FROM accounts WHERE accounts.household_id = @household_id
    AND accounts.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'account')
    AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM trades t WHERE t.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM valuations v WHERE v.account_id = accounts.id AND (v.kind <> 'opening_anchor'
        OR EXISTS (SELECT 1 FROM changes d WHERE d.household_id = accounts.household_id AND d.entity_id = v.public_id AND d.origin <> 'import')))
    AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.household_id = accounts.household_id AND i.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM rules n WHERE n.household_id = accounts.household_id
        AND instr(replace(n.conditions || n.actions, '-', ''), lower(hex(accounts.public_id))) > 0);

-- name: DeleteUnusedImportMerchants :exec
-- Takes back merchants that an import created and nothing uses.
DELETE FROM merchants WHERE merchants.household_id = @household_id
    AND merchants.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'merchant')
    AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.merchant_id = merchants.id)
    AND NOT EXISTS (SELECT 1 FROM transaction_lines l WHERE l.merchant_id = merchants.id)
    AND NOT EXISTS (SELECT 1 FROM rules n WHERE n.household_id = merchants.household_id
        AND instr(replace(n.conditions || n.actions, '-', ''), lower(hex(merchants.public_id))) > 0);

-- name: DeleteImportValuations :exec
-- Takes back valuations that an import created.
DELETE FROM valuations WHERE valuations.household_id = @household_id
    AND valuations.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'valuation' AND x.before IS NULL);

-- name: DeleteUnusedImportSecurities :exec
-- Takes back securities that an import created and no trade is of, nor any price or split that somebody has noted;
-- prices that were looked up go with them.
DELETE FROM securities WHERE securities.household_id = @household_id
    AND securities.public_id IN (SELECT x.entity_id FROM import_changes x WHERE x.import_id = @import_id AND x.entity = 'security')
    AND NOT EXISTS (SELECT 1 FROM trades t WHERE t.security_id = securities.id)
    AND NOT EXISTS (SELECT 1 FROM security_prices p WHERE p.security_id = securities.id AND p.source <> 'fetch')
    AND NOT EXISTS (SELECT 1 FROM security_splits s WHERE s.security_id = securities.id);

-- name: ListImportCreationsKept :many
-- What an import created and is still there, by kind and name.
SELECT x.entity, CAST(coalesce(a.name, c.name, t.name, m.name, s.ticker, r.name, '') AS TEXT) AS name
FROM import_changes x JOIN imports i ON i.id = x.import_id
LEFT JOIN accounts a ON x.entity = 'account' AND a.public_id = x.entity_id
LEFT JOIN categories c ON x.entity = 'category' AND c.public_id = x.entity_id
LEFT JOIN tags t ON x.entity = 'tag' AND t.public_id = x.entity_id
LEFT JOIN merchants m ON x.entity = 'merchant' AND m.public_id = x.entity_id
LEFT JOIN securities s ON x.entity = 'security' AND s.public_id = x.entity_id
LEFT JOIN rules r ON x.entity = 'rule' AND r.public_id = x.entity_id
WHERE x.import_id = @import_id AND i.household_id = @household_id AND x.before IS NULL
    AND coalesce(a.id, c.id, t.id, m.id, s.id, r.id) IS NOT NULL;

-- name: ForgetImportCreations :exec
-- Drops the notes of what an import created and is gone.
DELETE FROM import_changes WHERE import_changes.import_id = @import_id AND import_changes.before IS NULL
    AND import_changes.import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id)
    AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.public_id = import_changes.entity_id)
    AND NOT EXISTS (SELECT 1 FROM categories c WHERE c.public_id = import_changes.entity_id)
    AND NOT EXISTS (SELECT 1 FROM tags t WHERE t.public_id = import_changes.entity_id)
    AND NOT EXISTS (SELECT 1 FROM merchants m WHERE m.public_id = import_changes.entity_id)
    AND NOT EXISTS (SELECT 1 FROM securities s WHERE s.public_id = import_changes.entity_id)
    AND NOT EXISTS (SELECT 1 FROM rules r WHERE r.public_id = import_changes.entity_id);

-- name: DeleteTransactions :exec
-- Removes transactions, given as a JSON list of keys; their tags go with them. The household is asked of the key, lest an
-- index of all that the household has be walked.
DELETE FROM transactions WHERE id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND id >> 43 = CAST(@household_id AS INTEGER);

-- name: RemoveImport :execrows
-- Removes an import that has booked nothing.
DELETE FROM imports WHERE id = @id AND household_id = @household_id AND status IN ('pending', 'failed');

-- name: BeginRevert :execrows
-- Takes the rows of an import out of the books; a worker removes them. The creation numbers are those of its rows, the error is what is
-- known to stay.
UPDATE imports SET status = 'reverting', error = @error, done_rows_count = 0, first_sequence = @first_sequence, last_sequence = @last_sequence,
    published_at = NULL, reconciliation = NULL, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status IN ('complete', 'revert_failed');

-- name: QueueRevert :execrows
-- Asks for an import to be reverted when its turn comes; until then it is in the books. One that is out of them already, as
-- its revert has failed, goes on from there.
UPDATE imports SET status = 'reverting', error = NULL, done_rows_count = 0,
    revert_waits = CASE WHEN first_sequence IS NULL THEN CAST(@waits AS INTEGER) ELSE 0 END, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status IN ('complete', 'revert_failed');

-- name: BeginWaitingRevert :execrows
-- The same as BeginRevert when the turn of an import has come.
UPDATE imports SET error = @error, first_sequence = @first_sequence, last_sequence = @last_sequence, revert_waits = 0, published_at = NULL, reconciliation = NULL,
    updated_at = @updated_at
WHERE imports.id = @id AND imports.household_id = @household_id AND status = 'reverting' AND revert_waits <> 0
    AND EXISTS (SELECT 1 FROM import_work w WHERE w.import_id = imports.id AND w.lease_until = @old_lease);

-- name: RefuseRevert :execrows
-- Leaves an import in the books that was to be reverted when its turn came, and says why.
UPDATE imports SET status = 'complete', error = CAST(@error AS TEXT), revert_waits = 0, done_rows_count = rows_count,
    started_at = NULL, work_rows_count = NULL, updated_at = @updated_at
WHERE imports.id = @id AND imports.household_id = @household_id AND status = 'reverting' AND revert_waits <> 0
    AND EXISTS (SELECT 1 FROM import_work w WHERE w.import_id = imports.id AND w.lease_until = @old_lease);

-- name: GiveUpRevert :execrows
-- Ends the work on a revert that does not come to its end. Its rows stay hidden, so no other import of the household is written
-- until it is asked for again.
UPDATE imports SET status = 'revert_failed', error = CAST(@error AS TEXT), started_at = NULL, work_rows_count = NULL,
    updated_at = @updated_at
WHERE imports.id = @id AND imports.household_id = @household_id AND status = 'reverting'
    AND EXISTS (SELECT 1 FROM import_work w WHERE w.import_id = imports.id AND w.lease_until = @old_lease);

-- name: NoteReconciliation :exec
-- Keeps what the file of an import proves beside what the accounts show.
UPDATE imports SET reconciliation = @reconciliation WHERE id = @id AND household_id = @household_id;

-- name: GetImportSequence :one
-- The creation number of row 1 of an import, as far as any of its rows is there.
SELECT CAST((id & 67108863) - import_row + 1 AS INTEGER) AS first_sequence FROM transactions
WHERE import_id = @import_id AND household_id = @household_id LIMIT 1;

-- name: GetLastChange :one
-- The newest entry of a household's history.
SELECT id FROM changes NOT INDEXED WHERE household_id = @household_id ORDER BY id DESC LIMIT 1;

-- name: HasChangesSince :one
-- Whether anything was changed after an entry of a household's history.
SELECT CAST(EXISTS (SELECT 1 FROM changes NOT INDEXED WHERE id > @since AND household_id = @household_id) AS INTEGER) AS changed;

-- name: SumImportDays :many
-- What an import's rows contribute to the rollup of days; the sum is upper * 2^32 + lower.
SELECT account_id, date, currency, CAST(sum(amount >> 32) AS INTEGER) AS upper, CAST(sum(amount & 4294967295) AS INTEGER) AS lower, count(*) AS transactions, CAST(sum(amount > 0) AS INTEGER) AS incomes
FROM transactions INDEXED BY transactions_by_import WHERE import_id = @import_id AND household_id = @household_id
GROUP BY account_id, date, currency;

-- name: CountImportBands :many
-- What an import's rows contribute to the counts of amount bands; see ledger.bandOf. Numbers are sorted in less time than texts, so
-- the band comes first.
SELECT currency, CAST(amount / 100 - (amount % 100 < 0) AS INTEGER) AS band, count(*) AS transactions
FROM transactions INDEXED BY transactions_by_import WHERE import_id = @import_id AND household_id = @household_id
GROUP BY 2, 1;

-- name: ListImportTransfers :many
-- The transfers of which an import has written one side, or both.
SELECT CAST(transfer_id AS INTEGER) AS transfer_id, count(*) AS sides
FROM transactions INDEXED BY transactions_by_import
WHERE import_id = @import_id AND household_id = @household_id AND transfer_id IS NOT NULL
GROUP BY transfer_id;

-- name: ListImportEdits :many
-- Rows of an import that were changed after it, or are in a transfer that a person has confirmed. A transfer that is found
-- also moves updated_at, so the history is asked; what a rule or a file did is nobody's work, and that a label of a row was
-- deleted, or became another one, is no edit of the row.
SELECT t.public_id, t.date, t.name FROM transactions t INDEXED BY transactions_by_import
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.updated_at > t.created_at
    AND (EXISTS (SELECT 1 FROM changes c WHERE c.household_id = t.household_id AND c.entity_id = t.public_id AND c.origin <> 'rule'
            AND NOT EXISTS (SELECT 1 FROM changes g WHERE g.household_id = c.household_id AND g.operation_id = c.operation_id
                AND g.entity IN ('category', 'merchant', 'tag') AND g.action = 'delete'))
        OR EXISTS (SELECT 1 FROM transfers f JOIN changes d ON d.household_id = f.household_id AND d.entity_id = f.public_id
                WHERE f.id = t.transfer_id AND f.status = 'confirmed' AND d.origin NOT IN ('rule', 'import'))
            AND NOT EXISTS (SELECT 1 FROM transaction_rules n WHERE n.transaction_id = t.id AND n.field = 'transfer'))
ORDER BY t.import_row LIMIT CAST(@count AS INTEGER);

-- name: CountImportEdits :one
-- How many rows ListImportEdits would list.
SELECT count(*) FROM transactions t INDEXED BY transactions_by_import
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.updated_at > t.created_at
    AND (EXISTS (SELECT 1 FROM changes c WHERE c.household_id = t.household_id AND c.entity_id = t.public_id AND c.origin <> 'rule'
            AND NOT EXISTS (SELECT 1 FROM changes g WHERE g.household_id = c.household_id AND g.operation_id = c.operation_id
                AND g.entity IN ('category', 'merchant', 'tag') AND g.action = 'delete'))
        OR EXISTS (SELECT 1 FROM transfers f JOIN changes d ON d.household_id = f.household_id AND d.entity_id = f.public_id
                WHERE f.id = t.transfer_id AND f.status = 'confirmed' AND d.origin NOT IN ('rule', 'import'))
            AND NOT EXISTS (SELECT 1 FROM transaction_rules n WHERE n.transaction_id = t.id AND n.field = 'transfer'));

-- name: DeleteTransfers :exec
-- Undoes transfers, given as a JSON list of keys; their sides are ordinary transactions again.
DELETE FROM transfers WHERE household_id = @household_id AND id IN (SELECT value FROM json_each(CAST(@ids AS TEXT)));

-- name: DeleteImportRejections :exec
-- Forgets rejected pairs with a side that an import has written.
DELETE FROM rejected_transfers WHERE rejected_transfers.household_id = @household_id
    AND (EXISTS (SELECT 1 FROM transactions t WHERE t.id = rejected_transfers.inflow_id AND t.import_id = @import_id)
        OR EXISTS (SELECT 1 FROM transactions o WHERE o.id = rejected_transfers.outflow_id AND o.import_id = @import_id));

-- name: ListImportCreations :many
-- What an import created, to tell it from what was there before.
SELECT x.entity_id FROM import_changes x JOIN imports i ON i.id = x.import_id
WHERE x.import_id = @import_id AND i.household_id = @household_id AND x.before IS NULL;
