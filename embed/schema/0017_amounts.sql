-- Amounts are found span by span, so that rows that lie close together in time share few pages of the index.

-- +goose Up

DROP INDEX transactions_by_amount;
-- Filter by amount when few rows have it; counts at the edges of a range of bands, per currency; the largest; the other
-- side of a transfer. A span is 256 days: id >> 34 has the household and the day without its last eight bits. With all
-- amounts of a household side by side, each batch of an import would write to every page of the index.
CREATE INDEX transactions_by_amount ON transactions (household_id, id >> 34, amount, currency);
