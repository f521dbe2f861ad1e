-- A question, its answer and what was looked up for it.
INSERT INTO chats (id, public_id, household_id, user_id, title, created_at, updated_at) VALUES (1, unhex(printf('%032x', 1)), 1, 1, 'Rent', 0, 0);
INSERT INTO messages (id, public_id, household_id, chat_id, role, status, content, created_at, updated_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 1, 'user', 'complete', 'What did I pay for rent?', 0, 0), (2, unhex(printf('%032x', 2)), 1, 1, 'assistant', 'complete', '200.00 EUR', 0, 0);
INSERT INTO tool_calls (id, public_id, household_id, message_id, function_name, function_arguments, function_result, created_at) VALUES
    (1, unhex(printf('%032x', 1)), 1, 2, 'get_transactions', '{}', '{}', 0);
