-- name: GetIdempotentAnswer :one
-- The answer that a key, or one that was rotated into it, got for an Idempotency-Key, unless it is too old to count.
SELECT * FROM idempotent_answers
WHERE api_key_id = @api_key_id AND idempotency_key = @idempotency_key AND created_at >= @not_before;

-- name: CountIdempotentAnswers :one
-- How many answers are kept for a key, and how long they are together.
SELECT count(*) AS answers, CAST(coalesce(sum(length(body)), 0) AS INTEGER) AS bytes FROM idempotent_answers WHERE api_key_id = @api_key_id;

-- name: GetNewestIdempotentAnswer :one
-- When the newest answer was kept; the other instant where there is none.
SELECT CAST(coalesce(max(created_at), @otherwise) AS INTEGER) AS newest FROM idempotent_answers;

-- name: InsertIdempotentAnswer :exec
-- Keeps an answer for repeats.
INSERT INTO idempotent_answers (api_key_id, idempotency_key, request_hash, status, content_type, body, created_at)
VALUES (@api_key_id, @idempotency_key, @request_hash, @status, @content_type, @body, @created_at);

-- name: DeleteOldIdempotentAnswers :exec
-- Drops the answers of all keys that are too old to count.
DELETE FROM idempotent_answers WHERE created_at < @not_before;
