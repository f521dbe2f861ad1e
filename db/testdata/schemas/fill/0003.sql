-- Exchange rates, an entry in another currency than its account's, and a security.
INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
SELECT 'EUR', column1, unixepoch(column2) / 86400, column3, 'test' FROM (VALUES
    ('USD', '2026-01-30', '1.25'), ('USD', '2026-02-27', '1.20'), ('USD', '2026-03-31', '1.2'), ('USD', '2026-04-01', '1.25'), ('USD', '2026-04-28', '1.5'),
    ('JPY', '2026-03-27', '150'), ('JPY', '2026-04-28', '180'));
INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, created_at, updated_at)
SELECT (1 << 43) | ((unixepoch('2026-04-02') / 86400 + 25567) << 26) | 11, unhex(printf('%032x', 11)), 1, 1, unixepoch('2026-04-02') / 86400, -1000, 'USD', 'Book from abroad', 0, 0;
INSERT INTO securities (id, public_id, household_id, ticker, mic, name, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'ACME', 'XETR', 'Acme AG', 0, 0);
