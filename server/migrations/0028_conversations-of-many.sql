-- Conversations of several people: groups, and one of each room. Those of two stay as they are.

-- features/chat -----------------------------------------------------------------------------------

-- Of a room: its name, also after it was deleted, when the room itself has none any more.
alter table conversations
  drop constraint conversations_type_check,
  drop constraint conversations_check,
  alter column low_user_id drop not null,
  alter column high_user_id drop not null,
  add column title text,
  add column room_id uuid references rooms (id),
  add constraint conversations_of_type check (case type
    when 'DM' then low_user_id is not null and high_user_id is not null and low_user_id < high_user_id
      and title is null and room_id is null
    when 'GROUP' then low_user_id is null and high_user_id is null and room_id is null
      and (title is null or char_length(title) between 1 and 100)
    when 'ROOM' then low_user_id is null and high_user_id is null and room_id is not null and title is not null
    else false end);
create unique index conversations_of_room on conversations (room_id) where room_id is not null;

-- Whether somebody was ever in a room, as long as that is remembered.
create index media_participants_in_room on media_participants (room_id, user_id) where user_id is not null;

-- A trigger, so that no statement that renames a room can forget it. A deleted room is not renamed: it has lost its name.
create function rename_room_conversation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update conversations set title = new.name where room_id = new.id;
  return null;
end $$;
create trigger rooms_rename_conversation after update of name on rooms
  for each row when (old.name <> new.name and new.deleted_at is null) execute function rename_room_conversation();

-- Told by a trigger too: to whoever has become a member of a group or of a room's conversation, in whichever way. Of a
-- conversation of two nobody hears before its first message, as before.
create function tell_conversation_joined() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform append_event(channels, 'conversation.joined', clock_timestamp(), jsonb_build_object(
        'conversation_id', told.conversation_id, 'type', told.type, 'title', told.title, 'room_id', told.room_id),
      'conversation:' || told.conversation_id)
    from (select c.conversation_id, c.type, c.title, c.room_id,
          array_agg('user:' || o.identity_organization_id || ':' || u.identity_user_id order by u.id) as channels
        from joined j
          join conversations c on c.conversation_id = j.conversation_id and c.type <> 'DM'
          join organizations o on o.id = j.org_id
          join users u on u.id = j.user_id
        group by c.conversation_id) told;
  return null;
end $$;
create trigger conversation_members_tell_joined after insert on conversation_members
  referencing new table as joined for each statement execute function tell_conversation_joined();

-- Who is in a room becomes a member of its conversation. Entering alone writes nothing: membership follows when the
-- conversation is opened, and with each message. What was said before can be read, and does not count as unread.
create function join_room_conversation(conversation bigint, room uuid, besides bigint, before bigint) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  insert into conversation_members (conversation_id, user_id, org_id, last_read_message_id, joined_at)
    select conversation, m.user_id, m.organization_id, (
        select max(message_id) from messages where conversation_id = conversation and message_id < before),
      date_trunc('milliseconds', clock_timestamp())
    from conversations c
      join memberships m on m.organization_id = c.org_id and m.status = 'active'
    where c.conversation_id = conversation
      and m.user_id in (
        select p.user_id from media_participants p
          where p.room_id = room and p.ended_at is null and p.counts and p.user_id is not null
        union all select besides)
      and not exists (select from conversation_members known
        where known.conversation_id = conversation and known.user_id = m.user_id)
    order by m.user_id
    on conflict do nothing;
end $$;

-- As before (0018_chat-in-words.sql), and besides: nobody writes into the conversation of a deleted room.
create or replace function prepare_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  moment timestamptz;
  last_activity timestamptz;
  sent integer;
  sent_here integer;
  free_at timestamptz;
  free_here_at timestamptz;
  kind text;
  reachable boolean;
