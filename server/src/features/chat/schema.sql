-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- The claims of the token, as PostgREST hands them over: for one transaction.
create or replace function chat_claim(name text) returns bigint language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::json ->> name)::bigint
$$;
revoke execute on function chat_claim(text) from public;
grant execute on function chat_claim(text) to authenticated;

-- The conversations of the token: all that any policy asks.
create or replace function chat_conversations() returns setof bigint
language plpgsql stable security definer rows 50 set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
begin
  if chat_is_member(organization, me) then
    return query select cm.conversation_id from conversation_members cm
      where cm.user_id = me and cm.org_id = organization;
  end if;
end $$;
revoke execute on function chat_conversations() from public;
grant execute on function chat_conversations() to authenticated;

-- Whether somebody belongs to an organization now: a token outlives a membership.
create or replace function chat_is_member(organization bigint, person bigint) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (
    select from memberships m join organizations o on o.id = m.organization_id
    where m.organization_id = organization and m.user_id = person and m.status = 'active' and o.deleted_at is null);
end $$;
revoke execute on function chat_is_member(bigint,bigint) from public;

create or replace function chat_org_id() returns bigint language sql stable as $$ select chat_claim('org_id') $$;
revoke execute on function chat_org_id() from public;
grant execute on function chat_org_id() to authenticated;

create or replace function chat_require_member() returns void
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not chat_is_member(chat_org_id(), chat_user_id()) then
    raise exception using errcode = 'insufficient_privilege', message = 'you are not a member of this organization';
  end if;
end $$;
revoke execute on function chat_require_member() from public;

create or replace function chat_user_id() returns bigint language sql stable as $$ select chat_claim('user_id') $$;
revoke execute on function chat_user_id() from public;
grant execute on function chat_user_id() to authenticated;

-- As the one who asks: row-level security is what keeps strangers out, and gives them no rows.
create or replace function get_conversation_messages(p_conversation_id bigint, p_limit integer default 50,
  p_cursor bigint default null)
returns table (message_id bigint, sender_id bigint, content text, parent_message_id bigint, reply_count integer,
  is_edited boolean, is_deleted boolean, created_at timestamptz)
language sql stable rows 50 as $$
  select m.message_id, coalesce(m.sender_id, 0), m.content, m.parent_message_id, m.reply_count, m.is_edited,
    m.is_deleted, m.created_at
  from messages m
  where m.conversation_id = p_conversation_id and m.message_id < coalesce(p_cursor, 9223372036854775807)
  order by m.message_id desc
  limit least(greatest(coalesce(p_limit, 50), 0), 1000)
$$;
revoke execute on function get_conversation_messages(bigint,integer,bigint) from public;
grant execute on function get_conversation_messages(bigint,integer,bigint) to authenticated;

create or replace function get_recent_dm_presence(p_limit integer default 20, p_cursor timestamptz default null)
returns table (user_id bigint, status text, last_seen_at timestamptz)
language sql stable rows 20 as $$
  select dm.peer_user_id, dm.peer_status, dm.peer_last_seen_at from get_recent_dms(p_limit, p_cursor) dm
$$;
revoke execute on function get_recent_dm_presence(integer,timestamp with time zone) from public;
grant execute on function get_recent_dm_presence(integer,timestamp with time zone) to authenticated;

-- The address of a person; a bot has none.
create or replace function address_of(person users) returns text language sql immutable as $$
  select case when person.is_bot then '' else person.email end
$$;
revoke execute on function address_of(users) from public;

-- Pages whole ties: a cursor at a moment that two conversations share would lose one of them.
create or replace function get_recent_dms(p_limit integer default 20, p_cursor timestamptz default null)
returns table (conversation_id bigint, peer_user_id bigint, peer_email text, peer_display_name text,
  peer_avatar_url text, peer_status text, peer_last_seen_at timestamptz, last_message_content text,
  last_message_sender bigint, last_message_at timestamptz, unread_count bigint, updated_at timestamptz)
language plpgsql stable security definer rows 20 set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  page integer := least(greatest(coalesce(p_limit, 20), 0), 1000);
begin
  return query
    select c.conversation_id, u.id, address_of(u), u.display_name,
      current_setting('atrium.image_base_url', true) || '/' || u.avatar_key,
      case when p.last_seen_at > clock_timestamp() - interval '90 s' then p.status else 'offline' end,
      p.last_seen_at, last.content, coalesce(last.sender_id, case when last.created_at is not null then 0 end),
      last.created_at,
      chat_unread(c.conversation_id, me, mine.last_read_message_id),
      c.updated_at
    from (select * from conversations c
        where c.conversation_id = any (array(select chat_conversations())) and c.type = 'DM'
          and (p_cursor is null or c.updated_at < p_cursor)
        order by c.updated_at desc fetch first (page) rows with ties) c
      join conversation_members mine on mine.conversation_id = c.conversation_id and mine.user_id = me
      join users u on u.id = case me when c.low_user_id then c.high_user_id else c.low_user_id end
      left join memberships member on member.organization_id = c.org_id and member.user_id = u.id
        and member.status = 'active'
      left join chat_presence p on p.org_id = member.organization_id and p.user_id = member.user_id
      left join lateral (select m.content, m.sender_id, m.created_at from messages m
        where m.conversation_id = c.conversation_id order by m.message_id desc limit 1) last on true
    order by c.updated_at desc, c.conversation_id desc;
end $$;
revoke execute on function get_recent_dms(integer,timestamp with time zone) from public;
grant execute on function get_recent_dms(integer,timestamp with time zone) to authenticated;

