-- A split transaction; one of its lines has a tag. For schemas from 20 on.
INSERT INTO transaction_lines (transaction_id, position, public_id, household_id, amount, name, category_id, merchant_id)
SELECT t.id, column1, unhex(printf('%032x', 800 + column1)), 1, column2, column3, column4, column5 FROM transactions t, (VALUES (1, -3000, 'Vegetables', 1, NULL), (2, -2000, NULL, NULL, 1)) WHERE t.name = 'Market hall';
INSERT INTO transaction_line_tags (transaction_id, position, tag_id) SELECT id, 2, 1 FROM transactions WHERE name = 'Market hall';
