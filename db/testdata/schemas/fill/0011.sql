-- An import of a backup, with its report.
INSERT INTO imports (id, public_id, household_id, type, status, settings, report, created_at, updated_at) VALUES
    (2, unhex(printf('%032x', 2)), 2, 'ServiceImport', 'complete', '{}', '{"ok":true}', 0, 0);