-- Who appears offline is offline here too, since that moment, and no heartbeat shows until they are seen again. Where
-- nothing was to be seen of them before, nothing changes now.
create or replace function hide_chat_presence() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.status = 'appear_offline' then
    insert into chat_presence as p (org_id, user_id, status, hidden)
      values (new.organization_id, new.user_id, 'offline', true)
      on conflict (org_id, user_id) do update set status = 'offline', hidden = true,
        last_seen_at = case when p.status <> 'offline' and p.last_seen_at > clock_timestamp() - interval '90 s'
          then clock_timestamp() else p.last_seen_at end;
  else
    update chat_presence set hidden = false
      where org_id = new.organization_id and user_id = new.user_id and hidden;
  end if;
  return null;
end $$;
revoke execute on function hide_chat_presence() from public;

-- offline alone does not show them again: they may have been invisible until their connection went
create or replace trigger presence_hides_chat after update of status on presence
  for each row when (old.status is distinct from new.status and new.status <> 'offline')
  execute function hide_chat_presence();

-- the functions of the interface ----------------------------------------------
create or replace function open_dm(p_peer_user_id bigint)
returns table (conversation_id bigint, peer_user_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  low bigint := least(me, p_peer_user_id);
  high bigint := greatest(me, p_peer_user_id);
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  opened bigint;
begin
  perform chat_require_member();
  if p_peer_user_id = me then
    raise exception using errcode = 'invalid_parameter_value', message = 'a conversation is of two people';
  end if;
  -- to PostgREST and its like: 404
  if p_peer_user_id is null or not chat_is_member(organization, p_peer_user_id) then
    raise exception using errcode = 'PT404', message = 'there is nobody of that id in this organization';
  end if;
  insert into conversations as c (org_id, low_user_id, high_user_id, created_at, updated_at)
    values (organization, low, high, moment, moment)
    on conflict (org_id, low_user_id, high_user_id) do nothing returning c.conversation_id into opened;
  if opened is null then
    select c.conversation_id into strict opened from conversations c
      where c.org_id = organization and c.low_user_id = low and c.high_user_id = high;
  else
    insert into conversation_members (conversation_id, user_id, org_id, joined_at)
      values (opened, low, organization, moment), (opened, high, organization, moment);
  end if;
  return query select opened, p_peer_user_id;
end $$;
revoke execute on function open_dm(bigint) from public;
grant execute on function open_dm(bigint) to authenticated;

create or replace function update_presence(p_status text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform chat_require_member();
  if p_status is null or p_status not in ('online', 'away', 'offline') then
    raise exception using errcode = 'invalid_parameter_value', message = 'p_status must be online, away or offline';
  end if;
  insert into chat_presence as p (org_id, user_id, status, last_seen_at)
    values (chat_org_id(), chat_user_id(), p_status, clock_timestamp())
    on conflict (org_id, user_id) do update set status = excluded.status, last_seen_at = excluded.last_seen_at
      where not p.hidden;
end $$;
revoke execute on function update_presence(text) from public;
grant execute on function update_presence(text) to authenticated;

-- Adds up the bytes of the rows of an answer while it is made, and ends it where there are too many: aggregated beside
-- the rows, so that no more of them is kept than the bound allows.
create or replace function add_answer_bytes(total bigint, bytes integer, bytes_max bigint) returns bigint
language plpgsql immutable as $$
begin
  total := total + bytes;
  if total > bytes_max then
    raise exception using errcode = 'program_limit_exceeded',
      message = format('The answer would be larger than %s KiB: ask for fewer rows or columns', bytes_max / 1024);
  end if;
  return total;
end $$;
revoke execute on function add_answer_bytes(bigint,integer,bigint) from public;
grant execute on function add_answer_bytes(bigint,integer,bigint) to authenticated;
create or replace aggregate answer_bytes(integer, bigint) (sfunc = add_answer_bytes, stype = bigint, initcond = '0');
revoke execute on function answer_bytes(integer,bigint) from public;
grant execute on function answer_bytes(integer,bigint) to authenticated;

-- Whom it is told that somebody writes: the other members, and nobody where who writes appears offline (or did when they
-- were last there). Null: they are no member of that conversation.
create or replace function chat_typing_channels(organization bigint, person bigint, conversation bigint) returns text[]
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
revoke execute on function chat_typing_channels(bigint,bigint,bigint) from public;

-- A row of messages as the earlier data access shows it, and who the guest is that wrote it.
create or replace function message_row(message messages) returns jsonb language sql stable as $$
  select to_jsonb(message) - array['guest_id', 'guest_name', 'edited_at']
    || jsonb_build_object('sender_id', coalesce(message.sender_id, 0))
    || case when message.guest_id is null then '{}' else jsonb_build_object('guest',
      jsonb_build_object('identity', 'guest:' || message.guest_id, 'name', message.guest_name)) end
$$;
revoke execute on function message_row(messages) from public;
grant execute on function message_row(messages) to authenticated;

-- What `message.created` says: the row, whom it mentions and which files it has.
create or replace function files_told(message bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('attachments', coalesce(jsonb_agg(
      attachment_shown(a.attachment_id, a.name, a.content_type, a.bytes, a.width, a.height) order by a.position), '[]'))
    from attachments a where a.message_id = message
$$;
revoke execute on function files_told(bigint) from public;

create or replace function message_event(message messages) returns jsonb language plpgsql stable as $$
declare
  told jsonb := message_row(message);
begin
  if files_to_send() is not null then
    told := told || files_told(message.message_id);
  end if;
  if strpos(message.content, '<@') = 0 then return told; end if;
  return (select told
      || jsonb_build_object('mentions', coalesce(jsonb_agg(n.user_id::text order by n.user_id)
        filter (where n.user_id is not null), '[]'))
      || case when bool_or(n.user_id is null) then '{"mentionsRoom": true}'::jsonb else '{}' end
    from mentions n where n.message_id = message.message_id);
end $$;
revoke execute on function message_event(messages) from public;

-- What `new_message` says.
create or replace function new_message_event(message messages) returns jsonb language sql stable as $$
  select jsonb_build_object('message_id', message.message_id, 'conversation_id', message.conversation_id,
    'sender_id', coalesce(message.sender_id, 0), 'content', left(message.content, 200), 'created_at', message.created_at)
$$;
revoke execute on function new_message_event(messages) from public;

-- A message moves its conversation, is counted by what it answers, and is told. Who is in the room of a conversation gets
-- its messages.
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
  if strpos(new.content, '<@') > 0 then
    perform note_mentions(new);
  end if;
  if new.parent_message_id is not null then
    perform follow_answered(new);
  end if;
  perform take_files(new);
  select array_agg(channel order by user_id),
      coalesce(array_agg(channel) filter (where user_id is distinct from new.sender_id), '{}')
    into everybody, others
    from (select u.id as user_id, 'user:' || o.identity_organization_id || ':' || u.identity_user_id as channel
        from conversation_members cm
          join memberships m on m.organization_id = cm.org_id and m.user_id = cm.user_id and m.status = 'active'
          join organizations o on o.id = cm.org_id
          join users u on u.id = cm.user_id
        where cm.conversation_id = new.conversation_id) members;
  perform append_event(others, 'new_message', new.created_at, new_message_event(new),
    'conversation:' || new.conversation_id);
  perform append_event(everybody, 'message.created', new.created_at, message_event(new),
    'conversation:' || new.conversation_id);
  return null;
end $$;
revoke execute on function follow_message() from public;
create or replace trigger messages_followed after insert on messages for each row
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function follow_message();

-- As get_recent_dms, of all types. The peer_… are of a DM alone; members are the others of a DM or a group. Those of a
-- room come and go: they are rows of conversation_members.
create or replace function get_conversations(p_limit integer default 20, p_cursor timestamptz default null)
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
    select c.conversation_id, c.type, c.title, c.room_id, coalesce(others.list, '[]'), u.id, address_of(u), u.display_name,
      images || u.avatar_key,
      case when u.id is null then null
        when p.last_seen_at > clock_timestamp() - interval '90 s' then p.status else 'offline' end,
      p.last_seen_at, last.content, coalesce(last.sender_id, case when last.created_at is not null then 0 end),
      last.created_at,
      chat_unread(c.conversation_id, me, mine.last_read_message_id),
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
revoke execute on function get_conversations(integer,timestamp with time zone) from public;
grant execute on function get_conversations(integer,timestamp with time zone) to authenticated;

-- Who is in a room, bots too, becomes a member of its conversation. Entering alone writes nothing: membership follows when the
-- conversation is opened, and with each message. What was said before can be read, and does not count as unread.
create or replace function join_room_conversation(conversation bigint, room uuid, besides bigint, before bigint) returns void
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
        select coalesce(p.user_id, p.bot_id) from media_participants p
          where p.room_id = room and p.ended_at is null
            and (p.counts and p.user_id is not null or p.bot_id is not null)
        union all select besides)
      and not exists (select from conversation_members known
        where known.conversation_id = conversation and known.user_id = m.user_id)
    order by m.user_id
    on conflict do nothing;
end $$;
revoke execute on function join_room_conversation(bigint,uuid,bigint,bigint) from public;

-- The one conversation of a room, made where there is none: of two at once one is made.
create or replace function room_conversation(organization bigint, room uuid, called text) returns bigint
language plpgsql set search_path = public, pg_temp as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  opened bigint;
begin
  insert into conversations as c (org_id, type, title, room_id, created_at, updated_at)
    values (organization, 'ROOM', called, room, moment, moment)
    on conflict (room_id) where room_id is not null do nothing returning c.conversation_id into opened;
  if opened is null then
    select c.conversation_id into strict opened from conversations c where c.room_id = room;
  end if;
  return opened;
end $$;
revoke execute on function room_conversation(bigint,uuid,text) from public;

-- The one conversation of a room, for whoever of the organization is or was in it.
create or replace function open_room_conversation(p_room_id uuid)
returns table (conversation_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  called text;
  opened bigint;
begin
  perform chat_require_member();
  -- so that it is neither renamed nor deleted meanwhile
  select r.name into called from rooms r
    where r.id = p_room_id and r.organization_id = organization and r.deleted_at is null
      and r.owner_id is null and r.first_person_id is null for share;
  if called is null then
    raise exception using errcode = 'PT404', message = 'there is no room of that id in this organization';
  end if;
  select c.conversation_id into opened from conversations c where c.room_id = p_room_id;
  if not exists (select from media_participants p where p.room_id = p_room_id and p.user_id = me)
      and not exists (select from conversation_members cm where cm.conversation_id = opened and cm.user_id = me) then
    raise exception using errcode = 'PT403', message = 'This conversation is for those who are or were in the room',
      hint = 'Enter the room first.';
  end if;
  opened := coalesce(opened, room_conversation(organization, p_room_id, called));
  perform join_room_conversation(opened, p_room_id, me, 9223372036854775807);
  return query select opened;
end $$;
revoke execute on function open_room_conversation(uuid) from public;
grant execute on function open_room_conversation(uuid) to authenticated;

-- A trigger, so that no statement that renames a room can forget it. A deleted room is not renamed: it has lost its name.
create or replace function rename_room_conversation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update conversations set title = new.name where room_id = new.id;
  return null;
end $$;
revoke execute on function rename_room_conversation() from public;
create or replace trigger rooms_rename_conversation after update of name on rooms
  for each row when (old.name <> new.name and new.deleted_at is null) execute function rename_room_conversation();

-- What `conversation.joined` says.
create or replace function conversation_joined_event(conversation conversations) returns jsonb language sql stable as $$
  select jsonb_build_object('conversation_id', conversation.conversation_id, 'type', conversation.type,
    'title', conversation.title, 'room_id', conversation.room_id)
$$;
revoke execute on function conversation_joined_event(conversations) from public;

-- Told by a trigger too: to whoever has become a member of a group or of a room's conversation, in whichever way. Of a
-- conversation of two nobody hears before its first message, as before.
create or replace function tell_conversation_joined() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform append_event(channels, 'conversation.joined', clock_timestamp(), conversation_joined_event(told.conversation),
      'conversation:' || (told.conversation).conversation_id)
    from (select c as conversation,
          array_agg('user:' || o.identity_organization_id || ':' || u.identity_user_id order by u.id) as channels
        from joined j
          join conversations c on c.conversation_id = j.conversation_id and c.type <> 'DM'
          join organizations o on o.id = j.org_id
          join users u on u.id = j.user_id
        group by c.conversation_id) told;
  return null;
end $$;
revoke execute on function tell_conversation_joined() from public;
create or replace trigger conversation_members_tell_joined after insert on conversation_members
  referencing new table as joined for each statement
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function tell_conversation_joined();

-- What `conversation.read` says: of groups and rooms also how much is unread after that, so that a list need not ask.
create or replace function conversation_read_event(conversation conversations, person bigint, message bigint) returns jsonb
language sql stable as $$
  select jsonb_build_object('conversation_id', conversation.conversation_id, 'last_read_message_id', message)
    || case when conversation.type = 'DM' then '{}'
      else jsonb_build_object('unread_count', chat_unread(conversation.conversation_id, person, message)) end
$$;
revoke execute on function conversation_read_event(conversations,bigint,bigint) from public;

-- Moves the read cursor of a person forward, and tells all their devices.
create or replace function update_read_cursor(p_conversation_id bigint, p_last_read_message_id bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
begin
  if not p_conversation_id = any (array(select chat_conversations())) then return; end if;
  -- forward, and to a message of this conversation
  update conversation_members cm set last_read_message_id = p_last_read_message_id
    where cm.conversation_id = p_conversation_id and cm.user_id = me
      and p_last_read_message_id > coalesce(cm.last_read_message_id, 0)
      and exists (select from messages m
        where m.conversation_id = p_conversation_id and m.message_id = p_last_read_message_id);
  if not found then return; end if;
  perform append_event(array['user:' || o.identity_organization_id || ':' || u.identity_user_id],
      'conversation.read', clock_timestamp(), conversation_read_event(c, me, p_last_read_message_id),
      'conversation:' || p_conversation_id)
    from conversations c, organizations o, users u
    where c.conversation_id = p_conversation_id and o.id = chat_org_id() and u.id = me;
end $$;
revoke execute on function update_read_cursor(bigint,bigint) from public;
grant execute on function update_read_cursor(bigint,bigint) to authenticated;

-- As before (0043_organization-limits.sql), and first of all: what the person who asks has.
create or replace function chat_limit(organization bigint, limit_name text, deployment text, otherwise bigint) returns bigint
language plpgsql stable set search_path = public, pg_temp as $$
begin
  -- in this language its plan is kept: it runs for each message
  return coalesce(
    (select l.value from person_limits l
      where l.organization_id = organization and l.user_id = chat_user_id() and l.name = limit_name),
    (select l.value from organization_limits l where l.organization_id = organization and l.name = limit_name),
    nullif(current_setting(deployment, true), '')::bigint,
    otherwise);
end $$;
revoke execute on function chat_limit(bigint,text,text,bigint) from public;

-- The composed form (NFC) of a text, where that takes no time: composing costs the square of the marks in a row, and
-- nothing interrupts it.
create or replace function composed(given text, bytes_max integer, label text, state text, too_long text) returns text
language plpgsql immutable as $$
begin
  if octet_length(given) > bytes_max then
    raise exception using errcode = state, message = too_long;
  end if;
  -- a mark has two bytes or more: what is written without has as many characters as bytes
  if octet_length(given) > char_length(given) + 30 and has_marks_in_a_row(given) then
    raise exception using errcode = state, message = label || ' has at most 30 combining marks in a row';
  end if;
  return normalize(given, NFC);
end $$;
revoke execute on function composed(text,integer,text,text,text) from public;

-- More than thirty combining marks in a row (UAX #15, stream-safe): those that Unicode 17 has, \p{M}.
create or replace function has_marks_in_a_row(given text) returns boolean language sql immutable as $$
  select given ~ ('['
    '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
    '\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd'
    '\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903'
    '\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7-\u09c8\u09cb-\u09cd'
    '\u09d7\u09e2-\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47-\u0a48\u0a4b-\u0a4d\u0a51\u0a70-\u0a71\u0a75'
    '\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2-\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3c'
    '\u0b3e-\u0b44\u0b47-\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62-\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd'
    '\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55-\u0c56\u0c62-\u0c63\u0c81-\u0c83\u0cbc'
    '\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5-\u0cd6\u0ce2-\u0ce3\u0cf3\u0d00-\u0d03\u0d3b-\u0d3c\u0d3e-\u0d44'
    '\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2-\u0df3'
    '\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f'
    '\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064'
    '\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752-\u1753'
    '\u1772-\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885-\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b'
    '\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82'
    '\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff'
    '\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f'
    '\ua6f0-\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua82c\ua880-\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d'
    '\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c-\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4'
    '\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e\ufe00-\ufe0f'
    '\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05-\U00010a06'
    '\U00010a0c-\U00010a0f\U00010a38-\U00010a3a\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27'
    '\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85'
    '\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107f-\U00011082'
    '\U000110b0-\U000110ba\U000110c2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146\U00011173'
    '\U00011180-\U00011182\U000111b3-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237'
    '\U0001123e\U00011241\U000112df-\U000112ea\U00011300-\U00011303\U0001133b-\U0001133c\U0001133e-\U00011344'
    '\U00011347-\U00011348\U0001134b-\U0001134d\U00011357\U00011362-\U00011363\U00011366-\U0001136c'
    '\U00011370-\U00011374\U000113b8-\U000113c0\U000113c2\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d0'
    '\U000113d2\U000113e1-\U000113e2\U00011435-\U00011446\U0001145e\U000114b0-\U000114c3\U000115af-\U000115b5'
    '\U000115b8-\U000115c0\U000115dc-\U000115dd\U00011630-\U00011640\U000116ab-\U000116b7\U0001171d-\U0001172b'
    '\U0001182c-\U0001183a\U00011930-\U00011935\U00011937-\U00011938\U0001193b-\U0001193e\U00011940'
    '\U00011942-\U00011943\U000119d1-\U000119d7\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a'
    '\U00011a33-\U00011a39\U00011a3b-\U00011a3e\U00011a47\U00011a51-\U00011a5b\U00011a8a-\U00011a99'
    '\U00011b60-\U00011b67\U00011c2f-\U00011c36\U00011c38-\U00011c3f\U00011c92-\U00011ca7\U00011ca9-\U00011cb6'
    '\U00011d31-\U00011d36\U00011d3a\U00011d3c-\U00011d3d\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e'
    '\U00011d90-\U00011d91\U00011d93-\U00011d97\U00011ef3-\U00011ef6\U00011f00-\U00011f01\U00011f03'
    '\U00011f34-\U00011f3a\U00011f3e-\U00011f42\U00011f5a\U00013440\U00013447-\U00013455\U0001611e-\U0001612f'
    '\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4'
    '\U00016ff0-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46\U0001d165-\U0001d169'
    '\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244'
    '\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001da9f\U0001daa1-\U0001daaf'
    '\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023-\U0001e024\U0001e026-\U0001e02a'
    '\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef'
    '\U0001e6e3\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a'
    '\U000e0100-\U000e01ef'
    ']{31}')
$$;
revoke execute on function has_marks_in_a_row(text) from public;

-- As before (0043_organization-limits.sql), and besides: the title is bounded first, and no membership is locked.
create or replace function open_conversation(p_user_ids bigint[], p_title text default null)
returns table (conversation_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  others bigint[] := array(select distinct one from unnest(p_user_ids) one where one is distinct from me order by one);
  moment timestamptz;
  named text := btrim(composed(p_title, 3072, 'A title', 'invalid_parameter_value', 'A title has 1 to 100 characters'));
  made integer;
  free_at timestamptz;
  opened bigint;
  most bigint := chat_limit(organization, 'groups-per-person', 'atrium.groups_per_person', 10);
  most_people bigint := chat_limit(organization, 'people-per-group', 'atrium.people_per_group', 50);
begin
  perform chat_require_member();
  if cardinality(others) = 0 then
    raise exception using errcode = 'invalid_parameter_value', message = 'A group needs somebody besides yourself';
  end if;
  if most_people > 0 and cardinality(others) > most_people then
    raise exception using errcode = 'invalid_parameter_value',
      message = format('A group has at most %s people besides yourself', most_people);
  end if;
  if char_length(named) not between 1 and 100 then
    raise exception using errcode = 'invalid_parameter_value', message = 'A title has 1 to 100 characters';
  end if;
  -- to PostgREST and its like: 404
  if cardinality(others) <> (select count(*) from memberships m
      where m.organization_id = organization and m.user_id = any (others) and m.status = 'active') then
    raise exception using errcode = 'PT404', message = 'there is nobody of that id in this organization';
  end if;
  -- many at once are counted one after the other
  perform pg_advisory_xact_lock(hashtextextended(format('chat of %s in %s', me, organization), 0));
  moment := date_trunc('milliseconds', clock_timestamp());
  select count(*), min(c.created_at) + interval '60 s' into made, free_at from conversations c
    where c.org_id = organization and c.created_by = me and c.created_at > moment - interval '60 s'
      and c.created_at < moment + interval '10 s';
  if most > 0 and made >= most then
    perform refuse_rate('P0430', 'rate_limit_global', format('At most %s new groups in 60 seconds.', most), free_at, moment);
  end if;
  insert into conversations as c (org_id, type, title, created_by, created_at, updated_at)
    values (organization, 'GROUP', named, me, moment, moment) returning c.conversation_id into opened;
  insert into conversation_members (conversation_id, user_id, org_id, joined_at)
    select opened, one, organization, moment from unnest(others || me) one order by one;
  return query select opened;
end $$;
revoke execute on function open_conversation(bigint[],text) from public;
grant execute on function open_conversation(bigint[],text) to authenticated;

-- A message says something that can be seen: not white space of every kind, nor what is drawn as nothing.
create or replace function require_text(content text) returns void
language plpgsql immutable set search_path = public, pg_temp as $$
begin
  if content !~ '[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]' then
    raise exception using errcode = 'check_violation', message = 'A message needs text';
  end if;
  if char_length(content) > 4000 then
    raise exception using errcode = 'check_violation', message = 'A message has at most 4,000 characters';
  end if;
end $$;
revoke execute on function require_text(text) from public;

-- The text of a message as it is kept, in the composed form, by which lengths go. What is far too long is refused before
-- anything is composed.
create or replace function composed_message(given text) returns text language sql immutable as $$
  select composed(given, 48000, 'A message', 'check_violation', 'A message has at most 4,000 characters')
$$;
revoke execute on function composed_message(text) from public;

-- Refuses what comes too fast. `free_at` is when the next one is accepted.
create or replace function refuse_rate(state text, word text, bound text, free_at timestamptz, moment timestamptz)
returns void language plpgsql as $$
begin
  raise exception using errcode = state, message = word, detail = bound,
    hint = format('Try again in %s s.', greatest(1, ceil(extract(epoch from free_at - moment))));
end $$;
revoke execute on function refuse_rate(text,text,text,timestamp with time zone,timestamp with time zone) from public;

-- How much a person may send: to one conversation in ten seconds, and to all of an organization in a minute. The lock of
-- the person is held. Messages stamped well ahead of the clock count for nothing: a clock that was ahead for a moment
-- would keep everybody from sending until it is that late.
create or replace function require_sending_rate(organization bigint, person bigint, conversation bigint, moment timestamptz)
returns void language plpgsql set search_path = public, pg_temp as $$
declare
  sent integer;
  sent_here integer;
  free_at timestamptz;
  free_here_at timestamptz;
  most bigint := chat_limit(organization, 'messages-per-person', 'atrium.messages_per_person', 20);
  most_here bigint := chat_limit(organization, 'messages-per-conversation', 'atrium.messages_per_conversation', 5);
begin
  select count(*), count(*) filter (where here), min(created_at) + interval '60 s',
      min(created_at) filter (where here) + interval '10 s'
    into sent, sent_here, free_at, free_here_at
    from (select m.created_at, m.conversation_id = conversation and m.created_at > moment - interval '10 s' as here
        from messages m
        where m.org_id = organization and m.sender_id = person and m.created_at > moment - interval '60 s'
          and m.created_at < moment + interval '10 s') recent;
  if most_here > 0 and sent_here >= most_here then
    perform refuse_rate('P0429', 'rate_limit_conversation',
      format('At most %s messages in 10 seconds to one conversation.', most_here), free_here_at, moment);
  end if;
  if most > 0 and sent >= most then
    perform refuse_rate('P0430', 'rate_limit_global', format('At most %s messages in 60 seconds.', most), free_at, moment);
  end if;
end $$;
revoke execute on function require_sending_rate(bigint,bigint,bigint,timestamp with time zone) from public;

-- Why a conversation takes nothing more: what is said would reach nobody. Null: it is open.
create or replace function conversation_closed(c conversations) returns text
language sql stable as $$
  select case
    when c.type = 'DM' and exists (select from unnest(array[c.low_user_id, c.high_user_id]) person
        where not exists (select from memberships p
          where p.organization_id = c.org_id and p.user_id = person and p.status = 'active'))
      then 'The person you write to is no longer a member of this organization'
    when c.type = 'ROOM' and not exists (select from rooms r where r.id = c.room_id and r.deleted_at is null)
      then 'This room has been deleted' end
$$;
revoke execute on function conversation_closed(conversations) from public;

create or replace function require_open(conversation bigint) returns void
language plpgsql stable set search_path = public, pg_temp as $$
declare
  closed text := (select conversation_closed(c) from conversations c where c.conversation_id = conversation);
begin
  if closed is not null then
    raise exception using errcode = 'PT403', message = closed;
  end if;
end $$;
revoke execute on function require_open(bigint) from public;

-- The conversation that a person writes into, held until the commit: since when nothing was said in it (null: they are no
-- member of it), and why what is said would reach nobody.
create or replace function hold_conversation(organization bigint, person bigint, conversation bigint,
  out last_activity timestamptz, out unreachable text)
language plpgsql set search_path = public, pg_temp as $$
begin
  if not chat_is_member(organization, person) then return; end if;
  select c.updated_at, conversation_closed(c) into last_activity, unreachable
    from conversations c join conversation_members cm on cm.conversation_id = c.conversation_id
    where c.conversation_id = conversation and c.org_id = organization and cm.user_id = person
    for no key update of c;
end $$;
revoke execute on function hold_conversation(bigint,bigint,bigint) from public;

-- What a message has beside its text: columns that are not the client's to say.
create or replace function stamped_message(message messages, organization bigint, person bigint, moment timestamptz)
returns messages language plpgsql set search_path = public, pg_temp as $$
begin
  message.message_id := nextval('message_ids');
  -- ids go up within a conversation: what has none of those before is not there yet, itself included
  if message.parent_message_id >= message.message_id then
    raise exception using errcode = 'foreign_key_violation',
      message = 'insert or update on table "messages" violates foreign key constraint "messages_parent"',
      detail = 'Key is not present in table "messages".';
  end if;
  message.org_id := organization;
  message.sender_id := person;
  message.guest_id := null;
  message.guest_name := null;
  message.reply_count := 0;
  message.is_edited := false;
  message.is_deleted := false;
  message.created_at := moment;
  message.updated_at := moment;
  return message;
end $$;
revoke execute on function stamped_message(messages,bigint,bigint,timestamp with time zone) from public;

-- Decides about a message, in this order: its text is bounded before anything is locked, who writes is counted under a lock
-- of their own, the conversation is held, so that ids are given in the order of commits. The membership is not locked:
-- `require_sender` asks at the end whether they still have it.
create or replace function prepare_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  composed_content text;
  held record;
  moment timestamptz;
begin
  if new.conversation_id is null then
    raise exception using errcode = 'not_null_violation',
      message = 'null value in column "conversation_id" of relation "messages" violates not-null constraint';
  end if;
  composed_content := composed_message(new.content);
  perform pg_advisory_xact_lock(hashtextextended(format('chat of %s in %s', me, organization), 0));
  held := hold_conversation(organization, me, new.conversation_id);
  if held.last_activity is null then
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
  new.content := composed_content;
  perform require_text(new.content);
  if held.unreachable is not null then
    raise exception using errcode = 'PT403', message = held.unreachable;
  end if;
  moment := date_trunc('milliseconds', clock_timestamp());
  perform require_sending_rate(organization, me, new.conversation_id, moment);
  return stamped_message(new, organization, me, greatest(moment, held.last_activity));
end $$;
revoke execute on function prepare_message() from public;
create or replace trigger messages_prepared before insert on messages for each row
  when (current_user = 'authenticated'
    or (new.guest_id is null and coalesce(current_setting('atrium.importing', true), '') <> 'on'))
  execute function prepare_message();

-- A message is sent by a member, or not at all: asked when everything else is done, so that whoever ends the membership
-- waits for the commit and for nothing before it. A timeout of statements has ended by then: whoever holds the membership
-- for long keeps the conversation waiting no longer than this.
create or replace function require_sender() returns trigger
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
begin
  perform from memberships m where m.organization_id = new.org_id and m.user_id = new.sender_id for share;
  if not chat_is_member(new.org_id, new.sender_id) then
    raise exception using errcode = 'insufficient_privilege',
      message = 'new row violates row-level security policy for table "messages"',
      hint = 'You are no longer a member of this organization.';
  end if;
  return null;
end $$;
revoke execute on function require_sender() from public;
drop trigger if exists messages_sent_by_member on messages;
create constraint trigger messages_sent_by_member after insert on messages
  deferrable initially deferred for each row
  when (new.guest_id is null
    and (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on'))
  execute function require_sender();

-- What a guest writes in the conversation of their room, under the same rules of texts and rates as what members write. Who
-- asks has found out that they are admitted. `most` messages in 10 seconds, 0: no limit. Null: they have sent it before.
create or replace function send_as_guest(p_organization bigint, p_room uuid, p_guest uuid, p_name text, p_content text,
  p_client_message_id uuid, most bigint) returns bigint
language plpgsql set search_path = public, pg_temp as $$
declare
  said text := composed_message(p_content);
  moment timestamptz;
  last_activity timestamptz;
  conversation bigint;
  sent integer;
  free_at timestamptz;
  written bigint;
begin
  perform require_text(said);
  perform pg_advisory_xact_lock(hashtextextended(format('chat of guest %s', p_guest), 0));
  conversation := (select room_conversation(p_organization, r.id, r.name) from rooms r
    where r.id = p_room and r.organization_id = p_organization and r.deleted_at is null
      and r.owner_id is null and r.first_person_id is null);
  if conversation is null then
    raise exception using errcode = 'PT404', message = 'room-not-found';
  end if;
  select c.updated_at into strict last_activity from conversations c
    where c.conversation_id = conversation for no key update;
  if p_client_message_id is not null and exists (select from messages m
      where m.conversation_id = conversation and m.guest_id = p_guest and m.client_message_id = p_client_message_id) then
    return null;
  end if;
  moment := date_trunc('milliseconds', clock_timestamp());
  select count(*), min(m.created_at) + interval '10 s' into sent, free_at from messages m
    where m.guest_id = p_guest and m.created_at > moment - interval '10 s'
      and m.created_at < moment + interval '10 s';
  if most > 0 and sent >= most then
    perform refuse_rate('P0429', 'rate_limit_conversation',
      format('At most %s messages in 10 seconds to one conversation.', most), free_at, moment);
  end if;
  moment := greatest(moment, last_activity);
  insert into messages (message_id, conversation_id, org_id, guest_id, guest_name, content, client_message_id,
      reply_count, is_edited, is_deleted, created_at, updated_at)
    values (nextval('message_ids'), conversation, p_organization, p_guest, p_name, said, p_client_message_id,
      0, false, false, moment, moment)
    returning message_id into written;
  return written;
end $$;
revoke execute on function send_as_guest(bigint,uuid,uuid,text,text,uuid,bigint) from public;

-- What a guest reads of the conversation of their room: what was written since a moment.
create or replace function messages_for_guest(p_organization bigint, p_room uuid, p_guest uuid, p_since timestamptz,
  p_after bigint, p_limit integer)
returns table (message_id bigint, name text, guest text, mine boolean, content text, created_at timestamptz)
language sql stable as $$
  select m.message_id, coalesce(m.guest_name, u.display_name), 'guest:' || m.guest_id,
    m.guest_id is not distinct from p_guest, m.content, m.created_at
  from conversations c join messages m on m.conversation_id = c.conversation_id
    left join users u on u.id = m.sender_id
  where c.room_id = p_room and c.org_id = p_organization and m.created_at >= p_since
    and m.message_id > coalesce(p_after, 0) and not m.is_deleted
  order by m.message_id limit p_limit
$$;
revoke execute on function messages_for_guest(bigint,uuid,uuid,timestamptz,bigint,integer) from public;

-- What a guest has read may be other by now: what was changed or deleted since a moment, of what was written since another.
-- Changes of 10 s before are among it: one that was committed late says an earlier moment. By messages_changed: of the stay
-- alone, whatever moment is asked about.
create or replace function changed_for_guest(p_organization bigint, p_room uuid, p_since timestamptz,
  p_changed_since timestamptz, p_limit integer)
returns table (message_id bigint, content text, is_deleted boolean)
language sql stable as $$
  select m.message_id, m.content, m.is_deleted
  from conversations c join messages m on m.conversation_id = c.conversation_id
  where c.room_id = p_room and c.org_id = p_organization and m.created_at >= p_since
    and (m.is_edited or m.is_deleted) and m.updated_at > p_changed_since - interval '10 s' and m.updated_at >= p_since
  order by m.updated_at desc limit p_limit
$$;
revoke execute on function changed_for_guest(bigint,uuid,timestamptz,timestamptz,integer) from public;

-- Messages as the earlier data access shows them: of a guest, `sender_id` is 0.
create or replace view message_rows with (security_invoker) as
  select message_id, coalesce(sender_id, 0) as sender_id, content, parent_message_id, reply_count, is_edited, is_deleted,
    created_at, conversation_id, org_id, client_message_id, updated_at
  from messages;
revoke all on message_rows from authenticated;
grant select on message_rows to authenticated;

-- Presence of everybody in the organization of the token, masked as peer_status is. Every active member has a row:
-- having one must not tell who has chosen something from who has never been there. A barrier: a client's filters are
-- applied to what may be seen, and to nothing else.
create or replace view chat_presence_rows with (security_barrier) as
  select m.user_id,
    case when p.last_seen_at > clock_timestamp() - interval '90 s' then p.status else 'offline' end as status,
    p.last_seen_at
  from memberships m
    left join chat_presence p on p.org_id = m.organization_id and p.user_id = m.user_id
  where m.organization_id = (select chat_org_id()) and m.status = 'active'
    and exists (
      select from memberships mine join organizations o on o.id = mine.organization_id
      where mine.organization_id = (select chat_org_id()) and mine.user_id = (select chat_user_id())
        and mine.status = 'active' and o.deleted_at is null);
revoke all on chat_presence_rows from authenticated;
grant select on chat_presence_rows to authenticated;

-- Whoever reads says nothing to others by it: of the table everybody sees their own rows alone, and of all members this. A
-- barrier, as chat_presence_rows (0018_chat-in-words.sql).
create or replace view conversation_member_rows with (security_barrier) as
  select cm.conversation_id, cm.user_id, cm.org_id,
    case when cm.user_id = (select chat_user_id()) then cm.last_read_message_id end as last_read_message_id,
    cm.joined_at
  from conversation_members cm
  where cm.conversation_id = any (array(select chat_conversations()));
revoke all on conversation_member_rows from authenticated;
grant select on conversation_member_rows to authenticated;

-- array(select …): asked once a statement, and an index can be searched with it
drop policy if exists conversations_of_members on conversations;
create policy conversations_of_members on conversations for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));

drop policy if exists messages_of_own_conversations on messages;
create policy messages_of_own_conversations on messages for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));

drop policy if exists messages_into_own_conversations on messages;
create policy messages_into_own_conversations on messages for insert to authenticated
  with check (conversation_id = any (array(select chat_conversations()))
    and sender_id = (select chat_user_id()) and org_id = (select chat_org_id()));

drop policy if exists own_rows_of_members on conversation_members;
create policy own_rows_of_members on conversation_members for select to authenticated
  using (user_id = (select chat_user_id()) and conversation_id = any (array(select chat_conversations())));

-- The lower number of a pair comes first, also where an imported person has become their account (imported_accounts).
create or replace function order_pair() returns trigger language plpgsql as $$
declare
  low bigint := least(new.low_user_id, new.high_user_id);
begin
  new.high_user_id := greatest(new.low_user_id, new.high_user_id);
  new.low_user_id := low;
  return new;
end $$;
revoke execute on function order_pair() from public;
create or replace trigger conversations_order_pair before update of low_user_id, high_user_id on conversations
  for each row when (new.low_user_id > new.high_user_id) execute function order_pair();

-- A text names whom it mentions by their number. One that would become too long stays: its mention is kept beside it.
create or replace function rename_mention() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  before text := '<@' || old.user_id || '>';
  after text := '<@' || new.user_id || '>';
begin
  update messages set content = replace(content, before, after)
    where message_id = new.message_id and char_length(replace(content, before, after)) <= 4000;
  return null;
end $$;
revoke execute on function rename_mention() from public;
create or replace trigger mentions_rename after update of user_id on mentions
  for each row when (old.user_id <> new.user_id) execute function rename_mention();
