-- How a merchant looks, and a synchronisation.
UPDATE merchants SET color = '#6172f3', website_url = 'https://lettings.example' WHERE id = 1;
INSERT INTO syncs (id, public_id, household_id, created_at) VALUES (1, unhex(printf('%032x', 1)), 1, 0);
