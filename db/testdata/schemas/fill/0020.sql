-- Schema 20 so far has nothing that must be entered.
INSERT INTO import_held_rows (import_id, row_number, transaction_id) SELECT 1, 4, id FROM transactions WHERE name = 'Furniture';
INSERT INTO unsettled_entries (transaction_id, household_id, settled_by) SELECT id, household_id, 1 FROM transactions WHERE name = 'Furniture';
