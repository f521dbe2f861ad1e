-- What programs keep of the days of accounts, for schemas from 6 on.
INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
SELECT e.account_id, e.date, e.currency, e.household_id, sum(e.amount), sum(e.trade = 0), sum(e.trade = 0 AND e.amount > 0), sum(e.trade), e.currency <> a.currency
FROM (SELECT account_id, date, currency, household_id, amount, 0 AS trade FROM transactions UNION ALL SELECT account_id, date, currency, household_id, amount, 1 FROM trades) e
JOIN accounts a ON a.id = e.account_id GROUP BY 1, 2, 3;