begin
  if new.conversation_id is null then
    raise exception using errcode = 'not_null_violation',
      message = 'null value in column "conversation_id" of relation "messages" violates not-null constraint';
  end if;
  perform from memberships m join organizations o on o.id = m.organization_id
    where m.organization_id = organization and m.user_id = me and m.status = 'active' and o.deleted_at is null
    for no key update of m;
  if found then
    select c.updated_at, c.type, case c.type
          when 'DM' then exists (select from memberships p
            where p.organization_id = c.org_id and p.status = 'active'
              and p.user_id = case me when c.low_user_id then c.high_user_id else c.low_user_id end)
          when 'ROOM' then exists (select from rooms r where r.id = c.room_id and r.deleted_at is null)
          else true end
      into last_activity, kind, reachable
      from conversations c join conversation_members cm on cm.conversation_id = c.conversation_id
      where c.conversation_id = new.conversation_id and c.org_id = organization and cm.user_id = me
      for no key update of c;
  end if;
  if last_activity is null then
    raise exception using errcode = 'insufficient_privilege',
      message = 'new row violates row-level security policy for table "messages"',
      hint = 'You are not a member of this conversation.';
  end if;

  -- sent again: it is there already
  if new.client_message_id is not null and exists (select from messages m
      where m.conversation_id = new.conversation_id and m.sender_id = me
        and m.client_message_id = new.client_message_id) then
    return null;
  end if;

  -- lengths are those of the composed form, which is kept
  new.content := normalize(new.content, NFC);
  -- what nobody would see: white space of every kind, and what is drawn as nothing
  if new.content !~ '[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]' then
    raise exception using errcode = 'check_violation', message = 'A message needs text';
  end if;
  if char_length(new.content) > 4000 then
    raise exception using errcode = 'check_violation', message = 'A message has at most 4,000 characters';
  end if;
  if not reachable then
    raise exception using errcode = 'PT403', message = case kind
      when 'DM' then 'The person you write to is no longer a member of this organization'
      else 'This room has been deleted' end;
  end if;

  moment := date_trunc('milliseconds', clock_timestamp());
  select count(*), count(*) filter (where here), min(created_at) + interval '60 s',
      min(created_at) filter (where here) + interval '10 s'
    into sent, sent_here, free_at, free_here_at
    from (select m.created_at, m.conversation_id = new.conversation_id
          and m.created_at > moment - interval '10 s' as here
        from messages m
        where m.org_id = organization and m.sender_id = me and m.created_at > moment - interval '60 s') recent;
  if sent_here >= 5 then
    raise exception using errcode = 'P0429', message = 'rate_limit_conversation',
      detail = 'At most 5 messages in 10 seconds to one conversation.',
      hint = format('Try again in %s s.', greatest(1, ceil(extract(epoch from free_here_at - moment))));
  end if;
  if sent >= 20 then
    raise exception using errcode = 'P0430', message = 'rate_limit_global',
      detail = 'At most 20 messages in 60 seconds.',
      hint = format('Try again in %s s.', greatest(1, ceil(extract(epoch from free_at - moment))));
  end if;

  new.message_id := nextval('message_ids');
  new.org_id := organization;
  new.sender_id := me;
  new.reply_count := 0;
  new.is_edited := false;
  new.is_deleted := false;
  new.created_at := greatest(moment, last_activity);
  new.updated_at := new.created_at;
  return new;
end $$;

-- As before (0010_chat.sql), and besides: whoever is in the room of a conversation gets its messages.
create or replace function follow_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  room uuid;
  everybody text[];
  others text[];
begin
  update conversations set updated_at = new.created_at where conversation_id = new.conversation_id
    returning room_id into room;
  if room is not null then
    perform join_room_conversation(new.conversation_id, room, null, new.message_id);
  end if;
  if new.parent_message_id is not null then
    update messages set reply_count = reply_count + 1
      where conversation_id = new.conversation_id and message_id = new.parent_message_id;
  end if;
  select array_agg(channel order by user_id), coalesce(array_agg(channel) filter (where user_id <> new.sender_id), '{}')
    into everybody, others
    from (select u.id as user_id, 'user:' || o.identity_organization_id || ':' || u.identity_user_id as channel
        from conversation_members cm
          join memberships m on m.organization_id = cm.org_id and m.user_id = cm.user_id and m.status = 'active'
          join organizations o on o.id = cm.org_id
          join users u on u.id = cm.user_id
        where cm.conversation_id = new.conversation_id) members;
  perform append_event(others, 'new_message', new.created_at, jsonb_build_object(
      'message_id', new.message_id, 'conversation_id', new.conversation_id, 'sender_id', new.sender_id,
      'content', left(new.content, 200), 'created_at', new.created_at), 'conversation:' || new.conversation_id);
  perform append_event(everybody, 'message.created', new.created_at, to_jsonb(new),
    'conversation:' || new.conversation_id);
  return null;
