-- name: InsertChange :exec
-- Appends to a household's history.
INSERT INTO changes (household_id, at, user_id, api_key_id, origin, entity, entity_id, action, before, after)
VALUES (@household_id, @at, @user_id, @api_key_id, @origin, @entity, @entity_id, @action, @before, @after);
