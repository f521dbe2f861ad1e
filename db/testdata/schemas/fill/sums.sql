-- The sums that are kept of a month, worked out by hand: on 3 March 15000 JPY came in, into account 7, without any label.
-- No combination of tags, or one, which is empty; the third day, JPY, no category, the part; 15000, which is 117 * 128 + 24, 0, 1.
INSERT INTO month_sums (household_id, first_key, last_key, part, sums)
SELECT 2, (2 << 43) | ((unixepoch('2026-03-01') / 86400 + 25567) << 26), (2 << 43) | ((unixepoch('2026-03-31') / 86400 + 25567) << 26) | 67108863, column1, column2
FROM (VALUES (0, x'00034A5059000098750001'), (1, x'00034A5059000798750001'), (2, x'00034A5059000098750001'), (3, x'0100034A5059000098750001'));