end $$;

-- A group of the caller and others. Every call makes one: the same people may talk about several things.
create function open_conversation(p_user_ids bigint[], p_title text default null)
returns table (conversation_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  others bigint[] := array(select distinct one from unnest(p_user_ids) one where one is distinct from me order by one);
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  named text := btrim(normalize(p_title, NFC));
  opened bigint;
begin
  perform chat_require_member();
  if cardinality(others) = 0 then
    raise exception using errcode = 'invalid_parameter_value', message = 'A group needs somebody besides yourself';
  end if;
  if cardinality(others) > 50 then
    raise exception using errcode = 'invalid_parameter_value',
      message = 'A group has at most 50 people besides yourself';
  end if;
  if char_length(named) not between 1 and 100 then
    raise exception using errcode = 'invalid_parameter_value', message = 'A title has 1 to 100 characters';
  end if;
  -- to PostgREST and its like: 404
  if cardinality(others) <> (select count(*) from memberships m
      where m.organization_id = organization and m.user_id = any (others) and m.status = 'active') then
    raise exception using errcode = 'PT404', message = 'there is nobody of that id in this organization';
  end if;
  insert into conversations as c (org_id, type, title, created_at, updated_at)
    values (organization, 'GROUP', named, moment, moment) returning c.conversation_id into opened;
  insert into conversation_members (conversation_id, user_id, org_id, joined_at)
    select opened, one, organization, moment from unnest(others || me) one order by one;
  return query select opened;
end $$;

-- The one conversation of a room, for whoever of the organization is or was in it.
create function open_room_conversation(p_room_id uuid)
returns table (conversation_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  called text;
  opened bigint;
begin
  perform chat_require_member();
  -- so that it is neither renamed nor deleted meanwhile
  select r.name into called from rooms r
    where r.id = p_room_id and r.organization_id = organization and r.deleted_at is null for share;
  if called is null then
    raise exception using errcode = 'PT404', message = 'there is no room of that id in this organization';
  end if;
  select c.conversation_id into opened from conversations c where c.room_id = p_room_id;
  if not exists (select from media_participants p where p.room_id = p_room_id and p.user_id = me)
      and not exists (select from conversation_members cm where cm.conversation_id = opened and cm.user_id = me) then
    raise exception using errcode = 'PT403', message = 'This conversation is for those who are or were in the room',
      hint = 'Enter the room first.';
  end if;
  if opened is null then
    insert into conversations as c (org_id, type, title, room_id, created_at, updated_at)
      values (organization, 'ROOM', called, p_room_id, moment, moment)
      on conflict (room_id) where room_id is not null do nothing returning c.conversation_id into opened;
  end if;
  -- another call was first
  if opened is null then
    select c.conversation_id into strict opened from conversations c where c.room_id = p_room_id;
  end if;
  perform join_room_conversation(opened, p_room_id, me, 9223372036854775807);
  return query select opened;
end $$;

-- As get_recent_dms, of all types. The peer_… are of a DM alone; members are the others of a DM or a group. Those of a
-- room come and go: they are rows of conversation_members.
create function get_conversations(p_limit integer default 20, p_cursor timestamptz default null)
returns table (conversation_id bigint, type text, title text, room_id uuid, members jsonb, peer_user_id bigint,
  peer_email text, peer_display_name text, peer_avatar_url text, peer_status text, peer_last_seen_at timestamptz,
  last_message_content text, last_message_sender bigint, last_message_at timestamptz, unread_count bigint,
  updated_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  page integer := least(greatest(coalesce(p_limit, 20), 0), 1000);
  images text := current_setting('atrium.image_base_url', true) || '/';
begin
  return query
    select c.conversation_id, c.type, c.title, c.room_id, coalesce(others.list, '[]'), u.id, u.email, u.display_name,
      images || u.avatar_key,
      case when u.id is null then null
        when p.last_seen_at > clock_timestamp() - interval '90 s' then p.status else 'offline' end,
      p.last_seen_at, last.content, last.sender_id, last.created_at,
      (select count(*) from messages m
        where m.conversation_id = c.conversation_id and m.sender_id <> me
          and m.message_id > coalesce(mine.last_read_message_id, 0)),
      c.updated_at
    from (select * from conversations c
        where c.conversation_id = any (array(select chat_conversations()))
          and (p_cursor is null or c.updated_at < p_cursor)
        order by c.updated_at desc fetch first (page) rows with ties) c
      join conversation_members mine on mine.conversation_id = c.conversation_id and mine.user_id = me
      left join users u on u.id = case me when c.low_user_id then c.high_user_id else c.low_user_id end
      left join memberships member on member.organization_id = c.org_id and member.user_id = u.id
        and member.status = 'active'
      left join chat_presence p on p.org_id = member.organization_id and p.user_id = member.user_id
      left join lateral (select m.content, m.sender_id, m.created_at from messages m
        where m.conversation_id = c.conversation_id order by m.message_id desc limit 1) last on true
      left join lateral (select jsonb_agg(jsonb_build_object('user_id', o.id, 'display_name', o.display_name,
            'avatar_url', images || o.avatar_key, 'is_active', exists (select from memberships om
              where om.organization_id = c.org_id and om.user_id = o.id and om.status = 'active'))
            order by o.id) as list
        from conversation_members cm join users o on o.id = cm.user_id
        where cm.conversation_id = c.conversation_id and cm.user_id <> me and c.type <> 'ROOM') others on true
    order by c.updated_at desc, c.conversation_id desc;
end $$;

-- As before (0010_chat.sql), and besides: says how much is unread after that in a group or
-- a room, so that a list need not ask.
create or replace function update_read_cursor(p_conversation_id bigint, p_last_read_message_id bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
  told jsonb := jsonb_build_object('conversation_id', p_conversation_id, 'last_read_message_id', p_last_read_message_id);
begin
  if not p_conversation_id = any (array(select chat_conversations())) then return; end if;
  -- forward, and to a message of this conversation
  update conversation_members cm set last_read_message_id = p_last_read_message_id
    where cm.conversation_id = p_conversation_id and cm.user_id = me
      and p_last_read_message_id > coalesce(cm.last_read_message_id, 0)
      and exists (select from messages m
        where m.conversation_id = p_conversation_id and m.message_id = p_last_read_message_id);
  if not found then return; end if;
  if exists (select from conversations c where c.conversation_id = p_conversation_id and c.type <> 'DM') then
    told := told || jsonb_build_object('unread_count', (select count(*) from messages m
      where m.conversation_id = p_conversation_id and m.message_id > p_last_read_message_id and m.sender_id <> me));
  end if;
  perform append_event(array['user:' || o.identity_organization_id || ':' || u.identity_user_id],
      'conversation.read', clock_timestamp(), told, 'conversation:' || p_conversation_id)
    from organizations o, users u where o.id = chat_org_id() and u.id = me;
end $$;

-- Whom it is told that somebody writes: the other members, and nobody where who writes appears offline (or did when they
-- were last there). Null: they are no member of that conversation.
create function chat_typing_channels(organization bigint, person bigint, conversation bigint) returns text[]
language sql stable as $$
  select case
    when exists (select from chat_presence p
      where p.org_id = organization and p.user_id = person and p.hidden) then '{}'
    when exists (select from presence p
      where p.organization_id = organization and p.user_id = person and p.status = 'appear_offline') then '{}'
    else array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
      from conversation_members cm
        join memberships m on m.organization_id = cm.org_id and m.user_id = cm.user_id and m.status = 'active'
        join organizations o on o.id = cm.org_id
        join users u on u.id = cm.user_id
      where cm.conversation_id = conversation and cm.user_id <> person) end
  from conversation_members mine
  where mine.conversation_id = conversation and mine.user_id = person and mine.org_id = organization
$$;

-- Functions are open to everybody until it is said otherwise.
revoke execute on function rename_room_conversation, tell_conversation_joined, join_room_conversation,
  chat_typing_channels, open_conversation, open_room_conversation, get_conversations from public;
grant execute on function open_conversation, open_room_conversation, get_conversations to authenticated;
