-- A published import with a row that it brought and one that it found there.
INSERT INTO imports (id, public_id, household_id, user_id, account_id, type, status, settings, file_name, byte_size, rows_count, valid_rows_count, published_at, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 2, 'TransactionImport', 'complete', '{"date_format":"%Y-%m-%d"}', 'card.csv', 3, 2, 2, 0, 0, 0);
INSERT INTO import_chunks (import_id, number, data) VALUES (1, 1, zeroblob(3));
UPDATE transactions SET import_id = 1, import_row = 1, raw_key = 77, occurrence = 0 WHERE name = 'Furniture';
INSERT INTO import_matches (import_id, row_number, transaction_id) SELECT 1, 2, id FROM transactions WHERE name = 'Payment, thank you';
INSERT INTO import_changes (import_id, entity, entity_id, after) VALUES (1, 'category', unhex(printf('%032x', 1)), '{"name":"Living"}');
