-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- On which channels the members of a conversation hear.
create or replace function conversation_channels(conversation bigint) returns text[]
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
    from conversation_members cm
      join memberships m on m.organization_id = cm.org_id and m.user_id = cm.user_id and m.status = 'active'
      join organizations o on o.id = cm.org_id
      join users u on u.id = cm.user_id
    where cm.conversation_id = conversation order by u.id);
end $$;
revoke execute on function conversation_channels(bigint) from public;

-- Notes whom a message mentions: members of its conversation, by their ids, and everybody where a moderator says so. What an
-- edit leaves as it was stays: a row that is inserted is a mention that is new.
create or replace function note_mentions(message messages) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  named text[] := '{}';
begin
  if strpos(message.content, '<@') > 0 then
    named := array(select distinct parts[1]
      from regexp_matches(message.content, '<@([1-9][0-9]{0,17}|room)>', 'g') parts);
  end if;
  if cardinality(named) > 50 then
    raise exception using errcode = 'check_violation', message = 'A message mentions at most 50 people';
  end if;
  if 'room' = any (named) and not exists (select from memberships m
      where m.organization_id = message.org_id and m.user_id = message.sender_id and m.status = 'active'
        and m.role in ('moderator', 'admin')) then
    named := array_remove(named, 'room');
  end if;
  delete from mentions n where n.message_id = message.message_id and coalesce(n.user_id::text, 'room') <> all (named);
  if cardinality(named) = 0 then return; end if;
  insert into mentions (message_id, conversation_id, org_id, user_id)
    select message.message_id, message.conversation_id, message.org_id, cm.user_id
      from conversation_members cm
      where cm.conversation_id = message.conversation_id
        and cm.user_id = any (array(select one::bigint from unnest(named) one where one <> 'room'))
    union all
    select message.message_id, message.conversation_id, message.org_id, null where 'room' = any (named)
    on conflict do nothing;
end $$;
revoke execute on function note_mentions(messages) from public;

-- Whom a message mentions, by their ids; everybody is `room`.
create or replace function mentioned_in(message bigint) returns text[]
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return array(select coalesce(n.user_id::text, 'room') from mentions n where n.message_id = message order by n.user_id);
end $$;
revoke execute on function mentioned_in(bigint) from public;

-- Messages as newer operations show them: with their reactions, mentions and files. As the one who asks: row-level security
-- gives strangers no rows. Written as a row where nothing is left out of it, which takes a fraction of the time of jsonb.
create or replace function messages_shown(ids bigint[]) returns table (message_id bigint, shown json)
language sql stable rows 50 set search_path = public, pg_temp as $$
  select m.message_id, case when m.guest_id is null and named.room is not true then row_to_json(r)
    else (to_jsonb(r) || case when named.room then '{"mentionsRoom": true}'::jsonb else '{}' end
      || case when m.guest_id is null then '{}' else jsonb_build_object('guest',
        jsonb_build_object('identity', 'guest:' || m.guest_id, 'name', m.guest_name)) end)::json end
  from messages m
    left join (select kinds.message_id, json_agg(json_build_object('emoji', kinds.emoji, 'count', kinds.number,
            'userIds', kinds.people[:20], 'mine', kinds.mine) order by kinds.since, kinds.emoji) as list
        from (select r.message_id, r.emoji, count(*) as number, min(r.created_at) as since,
              array_agg(r.user_id::text order by r.created_at, r.user_id) as people,
              bool_or(r.user_id = (select chat_user_id())) as mine
            from reactions r where r.message_id = any (ids) group by r.message_id, r.emoji) kinds
        group by kinds.message_id) reacted on reacted.message_id = m.message_id
    left join (select n.message_id, bool_or(n.user_id is null) as room,
          json_agg(n.user_id::text order by n.user_id) filter (where n.user_id is not null) as list
        from mentions n where n.message_id = any (ids) group by n.message_id) named on named.message_id = m.message_id
    left join (select a.message_id, json_agg(
            attachment_shown(a.attachment_id, a.name, a.content_type, a.bytes, a.width, a.height) order by a.position) as list
          from attachment_rows a where a.message_id = any (ids) group by a.message_id) attached
      on attached.message_id = m.message_id
    cross join lateral (select m.message_id, m.conversation_id, m.org_id, coalesce(m.sender_id, 0) as sender_id, m.content,
        m.parent_message_id, m.client_message_id, m.reply_count, m.is_edited, m.is_deleted, m.created_at, m.updated_at,
        m.edited_at as "editedAt", coalesce(reacted.list, '[]') as reactions,
        coalesce(attached.list, '[]') as attachments,
        coalesce(named.list, '[]') as mentions) r
  where m.message_id = any (ids)
