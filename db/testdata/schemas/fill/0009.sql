-- How a file is read, and what is remembered of it.
UPDATE imports SET reasons = '{"date_format":"given"}', given = '{"date_format":"%Y-%m-%d"}', fingerprint = zeroblob(32) WHERE id = 1;
INSERT INTO import_settings (household_id, account_id, fingerprint, settings, learned_at) VALUES (1, 2, zeroblob(32), '{"date_format":"%Y-%m-%d"}', 0);
