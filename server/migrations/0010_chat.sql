-- Chat: conversations of two, their messages, who has read what, and the heartbeat. Served to the role `authenticated`
-- under row-level security: what a token may see and do is decided here, whatever asks.

-- the role ----------------------------------------------------------------------------------------

-- Roles belong to the cluster, not to the database: the role may be there already, and others may be making it now.
do $$
declare
  may_become boolean := false;
begin
  for attempt in 1..100 loop
    begin
      if not exists (select from pg_roles where rolname = 'authenticated') then
        create role authenticated nologin noinherit;
      end if;
      -- from 16 on, membership alone is not leave to become the role
      if current_setting('server_version_num')::int >= 160000 then
        may_become := pg_has_role(current_user, 'authenticated', 'SET');
      else
        may_become := pg_has_role(current_user, 'authenticated', 'MEMBER');
      end if;
      if not may_become then
        execute format('grant authenticated to %I', current_user);
      end if;
      may_become := true;
      exit;
    exception
      when insufficient_privilege then
        raise exception using errcode = 'insufficient_privilege', message = format(
          'Chat needs the database role "authenticated", and the user %I may not %s. Have an administrator of the '
          'database run: %sGRANT authenticated TO %I; and start again.', current_user,
          case when exists (select from pg_roles where rolname = 'authenticated')
            then 'become it' else 'create it (CREATEROLE)' end,
          case when exists (select from pg_roles where rolname = 'authenticated')
            then '' else 'CREATE ROLE authenticated NOLOGIN NOINHERIT; ' end,
          current_user);
      -- somebody in another database of this cluster was at it in the same moment
      when duplicate_object or unique_violation or internal_error then
        perform pg_sleep(0.02);
    end;
  end loop;
  if not may_become then
    raise exception 'The database role "authenticated" could not be made: others are changing it all the time.';
  end if;
  if exists (select from pg_roles where rolname = 'authenticated' and (rolsuper or rolbypassrls)) then
    raise exception 'The database role "authenticated" passes over row-level security (SUPERUSER or BYPASSRLS). '
      'Chat would be open to everybody: take that from it, or use another cluster.';
  end if;
end $$;

-- Some hosts give the role a right to every table by default. Here it begins with none.
revoke all on all tables in schema public from authenticated;
revoke all on all sequences in schema public from authenticated;
alter default privileges in schema public revoke all on tables from authenticated;
alter default privileges in schema public revoke all on sequences from authenticated;
grant usage on schema public to authenticated;

-- platform ----------------------------------------------------------------------------------------

-- `appendEvent` of platform/outbox.ts, for events that belong to a statement of the database itself.
create function append_event(channels text[], event_type text, at timestamptz, data jsonb, ordering_key text)
returns void language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  id text := gen_random_uuid()::text;
  addressed jsonb := case cardinality(channels)
    when 1 then jsonb_build_object('channel', channels[1])
    else jsonb_build_object('channels', channels) end;
begin
  if cardinality(channels) = 0 then return; end if;
  insert into centrifugo_outbox (method, payload, partition) values (
    case cardinality(channels) when 1 then 'publish' else 'broadcast' end,
    addressed || jsonb_build_object('idempotency_key', id, 'data', jsonb_build_object('id', id, 'type', event_type,
      'time', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)),
    ('x' || encode(substring(sha256(convert_to(ordering_key, 'UTF8')) for 4), 'hex'))::bit(32)::bigint % 4);
end $$;

-- features/chat -----------------------------------------------------------------------------------

create table conversations (
  conversation_id bigint generated always as identity primary key,
  org_id bigint not null references organizations (id),
  type text not null default 'DM' check (type = 'DM'),
  -- the two, the smaller id first: there is one conversation of any two
  low_user_id bigint not null references users (id),
  high_user_id bigint not null references users (id),
  created_at timestamptz not null,
  -- of the newest message; in milliseconds, which survive a trip through a client's Date
  updated_at timestamptz not null,
  check (low_user_id < high_user_id),
  unique (org_id, low_user_id, high_user_id)
) with (fillfactor = 80);

-- Given in the order of commits within a conversation, see prepare_message().
create sequence message_ids as bigint;

