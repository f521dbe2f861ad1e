-- What sums over many years of one category or merchant are made of, without a look at the rows, which lie far apart.

-- +goose Up

DROP INDEX transactions_by_category;
-- Filter by category, in list order, and sums of it; a deleted category leaves its transactions.
CREATE INDEX transactions_by_category ON transactions (category_id, id, amount, currency, transfer_id, account_id, merchant_id)
    WHERE category_id IS NOT NULL;

DROP INDEX transactions_by_merchant;
-- Filter by merchant, in list order, and sums of it; a deleted merchant leaves its transactions.
CREATE INDEX transactions_by_merchant ON transactions (merchant_id, id, amount, currency, transfer_id, account_id, category_id)
    WHERE merchant_id IS NOT NULL;

-- Trades that are income or an expense by themselves, which are few.
CREATE INDEX trades_of_income ON trades (household_id) WHERE kind IN ('dividend', 'interest', 'fee');
