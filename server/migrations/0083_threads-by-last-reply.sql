-- features/chat -------------------------------------------------------------------------------------

-- The last reply of a thread is the end of its part of the index, and none of its rows is read.
create index messages_by_thread on messages (parent_message_id, message_id) where parent_message_id is not null;
drop index messages_by_parent;
