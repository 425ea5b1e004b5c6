-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function notify_media_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('media_events_arrived', '');
  return null;
end $$;
create or replace trigger media_events_arrived after insert on media_events
  for each statement execute function notify_media_events();
