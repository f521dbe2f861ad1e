-- name: ListHoldingLines :many
-- Every security that was ever held in an account that counts, with the days on which it came to be held and
-- ceased to be, by turns, packed by commas in no order.
SELECT p.account_id, p.security_id, CAST(group_concat(p.date) AS TEXT) AS turns
FROM positions p JOIN accounts a ON a.id = p.account_id
WHERE p.household_id = @household_id AND (p.opens = 1 OR p.closes = 1) AND a.status <> 'disabled'
GROUP BY p.account_id, p.security_id;

-- name: ListSecurityLabels :many
-- How the household's securities are shown beside what is held and traded.
SELECT id, public_id, ticker, name FROM securities WHERE household_id = @household_id;
