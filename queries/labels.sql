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
