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
