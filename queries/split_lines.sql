-- name: InsertSplitLine :exec
-- Adds a line to a split transaction.
INSERT INTO transaction_lines (transaction_id, position, household_id, amount, name, notes, category_id, merchant_id)
VALUES (@transaction_id, @position, @household_id, @amount, @name, @notes, @category_id, @merchant_id);

-- name: InsertSplitLineTag :exec
-- Puts a tag on a line; a second time does nothing.
INSERT INTO transaction_line_tags (transaction_id, position, tag_id) VALUES (@transaction_id, @position, @tag_id) ON CONFLICT DO NOTHING;

-- name: DeleteSplitLines :exec
-- Takes all lines off a transaction; their tags go with them.
DELETE FROM transaction_lines WHERE transaction_id = @transaction_id AND household_id = @household_id;

-- name: MoveMerchantLines :exec
-- Gives the lines of a merchant to another one.
UPDATE transaction_lines SET merchant_id = @target_id WHERE merchant_id = @merchant_id AND household_id = @household_id;

-- name: ListJournalLines :many
-- What a journal says of the lines in a range of keys.
SELECT transaction_id, amount, name, category_id FROM transaction_lines
WHERE transaction_id >= @first_key AND transaction_id <= @last_key AND household_id = @household_id
ORDER BY transaction_id, position;

-- name: ListMerchantNames :many
-- The names of the merchants with the keys in a JSON list.
SELECT m.id, m.name FROM json_each(CAST(@ids AS TEXT)) AS j CROSS JOIN merchants m ON m.id = j.value WHERE m.household_id = @household_id;
