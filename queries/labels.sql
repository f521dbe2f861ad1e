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

-- name: CountCategoryUses :many
-- How many transactions have each category, with lines in the place of split ones and without what an import is still
-- writing: each is a range of an index that has the number.
SELECT c.public_id, CAST((SELECT count(*) FROM transactions t WHERE t.category_id = c.id
        AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to))
    + (SELECT count(*) FROM transaction_lines l WHERE l.category_id = c.id
        AND ((l.transaction_id & 67108863) < h.hidden_from OR (l.transaction_id & 67108863) > h.hidden_to)) AS INTEGER) AS uses
FROM categories c JOIN households h ON h.id = c.household_id WHERE c.household_id = @household_id;

-- name: CountMerchantUses :many
-- The same of merchants. A line without one has that of the whole, so the whole counts once less than it has such lines.
SELECT m.public_id, CAST((SELECT count(*) FROM transactions t WHERE t.merchant_id = m.id
        AND ((t.id & 67108863) < h.hidden_from OR (t.id & 67108863) > h.hidden_to))
    + (SELECT count(*) FROM transaction_lines l WHERE l.merchant_id = m.id
        AND ((l.transaction_id & 67108863) < h.hidden_from OR (l.transaction_id & 67108863) > h.hidden_to))
    + coalesce(s.more, 0) AS INTEGER) AS uses
FROM merchants m JOIN households h ON h.id = m.household_id
LEFT JOIN (SELECT t.merchant_id, sum(w.lines - 1) AS more
    FROM (SELECT l.transaction_id, count(*) FILTER (WHERE l.merchant_id IS NULL) AS lines FROM transaction_lines l
        WHERE l.transaction_id >= @first_key AND l.transaction_id <= @last_key GROUP BY l.transaction_id) w
    CROSS JOIN transactions t ON t.id = w.transaction_id CROSS JOIN households o ON o.id = t.household_id
    WHERE (t.id & 67108863) < o.hidden_from OR (t.id & 67108863) > o.hidden_to GROUP BY t.merchant_id) s ON s.merchant_id = m.id
WHERE m.household_id = @household_id;

-- name: CountTagUses :many
-- The same of tags. A line has its own and those of the whole, so the whole counts once less than it has lines, and a line
-- that has one of both ways is counted once.
SELECT g.public_id, CAST((SELECT count(*) FROM transaction_tags x WHERE x.tag_id = g.id
        AND ((x.transaction_id & 67108863) < h.hidden_from OR (x.transaction_id & 67108863) > h.hidden_to))
    + (SELECT count(*) FROM transaction_line_tags y WHERE y.tag_id = g.id
        AND ((y.transaction_id & 67108863) < h.hidden_from OR (y.transaction_id & 67108863) > h.hidden_to)
        AND NOT EXISTS (SELECT 1 FROM transaction_tags x WHERE x.transaction_id = y.transaction_id AND x.tag_id = y.tag_id))
    + coalesce(s.more, 0) AS INTEGER) AS uses
FROM tags g JOIN households h ON h.id = g.household_id
LEFT JOIN (SELECT x.tag_id, sum(w.lines - 1) AS more
    FROM (SELECT l.transaction_id, count(*) AS lines FROM transaction_lines l
        WHERE l.transaction_id >= @first_key AND l.transaction_id <= @last_key GROUP BY l.transaction_id) w
    CROSS JOIN transaction_tags x ON x.transaction_id = w.transaction_id CROSS JOIN households o ON o.id = w.transaction_id >> 43
    WHERE (w.transaction_id & 67108863) < o.hidden_from OR (w.transaction_id & 67108863) > o.hidden_to GROUP BY x.tag_id) s ON s.tag_id = g.id
WHERE g.household_id = @household_id;
