-- What a rule has done, and when it ran.
INSERT INTO transaction_rules (transaction_id, field, rule_id, before) SELECT id, 'category', 1, NULL FROM transactions WHERE name = 'Rent January';
INSERT INTO rule_runs (id, public_id, household_id, rule_id, status, execution_type, matched, changed, executed_at, finished_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 'success', 'manual', 1, 1, 0, 0);
UPDATE transactions SET set_by_person = 4 WHERE name = 'Salary';
