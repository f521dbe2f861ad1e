-- name: CountImportsByStatus :many
-- How many imports there are in each state, in all households together, for who looks after the server.
SELECT status, count(*) AS imports FROM imports GROUP BY status ORDER BY status;

-- name: CountPendingAnswers :one
-- How many answers are still to be written, in all households together. The queue is short.
SELECT count(*) FROM messages INDEXED BY messages_of_work WHERE status = 'pending';
