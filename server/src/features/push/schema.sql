-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- The browser goes on under another session, and is told as before.
create or replace function move_push_subscriptions() returns trigger language plpgsql as $$
begin
  update push_subscriptions p set session_id = new.id from sessions earlier
    where p.user_id = new.user_id and earlier.id = p.session_id and earlier.replaced_by_hash = new.token_hash;
  return null;
end $$;
revoke execute on function move_push_subscriptions() from public;
create or replace trigger sessions_move_push after insert on sessions
  for each row execute function move_push_subscriptions();

-- A trigger, so that no statement that ends a session leaves a browser that is told. Of one that was replaced the
-- insertion of the other takes care.
create or replace function end_push_subscriptions() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
revoke execute on function end_push_subscriptions() from public;
create or replace trigger sessions_end_push after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null and new.replaced_by_hash is null)
  execute function end_push_subscriptions();

-- A key lives as long as subscriptions made under it; the newest one is for those to come.
create or replace function end_unused_push_keys() returns trigger language plpgsql as $$
begin
  delete from push_keys k where k.id < (select max(id) from push_keys)
    and not exists (select from push_subscriptions p where p.push_key_id = k.id);
  return null;
end $$;
revoke execute on function end_unused_push_keys() from public;
create or replace trigger push_subscriptions_end_keys after delete on push_subscriptions
  for each statement execute function end_unused_push_keys();

-- The browsers of a person in sessions that have not ended, the newest first.
create or replace function live_push_subscriptions(person bigint, at_time timestamptz)
returns table (id bigint, push_key_id bigint, endpoint text, browser_key bytea, browser_secret bytea, shows text,
  created_at timestamptz, paused_until timestamptz, device text)
language sql stable rows 2 as $$
  select p.id, p.push_key_id, p.endpoint, p.browser_key, p.browser_secret, p.shows, p.created_at, p.paused_until, s.device
  from push_subscriptions p join sessions s on s.id = p.session_id
  where p.user_id = person and s.revoked_at is null and s.idle_expires_at > at_time and s.absolute_expires_at > at_time
  order by p.id desc
$$;
revoke execute on function live_push_subscriptions(bigint,timestamp with time zone) from public;

-- Whether a person has a page of the office open, in whichever organization.
create or replace function has_page_open(person bigint) returns boolean language sql stable as $$
  select exists (select from presence p where p.user_id = person and p.status <> 'offline')
$$;
revoke execute on function has_page_open(bigint) from public;

-- Whether a person may be called by their browsers now: a member of the organization who has not asked to be left in peace.
create or replace function may_push_to(person bigint, organization bigint, at_time timestamptz) returns boolean
language sql stable as $$
  select exists (select from memberships m join organizations o on o.id = m.organization_id
      where m.organization_id = organization and m.user_id = person and m.status = 'active' and o.deleted_at is null)
    and not exists (select from presence p where p.user_id = person and p.organization_id = organization
      and case when p.manual_status is null then p.in_meeting
        else p.manual_status = 'busy' and coalesce(p.choice_ends_at > at_time, true) end)
$$;
revoke execute on function may_push_to(bigint,bigint,timestamp with time zone) from public;

-- The members whom a message mentions, by the names of today.
create or replace function people_mentioned(message bigint) returns table (id text, name text) language sql stable as $$
  select u.id::text, u.display_name from mentions n join users u on u.id = n.user_id where n.message_id = message
$$;
revoke execute on function people_mentioned(bigint) from public;

-- What a browser of a person is told of a message, as it stands now; nothing where it is deleted or read, or where the person
-- has chosen not to hear of it. `is_seen`: a page of theirs is open, which tells of it. `read_to`: how far they had read when
-- an edit mentioned them, which what they had read before does not tell them.
create or replace function push_of_message(message bigint, person bigint, at_time timestamptz, read_to bigint)
returns table (conversation_id bigint, organization_id bigint, sender text, title text, is_direct boolean, content text,
  is_seen boolean)
