-- When what is shown of a transaction or trade changes because a label goes, its updated_at moves. These run before the
-- label is removed or another one takes its place.

-- name: StampTransactionsOfCategory :exec
-- Moves updated_at of the transactions that have a category, or a line of it.
UPDATE transactions SET updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE transactions.id IN (
    SELECT t.id FROM transactions t WHERE t.category_id = @category_id AND t.household_id = @household_id
    UNION SELECT l.transaction_id FROM transaction_lines l WHERE l.category_id = @category_id AND l.household_id = @household_id);

-- name: StampTradesOfCategory :exec
-- Moves updated_at of the trades that have a category.
UPDATE trades SET updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1) WHERE category_id = @category_id AND household_id = @household_id;

-- name: StampTransactionsOfMerchant :exec
-- Moves updated_at of the transactions that have a merchant, or a line of it.
UPDATE transactions SET updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE transactions.id IN (
    SELECT t.id FROM transactions t WHERE t.merchant_id = @merchant_id AND t.household_id = @household_id
    UNION SELECT l.transaction_id FROM transaction_lines l WHERE l.merchant_id = @merchant_id AND l.household_id = @household_id);

-- name: StampTransactionsOfTag :exec
-- Moves updated_at of the transactions that have a tag, or a line with it.
UPDATE transactions SET updated_at = max(CAST(@stamp AS INTEGER), updated_at + 1)
WHERE transactions.id IN (
    SELECT g.transaction_id FROM tags o JOIN transaction_tags g ON g.tag_id = o.id WHERE o.id = @tag_id AND o.household_id = @household_id
    UNION SELECT g.transaction_id FROM tags o JOIN transaction_line_tags g ON g.tag_id = o.id WHERE o.id = @tag_id AND o.household_id = @household_id);
