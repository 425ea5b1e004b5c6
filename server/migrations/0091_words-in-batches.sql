-- features/chat -----------------------------------------------------------------------------------

-- The index takes the words of some hundred messages in one go: a message cost 860 µs to write and costs 300, and a search,
-- which reads the words that wait as well, costs what it did.
alter index message_words_found set (fastupdate = on, gin_pending_list_limit = 256);
