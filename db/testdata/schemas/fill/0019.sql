-- What a person has put on another day.
INSERT INTO moved_entries (account_id, raw_key, occurrence, trade, household_id, entry_id) SELECT account_id, 77, 0, 1, household_id, id FROM trades WHERE kind = 'buy';
