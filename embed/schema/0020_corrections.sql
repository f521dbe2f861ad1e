-- What strangers found wrong: the columns and tables that mend it.

-- +goose Up
SELECT 1;
