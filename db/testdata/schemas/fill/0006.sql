-- A purchase, a split, a sale and a dividend, market prices, and what is kept of them.
INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, fee, amount, currency, name, created_at, updated_at)
SELECT (1 << 43) | ((unixepoch(column2) / 86400 + 25567) << 26) | column1, unhex(printf('%032x', column1)), 1, 4, 1, unixepoch(column2) / 86400,
    column3, column4, column5, column6, column7, 'EUR', column3 || ' ACME', 0, 0 FROM (VALUES
    (12, '2026-02-10', 'buy', '10', '50', 500, -50500), (13, '2026-04-10', 'sell', '-5', '28', 0, 14000), (14, '2026-04-15', 'dividend', '0', '0', 0, 1200));
INSERT INTO security_splits (id, public_id, household_id, security_id, date, numerator, denominator, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, unixepoch('2026-03-10') / 86400, 2, 1, 0, 0);
INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at) VALUES
    (1, unixepoch('2026-02-20') / 86400, '52', 'EUR', 'test', 1, 0, 0), (1, unixepoch('2026-03-20') / 86400, '27', 'EUR', 'test', 1, 0, 0);
INSERT INTO positions (account_id, security_id, date, household_id, quantity, cost, currency, mixed, edge, updated_at) VALUES
    (4, 1, unixepoch('2026-02-10') / 86400, 1, '10', '505', 'EUR', 0, 1, 0), (4, 1, unixepoch('2026-03-10') / 86400, 1, '20', '505', 'EUR', 0, 0, 0),
    (4, 1, unixepoch('2026-04-10') / 86400, 1, '15', '378.75', 'EUR', 0, 0, 0);
INSERT INTO trade_prices (security_id, date, price, currency, household_id) VALUES
    (1, unixepoch('2026-02-10') / 86400, '50', 'EUR', 1), (1, unixepoch('2026-04-10') / 86400, '28', 'EUR', 1);
INSERT INTO holding_values (account_id, currency, date, household_id, value) VALUES
    (4, 'EUR', unixepoch('2026-02-10') / 86400, 1, 50000), (4, 'EUR', unixepoch('2026-02-20') / 86400, 1, 52000),
    (4, 'EUR', unixepoch('2026-03-20') / 86400, 1, 54000), (4, 'EUR', unixepoch('2026-04-10') / 86400, 1, 40500);
