-- chat --------------------------------------------------------------------------------------------

-- Guests, who have no realtime connection, ask every other second what was changed or deleted in their room.
create index messages_changed on messages (conversation_id, updated_at) where is_edited or is_deleted;