$$;
revoke execute on function messages_shown(bigint[]) from public;
grant execute on function messages_shown(bigint[]) to authenticated;

-- The first message of a moment or after it, else the last one. Moments go up with ids within a conversation, so it is found
-- by halves: however long the conversation is, some dozens of looks at an index.
create or replace function message_at(p_conversation_id bigint, p_moment timestamptz) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  low bigint;
  high bigint;
  looked record;
begin
  perform require_conversation(p_conversation_id);
  select min(m.message_id), max(m.message_id) into low, high from messages m
    where m.conversation_id = p_conversation_id;
  while low < high loop
    select m.message_id, m.created_at into looked from messages m
      where m.conversation_id = p_conversation_id and m.message_id <= low + (high - low) / 2
      order by m.message_id desc limit 1;
    if looked.created_at >= p_moment then
      high := looked.message_id;
    else
      select min(m.message_id) into low from messages m
        where m.conversation_id = p_conversation_id and m.message_id > looked.message_id;
    end if;
  end loop;
  return low;
end $$;
revoke execute on function message_at(bigint,timestamp with time zone) from public;
grant execute on function message_at(bigint,timestamp with time zone) to authenticated;

-- A page of a conversation, or of one thread of it, oldest first: the newest, those before or after a message, or those
-- around one. As the one who asks.
create or replace function list_messages(p_conversation_id bigint, p_parent_message_id bigint, p_before bigint, p_after bigint,
  p_around bigint, p_limit integer) returns json
language plpgsql stable set search_path = public, pg_temp as $$
declare
  older bigint[] := '{}';
  newer bigint[] := '{}';
  older_wanted integer := case when p_after is not null then 0 when p_around is null then p_limit
    else (p_limit + 1) / 2 end;
  newer_wanted integer := p_limit - older_wanted;
  ids bigint[];
begin
  if not p_conversation_id = any (array(select chat_conversations())) then
    raise exception using errcode = 'PT404', message = 'conversation-not-found';
  end if;
  -- one more than is wanted, of either side: whether anything is there
  older := array(select m.message_id from messages m
    where m.conversation_id = p_conversation_id
      and (p_parent_message_id is null or m.parent_message_id = p_parent_message_id)
      and m.message_id < coalesce(p_before, p_around + 1, p_after + 1, 9223372036854775807)
    order by m.message_id desc limit older_wanted + 1);
  if coalesce(p_before, p_around, p_after) is not null then
    newer := array(select m.message_id from messages m
      where m.conversation_id = p_conversation_id
        and (p_parent_message_id is null or m.parent_message_id = p_parent_message_id)
        and m.message_id > coalesce(p_after, p_around, p_before - 1)
      order by m.message_id limit newer_wanted + 1);
  end if;
  ids := older[:older_wanted] || newer[:newer_wanted];
  return json_build_object(
    'messages', coalesce((select json_agg(s.shown order by s.message_id) from messages_shown(ids) s), '[]'),
    'before', case when cardinality(older) > older_wanted then (select min(one) from unnest(ids) one) end,
    'after', case when cardinality(newer) > newer_wanted then (select max(one) from unnest(ids) one) end);
end $$;
revoke execute on function list_messages(bigint,bigint,bigint,bigint,bigint,integer) from public;
grant execute on function list_messages(bigint,bigint,bigint,bigint,bigint,integer) to authenticated;

