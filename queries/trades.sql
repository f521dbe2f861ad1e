-- name: InsertTrade :exec
-- A new trade under the key that was made for it.
INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, fee, amount, currency, allow_short, name, notes,
    activity_label, category_id, import_id, import_row, source_hash, occurrence, like_key, bank_key, created_at, updated_at)
VALUES (@id, @public_id, @household_id, @account_id, @security_id, @date, @kind, @quantity, @price, @fee, @amount, @currency, @allow_short, @name, @notes,
    @activity_label, @category_id, @import_id, @import_row, @source_hash, @occurrence, @like_key, @bank_key, @created_at, @updated_at);

-- name: GetTrade :one
-- A trade by the id that clients know; rows of an import still being written do not exist yet.
SELECT t.* FROM trades t JOIN households h ON h.id = t.household_id
WHERE t.public_id = @public_id AND t.household_id = @household_id
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: UpdateTrade :exec
-- Writes what can change of a trade; a new date makes a new key.
UPDATE trades SET id = @new_id, date = @date, kind = @kind, quantity = @quantity, price = @price, fee = @fee, amount = @amount, currency = @currency,
    allow_short = @allow_short, name = @name, notes = @notes, activity_label = @activity_label, category_id = @category_id, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteTrade :exec
-- Removes a trade.
DELETE FROM trades WHERE id = @id AND household_id = @household_id;

-- name: ListTrades :many
-- A page of trades in list order: by day, then by creation, the newest first. Rows that an import is still
-- writing are left out.
SELECT t.* FROM trades t
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key
    -- Of one kind, or of all when it is empty.
    AND (CAST(@kind AS TEXT) = '' OR t.kind = CAST(@kind AS TEXT))
    -- Of accounts and of securities, given as JSON lists of keys, or of all when they are null.
    AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a))
    AND (CAST(@securities AS TEXT) = 'null' OR t.security_id IN (SELECT s.value FROM json_each(CAST(@securities AS TEXT)) s))
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id))
ORDER BY t.id DESC LIMIT CAST(@size AS INTEGER) OFFSET CAST(@skipped AS INTEGER);

-- name: CountTrades :one
-- How many trades the same filters select.
SELECT count(*) FROM trades t
WHERE t.household_id = @household_id AND t.id >= @first_key AND t.id <= @last_key
    -- Of one kind, or of all when it is empty.
    AND (CAST(@kind AS TEXT) = '' OR t.kind = CAST(@kind AS TEXT))
    -- Of accounts and of securities, given as JSON lists of keys, or of all when they are null.
    AND (CAST(@accounts AS TEXT) = 'null' OR t.account_id IN (SELECT a.value FROM json_each(CAST(@accounts AS TEXT)) a))
    AND (CAST(@securities AS TEXT) = 'null' OR t.security_id IN (SELECT s.value FROM json_each(CAST(@securities AS TEXT)) s))
    AND ((t.id & 67108863) < (SELECT h.hidden_from FROM households h WHERE h.id = @household_id)
        OR (t.id & 67108863) > (SELECT h.hidden_to FROM households h WHERE h.id = @household_id));

-- name: CountAccountTrades :one
-- The same without a kind or securities, from an index alone.
SELECT count(*) FROM households h CROSS JOIN accounts a ON a.household_id = h.id
CROSS JOIN trades t INDEXED BY trades_by_account ON t.account_id = a.id
WHERE h.id = @household_id AND t.id >= @first_key AND t.id <= @last_key
    AND (CAST(@accounts AS TEXT) = 'null' OR a.id IN (SELECT j.value FROM json_each(CAST(@accounts AS TEXT)) j))
    AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to);

-- name: ListTradesOfCategory :many
-- The trades that have a category, by the ids that clients know.
SELECT public_id FROM trades WHERE category_id = @category_id AND household_id = @household_id ORDER BY id;

-- name: ListImportTrades :many
-- The trades that an import has written.
SELECT * FROM trades INDEXED BY trades_by_import WHERE import_id = @import_id AND household_id = @household_id ORDER BY import_row;

-- name: DeleteImportTrades :exec
-- Removes the trades that an import has written.
DELETE FROM trades WHERE import_id = @import_id AND household_id = @household_id;

-- name: CoverImportTrades :exec
-- Takes from the sales of an import the leave to be short where at the end of their day nothing is.
UPDATE trades SET allow_short = 0
WHERE trades.import_id = @import_id AND trades.household_id = @household_id AND trades.allow_short = 1
    AND EXISTS (SELECT 1 FROM positions p WHERE p.account_id = trades.account_id AND p.security_id = trades.security_id
        AND p.date = trades.date AND p.quantity NOT LIKE '-%');

-- name: CountShortPosition :one
-- 1 when at the end of a day on which a security was traded in an account less than nothing is held of it, else 0.
SELECT count(*) FROM positions
WHERE account_id = @account_id AND security_id = @security_id AND date = @date AND household_id = @household_id AND quantity LIKE '-%';

-- name: ListImportTradeEntries :many
-- The trades that came from some rows of an import.
SELECT t.import_row, t.public_id FROM trades t
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.import_row >= @first_row AND t.import_row <= @last_row;

-- name: ListImportTradeEdits :many
-- Trades of an import that were changed after it, by row.
SELECT t.public_id, t.date, t.name FROM trades t INDEXED BY trades_by_import
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.updated_at > t.created_at
ORDER BY t.import_row LIMIT CAST(@count AS INTEGER);

-- name: CountImportTradeEdits :one
-- How many trades ListImportTradeEdits would list.
SELECT count(*) FROM trades t INDEXED BY trades_by_import
WHERE t.import_id = @import_id AND t.household_id = @household_id AND t.updated_at > t.created_at;
