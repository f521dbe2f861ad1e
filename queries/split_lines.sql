-- name: InsertSplitLine :exec
-- Adds a line to a split transaction.
INSERT INTO transaction_lines (transaction_id, position, public_id, household_id, amount, name, notes, category_id, merchant_id)
VALUES (@transaction_id, @position, @public_id, @household_id, @amount, @name, @notes, @category_id, @merchant_id);

-- name: FindPart :one
-- Where the part of a split transaction is that clients know by an id, and which transaction it is of; rows of an import
-- still being written do not exist yet.
SELECT l.transaction_id, l.position, t.public_id FROM transaction_lines l JOIN transactions t ON t.id = l.transaction_id JOIN households h ON h.id = l.household_id
WHERE l.public_id = @public_id AND l.household_id = @household_id
    AND ((l.transaction_id & 67108863) < h.hidden_from OR (l.transaction_id & 67108863) > h.hidden_to);

-- name: ListCountedParts :many
-- What is counted of split transactions in a range of keys: the whole, with each of its parts; of one import, if that is given.
SELECT l.position, l.amount, t.account_id, t.date, t.currency, t.amount AS whole
FROM transaction_lines l CROSS JOIN transactions t ON t.id = l.transaction_id
WHERE l.transaction_id >= @first_key AND l.transaction_id <= @last_key AND l.household_id = @household_id
    AND (t.import_id = sqlc.narg('import_id') OR sqlc.narg('import_id') IS NULL)
    AND ((l.transaction_id & 67108863) < CAST(@hidden_from AS INTEGER) OR (l.transaction_id & 67108863) > CAST(@hidden_to AS INTEGER));

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