-- Sends, by the same trigger as every other way. Sent before: the message that is there. One without a text is called by its
-- files, so that lists, previews and searches have words for it.
create or replace function send_message(p_conversation_id bigint, p_content text, p_parent_message_id bigint,
  p_client_message_id uuid, p_attachment_ids bigint[]) returns json
language plpgsql set search_path = public, pg_temp as $$
declare
  sent bigint;
begin
  perform set_config('atrium.files_to_send', coalesce(p_attachment_ids::text, ''), true);
  if p_content is null then
    -- its files may be gone, with the message that they were sent in
    select m.message_id into sent from messages m
      where m.conversation_id = p_conversation_id and m.sender_id = chat_user_id()
        and m.client_message_id = p_client_message_id;
    if found then
      return (select s.shown from messages_shown(array[sent]) s);
    end if;
    p_content := (select left(string_agg(a.name, ', ' order by array_position(p_attachment_ids, a.attachment_id)), 4000)
      from attachment_rows a where a.attachment_id = any (p_attachment_ids));
    if p_content is null then
      raise exception using errcode = 'PT404', message = 'attachment-not-found';
    end if;
  end if;
  insert into messages as m (conversation_id, content, parent_message_id, client_message_id)
    values (p_conversation_id, p_content, p_parent_message_id, p_client_message_id)
    returning m.message_id into sent;
  perform set_config('atrium.files_to_send', '', true);
  if sent is null then
    select m.message_id into strict sent from messages m
      where m.conversation_id = p_conversation_id and m.sender_id = chat_user_id()
        and m.client_message_id = p_client_message_id;
  end if;
  return (select s.shown from messages_shown(array[sent]) s);
end $$;
revoke execute on function send_message(bigint,text,bigint,uuid,bigint[]) from public;
grant execute on function send_message(bigint,text,bigint,uuid,bigint[]) to authenticated;

-- A message that may be changed, held until the commit. Of another conversation, and deleted, it is not there.
create or replace function hold_message(p_message_id bigint) returns messages
language plpgsql set search_path = public, pg_temp as $$
declare
  held messages;
begin
  select m.* into held from messages m
    where m.message_id = p_message_id and m.conversation_id = any (array(select chat_conversations()))
    for no key update;
  if not found or held.is_deleted then
    raise exception using errcode = 'PT404', message = 'message-not-found';
  end if;
  return held;
end $$;
revoke execute on function hold_message(bigint) from public;

-- One's own message may be changed for as long as the organization says; 0: always.
create or replace function require_edit_window(message messages) returns void
language plpgsql stable set search_path = public, pg_temp as $$
declare
  minutes bigint := chat_limit(message.org_id, 'edit-minutes', 'atrium.edit_minutes', 0);
begin
  if minutes > 0 and message.created_at < clock_timestamp() - minutes * interval '1 minute' then
    raise exception using errcode = 'PT409', message = 'edit-window-over';
  end if;
end $$;
revoke execute on function require_edit_window(messages) from public;

-- What `message.updated` says: to everybody the same, so nothing is `mine`.
create or replace function message_updated_event(message messages) returns jsonb
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return (select s.shown::jsonb || jsonb_build_object('reactions', coalesce((
      select jsonb_agg(one - 'mine' order by place) from jsonb_array_elements(s.shown::jsonb -> 'reactions')
        with ordinality kinds (one, place)), '[]'))
    from messages_shown(array[message.message_id]) s);
end $$;
revoke execute on function message_updated_event(messages) from public;

-- The same of an edit: also whom it mentions who was not mentioned before.
create or replace function message_edited_event(message messages, mentioned_before text[]) returns jsonb
language sql stable as $$
  select message_updated_event(message) || jsonb_build_object('mentionsAdded', array(
    select one from unnest(mentioned_in(message.message_id)) one where one <> all (mentioned_before)))
$$;
revoke execute on function message_edited_event(messages,text[]) from public;

