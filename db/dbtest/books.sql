-- Books of which every figure was worked out by hand: two households with everything that books can have, and what is kept
-- beside it. See TestFigures of db, and the audit of the ledger.

-- Two households in two currencies, their people and keys, a browser and a link, an answer that is kept and a change.
INSERT INTO households (id, public_id, name, currency, locale, timezone, entry_sequence, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 'Home', 'EUR', 'de-DE', 'Europe/Berlin', 30, 1767225600000, 1767225600000),
    (2, unhex(printf('%032x', 2)), 'Büro', 'USD', 'en-US', 'UTC', 30, 1767225600000, 1767225600000);
INSERT INTO users (id, public_id, household_id, email, role, deactivated_at, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'ana@example.org', 'admin', NULL, 1767225600000, 1767225600000),
    (2, unhex(printf('%032x', 2)), 1, 'ben@example.org', 'member', 1767225600001, 1767225600000, 1767225600000),
    (3, unhex(printf('%032x', 3)), 2, 'eve@example.org', 'admin', NULL, 1767225600000, 1767225600000);
INSERT INTO api_keys (id, public_id, household_id, user_id, name, hash, prefix, scope, rate_limit, created_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 'phone', zeroblob(32), 'fsk_abcd', 'read_write', 10000, 1767225600000);
INSERT INTO browser_sessions (public_id, household_id, user_id, api_key_id, hash, way, scope, agent, address, last_used_at, created_at) VALUES
    (unhex(printf('%032x', 1)), 1, 1, 1, zeroblob(32), 'key', 'read_write', 'Firefox', '192.168.1.20', 1767225600000, 1767225600000);
INSERT INTO sign_in_links (hash, household_id, user_id, expires_at) VALUES (zeroblob(32), 1, 1, 1767225600000);
INSERT INTO idempotent_answers (api_key_id, idempotency_key, request_hash, status, content_type, body, created_at) VALUES
    (1, 'once', zeroblob(32), 201, 'application/json', CAST('{}' AS BLOB), 1767225600000);
INSERT INTO changes (household_id, at, user_id, origin, entity, entity_id, action, after, operation_id, undoes) VALUES
    (1, 1767225600000, 1, 'cli', 'household', unhex(printf('%032x', 1)), 'create', '{"name":"Home"}', unhex(printf('%032x', 1)), NULL);
INSERT INTO unfinished_operations (operation_id, household_id, lease_until) VALUES (unhex(printf('%032x', 2)), 1, 1767225600000);

-- Accounts of several kinds and currencies, one of them disabled, with openings that have a day and one that has not, a
-- reconciliation, a transfer, a rejected pair, and everything that a transaction is labelled with.
INSERT INTO accounts (id, public_id, household_id, name, name_key, account_type, currency, status, created_at, updated_at)
SELECT column1, unhex(printf('%032x', column1)), column2, column3, lower(column3), column4, column5, column6, 1767225600000, 1767225600000 FROM (VALUES
    (1, 1, 'Everyday', 'depository', 'EUR', 'active'), (2, 1, 'Card', 'credit_card', 'EUR', 'active'), (3, 1, 'Dollars', 'depository', 'USD', 'active'),
    (4, 1, 'Broker', 'investment', 'EUR', 'active'), (5, 1, 'Old', 'depository', 'GBP', 'disabled'),
    (6, 2, 'Till', 'depository', 'USD', 'active'), (7, 2, 'Yen', 'depository', 'JPY', 'active'));
INSERT INTO categories (id, public_id, household_id, parent_id, name, name_key, classification, color, icon, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, NULL, 'Living', 'living', 'expense', '#6172f3', 'home', 0, 0),
    (2, unhex(printf('%032x', 2)), 1, 1, 'Rent', 'rent', 'expense', '#6172f3', 'home', 0, 0),
    (3, unhex(printf('%032x', 3)), 1, NULL, 'Work', 'work', 'income', '#e99537', 'briefcase', 0, 0),
    (4, unhex(printf('%032x', 4)), 2, NULL, 'Paper', 'paper', 'expense', '#e99537', 'file', 0, 0);
