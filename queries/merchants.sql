-- name: InsertMerchant :execlastid
-- A new merchant.
INSERT INTO merchants (id, public_id, household_id, name, name_key, color, website_url, created_at, updated_at)
VALUES (sqlc.narg('id'), @public_id, @household_id, @name, @name_key, @color, @website_url, @created_at, @updated_at);

-- name: UpdateMerchant :exec
-- Writes what can change of a merchant.
UPDATE merchants SET name = @name, name_key = @name_key, color = @color, website_url = @website_url, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteMerchant :exec
-- Removes a merchant; what had it has none afterwards.
DELETE FROM merchants WHERE id = @id AND household_id = @household_id;

-- name: GetMerchant :one
-- One merchant by the id that clients know.
SELECT * FROM merchants WHERE public_id = @public_id AND household_id = @household_id;

-- name: GetMerchantNamed :one
-- The merchant that a file means by a name.
SELECT * FROM merchants WHERE household_id = @household_id AND name_key = @name_key;

-- name: ListMerchants :many
-- All merchants of a household by name.
SELECT * FROM merchants WHERE household_id = @household_id ORDER BY name_key, id;

-- name: MoveMerchant :exec
-- Gives the transactions of a merchant to another one. The plus keeps SQLite from going through all of the household.
UPDATE transactions SET merchant_id = @target_id WHERE merchant_id = @merchant_id AND +household_id = CAST(@household_id AS INTEGER);

-- name: ListMerchantTexts :many
-- What is searchable of a merchant's transactions and of those with a line of it, a part at a time in the order of
-- their keys; the merchant has the new name already, or none where that is empty.
SELECT t.id, t.name, CAST(concat_ws(char(10), t.notes, (SELECT group_concat(concat_ws(char(10), l.name, l.notes), char(10))
        FROM transaction_lines l WHERE l.transaction_id = t.id)) AS TEXT) AS notes,
    CAST(concat_ws(char(10), (SELECT iif(o.id = @merchant_id, CAST(@new_name AS TEXT), o.name) FROM merchants o WHERE o.id = t.merchant_id),
        (SELECT group_concat(iif(m.id = @merchant_id, CAST(@new_name AS TEXT), m.name), char(10))
            FROM transaction_lines l CROSS JOIN merchants m ON m.id = l.merchant_id WHERE l.transaction_id = t.id)) AS TEXT) AS merchant
FROM (SELECT w.id FROM transactions w WHERE w.merchant_id = @merchant_id AND w.household_id = @household_id AND w.id > CAST(@after_id AS INTEGER)
    UNION SELECT p.transaction_id FROM transaction_lines p
        WHERE p.merchant_id = @merchant_id AND p.household_id = @household_id AND p.transaction_id > CAST(@after_id AS INTEGER)
    ORDER BY 1 LIMIT CAST(@row_limit AS INTEGER)) k
CROSS JOIN transactions t ON t.id = k.id;
