-- Guests write in the conversation of their room.

-- features/chat -------------------------------------------------------------------------------------

-- a message is of a member, or of a guest: who they are in the room, and what they were called
alter table messages
  alter column sender_id drop not null,
  add column guest_id uuid,
  add column guest_name text,
  add constraint messages_of_one check (num_nonnulls(sender_id, guest_id) = 1),
  add constraint messages_of_guest check ((guest_id is null) = (guest_name is null)),
  add constraint messages_of_guest_once unique (conversation_id, guest_id, client_message_id);
create index messages_by_guest on messages (guest_id, created_at) where guest_id is not null;