INSERT INTO tags (id, public_id, household_id, name, name_key, color, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'shared', 'shared', '#e99537', 0, 0), (2, unhex(printf('%032x', 2)), 2, 'tax', 'tax', '#e99537', 0, 0);
INSERT INTO merchants (id, public_id, household_id, name, name_key, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'Harbour Lettings', 'harbour lettings', 0, 0), (2, unhex(printf('%032x', 2)), 2, 'Paper Mill', 'paper mill', 0, 0);
INSERT INTO transfers (id, public_id, household_id, status, reason, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'confirmed', 'linked by hand', 0, 0);
INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, notes, category_id, merchant_id, transfer_id, external_id, source, created_at, updated_at)
SELECT (column2 << 43) | ((unixepoch(column4) / 86400 + 25567) << 26) | column1, unhex(printf('%032x', column1)), column2, column3, unixepoch(column4) / 86400,
    column5, column6, column7, column8, column9, column10, column11, column12, iif(column12 IS NULL, NULL, 'bank'), 1767225600000 + column1, 1767225600000 + column1 FROM (VALUES
    (1, 1, 4, '2026-01-05', 100000, 'EUR', 'Deposit', NULL, NULL, NULL, NULL, NULL),
    (2, 1, 1, '2026-01-10', -20000, 'EUR', 'Rent January', 'by standing order', 2, 1, NULL, 'bank-1'),
    (3, 1, 1, '2026-01-20', 150000, 'EUR', 'Salary', NULL, 3, NULL, NULL, NULL),
    (4, 1, 2, '2026-01-25', -30000, 'EUR', 'Furniture', NULL, 1, NULL, NULL, NULL),
    (5, 1, 1, '2026-02-05', -30000, 'EUR', 'To the card', NULL, NULL, NULL, 1, NULL),
    (6, 1, 2, '2026-02-06', 30000, 'EUR', 'Payment, thank you', NULL, NULL, NULL, 1, NULL),
    (7, 1, 3, '2026-02-15', 10000, 'USD', 'Refund', NULL, NULL, NULL, NULL, NULL),
    (8, 1, 1, '2026-03-20', -5000, 'EUR', 'Market hall', NULL, NULL, NULL, NULL, NULL),
    (9, 2, 6, '2026-02-01', -2550, 'USD', 'Paper', 'two boxes', 4, 2, NULL, NULL),
    (10, 2, 7, '2026-03-03', 15000, 'JPY', 'Fee', NULL, NULL, NULL, NULL, NULL));
INSERT INTO transaction_tags (transaction_id, tag_id) SELECT id, 1 FROM transactions WHERE household_id = 1 AND name = 'Rent January';
INSERT INTO rejected_transfers (inflow_id, outflow_id, public_id, household_id, created_at)
SELECT i.id, o.id, unhex(printf('%032x', 1)), 1, 0 FROM transactions i, transactions o WHERE i.name = 'Salary' AND o.name = 'Furniture';
INSERT INTO valuations (id, public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
SELECT column1, unhex(printf('%032x', column1)), column2, column3, unixepoch(column4) / 86400, column5, column6, 0, 0 FROM (VALUES
    (1, 1, 1, NULL, 100000, 'opening_anchor'), (2, 1, 1, '2026-03-15', 210000, 'reconciliation'), (3, 1, 3, '2026-01-31', 50000, 'opening_anchor'),
    (4, 1, 5, NULL, 7700, 'opening_anchor'), (5, 2, 6, '2026-01-01', 10000, 'opening_anchor'));
INSERT INTO rules (id, public_id, household_id, name, resource_type, active, conditions, actions, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'Rent', 'transaction', 1, '[{"condition_type":"transaction_name","operator":"like","value":"Rent"}]',
        '[{"action_type":"set_transaction_category","value":"Rent"}]', 0, 0);

-- Exchange rates, an entry in another currency than its account's, and a security.
INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
SELECT 'EUR', column1, unixepoch(column2) / 86400, column3, 'test' FROM (VALUES
    ('USD', '2026-01-30', '1.25'), ('USD', '2026-02-27', '1.20'), ('USD', '2026-03-31', '1.2'), ('USD', '2026-04-01', '1.25'), ('USD', '2026-04-28', '1.5'),
    ('JPY', '2026-03-27', '150'), ('JPY', '2026-04-28', '180'));
INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, created_at, updated_at)
SELECT (1 << 43) | ((unixepoch('2026-04-02') / 86400 + 25567) << 26) | 11, unhex(printf('%032x', 11)), 1, 1, unixepoch('2026-04-02') / 86400, -1000, 'USD', 'Book from abroad', 0, 0;
INSERT INTO securities (id, public_id, household_id, ticker, mic, name, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'ACME', 'XETR', 'Acme AG', 0, 0);

-- A published import with a row that it brought and one that it found there.
INSERT INTO imports (id, public_id, household_id, user_id, account_id, type, status, settings, file_name, byte_size, rows_count, valid_rows_count, published_at, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 2, 'TransactionImport', 'complete', '{"date_format":"%Y-%m-%d"}', 'card.csv', 3, 2, 2, 0, 0, 0);
INSERT INTO import_chunks (import_id, number, data) VALUES (1, 1, zeroblob(3));
UPDATE transactions SET import_id = 1, import_row = 1, source_hash = 77, occurrence = 0 WHERE name = 'Furniture';
INSERT INTO import_matches (import_id, row_number, transaction_id) SELECT 1, 2, id FROM transactions WHERE name = 'Payment, thank you';
INSERT INTO import_changes (import_id, entity, entity_id, after) VALUES (1, 'category', unhex(printf('%032x', 1)), '{"name":"Living"}');

