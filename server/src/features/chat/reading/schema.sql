-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- How many messages of others a person has not read after one. What is deleted is not unread; it is counted by an index of
-- its own, so that the rest needs no row.
create or replace function chat_unread(conversation bigint, person bigint, after bigint) returns bigint
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return (select count(*) from messages m
      where m.conversation_id = conversation and m.message_id > coalesce(after, 0)
        and m.sender_id is distinct from person)
    - (select count(*) from messages m
      where m.conversation_id = conversation and m.message_id > coalesce(after, 0)
        and m.sender_id is distinct from person and m.is_deleted);
end $$;
revoke execute on function chat_unread(bigint,bigint,bigint) from public;

-- In how many messages of others a person is mentioned after one.
create or replace function chat_mentioned(conversation bigint, person bigint, after bigint) returns bigint
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return (select count(distinct n.message_id) from mentions n
      join messages m on m.message_id = n.message_id and m.sender_id is distinct from person
    where n.conversation_id = conversation and n.message_id > coalesce(after, 0)
      and (n.user_id = person or n.user_id is null));
end $$;
revoke execute on function chat_mentioned(bigint,bigint,bigint) from public;

-- Conversations as newer operations show them, the one that moved last first. The cursor is a moment and an id: none is lost
-- where several moved at the same time.
create or replace function list_conversations(p_limit integer, p_moved_at timestamptz, p_id bigint) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
begin
  return (with own as (
      select c.* from conversations c
      where c.conversation_id = any (array(select chat_conversations()))
        and (p_moved_at is null or (c.updated_at, c.conversation_id) < (p_moved_at, p_id))
      order by c.updated_at desc, c.conversation_id desc limit p_limit + 1),
    page as (select own.*, (select max(m.message_id) from messages m
        where m.conversation_id = own.conversation_id) as last_id,
      -- by its key: a join may be planned by the person, which reads all of their conversations for each row
      (select cm.last_read_message_id from conversation_members cm
        where (cm.conversation_id, cm.user_id) = (own.conversation_id, me)) as last_read from own),
    -- all of them at once: what a reader may see is looked up once for a call, not for a row
    lasts as (select s.* from messages_shown(array(select last_id from page where last_id is not null)) s)
    select jsonb_build_object('conversations', coalesce(jsonb_agg(jsonb_build_object(
        'conversationId', c.conversation_id, 'type', c.type, 'title', c.title, 'roomId', c.room_id,
        'peerUserId', (case me when c.low_user_id then c.high_user_id else c.low_user_id end)::text,
        'unread', chat_unread(c.conversation_id, me, c.last_read),
        'mentioned', chat_mentioned(c.conversation_id, me, c.last_read),
        'lastReadMessageId', c.last_read,
        'draft', coalesce(chosen.draft, ''), 'level', coalesce(chosen.level, 'all'),
        'lastMessage', lasts.shown,
        'updatedAt', c.updated_at) order by c.updated_at desc, c.conversation_id desc), '[]'))
    from page c
      left join conversation_choices chosen on chosen.conversation_id = c.conversation_id and chosen.user_id = me
      left join lasts on lasts.message_id = c.last_id);
end $$;
revoke execute on function list_conversations(integer,timestamp with time zone,bigint) from public;
grant execute on function list_conversations(integer,timestamp with time zone,bigint) to authenticated;

-- The channel of the one who asks.
create or replace function own_channel() returns text[] language plpgsql stable set search_path = public, pg_temp as $$
begin
  return array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
    from organizations o, users u where o.id = chat_org_id() and u.id = chat_user_id());
end $$;
revoke execute on function own_channel() from public;

-- The one who asks is a member of a conversation.
create or replace function require_conversation(p_conversation_id bigint) returns void
language plpgsql stable set search_path = public, pg_temp as $$
begin
  if not coalesce(p_conversation_id = any (array(select chat_conversations())), false) then
    raise exception using errcode = 'PT404', message = 'conversation-not-found';
  end if;
end $$;
revoke execute on function require_conversation(bigint) from public;

