-- name: CountParents :one
-- How many of the things that new transactions refer to are there, given as JSON lists of keys without repetition.
SELECT CAST((SELECT count(*) FROM json_each(CAST(@accounts AS TEXT)) AS j CROSS JOIN accounts a ON a.id = j.value WHERE a.household_id = @household_id)
    + (SELECT count(*) FROM json_each(CAST(@categories AS TEXT)) AS j CROSS JOIN categories c ON c.id = j.value WHERE c.household_id = @household_id)
    + (SELECT count(*) FROM json_each(CAST(@merchants AS TEXT)) AS j CROSS JOIN merchants m ON m.id = j.value WHERE m.household_id = @household_id)
    + (SELECT count(*) FROM json_each(CAST(@tags AS TEXT)) AS j CROSS JOIN tags t ON t.id = j.value WHERE t.household_id = @household_id)
    + (SELECT count(*) FROM json_each(CAST(@rules AS TEXT)) AS j CROSS JOIN rules n ON n.id = j.value WHERE n.household_id = @household_id) AS INTEGER) AS there;

-- name: ListReferredTransactions :many
-- Which transactions of a household, in a range of keys and with creation numbers in a range, something refers to; some of
-- them several times.
SELECT g.transaction_id FROM transaction_tags g WHERE g.transaction_id >= @first_key AND g.transaction_id <= @last_key
    AND g.transaction_id >> 43 = CAST(@household_id AS INTEGER) AND (g.transaction_id & 67108863) >= @first_sequence AND (g.transaction_id & 67108863) <= @last_sequence
UNION ALL
SELECT l.transaction_id FROM transaction_lines l WHERE l.transaction_id >= @first_key AND l.transaction_id <= @last_key
    AND l.household_id = @household_id AND (l.transaction_id & 67108863) >= @first_sequence AND (l.transaction_id & 67108863) <= @last_sequence
UNION ALL
SELECT n.transaction_id FROM transaction_rules n WHERE n.transaction_id >= @first_key AND n.transaction_id <= @last_key
    AND n.transaction_id >> 43 = CAST(@household_id AS INTEGER) AND (n.transaction_id & 67108863) >= @first_sequence AND (n.transaction_id & 67108863) <= @last_sequence
UNION ALL
SELECT m.transaction_id FROM import_matches m WHERE m.transaction_id >= @first_key AND m.transaction_id <= @last_key
    AND m.transaction_id >> 43 = CAST(@household_id AS INTEGER) AND (m.transaction_id & 67108863) >= @first_sequence AND (m.transaction_id & 67108863) <= @last_sequence
UNION ALL
SELECT u.transaction_id FROM unsettled_entries u WHERE u.transaction_id >= @first_key AND u.transaction_id <= @last_key
    AND u.household_id = @household_id AND (u.transaction_id & 67108863) >= @first_sequence AND (u.transaction_id & 67108863) <= @last_sequence
UNION ALL
SELECT CAST(w.transaction_id AS INTEGER) FROM import_held_rows w WHERE w.transaction_id >= @first_key AND w.transaction_id <= @last_key
    AND w.transaction_id >> 43 = CAST(@household_id AS INTEGER) AND (w.transaction_id & 67108863) >= @first_sequence AND (w.transaction_id & 67108863) <= @last_sequence
UNION ALL
SELECT i.inflow_id FROM rejected_transfers i WHERE i.inflow_id >= @first_key AND i.inflow_id <= @last_key
    AND i.household_id = @household_id AND (i.inflow_id & 67108863) >= @first_sequence AND (i.inflow_id & 67108863) <= @last_sequence
UNION ALL
SELECT o.outflow_id FROM rejected_transfers o WHERE o.outflow_id >= @first_key AND o.outflow_id <= @last_key
    AND o.household_id = @household_id AND (o.outflow_id & 67108863) >= @first_sequence AND (o.outflow_id & 67108863) <= @last_sequence;

-- name: DeleteTagsOf :exec
-- Takes the tags off transactions, given as a JSON list of keys.
DELETE FROM transaction_tags WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND transaction_id >> 43 = CAST(@household_id AS INTEGER);

-- name: DeleteLineTagsOf :exec
-- The like for the lines of transactions.
DELETE FROM transaction_line_tags WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND transaction_id >> 43 = CAST(@household_id AS INTEGER);

-- name: DeleteLinesOf :exec
-- Removes the lines of transactions.
DELETE FROM transaction_lines WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND household_id = @household_id;

-- name: DeleteRuleNotesOf :exec
-- Removes what rules have noted of transactions.
DELETE FROM transaction_rules WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND transaction_id >> 43 = CAST(@household_id AS INTEGER);

-- name: DeleteMatchesOf :exec
-- Forgets that rows of imports were recognised as transactions.
DELETE FROM import_matches WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND transaction_id >> 43 = CAST(@household_id AS INTEGER);

-- name: DeleteUnsettledOf :exec
-- Forgets that transactions were booked while they were pending.
DELETE FROM unsettled_entries WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND household_id = @household_id;

-- name: ForgetHeldOf :exec
-- Rows of imports that were held back stay so when what they may have been is gone.
UPDATE import_held_rows SET transaction_id = NULL
WHERE transaction_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))) AND transaction_id >> 43 = CAST(@household_id AS INTEGER);

-- name: DeleteRejectionsOf :exec
-- Forgets rejected pairs with one of the transactions.
DELETE FROM rejected_transfers WHERE household_id = @household_id AND (inflow_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT)))
    OR outflow_id IN (SELECT value FROM json_each(CAST(@ids AS TEXT))));

-- name: IsImportAllThereIs :one
-- Whether nobody has a transaction that shows, and no other import is being written or removed: then every transaction that
-- is there is of this import.
SELECT CAST(NOT EXISTS (SELECT 1 FROM accounts a WHERE a.transaction_count > 0)
    AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.id <> @import_id AND o.first_sequence IS NOT NULL) AS INTEGER) AS alone;

-- name: DeleteImportMatchesBetween :exec
-- Forgets what some rows of an import were recognised as: those after a number, and up to another one.
DELETE FROM import_matches WHERE import_id = @import_id AND row_number > @after_row AND row_number <= @last_row
    AND import_id IN (SELECT i.id FROM imports i WHERE i.household_id = @household_id);
