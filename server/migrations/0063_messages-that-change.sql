-- Messages change and are deleted, people react to them and are mentioned in them; what a person keeps of a conversation and of
-- a thread. What happens because of it stands in the files schema.sql of server/src/features/chat.

-- features/chat -----------------------------------------------------------------------------------

alter table messages
  drop constraint messages_content_length,
  add column edited_at timestamptz;
-- of whoever was erased before: as of every message that is deleted
update messages set content = '' where is_deleted and content <> '';
alter table messages
  add constraint messages_content_length check (char_length(content) <= 4000 and (is_deleted or content <> ''));
-- few of many: what is unread is counted without them
create index messages_deleted on messages (conversation_id, message_id) include (sender_id) where is_deleted;

-- nobody had access to it before: there are no rows
alter table reactions
  add column org_id bigint not null references organizations (id),
  add column conversation_id bigint not null,
  drop constraint reactions_message_id_fkey,
  add constraint reactions_of_message foreign key (conversation_id, message_id)
    references messages (conversation_id, message_id) on delete cascade,
  add constraint reactions_emoji_length check (char_length(emoji) between 1 and 40);
create index reactions_by_person on reactions (user_id, created_at);

create table mentions (
  message_id bigint not null,
  conversation_id bigint not null,
  org_id bigint not null references organizations (id),
  -- null: everybody in the conversation
  user_id bigint references users (id),
  constraint mentions_once unique nulls not distinct (message_id, user_id),
  constraint mentions_of_message foreign key (conversation_id, message_id)
    references messages (conversation_id, message_id) on delete cascade
);
create index mentions_of_person on mentions (conversation_id, user_id, message_id);
create index mentions_by_person on mentions (user_id);

-- What a person has chosen of a conversation, and has begun to write in it. Of most there is no row.
create table conversation_choices (
  conversation_id bigint not null references conversations (conversation_id),
  user_id bigint not null references users (id),
  org_id bigint not null references organizations (id),
  -- which messages are announced to them
  level text not null default 'all' check (level in ('all', 'mentions', 'none')),
  draft text not null default '' check (char_length(draft) <= 4000),
  updated_at timestamptz not null,
  primary key (conversation_id, user_id)
) with (fillfactor = 80);
create index conversation_choices_by_person on conversation_choices (user_id);

-- Threads that a person follows, or does not although they wrote in it.
create table thread_follows (
  message_id bigint not null,
  conversation_id bigint not null,
  user_id bigint not null references users (id),
  org_id bigint not null references organizations (id),
  follows boolean not null,
  primary key (message_id, user_id),
  constraint thread_follows_of_message foreign key (conversation_id, message_id)
    references messages (conversation_id, message_id) on delete cascade
);
create index thread_follows_by_person on thread_follows (user_id);

alter table mentions enable row level security;
alter table conversation_choices enable row level security;
alter table thread_follows enable row level security;
