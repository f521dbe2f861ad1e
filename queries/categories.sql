-- name: InsertCategory :execlastid
-- A new category.
INSERT INTO categories (id, public_id, household_id, parent_id, name, name_key, classification, color, icon, created_at, updated_at)
VALUES (sqlc.narg('id'), @public_id, @household_id, @parent_id, @name, @name_key, @classification, @color, @icon, @created_at, @updated_at);

-- name: UpdateCategory :exec
-- Writes what can change of a category.
UPDATE categories SET parent_id = @parent_id, name = @name, name_key = @name_key, classification = @classification, color = @color,
    icon = @icon, updated_at = @updated_at
WHERE id = @id AND household_id = @household_id;

-- name: DeleteCategory :exec
-- Removes a category; what had it has none afterwards.
DELETE FROM categories WHERE id = @id AND household_id = @household_id;

-- name: GetCategory :one
-- One category by the id that clients know, with its place in the tree.
SELECT sqlc.embed(c), p.public_id AS parent_public_id, p.name AS parent_name, p.classification AS parent_classification, p.color AS parent_color, p.icon AS parent_icon,
    (SELECT count(*) FROM categories s WHERE s.parent_id = c.id) AS subcategories
FROM categories c LEFT JOIN categories p ON p.id = c.parent_id
WHERE c.public_id = @public_id AND c.household_id = @household_id;

-- name: ListCategories :many
-- A page of the household's categories by name.
SELECT sqlc.embed(c), p.public_id AS parent_public_id, p.name AS parent_name, p.classification AS parent_classification, p.color AS parent_color, p.icon AS parent_icon,
    (SELECT count(*) FROM categories s WHERE s.parent_id = c.id) AS subcategories
FROM categories c LEFT JOIN categories p ON p.id = c.parent_id
WHERE c.household_id = @household_id
    -- Only incomes or only expenses.
    AND (c.classification = sqlc.narg('classification') OR sqlc.narg('classification') IS NULL)
    -- Only those without a parent.
    AND (c.parent_id IS NULL OR CAST(@roots_only AS INTEGER) = 0)
    -- Only the children of one; an id of nothing has none.
    AND (p.public_id = CAST(sqlc.narg('parent_id') AS BLOB) OR CAST(sqlc.narg('parent_id') AS BLOB) IS NULL)
ORDER BY c.name_key, c.id LIMIT @row_limit OFFSET @row_offset;

-- name: CountCategories :one
-- How many categories the pages of ListCategories have together.
SELECT count(*)
FROM categories c LEFT JOIN categories p ON p.id = c.parent_id
WHERE c.household_id = @household_id
    AND (c.classification = sqlc.narg('classification') OR sqlc.narg('classification') IS NULL)
    AND (c.parent_id IS NULL OR CAST(@roots_only AS INTEGER) = 0)
    AND (p.public_id = CAST(sqlc.narg('parent_id') AS BLOB) OR CAST(sqlc.narg('parent_id') AS BLOB) IS NULL);

-- name: ListSubcategories :many
-- The children of a category.
SELECT * FROM categories WHERE parent_id = @parent_id AND household_id = @household_id ORDER BY name_key, id;

-- name: ListCategoriesNamed :many
-- The categories that a file means by a name: those without a parent first, then the oldest.
SELECT * FROM categories WHERE household_id = @household_id AND name_key = @name_key ORDER BY parent_id IS NOT NULL, id;

-- name: ListCategoryPlaces :many
-- Where every category of a household stands in the tree, and how it looks.
SELECT c.id, c.public_id, c.name, c.name_key, c.parent_id, c.classification, c.color, c.icon FROM categories c
WHERE c.household_id = @household_id;

-- name: GetCategoryByKey :one
-- The parent of a category.
SELECT * FROM categories WHERE id = @id AND household_id = @household_id;
