-- name: InsertTag :execlastid
-- A new tag.
INSERT INTO tags (id, public_id, household_id, name, name_key, color, created_at, updated_at)
VALUES (sqlc.narg('id'), @public_id, @household_id, @name, @name_key, @color, @created_at, @updated_at);

-- name: UpdateTag :exec
-- Writes what can change of a tag.
UPDATE tags SET name = @name, name_key = @name_key, color = @color, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteTag :exec
-- Removes a tag and takes it off everything.
DELETE FROM tags WHERE id = @id AND household_id = @household_id;

-- name: GetTag :one
-- One tag by the id that clients know.
SELECT * FROM tags WHERE public_id = @public_id AND household_id = @household_id;

-- name: GetTagNamed :one
-- The tag that a file means by a name.
SELECT * FROM tags WHERE household_id = @household_id AND name_key = @name_key;

-- name: ListTags :many
-- All tags of a household by name.
SELECT * FROM tags WHERE household_id = @household_id ORDER BY name_key, id;