-- Marks as read up to a message, as the earlier data access does.
create or replace function mark_read(p_conversation_id bigint, p_message_id bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform require_conversation(p_conversation_id);
  if not exists (select from messages m where m.conversation_id = p_conversation_id and m.message_id = p_message_id) then
    raise exception using errcode = 'PT404', message = 'message-not-found';
  end if;
  perform update_read_cursor(p_conversation_id, p_message_id);
end $$;
revoke execute on function mark_read(bigint,bigint) from public;
grant execute on function mark_read(bigint,bigint) to authenticated;

-- What `conversation.unread` says.
create or replace function conversation_unread_event(conversation bigint, person bigint, last_read bigint) returns jsonb
language sql stable as $$
  select jsonb_build_object('conversationId', conversation, 'lastReadMessageId', last_read,
    'unread', chat_unread(conversation, person, last_read), 'mentioned', chat_mentioned(conversation, person, last_read))
$$;
revoke execute on function conversation_unread_event(bigint,bigint,bigint) from public;

-- Marks as unread from a message on: the read cursor goes back to the one before.
create or replace function mark_unread(p_conversation_id bigint, p_message_id bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
  last_read bigint;
  channels text[];
begin
  perform require_conversation(p_conversation_id);
  if not exists (select from messages m where m.conversation_id = p_conversation_id and m.message_id = p_message_id) then
    raise exception using errcode = 'PT404', message = 'message-not-found';
  end if;
  last_read := (select max(m.message_id) from messages m
    where m.conversation_id = p_conversation_id and m.message_id < p_message_id);
  update conversation_members cm set last_read_message_id = last_read
    where cm.conversation_id = p_conversation_id and cm.user_id = me and cm.last_read_message_id >= p_message_id;
  if not found then return; end if;
  channels := own_channel();
  perform append_event(channels, 'conversation.unread', clock_timestamp(),
    conversation_unread_event(p_conversation_id, me, last_read), 'conversation:' || p_conversation_id);
end $$;
revoke execute on function mark_unread(bigint,bigint) from public;
grant execute on function mark_unread(bigint,bigint) to authenticated;

-- What `conversation.settings` says.
create or replace function conversation_settings_event(conversation bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('conversationId', conversation)
$$;
revoke execute on function conversation_settings_event(bigint) from public;

create or replace function tell_settings(conversation bigint) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  channels text[] := own_channel();
begin
  perform append_event(channels, 'conversation.settings', clock_timestamp(), conversation_settings_event(conversation),
    'conversation:' || conversation);
end $$;
revoke execute on function tell_settings(bigint) from public;

-- Chooses which messages of a conversation are announced, or keeps what is begun to be written in it. What is null stays.
create or replace function choose_of_conversation(p_conversation_id bigint, p_level text, p_draft text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept text := composed(p_draft, 48000, 'A draft', 'check_violation', 'A draft has at most 4,000 characters');
begin
  perform require_conversation(p_conversation_id);
  if char_length(kept) > 4000 then
    raise exception using errcode = 'check_violation', message = 'A draft has at most 4,000 characters';
  end if;
  insert into conversation_choices as k (conversation_id, user_id, org_id, level, draft, updated_at)
    values (p_conversation_id, chat_user_id(), chat_org_id(), coalesce(p_level, 'all'), coalesce(kept, ''), clock_timestamp())
    on conflict (conversation_id, user_id) do update
      set level = coalesce(p_level, k.level), draft = coalesce(kept, k.draft), updated_at = excluded.updated_at
      where coalesce(p_level, k.level) <> k.level or coalesce(kept, k.draft) <> k.draft;
  if found then perform tell_settings(p_conversation_id); end if;
end $$;
revoke execute on function choose_of_conversation(bigint,text,text) from public;
grant execute on function choose_of_conversation(bigint,text,text) to authenticated;

-- Who began a thread, replies in it or is mentioned in the reply follows it, unless they have said otherwise.
create or replace function follow_answered(reply messages) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  insert into thread_follows (message_id, conversation_id, user_id, org_id, follows)
    select root.message_id, root.conversation_id, cm.user_id, root.org_id, true
    from messages root
      join conversation_members cm on cm.conversation_id = root.conversation_id
        and (cm.user_id in (root.sender_id, reply.sender_id) or cm.user_id = any (array(
          select n.user_id from mentions n where n.message_id = reply.message_id)))
    where root.message_id = reply.parent_message_id and root.parent_message_id is null
    on conflict do nothing;
end $$;
revoke execute on function follow_answered(messages) from public;

-- Threads that the one who asks follows, the one with the newest reply first; or the one that a message began, followed or
-- not. Their order costs one look at an index for each that is followed; what is unread is counted for the page alone.
create or replace function list_threads(p_message_id bigint, p_before bigint, p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
  own bigint[] := array(select chat_conversations());
begin
  if p_message_id is not null and not exists (select from messages m
      where m.message_id = p_message_id and m.parent_message_id is null and m.conversation_id = any (own)) then
    raise exception using errcode = 'PT404', message = 'message-not-found';
  end if;
  return (with asked as (
      -- a join, which is by hash: `any` of an array would be looked through for each thread
      select f.message_id from thread_follows f join unnest(own) as o (id) on o.id = f.conversation_id
        where p_message_id is null and f.user_id = me and f.follows
      union all select p_message_id where p_message_id is not null),
    answered as (
      select a.message_id, last.reply_id
      from asked a cross join lateral (select max(r.message_id) as reply_id from messages r
        where r.parent_message_id = a.message_id) last
      where (last.reply_id is not null or p_message_id is not null)
        and (p_before is null or last.reply_id < p_before)
      order by last.reply_id desc limit p_limit + 1),
    page as (select * from answered order by reply_id desc limit p_limit),
    roots as (select s.* from messages_shown(array(select message_id from page)) s)
    select jsonb_build_object(
      'threads', coalesce(jsonb_agg(jsonb_build_object(
        'message', roots.shown,
        'replies', m.reply_count,
        'unread', (select count(*) from messages r where r.parent_message_id = m.message_id
          and r.message_id > coalesce((select cm.last_read_message_id from conversation_members cm
            where (cm.conversation_id, cm.user_id) = (m.conversation_id, me)), 0) and r.sender_id is distinct from me
          and not r.is_deleted),
        'follows', (select f.follows from thread_follows f where f.message_id = m.message_id and f.user_id = me),
        'lastReplyAt', (select r.created_at from messages r where r.message_id = page.reply_id))
        order by page.reply_id desc), '[]'),
      'before', case when (select count(*) from answered) > p_limit then min(page.reply_id) end)
    from page
      join messages m on m.message_id = page.message_id
      join roots on roots.message_id = page.message_id);
end $$;
revoke execute on function list_threads(bigint,bigint,integer) from public;
grant execute on function list_threads(bigint,bigint,integer) to authenticated;

-- Follows a thread, or does not: by the message that it began with.
create or replace function follow_thread(p_message_id bigint, p_follow boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  conversation bigint;
begin
  select m.conversation_id into conversation from messages m
    where m.message_id = p_message_id and m.parent_message_id is null
      and m.conversation_id = any (array(select chat_conversations()));
  if conversation is null then
    raise exception using errcode = 'PT404', message = 'message-not-found';
  end if;
  insert into thread_follows as f (message_id, conversation_id, user_id, org_id, follows)
    values (p_message_id, conversation, chat_user_id(), chat_org_id(), p_follow)
    on conflict (message_id, user_id) do update set follows = excluded.follows where f.follows <> excluded.follows;
  if found then perform tell_settings(conversation); end if;
end $$;
revoke execute on function follow_thread(bigint,boolean) from public;
grant execute on function follow_thread(bigint,boolean) to authenticated;

drop policy if exists own_choices on conversation_choices;
create policy own_choices on conversation_choices for select to authenticated
  using (user_id = (select chat_user_id()) and conversation_id = any (array(select chat_conversations())));
grant select on conversation_choices to authenticated;

drop policy if exists own_thread_follows on thread_follows;
create policy own_thread_follows on thread_follows for select to authenticated
  using (user_id = (select chat_user_id()) and conversation_id = any (array(select chat_conversations())));
grant select on thread_follows to authenticated;
