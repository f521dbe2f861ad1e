-- What recognises rows, and what a person said of one.
UPDATE transactions SET text_key = 5 WHERE name = 'Furniture';
INSERT INTO import_trade_matches (import_id, row_number, trade_id) SELECT 1, 3, id FROM trades WHERE kind = 'buy';
INSERT INTO import_rulings (account_id, raw_key, occurrence, household_id, ruling, created_at) VALUES (2, 77, 0, 1, 'same', 0);
