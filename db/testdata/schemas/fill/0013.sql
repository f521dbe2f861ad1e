-- A price and a split that an import brought.
INSERT INTO import_prices (import_id, security_id, date, household_id, price, currency) VALUES (1, 1, unixepoch('2026-02-20') / 86400, 1, '52', 'EUR');
INSERT INTO import_splits (import_id, split_id, household_id) VALUES (1, 1, 1);
