-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- Files of messages, and those that one has uploaded oneself. Of the table nobody sees anything: where files lie is not
-- theirs to know. A barrier, as chat_presence_rows.
create or replace view attachment_rows with (security_barrier) as
  select a.attachment_id, a.message_id, a.conversation_id, a.position, a.name, a.content_type, a.bytes, a.width, a.height
  from attachments a
  where a.conversation_id = any (array(select chat_conversations())) and a.finished_at is not null
    and (a.message_id is not null or a.user_id = (select chat_user_id()));
revoke all on attachment_rows from authenticated;
grant select on attachment_rows to authenticated;

-- A file as messages show it.
create or replace function attachment_shown(attachment_id bigint, name text, content_type text, bytes bigint, width integer,
  height integer) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', attachment_id::text, 'name', name, 'contentType', content_type, 'bytes', bytes)
    || case when width is null then '{}' else jsonb_build_object('width', width, 'height', height) end
$$;
revoke execute on function attachment_shown(bigint,text,text,bigint,integer,integer) from public;
grant execute on function attachment_shown(bigint,text,text,bigint,integer,integer) to authenticated;

-- Whether the one who asks may put files into a conversation.
create or replace function may_attach(p_conversation_id bigint) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not p_conversation_id = any (array(select chat_conversations())) then
    raise exception using errcode = 'PT404', message = 'conversation-not-found';
  end if;
  perform require_open(p_conversation_id);
  return true;
end $$;
revoke execute on function may_attach(bigint) from public;
grant execute on function may_attach(bigint) to authenticated;

-- Where the file of an attachment lies, for whoever may read it now.
create or replace function file_of_attachment(p_attachment_id bigint) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found json;
begin
  select json_build_object('key', a.object_key, 'previewKey', a.preview_key, 'name', a.name, 'contentType', a.content_type)
    into found from attachments a
    where a.attachment_id = p_attachment_id and a.finished_at is not null
      and a.conversation_id = any (array(select chat_conversations()))
      and (a.message_id is not null or a.user_id = chat_user_id());
  if found is null then
    raise exception using errcode = 'PT404', message = 'attachment-not-found';
  end if;
  return found;
end $$;
revoke execute on function file_of_attachment(bigint) from public;
grant execute on function file_of_attachment(bigint) to authenticated;

-- The files that a message under way is sent with, in their order.
create or replace function files_to_send() returns bigint[] language sql stable as $$
  select nullif(current_setting('atrium.files_to_send', true), '')::bigint[]
$$;
revoke execute on function files_to_send() from public;

-- Gives a message the files that it is sent with: its author's, finished, of this conversation, and of no message yet.
create or replace function take_files(message messages) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  wanted bigint[] := files_to_send();
  taken integer;
begin
  if wanted is null then return; end if;
  update attachments a set message_id = message.message_id, position = array_position(wanted, a.attachment_id)
    where a.attachment_id = any (wanted) and a.user_id = message.sender_id and a.finished_at is not null
      and a.conversation_id = message.conversation_id and a.message_id is null;
  get diagnostics taken = row_count;
  if taken < cardinality(wanted) then
    raise exception using errcode = 'PT404', message = 'attachment-not-found';
  end if;
end $$;
revoke execute on function take_files(messages) from public;

-- Deletes files that are in no message since a moment, and those of organizations that were deleted before one.
create or replace function purge_attachments(waiting_before timestamptz, deleted_before timestamptz, most integer)
returns integer language plpgsql set search_path = public, pg_temp as $$
declare
  purged integer;
begin
  delete from attachments where attachment_id = any (array(
    (select a.attachment_id from attachments a where a.message_id is null and a.created_at < waiting_before limit most)
    union
    (select a.attachment_id from organizations o join attachments a on a.org_id = o.id
      where o.deleted_at < deleted_before limit most)));
  get diagnostics purged = row_count;
  return purged;
end $$;
revoke execute on function purge_attachments(timestamp with time zone,timestamp with time zone,integer) from public;
