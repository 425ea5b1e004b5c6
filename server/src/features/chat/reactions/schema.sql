-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- What `reaction.changed` says: how many there are of a kind now, and whose was added or taken away.
create or replace function reaction_changed_event(message messages, kind text, person bigint, is_added boolean) returns jsonb
language sql stable as $$
  select jsonb_build_object('messageId', message.message_id, 'conversationId', message.conversation_id, 'emoji', kind,
    'count', (select count(*) from reactions r where r.message_id = message.message_id and r.emoji = kind),
    'userId', person::text, 'added', is_added)
$$;
revoke execute on function reaction_changed_event(messages,text,bigint,boolean) from public;

-- Twenty kinds on a message, one of each by a person. The message is held: of two at once none passes the bound.
create or replace function require_room_for_reaction(message messages, kind text) returns void
language plpgsql stable set search_path = public, pg_temp as $$
begin
  if not exists (select from reactions r where r.message_id = message.message_id and r.emoji = kind)
      and (select count(distinct r.emoji) from reactions r where r.message_id = message.message_id) >= 20 then
    raise exception using errcode = 'PT409', message = 'too-many-reactions';
  end if;
end $$;
revoke execute on function require_room_for_reaction(messages,text) from public;

-- Adds or takes away a reaction of the one who asks. What is so already is told to nobody.
create or replace function set_reaction(p_message_id bigint, p_emoji text, p_added boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held messages := hold_message(p_message_id);
  me bigint := chat_user_id();
  channels text[];
begin
  if p_added then
    if exists (select from reactions r where r.message_id = p_message_id and r.user_id = me and r.emoji = p_emoji) then
      return;
    end if;
    perform require_open(held.conversation_id);
    perform require_room_for_reaction(held, p_emoji);
    insert into reactions (message_id, conversation_id, org_id, user_id, emoji, created_at)
      values (p_message_id, held.conversation_id, held.org_id, me, p_emoji, clock_timestamp());
  else
    delete from reactions r where r.message_id = p_message_id and r.user_id = me and r.emoji = p_emoji;
    if not found then return; end if;
  end if;
  channels := conversation_channels(held.conversation_id);
  perform append_event(channels, 'reaction.changed', clock_timestamp(),
    reaction_changed_event(held, p_emoji, me, p_added), 'conversation:' || held.conversation_id);
end $$;
revoke execute on function set_reaction(bigint,text,boolean) from public;
grant execute on function set_reaction(bigint,text,boolean) to authenticated;

drop policy if exists reactions_of_own_conversations on reactions;
create policy reactions_of_own_conversations on reactions for select to authenticated
  using (conversation_id = any (array(select chat_conversations())));
grant select on reactions to authenticated;