create table messages (
  message_id bigint primary key default 0,
  conversation_id bigint not null references conversations (conversation_id),
  org_id bigint not null references organizations (id),
  sender_id bigint not null references users (id),
  content text not null,
  parent_message_id bigint,
  client_message_id uuid,
  reply_count integer not null,
  is_edited boolean not null,
  is_deleted boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint messages_content_length check (char_length(content) between 1 and 4000),
  constraint messages_of_conversation unique (conversation_id, message_id) include (sender_id),
  constraint messages_parent foreign key (conversation_id, parent_message_id)
    references messages (conversation_id, message_id),
  constraint messages_sent_once unique (conversation_id, sender_id, client_message_id)
);
create index messages_by_sender on messages (org_id, sender_id, created_at);
create index messages_by_parent on messages (parent_message_id) where parent_message_id is not null;

create table conversation_members (
  conversation_id bigint not null references conversations (conversation_id),
  user_id bigint not null references users (id),
  org_id bigint not null references organizations (id),
  last_read_message_id bigint,
  joined_at timestamptz not null,
  primary key (conversation_id, user_id),
  foreign key (conversation_id, last_read_message_id) references messages (conversation_id, message_id)
) with (fillfactor = 80);
create index conversations_of_user on conversation_members (user_id, org_id) include (conversation_id);

-- What the heartbeat says, as others may see it.
create table chat_presence (
  org_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  status text not null check (status in ('online', 'away', 'offline')),
  last_seen_at timestamptz,
  -- the person appears offline: no heartbeat is noted, so that none shows
  hidden boolean not null default false,
  primary key (org_id, user_id)
) with (fillfactor = 80);

-- Nobody has access to these two yet.
create table reactions (
  message_id bigint not null references messages (message_id),
  user_id bigint not null references users (id),
  emoji text not null,
  created_at timestamptz not null,
  primary key (message_id, user_id, emoji)
);
create table attachments (
  attachment_id bigint generated always as identity primary key,
  message_id bigint not null references messages (message_id),
  object_key text not null,
  created_at timestamptz not null
);

-- who asks --------------------------------------------------------------------

-- The claims of the token, as PostgREST hands them over: for one transaction.
create function chat_claim(name text) returns bigint language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::json ->> name)::bigint
$$;
create function chat_user_id() returns bigint language sql stable as $$ select chat_claim('user_id') $$;
create function chat_org_id() returns bigint language sql stable as $$ select chat_claim('org_id') $$;

-- Whether somebody belongs to an organization now: a token outlives a membership.
create function chat_is_member(organization bigint, person bigint) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (
    select from memberships m join organizations o on o.id = m.organization_id
    where m.organization_id = organization and m.user_id = person and m.status = 'active' and o.deleted_at is null);
end $$;

create function chat_require_member() returns void
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not chat_is_member(chat_org_id(), chat_user_id()) then
    raise exception using errcode = 'insufficient_privilege', message = 'you are not a member of this organization';
  end if;
end $$;

-- The conversations of the token: all that any policy asks.
create function chat_conversations() returns setof bigint
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

-- row-level security ----------------------------------------------------------

alter table conversations enable row level security;
alter table conversation_members enable row level security;
alter table messages enable row level security;
alter table chat_presence enable row level security;
alter table reactions enable row level security;
alter table attachments enable row level security;

-- array(select …): asked once a statement, and an index can be searched with it
create policy conversations_of_members on conversations for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));
create policy members_of_own_conversations on conversation_members for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));
create policy messages_of_own_conversations on messages for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));
create policy messages_into_own_conversations on messages for insert to authenticated
  with check (conversation_id = any (array(select chat_conversations()))
    and sender_id = (select chat_user_id()) and org_id = (select chat_org_id()));

grant select on conversations, conversation_members, messages to authenticated;
grant insert on messages to authenticated;

-- sending ---------------------------------------------------------------------

