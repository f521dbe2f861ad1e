-- Two households in two currencies, their people and keys, an answer that is kept and a change.
INSERT INTO households (id, public_id, name, currency, locale, timezone, entry_sequence, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 'Home', 'EUR', 'de-DE', 'Europe/Berlin', 30, 1767225600000, 1767225600000),
    (2, unhex(printf('%032x', 2)), 'Büro', 'USD', 'en-US', 'UTC', 30, 1767225600000, 1767225600000);
INSERT INTO users (id, public_id, household_id, email, role, deactivated_at, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 'ana@example.org', 'admin', NULL, 1767225600000, 1767225600000),
    (2, unhex(printf('%032x', 2)), 1, 'ben@example.org', 'member', 1767225600001, 1767225600000, 1767225600000),
    (3, unhex(printf('%032x', 3)), 2, 'eve@example.org', 'admin', NULL, 1767225600000, 1767225600000);
INSERT INTO api_keys (id, public_id, household_id, user_id, name, hash, prefix, scope, rate_limit, created_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 'phone', zeroblob(32), 'fsk_abcd', 'read_write', 10000, 1767225600000);
INSERT INTO idempotent_answers (api_key_id, idempotency_key, request_hash, status, content_type, body, created_at) VALUES
    (1, 'once', zeroblob(32), 201, 'application/json', CAST('{}' AS BLOB), 1767225600000);
INSERT INTO changes (household_id, at, user_id, origin, entity, entity_id, action, after) VALUES
    (1, 1767225600000, 1, 'cli', 'household', unhex(printf('%032x', 1)), 'create', '{"name":"Home"}');
