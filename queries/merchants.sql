-- name: InsertMerchant :execlastid
-- A new merchant.
INSERT INTO merchants (public_id, household_id, name, name_key, created_at, updated_at)
VALUES (@public_id, @household_id, @name, @name_key, @created_at, @updated_at);

-- name: UpdateMerchant :exec
-- Writes what can change of a merchant.
UPDATE merchants SET name = @name, name_key = @name_key, updated_at = @updated_at
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
-- Gives the transactions of a merchant to another one.
UPDATE transactions SET merchant_id = @target_id WHERE merchant_id = @merchant_id AND household_id = @household_id;

-- name: ListMerchantTexts :many
-- What is searchable of a merchant's transactions, a part at a time in the order of their keys.
SELECT id, name, notes FROM transactions
WHERE merchant_id = @merchant_id AND household_id = @household_id AND id > CAST(@after_id AS INTEGER)
ORDER BY id LIMIT @row_limit;
