-- name: ListAccountLabels :many
-- How the household's accounts are shown beside an entry.
SELECT id, public_id, name, account_type, currency FROM accounts WHERE household_id = @household_id;

-- name: ListCategoryLabels :many
-- How the household's categories are shown beside an entry.
SELECT id, public_id, name, classification, color, icon, parent_id FROM categories WHERE household_id = @household_id;

-- name: ListMerchantLabels :many
-- How the household's merchants are shown beside an entry.
SELECT id, public_id, name FROM merchants WHERE household_id = @household_id;

-- name: ListTagLabels :many
-- How the household's tags are shown beside an entry.
SELECT id, public_id, name, name_key, color FROM tags WHERE household_id = @household_id;

-- name: GetLabelsVersion :one
-- The number that moves when any label changes.
SELECT refs_version FROM households WHERE id = @household_id;

-- name: ListCategoryHolders :many
-- The transactions that have a category, or a line of it, by the ids that clients know. The plus keeps SQLite from going
-- through all of the household.
SELECT t.public_id FROM transactions t WHERE t.category_id = @category_id AND +t.household_id = CAST(@household_id AS INTEGER)
UNION ALL
SELECT t.public_id FROM transaction_lines l CROSS JOIN transactions t ON t.id = l.transaction_id
WHERE l.category_id = @category_id AND l.household_id = @household_id;

-- name: ListMerchantHolders :many
-- The same of a merchant.
SELECT t.public_id FROM transactions t WHERE t.merchant_id = @merchant_id AND +t.household_id = CAST(@household_id AS INTEGER)
UNION ALL
SELECT t.public_id FROM transaction_lines l CROSS JOIN transactions t ON t.id = l.transaction_id
WHERE l.merchant_id = @merchant_id AND l.household_id = @household_id;

-- name: ListTagHolders :many
-- The same of a tag.
SELECT t.public_id FROM tags o CROSS JOIN transaction_tags x ON x.tag_id = o.id CROSS JOIN transactions t ON t.id = x.transaction_id
WHERE o.id = @tag_id AND o.household_id = @household_id
UNION ALL
SELECT t.public_id FROM tags o CROSS JOIN transaction_line_tags x ON x.tag_id = o.id CROSS JOIN transactions t ON t.id = x.transaction_id
WHERE o.id = @tag_id AND o.household_id = @household_id;

-- name: MoveCategory :exec
-- Gives the transactions of a category to another one. The plus keeps SQLite from going through all of the household.
UPDATE transactions SET category_id = @target_id WHERE category_id = @category_id AND +household_id = CAST(@household_id AS INTEGER);

-- name: MoveCategoryLines :exec
-- Gives the split lines of a category to another one.
UPDATE transaction_lines SET category_id = @target_id WHERE category_id = @category_id AND household_id = @household_id;

-- name: CopyTag :exec
-- Puts a tag on the transactions that have another one.
INSERT INTO transaction_tags (transaction_id, tag_id)
SELECT x.transaction_id, CAST(@target_id AS INTEGER) FROM tags o JOIN transaction_tags x ON x.tag_id = o.id
WHERE o.id = @tag_id AND o.household_id = @household_id
ON CONFLICT DO NOTHING;

-- name: CopyTagLines :exec
-- Puts a tag on the split lines that have another one.
INSERT INTO transaction_line_tags (transaction_id, position, tag_id)
SELECT x.transaction_id, x.position, CAST(@target_id AS INTEGER) FROM tags o JOIN transaction_line_tags x ON x.tag_id = o.id
WHERE o.id = @tag_id AND o.household_id = @household_id
ON CONFLICT DO NOTHING;
