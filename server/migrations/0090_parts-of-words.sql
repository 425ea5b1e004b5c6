-- features/chat -----------------------------------------------------------------------------------

-- Messages are found by parts of words: their texts stand beside their words, so that one index answers for both, and
-- for the conversation.
alter table message_words add column content text not null default '';
update message_words w set content = m.content from messages m where m.message_id = w.message_id;
drop index message_words_found;
create index message_words_found on message_words using gin (words, content gin_trgm_ops) with (fastupdate = off);
