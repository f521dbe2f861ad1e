-- name: ListJournalTransactions :many
-- The next transactions after a key, up to another. Creation numbers from hidden_from to hidden_to are those of an
-- import that is still writing (see households); its rows are left out.
SELECT id, account_id, amount, currency, name, notes, category_id, merchant_id, transfer_id FROM transactions
WHERE id > @after AND id <= @last_key AND +household_id = @household_id
    AND ((id & 67108863) < CAST(@hidden_from AS INTEGER) OR (id & 67108863) > CAST(@hidden_to AS INTEGER))
ORDER BY id LIMIT CAST(@size AS INTEGER);

-- name: ListJournalTrades :many
-- The same of trades.
SELECT id, account_id, security_id, kind, quantity, fee, amount, currency, name, notes, category_id FROM trades
WHERE id > @after AND id <= @last_key AND +household_id = @household_id
    AND ((id & 67108863) < CAST(@hidden_from AS INTEGER) OR (id & 67108863) > CAST(@hidden_to AS INTEGER))
ORDER BY id LIMIT CAST(@size AS INTEGER);

-- name: ListJournalSplits :many
-- The splits of a household's securities.
SELECT s.security_id, s.date, s.numerator, s.denominator
FROM securities x CROSS JOIN security_splits s ON s.security_id = x.id
WHERE x.household_id = @household_id;

-- name: ListJournalCategories :many
-- The categories of a household.
SELECT id, parent_id, name, classification FROM categories WHERE household_id = @household_id;

-- name: ListJournalSecurities :many
-- The securities of a household.
SELECT id, ticker, mic FROM securities WHERE household_id = @household_id;

-- name: ListJournalOpenings :many
-- The opening balances that have no date.
SELECT v.account_id, v.amount
FROM accounts a CROSS JOIN valuations v ON v.account_id = a.id AND v.kind = 'opening_anchor' AND v.date IS NULL
WHERE a.household_id = @household_id;

-- name: ListForeignCurrencies :many
-- In which other currencies than its own something was booked in each account.
SELECT DISTINCT d.account_id, d.currency
FROM accounts a CROSS JOIN account_days d ON d.account_id = a.id
WHERE a.household_id = @household_id AND d.other_currency = 1;

-- name: ListHeldCurrencies :many
-- In which currencies the holdings of each account were ever valued.
SELECT DISTINCT v.account_id, v.currency
FROM accounts a CROSS JOIN holding_values v ON v.account_id = a.id
WHERE a.household_id = @household_id;

-- name: ListTableTransactions :many
-- The next transactions after a key, up to another, for a table: the same as in a backup, with the transfer of which
-- a transaction is a side, and the account of the other side; 0 without one.
SELECT t.id, t.public_id, t.account_id, t.amount, t.currency, t.name, t.notes, t.category_id, t.merchant_id, t.external_id, t.source,
    t.created_at, t.updated_at,
    CAST(coalesce((SELECT group_concat(x.tag_id) FROM transaction_tags x WHERE x.transaction_id = t.id), '') AS TEXT) AS tags,
    CAST((SELECT count(*) FROM transaction_lines l WHERE l.transaction_id = t.id) AS INTEGER) AS lines,
    CAST(coalesce((SELECT f.status FROM transfers f WHERE f.id = t.transfer_id), '') AS TEXT) AS transfer,
    CAST(coalesce((SELECT o.account_id FROM transactions o WHERE o.transfer_id = t.transfer_id AND o.id <> t.id), 0) AS INTEGER) AS other_account
FROM transactions t
WHERE t.id > @after AND t.id <= @last_key AND +t.household_id = @household_id
    AND ((t.id & 67108863) < CAST(@hidden_from AS INTEGER) OR (t.id & 67108863) > CAST(@hidden_to AS INTEGER))
ORDER BY t.id LIMIT CAST(@size AS INTEGER);

-- name: ListTableLines :many
-- The next lines of split transactions after a key and a position, up to another key, for a table.
SELECT l.transaction_id, l.position, l.amount, l.name, l.notes, l.category_id, l.merchant_id, t.public_id, t.account_id, t.currency,
    CAST(coalesce((SELECT group_concat(x.tag_id) FROM transaction_line_tags x
        WHERE x.transaction_id = l.transaction_id AND x.position = l.position), '') AS TEXT) AS tags
FROM transaction_lines l CROSS JOIN transactions t ON t.id = l.transaction_id
WHERE (l.transaction_id, l.position) > (CAST(@after AS INTEGER), CAST(@after_position AS INTEGER)) AND l.transaction_id <= @last_key
    AND +l.household_id = @household_id
    AND ((l.transaction_id & 67108863) < CAST(@hidden_from AS INTEGER) OR (l.transaction_id & 67108863) > CAST(@hidden_to AS INTEGER))
ORDER BY l.transaction_id, l.position LIMIT CAST(@size AS INTEGER);
