-- name: NoteImportReading :exec
-- Keeps how the file of an import is read and why, what must be asked, and what was given.
UPDATE imports SET reasons = @reasons, questions = @questions, given = @given, fingerprint = @fingerprint
WHERE id = @id AND household_id = @household_id AND status NOT IN ('importing', 'complete', 'reverting');

-- name: ConfigureImport :execrows
-- Reads the file of an import anew with other settings, or for another account; not from every state.
UPDATE imports SET account_id = @account_id, status = @status, error = @error, settings = @settings, rows_count = @rows_count,
    valid_rows_count = @valid_rows_count, invalid_rows_count = @invalid_rows_count, matched_rows_count = @matched_rows_count,
    doubtful_rows_count = @doubtful_rows_count, pending_rows_count = @pending_rows_count, plan = @plan, layout = @layout, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id AND status IN ('pending', 'failed');

-- name: ForgetImportSettings :exec
-- Makes room for what is remembered from an import that was published.
DELETE FROM import_settings WHERE id IN (SELECT s.id FROM imports i JOIN import_settings s ON s.household_id = i.household_id
    AND s.fingerprint = i.fingerprint AND coalesce(s.account_id, 0) = coalesce(i.account_id, 0)
    WHERE i.id = @import_id AND i.household_id = @household_id AND i.given <> '{}');

-- name: RememberImportSettings :exec
-- Remembers the settings that were given for an import that was published.
INSERT INTO import_settings (household_id, account_id, fingerprint, settings, learned_at)
SELECT i.household_id, i.account_id, i.fingerprint, i.given, CAST(@learned_at AS INTEGER) FROM imports i
WHERE i.id = @import_id AND i.household_id = @household_id AND i.given <> '{}' AND i.fingerprint IS NOT NULL;

-- name: GetImportSettings :one
-- The settings remembered for files of one make and account; 0 is no account.
SELECT settings, learned_at FROM import_settings
WHERE household_id = @household_id AND fingerprint = @fingerprint AND coalesce(account_id, 0) = CAST(@account_id AS INTEGER);