-- A question, its answer and what was looked up for it.
INSERT INTO chats (id, public_id, household_id, user_id, title, created_at, updated_at) VALUES (1, unhex(printf('%032x', 1)), 1, 1, 'Rent', 0, 0);
INSERT INTO messages (id, public_id, household_id, chat_id, role, status, content, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 'user', 'complete', 'What did I pay for rent?', 0, 0), (2, unhex(printf('%032x', 2)), 1, 1, 'assistant', 'complete', '200.00 EUR', 0, 0);
INSERT INTO tool_calls (id, public_id, household_id, message_id, function_name, function_arguments, function_result, created_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 2, 'get_transactions', '{}', '{}', 0);

-- A purchase, a split, a sale and a dividend, market prices, and what is kept of them.
INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, fee, amount, currency, name, created_at, updated_at)
SELECT (1 << 43) | ((unixepoch(column2) / 86400 + 25567) << 26) | column1, unhex(printf('%032x', column1)), 1, 4, 1, unixepoch(column2) / 86400,
    column3, column4, column5, column6, column7, 'EUR', column3 || ' ACME', 0, 0 FROM (VALUES
    (12, '2026-02-10', 'buy', '10', '50', 500, -50500), (13, '2026-04-10', 'sell', '-5', '28', 0, 14000), (14, '2026-04-15', 'dividend', '0', '0', 0, 1200));
INSERT INTO security_splits (id, public_id, household_id, security_id, date, numerator, denominator, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, unixepoch('2026-03-10') / 86400, 2, 1, 0, 0);
INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at) VALUES
    (1, unixepoch('2026-02-20') / 86400, '52', 'EUR', 'test', 1, 0, 0), (1, unixepoch('2026-03-20') / 86400, '27', 'EUR', 'test', 1, 0, 0);
INSERT INTO positions (account_id, security_id, date, household_id, quantity, cost, currency, cost_unknown, opens, closes, updated_at) VALUES
    (4, 1, unixepoch('2026-02-10') / 86400, 1, '10', '505', 'EUR', 0, 1, 0, 0), (4, 1, unixepoch('2026-03-10') / 86400, 1, '20', '505', 'EUR', 0, 0, 0, 0),
    (4, 1, unixepoch('2026-04-10') / 86400, 1, '15', '378.75', 'EUR', 0, 0, 0, 0);
INSERT INTO trade_prices (security_id, date, price, currency, household_id) VALUES
    (1, unixepoch('2026-02-10') / 86400, '50', 'EUR', 1), (1, unixepoch('2026-04-10') / 86400, '28', 'EUR', 1);
INSERT INTO holding_values (account_id, currency, date, household_id, value) VALUES
    (4, 'EUR', unixepoch('2026-02-10') / 86400, 1, 50000), (4, 'EUR', unixepoch('2026-02-20') / 86400, 1, 52000),
    (4, 'EUR', unixepoch('2026-03-20') / 86400, 1, 54000), (4, 'EUR', unixepoch('2026-04-10') / 86400, 1, 40500);

-- What a rule has done, when it ran, and what a person has set.
INSERT INTO transaction_rules (transaction_id, field, rule_id, before) SELECT id, 'category', 1, NULL FROM transactions WHERE name = 'Rent January';
INSERT INTO rule_runs (id, public_id, household_id, rule_id, status, execution_type, matched, changed, executed_at, finished_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 'success', 'manual', 1, 1, 0, 0);
UPDATE transactions SET user_fields = 4 WHERE name = 'Salary';

-- A split transaction; one of its lines has a tag.
INSERT INTO transaction_lines (transaction_id, position, public_id, household_id, amount, name, category_id, merchant_id)
SELECT t.id, column1, unhex(printf('%032x', 800 + column1)), 1, column2, column3, column4, column5 FROM transactions t, (VALUES (1, -3000, 'Vegetables', 1, NULL), (2, -2000, NULL, NULL, 1)) WHERE t.name = 'Market hall';
INSERT INTO transaction_line_tags (transaction_id, position, tag_id) SELECT id, 2, 1 FROM transactions WHERE name = 'Market hall';

-- How a file is read, and what is remembered of it.
UPDATE imports SET reasons = '{"date_format":"given"}', given = '{"date_format":"%Y-%m-%d"}', fingerprint = zeroblob(32) WHERE id = 1;
INSERT INTO import_settings (household_id, account_id, fingerprint, settings, learned_at) VALUES (1, 2, zeroblob(32), '{"date_format":"%Y-%m-%d"}', 0);

-- How many rows there were to write.
UPDATE imports SET work_rows_count = 2 WHERE id = 1;

