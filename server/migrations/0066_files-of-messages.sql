-- Files and pictures of messages. What happens because of it stands in the files schema.sql of server/src/features/chat and
-- server/src/features/uploads.

-- features/chat -----------------------------------------------------------------------------------

-- nobody had access to it before: there are no rows
alter table attachments
  drop constraint attachments_message_id_fkey,
  -- null: uploaded, and not sent yet
  alter column message_id drop not null,
  add column org_id bigint not null references organizations (id),
  add column conversation_id bigint not null references conversations (conversation_id),
  -- who uploads it
  add column user_id bigint not null references users (id),
  -- in its message
  add column position smallint not null default 0,
  add column name text not null,
  add column content_type text not null,
  add column bytes bigint not null,
  -- of a picture, as it is shown
  add column width integer,
  add column height integer,
  add column preview_key text,
  -- of an upload that is not finished
  add column upload_key text,
  add column upload_session text,
  add column finished_at timestamptz,
  add constraint attachments_of_message foreign key (conversation_id, message_id)
    references messages (conversation_id, message_id) on delete cascade,
  add constraint attachments_name_length check (char_length(name) between 1 and 255),
  add constraint attachments_not_empty check (bytes > 0),
  add constraint attachments_sent_finished check (message_id is null or finished_at is not null);
create index attachments_by_message on attachments (message_id) where message_id is not null;
create index attachments_by_person on attachments (user_id);
create index attachments_of_conversation on attachments (conversation_id);
create index attachments_waiting on attachments (created_at) where message_id is null;
create unique index attachments_by_key on attachments (object_key);

-- another one takes its place, with the files of the message
drop function if exists send_message(bigint, text, bigint, uuid);
drop function if exists search_messages(text, bigint, bigint, timestamptz, timestamptz, integer, integer, bigint);
