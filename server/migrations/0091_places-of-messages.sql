-- features/chat -----------------------------------------------------------------------------------

-- Places of messages are no words that one can ask for (`conv` found every message), and the organization is one of them.
-- The index takes the words of some hundred messages in one go: writing a message costs a third, and a search, which reads
-- the words that wait as well, what it did.
drop index message_words_found;
update message_words set words = ts_delete(words, 'conversation ' || conversation_id)
  || array_to_tsvector(array[' c' || conversation_id, ' o' || org_id]);
create index message_words_found on message_words using gin (words, content gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 256);