language sql stable rows 1 as $$
  select m.conversation_id, m.org_id, coalesce(u.display_name, m.guest_name, ''), coalesce(r.name, c.title, ''),
    c.type = 'DM', m.content, has_page_open(person)
  from messages m
    join conversations c on c.conversation_id = m.conversation_id
    join conversation_members mine on mine.conversation_id = m.conversation_id and mine.user_id = person
    left join conversation_choices chosen on chosen.conversation_id = m.conversation_id and chosen.user_id = person
    left join users u on u.id = m.sender_id
    left join rooms r on r.id = c.room_id
  where m.message_id = message and not m.is_deleted and m.sender_id is distinct from person
    and coalesce(mine.last_read_message_id, 0) < greatest(m.message_id, read_to + 1)
    and may_push_to(person, m.org_id, at_time)
    and case coalesce(chosen.level, 'all') when 'none' then false
      else c.type = 'DM' and coalesce(chosen.level, 'all') = 'all' and not exists (select from thread_follows f
        where f.message_id = m.parent_message_id and f.user_id = person and not f.follows) or exists (select from mentions n
        where n.message_id = m.message_id and (n.user_id = person or n.user_id is null)) end
$$;
revoke execute on function push_of_message(bigint,bigint,timestamp with time zone,bigint) from public;

-- Of the messages of a conversation that a browser has not been told of, from `earliest` on, the last that there is something
-- to tell of. Of very many the last two hundred are looked at.
create or replace function message_to_push(earliest bigint, latest bigint, person bigint, at_time timestamptz) returns bigint
language sql stable as $$
  select untold.message_id
  from (select m.message_id from messages m
      where m.conversation_id = (select n.conversation_id from messages n where n.message_id = latest)
        and m.message_id between earliest and latest
      order by m.message_id desc limit 200) untold
  where exists (select from push_of_message(untold.message_id, person, at_time, null))
  order by untold.message_id desc limit 1
$$;
revoke execute on function message_to_push(bigint,bigint,bigint,timestamp with time zone) from public;

-- Has the browsers of members tell of a message: one item for a browser and conversation, of its latest message and from
-- which one on it has told of none (`since`), and one for each message that an edit has them mentioned in. All at once, for
-- a message may mention thousands.
create or replace function push_to_members(message messages, people bigint[], is_edit boolean, moment timestamptz)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  browsers push_subscriptions[] := array(
    select p from conversation_members cm join push_subscriptions p on p.user_id = cm.user_id
    where cm.conversation_id = message.conversation_id and cm.user_id is distinct from message.sender_id
      and (people is null or cm.user_id = any (people))
    order by p.id);
  subject text := case when is_edit then 'edit ' || message.message_id else 'message ' || message.conversation_id end;
  keys text[] := array(select subject || ' ' || p.id from unnest(browsers) p order by p.id);
begin
  perform enqueue_all('push', 'default', message.org_id, keys, array(
      select jsonb_build_object('subscription', p.id::text, 'person', p.user_id::text, 'message', message.message_id::text)
          || case when is_edit then jsonb_build_object('readTo', coalesce(cm.last_read_message_id, 0)::text)
            else jsonb_build_object('since', coalesce(w.payload ->> 'since', message.message_id::text)) end
        from unnest(browsers) p
          join conversation_members cm on cm.conversation_id = message.conversation_id and cm.user_id = p.user_id
          left join work_waiting('push', keys) w on w.key = subject || ' ' || p.id
        order by p.id), moment, moment + interval '1 day');
end $$;
revoke execute on function push_to_members(messages,bigint[],boolean,timestamp with time zone) from public;

-- Browsers are told of direct messages. A trigger, so that no way of writing is forgotten.
create or replace function push_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from conversations c where c.conversation_id = new.conversation_id and c.type = 'DM') then
    perform push_to_members(new, null, false, new.created_at);
  end if;
  return null;
end $$;
revoke execute on function push_message() from public;
create or replace trigger messages_told_by_push after insert on messages for each row
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function push_message();

-- Browsers are told of mentions, of those too that an edit adds.
create or replace function push_mentions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform push_to_members(m, case when told.is_room then null else told.people end, m.is_edited, m.updated_at)
    from (select n.message_id, bool_or(n.user_id is null) as is_room, array_agg(n.user_id) as people
        from noted n group by n.message_id) told
      join messages m on m.message_id = told.message_id
      join conversations c on c.conversation_id = m.conversation_id
    -- of a direct message they are told as it is written
    where m.is_edited or c.type <> 'DM';
  return null;
end $$;
revoke execute on function push_mentions() from public;
create or replace trigger mentions_told_by_push after insert on mentions referencing new table as noted for each statement
  when (current_user = 'authenticated' or coalesce(current_setting('atrium.importing', true), '') <> 'on')
  execute function push_mentions();
