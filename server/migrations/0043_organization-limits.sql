-- What one organization may have, where an operator has said so; all others have what the deployment gives.

-- access ------------------------------------------------------------------------------------------

create table organization_limits (
  organization_id bigint not null references organizations (id) on delete cascade,
  -- of the table `organizationLimits` in contract/limits.ts; what a later release no longer knows is passed over
  name text not null,
  -- 0: no limit
  value bigint not null check (value >= 0),
  set_at timestamptz not null,
  primary key (organization_id, name)
);

-- Payload: the organization. Every node keeps the limits of all in memory.
create function notify_organization_limits_changed() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('organization_limits_changed', coalesce(new.organization_id, old.organization_id)::text);
  return null;
end $$;
revoke execute on function notify_organization_limits_changed from public;
create trigger organization_limits_changed after insert or update or delete on organization_limits
  for each row execute function notify_organization_limits_changed();

-- features/chat -----------------------------------------------------------------------------------

-- What an organization has of a limit of chat: its own, else that of the deployment, which each connection of this
-- release says (`chatSettings`), else what releases before had.
create function chat_limit(organization bigint, limit_name text, deployment text, otherwise bigint) returns bigint
language plpgsql stable set search_path = public, pg_temp as $$
begin
  -- in this language its plan is kept: it runs for each message
  return coalesce(
    (select l.value from organization_limits l where l.organization_id = organization and l.name = limit_name),
    nullif(current_setting(deployment, true), '')::bigint,
    otherwise);
end $$;
revoke execute on function chat_limit from public;

-- As before (0028_conversations-of-many.sql), and besides: as many messages as the organization has.
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
  most bigint := chat_limit(organization, 'messages-per-person', 'atrium.messages_per_person', 20);
  most_here bigint := chat_limit(organization, 'messages-per-conversation', 'atrium.messages_per_conversation', 5);
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
  if most_here > 0 and sent_here >= most_here then
    raise exception using errcode = 'P0429', message = 'rate_limit_conversation',
      detail = format('At most %s messages in 10 seconds to one conversation.', most_here),
      hint = format('Try again in %s s.', greatest(1, ceil(extract(epoch from free_here_at - moment))));
  end if;
  if most > 0 and sent >= most then
    raise exception using errcode = 'P0430', message = 'rate_limit_global',
      detail = format('At most %s messages in 60 seconds.', most),
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

-- As before (0037_limit-of-groups.sql), and besides: as many groups, and people in them, as the organization has.
create or replace function open_conversation(p_user_ids bigint[], p_title text default null)
returns table (conversation_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  me bigint := chat_user_id();
  organization bigint := chat_org_id();
  others bigint[] := array(select distinct one from unnest(p_user_ids) one where one is distinct from me order by one);
  moment timestamptz;
  named text := btrim(normalize(p_title, NFC));
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
  perform from memberships m where m.organization_id = organization and m.user_id = me for no key update of m;
  moment := date_trunc('milliseconds', clock_timestamp());
  select count(*), min(c.created_at) + interval '60 s' into made, free_at from conversations c
    where c.org_id = organization and c.created_by = me and c.created_at > moment - interval '60 s';
  if most > 0 and made >= most then
    raise exception using errcode = 'P0430', message = 'rate_limit_global',
      detail = format('At most %s new groups in 60 seconds.', most),
      hint = format('Try again in %s s.', greatest(1, ceil(extract(epoch from free_at - moment))));
  end if;
  insert into conversations as c (org_id, type, title, created_by, created_at, updated_at)
    values (organization, 'GROUP', named, me, moment, moment) returning c.conversation_id into opened;
  insert into conversation_members (conversation_id, user_id, org_id, joined_at)
    select opened, one, organization, moment from unnest(others || me) one order by one;
  return query select opened;
end $$;
