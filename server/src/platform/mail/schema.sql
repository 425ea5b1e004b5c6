-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function notify_mail_queue() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end $$;
create or replace trigger mail_queued after insert on mail_queue
  for each statement execute function notify_mail_queue();

-- Nodes of the release before still queue here while they run on beside this one: those of this one deliver.
create or replace function queue_mail_of_before() returns trigger language plpgsql as $$
begin
  perform enqueue_work('mail', new.mail_class, new.organization_id, null, null,
    jsonb_build_object('sealed', translate(encode(new.sealed_message, 'base64'), E'\n', '')),
    new.created_at, new.next_attempt_at, new.not_after);
  return null;
end $$;
create or replace trigger mail_queued_before before insert on mail_queue
  for each row execute function queue_mail_of_before();
