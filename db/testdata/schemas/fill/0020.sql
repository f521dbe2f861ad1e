-- Schema 20 so far has nothing that must be entered.
INSERT INTO import_held_rows (import_id, row_number, transaction_id) SELECT 1, 4, id FROM transactions WHERE name = 'Furniture';
