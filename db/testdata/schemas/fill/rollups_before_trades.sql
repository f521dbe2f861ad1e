-- What programs kept of the days of accounts, for schemas 2 to 5.
INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes)
SELECT account_id, date, currency, household_id, sum(amount), count(*), sum(amount > 0) FROM transactions GROUP BY 1, 2, 3;