-- A message as an event tells it to one member of its conversation, as it is now. Null: it is gone, or none of theirs.
create or replace function message_as_told(message bigint, organization bigint, reader bigint, event text) returns jsonb
language plpgsql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  held messages;
begin
  select m.* into held from messages m
    join conversation_members c on c.conversation_id = m.conversation_id and c.user_id = reader
    join memberships s on s.organization_id = m.org_id and s.user_id = reader and s.status = 'active'
    where m.message_id = message and m.org_id = organization;
  if not found then return null; end if;
  return case when event = 'message.updated' then message_updated_event(held)
    else message_event(held) || files_told(held.message_id) end;
end $$;
revoke execute on function message_as_told(bigint,bigint,bigint,text) from public;

-- What `message.deleted` says.
create or replace function message_deleted_event(message messages) returns jsonb language sql stable as $$
  select jsonb_build_object('messageId', message.message_id, 'conversationId', message.conversation_id,
    'parentMessageId', message.parent_message_id)
$$;
revoke execute on function message_deleted_event(messages) from public;

-- Changes one's own message. `p_updated_at`: what it was changed at as the one who asks knows it. Nothing keeps the text of
-- before.
create or replace function edit_message(p_message_id bigint, p_content text, p_updated_at timestamptz) returns json
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  said text := composed_message(p_content);
  held messages := hold_message(p_message_id);
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  channels text[];
  mentioned_before text[];
begin
  if held.sender_id is distinct from chat_user_id() then
    raise exception using errcode = 'PT403', message = 'message-of-another';
  end if;
  perform require_text(said);
  perform require_open(held.conversation_id);
  perform require_edit_window(held);
  if p_updated_at < held.updated_at then
    raise exception using errcode = 'PT409', message = 'changed-meanwhile';
  end if;
  if said <> held.content then
    update messages m set content = said, is_edited = true, edited_at = moment,
        updated_at = greatest(moment, held.updated_at + interval '1 ms')
      where m.message_id = p_message_id returning m.* into held;
    mentioned_before := mentioned_in(p_message_id);
    perform note_mentions(held);
    channels := conversation_channels(held.conversation_id);
    perform append_event(channels, 'message.updated', moment, message_edited_event(held, mentioned_before),
      'conversation:' || held.conversation_id);
  end if;
  return (select s.shown from messages_shown(array[p_message_id]) s);
end $$;
revoke execute on function edit_message(bigint,text,timestamp with time zone) from public;
grant execute on function edit_message(bigint,text,timestamp with time zone) to authenticated;

-- Deletes one's own message; moderators also those of others, in groups and rooms. Its text, reactions, mentions and files are gone;
-- what answered it stays. Whose it was, where it was not one's own.
create or replace function delete_message(p_message_id bigint) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held messages := hold_message(p_message_id);
  me bigint := chat_user_id();
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  channels text[];
begin
  if held.sender_id = me then
    perform require_edit_window(held);
  elsif not exists (select from memberships m, conversations c
      where m.organization_id = held.org_id and m.user_id = me and m.status = 'active'
        and m.role in ('moderator', 'admin') and c.conversation_id = held.conversation_id and c.type <> 'DM') then
    raise exception using errcode = 'PT403', message = 'message-of-another';
  end if;
  update messages m set content = '', is_deleted = true, edited_at = null,
      updated_at = greatest(moment, held.updated_at + interval '1 ms')
    where m.message_id = p_message_id;
  delete from reactions r where r.message_id = p_message_id;
  delete from mentions n where n.message_id = p_message_id;
  delete from attachments a where a.message_id = p_message_id;
  channels := conversation_channels(held.conversation_id);
  perform append_event(channels, 'message.deleted', moment, message_deleted_event(held),
    'conversation:' || held.conversation_id);
  return jsonb_build_object('conversationId', held.conversation_id, 'own', held.sender_id is not distinct from me,
    'author', coalesce(held.sender_id::text, 'guest:' || held.guest_id));
end $$;
revoke execute on function delete_message(bigint) from public;
grant execute on function delete_message(bigint) to authenticated;

drop policy if exists mentions_of_own_conversations on mentions;
create policy mentions_of_own_conversations on mentions for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));
grant select on mentions to authenticated;
