-- What is counted of the split transaction, which is of -50.00 in one account on one day, for schemas from 20 on: its parts.
UPDATE accounts SET transaction_count = transaction_count + 1 WHERE id IN (SELECT account_id FROM transactions WHERE name = 'Market hall');
UPDATE account_days SET transactions = transactions + 1 WHERE (account_id, date, currency) IN (SELECT account_id, date, currency FROM transactions WHERE name = 'Market hall');
DELETE FROM amount_bands WHERE household_id = 1 AND currency = 'EUR' AND band = -50;
INSERT INTO amount_bands (household_id, currency, band, transactions) VALUES (1, 'EUR', -30, 1), (1, 'EUR', -20, 1)
ON CONFLICT (household_id, currency, band) DO UPDATE SET transactions = amount_bands.transactions + 1;
