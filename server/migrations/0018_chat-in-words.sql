-- Chat: what is refused is refused in words, presence can be read as rows, and the bytes of an answer have a bound.

-- Messages -------------------------------------------------------------------------------------------------------------

-- As before (0010_chat.sql), and besides: text is kept in its composed form (NFC); a message without text, one that is too long, and one to somebody who is no
-- member any more are refused in words. The constraint on the length stays, for whoever comes past the trigger.
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
    select c.updated_at, exists (select from memberships p
          where p.organization_id = c.org_id and p.status = 'active'
            and p.user_id = case me when c.low_user_id then c.high_user_id else c.low_user_id end)
      into last_activity, reachable
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
    raise exception using errcode = 'PT403',
      message = 'The person you write to is no longer a member of this organization';
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

-- Presence -------------------------------------------------------------------------------------------------------------

-- Presence of everybody in the organization of the token, masked as peer_status is. Every active member has a row:
-- having one must not tell who has chosen something from who has never been there. A barrier: a client's filters are
-- applied to what may be seen, and to nothing else.
create view chat_presence_rows with (security_barrier) as
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

-- Answers --------------------------------------------------------------------------------------------------------------

-- Adds up the bytes of the rows of an answer while it is made, and ends it where there are too many: aggregated beside
-- the rows, so that no more of them is kept than the bound allows.
create function add_answer_bytes(total bigint, bytes integer, bytes_max bigint) returns bigint
language plpgsql immutable as $$
begin
  total := total + bytes;
  if total > bytes_max then
    raise exception using errcode = 'program_limit_exceeded',
      message = format('The answer would be larger than %s KiB: ask for fewer rows or columns', bytes_max / 1024);
  end if;
  return total;
end $$;
create aggregate answer_bytes(integer, bigint) (sfunc = add_answer_bytes, stype = bigint, initcond = '0');
revoke execute on function add_answer_bytes(bigint, integer, bigint), answer_bytes(integer, bigint) from public;
grant execute on function add_answer_bytes(bigint, integer, bigint), answer_bytes(integer, bigint) to authenticated;
