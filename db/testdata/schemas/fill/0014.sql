-- Where an answer came from, and what it cost.
UPDATE messages SET host = 'localhost:11434', input_tokens = 100, output_tokens = 5 WHERE id = 2;
UPDATE households SET assistant = 0 WHERE id = 2;
