-- What messages are found by. The words follow from the texts, by a trigger that stands in
-- server/src/features/chat/search/schema.sql; here those that there are.

-- features/chat -----------------------------------------------------------------------------------

create table message_words (
  message_id bigint primary key,
  conversation_id bigint not null,
  org_id bigint not null references organizations (id),
  -- as they are written and by their stems; and the conversation, so that one index answers both
  words tsvector not null,
  constraint message_words_of_message foreign key (conversation_id, message_id)
    references messages (conversation_id, message_id) on delete cascade
);

insert into message_words (message_id, conversation_id, org_id, words)
  select m.message_id, m.conversation_id, m.org_id, to_tsvector('simple', m.content)
    || to_tsvector(case s.language when 'de' then 'german' else 'english' end::regconfig, m.content)
    || array_to_tsvector(array['conversation ' || m.conversation_id])
  from messages m left join organization_settings s on s.organization_id = m.org_id
  where not m.is_deleted;
-- without a list of what is pending, which every search would read through
create index message_words_found on message_words using gin (words) with (fastupdate = off);

alter table message_words enable row level security;