-- Decides and fills in what is not the client's to say. Locks the sender's membership, so that a person's messages
-- are counted one after the other and nobody sends after they were removed; then the conversation, so that within it
-- ids are given in the order of commits: whoever pages by id neither skips nor repeats a message.
create function prepare_message() returns trigger
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
begin
  if new.conversation_id is null then
    raise exception using errcode = 'not_null_violation',
      message = 'null value in column "conversation_id" of relation "messages" violates not-null constraint';
  end if;
  perform from memberships m join organizations o on o.id = m.organization_id
    where m.organization_id = organization and m.user_id = me and m.status = 'active' and o.deleted_at is null
    for no key update of m;
  if found then
    select c.updated_at into last_activity
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

-- What follows from a message, in its transaction: nobody ever sees one without the other.
create function follow_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  everybody text[];
  others text[];
begin
  update conversations set updated_at = new.created_at where conversation_id = new.conversation_id;
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

create trigger messages_prepared before insert on messages for each row execute function prepare_message();
create trigger messages_followed after insert on messages for each row execute function follow_message();

-- the functions of the interface ----------------------------------------------

create function open_dm(p_peer_user_id bigint)
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

-- Pages whole ties: a cursor at a moment that two conversations share would lose one of them.
create function get_recent_dms(p_limit integer default 20, p_cursor timestamptz default null)
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
    select c.conversation_id, u.id, u.email, u.display_name,
      current_setting('atrium.image_base_url', true) || '/' || u.avatar_key,
      case when p.last_seen_at > clock_timestamp() - interval '90 s' then p.status else 'offline' end,
      p.last_seen_at, last.content, last.sender_id, last.created_at,
      (select count(*) from messages m
        where m.conversation_id = c.conversation_id and m.sender_id <> me
          and m.message_id > coalesce(mine.last_read_message_id, 0)),
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

create function get_recent_dm_presence(p_limit integer default 20, p_cursor timestamptz default null)
returns table (user_id bigint, status text, last_seen_at timestamptz)
language sql stable rows 20 as $$
  select dm.peer_user_id, dm.peer_status, dm.peer_last_seen_at from get_recent_dms(p_limit, p_cursor) dm
$$;

-- As the one who asks: row-level security is what keeps strangers out, and gives them no rows.
create function get_conversation_messages(p_conversation_id bigint, p_limit integer default 50,
  p_cursor bigint default null)
returns table (message_id bigint, sender_id bigint, content text, parent_message_id bigint, reply_count integer,
  is_edited boolean, is_deleted boolean, created_at timestamptz)
language sql stable rows 50 as $$
  select m.message_id, m.sender_id, m.content, m.parent_message_id, m.reply_count, m.is_edited, m.is_deleted,
    m.created_at
  from messages m
  where m.conversation_id = p_conversation_id and m.message_id < coalesce(p_cursor, 9223372036854775807)
  order by m.message_id desc
  limit least(greatest(coalesce(p_limit, 50), 0), 1000)
$$;

create function update_read_cursor(p_conversation_id bigint, p_last_read_message_id bigint) returns void
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
      'conversation.read', clock_timestamp(),
      jsonb_build_object('conversation_id', p_conversation_id, 'last_read_message_id', p_last_read_message_id),
      'conversation:' || p_conversation_id)
    from organizations o, users u where o.id = chat_org_id() and u.id = me;
end $$;

create function update_presence(p_status text) returns void
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

-- Who appears offline is offline here too, since that moment, and no heartbeat shows until they are seen again. Where
-- nothing was to be seen of them before, nothing changes now.
create function hide_chat_presence() returns trigger
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
-- offline alone does not show them again: they may have been invisible until their connection went
create trigger presence_hides_chat after update of status on presence
  for each row when (old.status is distinct from new.status and new.status <> 'offline')
  execute function hide_chat_presence();

-- Functions are open to everybody until it is said otherwise.
revoke execute on function append_event, chat_claim, chat_user_id, chat_org_id, chat_is_member, chat_require_member,
  chat_conversations, prepare_message, follow_message, hide_chat_presence, open_dm, get_recent_dms,
  get_recent_dm_presence, get_conversation_messages, update_read_cursor, update_presence from public;
grant execute on function chat_claim, chat_user_id, chat_org_id, chat_conversations, open_dm, get_recent_dms,
  get_recent_dm_presence, get_conversation_messages, update_read_cursor, update_presence to authenticated;
