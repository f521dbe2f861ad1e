-- How many rows there were to write.
UPDATE imports SET work_rows_count = 2 WHERE id = 1;
