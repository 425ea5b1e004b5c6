-- Chat: no message is its own ancestor, and the read cursor is its owner's. The functions, view and policy of it stand in
-- server/src/features/chat/schema.sql.

-- features/chat -----------------------------------------------------------------------------------

-- Whoever guessed the next id has made a message that answers itself, or two that answer each other.
update messages m set reply_count = (
    select count(*) from messages a where a.parent_message_id = m.message_id and a.message_id > m.message_id)
  where m.message_id in (select a.parent_message_id from messages a where a.parent_message_id >= a.message_id);
update messages set parent_message_id = null where parent_message_id >= message_id;
alter table messages add constraint messages_parent_before check (parent_message_id < message_id);

-- of the table everybody sees their own rows alone: another policy takes its place
drop policy members_of_own_conversations on conversation_members;