-- An import of a backup, with its report.
INSERT INTO imports (id, public_id, household_id, type, status, settings, report, created_at, updated_at) VALUES
    (2, unhex(printf('%032x', 2)), 2, 'ServiceImport', 'complete', '{}', '{"ok":true}', 0, 0);

-- What recognises rows, and what a person said of one.
UPDATE transactions SET name_hash = 5 WHERE name = 'Furniture';
INSERT INTO import_trade_matches (import_id, row_number, trade_id) SELECT 1, 3, id FROM trades WHERE kind = 'buy';
INSERT INTO import_decisions (account_id, source_hash, occurrence, household_id, decision, created_at) VALUES (2, 77, 0, 1, 'same', 0);

-- A price and a split that an import brought.
INSERT INTO import_prices (import_id, security_id, date, household_id, price, currency) VALUES (1, 1, unixepoch('2026-02-20') / 86400, 1, '52', 'EUR');
INSERT INTO import_splits (import_id, split_id, household_id) VALUES (1, 1, 1);

-- Where an answer came from, and what it cost.
UPDATE messages SET host = 'localhost:11434', input_tokens = 100, output_tokens = 5 WHERE id = 2;
UPDATE households SET assistant = 0 WHERE id = 2;

-- How a merchant looks, and a synchronisation.
UPDATE merchants SET color = '#6172f3', website_url = 'https://lettings.example' WHERE id = 1;
INSERT INTO syncs (id, public_id, household_id, created_at) VALUES (1, unhex(printf('%032x', 1)), 1, 0);

-- What a person has put on another day.
INSERT INTO moved_entries (account_id, source_hash, occurrence, trade, household_id, entry_id) SELECT account_id, 77, 0, 1, household_id, id FROM trades WHERE kind = 'buy';

-- A row that was held back, and a transaction that was booked while it was pending.
INSERT INTO import_held_rows (import_id, row_number, transaction_id) SELECT 1, 4, id FROM transactions WHERE name = 'Furniture';
INSERT INTO unsettled_entries (transaction_id, household_id, settled_by) SELECT id, household_id, 1 FROM transactions WHERE name = 'Furniture';

-- The days of accounts.
INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
SELECT e.account_id, e.date, e.currency, e.household_id, sum(e.amount), sum(e.trade = 0), sum(e.trade = 0 AND e.amount > 0), sum(e.trade), e.currency <> a.currency
FROM (SELECT account_id, date, currency, household_id, amount, 0 AS trade FROM transactions UNION ALL SELECT account_id, date, currency, household_id, amount, 1 FROM trades) e
JOIN accounts a ON a.id = e.account_id GROUP BY 1, 2, 3;

-- Counts, and the texts that searches find.
INSERT INTO amount_bands (household_id, currency, band, transactions)
SELECT household_id, currency, amount / 100 - (amount < 0 AND amount % 100 <> 0), count(*) FROM transactions GROUP BY 1, 2, 3;
UPDATE accounts SET transaction_count = (SELECT count(*) FROM transactions t WHERE t.account_id = accounts.id);
INSERT INTO transactions_fts (rowid, name, notes, merchant)
SELECT t.id, t.name, coalesce(t.notes, ''), coalesce((SELECT m.name FROM merchants m WHERE m.id = t.merchant_id), '') FROM transactions t;

-- What is counted of the split transaction, which is of -50.00 in one account on one day: its parts.
UPDATE accounts SET transaction_count = transaction_count + 1 WHERE id IN (SELECT account_id FROM transactions WHERE name = 'Market hall');
UPDATE account_days SET transactions = transactions + 1 WHERE (account_id, date, currency) IN (SELECT account_id, date, currency FROM transactions WHERE name = 'Market hall');
DELETE FROM amount_bands WHERE household_id = 1 AND currency = 'EUR' AND band = -50;
INSERT INTO amount_bands (household_id, currency, band, transactions) VALUES (1, 'EUR', -30, 1), (1, 'EUR', -20, 1)
ON CONFLICT (household_id, currency, band) DO UPDATE SET transactions = amount_bands.transactions + 1;

-- The sums that are kept of a month, worked out by hand: on 3 March 15000 JPY came in, into account 7, without any label.
-- No combination of tags, or one, which is empty; the third day, JPY, no category, the part; 15000, which is 117 * 128 + 24, 0, 1.
INSERT INTO month_sums (household_id, first_key, last_key, part, sums)
SELECT 2, (2 << 43) | ((unixepoch('2026-03-01') / 86400 + 25567) << 26), (2 << 43) | ((unixepoch('2026-03-31') / 86400 + 25567) << 26) | 67108863, column1, column2
FROM (VALUES (0, x'00034A5059000098750001'), (1, x'00034A5059000798750001'), (2, x'00034A5059000098750001'), (3, x'0100034A5059000098750001'));
