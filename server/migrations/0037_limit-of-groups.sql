-- New groups have a limit, as messages have one: everybody in them is told of a title that its maker has written.

-- features/chat -----------------------------------------------------------------------------------

-- Of a group that was made since this release.
alter table conversations add column created_by bigint references users (id);
create index conversations_made on conversations (org_id, created_by, created_at) where created_by is not null;

-- As before (0028_conversations-of-many.sql), and besides: at most ten in a minute.
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
  -- many at once are counted one after the other
  perform from memberships m where m.organization_id = organization and m.user_id = me for no key update of m;
  moment := date_trunc('milliseconds', clock_timestamp());
  select count(*), min(c.created_at) + interval '60 s' into made, free_at from conversations c
    where c.org_id = organization and c.created_by = me and c.created_at > moment - interval '60 s';
  if made >= 10 then
    raise exception using errcode = 'P0430', message = 'rate_limit_global',
      detail = 'At most 10 new groups in 60 seconds.',
      hint = format('Try again in %s s.', greatest(1, ceil(extract(epoch from free_at - moment))));
  end if;
  insert into conversations as c (org_id, type, title, created_by, created_at, updated_at)
    values (organization, 'GROUP', named, me, moment, moment) returning c.conversation_id into opened;
  insert into conversation_members (conversation_id, user_id, org_id, joined_at)
    select opened, one, organization, moment from unnest(others || me) one order by one;
  return query select opened;
end $$;
