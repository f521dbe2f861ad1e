-- The other things that programs keep beside transactions, for schemas from 2 on.
INSERT INTO amount_bands (household_id, currency, band, transactions)
SELECT household_id, currency, amount / 100 - (amount < 0 AND amount % 100 <> 0), count(*) FROM transactions GROUP BY 1, 2, 3;
UPDATE accounts SET transaction_count = (SELECT count(*) FROM transactions t WHERE t.account_id = accounts.id);
INSERT INTO transactions_fts (rowid, name, notes, merchant)
SELECT t.id, t.name, coalesce(t.notes, ''), coalesce((SELECT m.name FROM merchants m WHERE m.id = t.merchant_id), '') FROM transactions t;
