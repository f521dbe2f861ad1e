-- What an import of a backup was found to have brought.

-- +goose Up

-- report is what the records of the file come to and what was found of them after they were published, as JSON in
-- the form that clients get; null for imports of other types.
ALTER TABLE imports ADD COLUMN report TEXT CHECK (report IS NULL OR json_valid(report));
