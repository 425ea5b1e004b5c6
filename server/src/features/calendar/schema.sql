-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function pack_calendar_code() returns trigger language plpgsql as $$
begin
  new.code_hash := sha256(convert_to(new.provider || ' ' || new.user_id, 'UTF8')) || new.code_digest;
  return new;
end $$;
create or replace trigger pack_calendar_code before insert on calendar_codes
  for each row when (new.user_id is not null) execute function pack_calendar_code();

-- features/calendar -------------------------------------------------------------------------------
create or replace function tell_calendar_changed() returns trigger language plpgsql as $$
declare
  now_is text := case when tg_op = 'DELETE' then 'disconnected'
    when new.reauth_required_at is not null then 'reauth-required' else 'connected' end;
  channels text[] := channels_of_person(coalesce(new.user_id, old.user_id));
begin
  perform append_event(channels, 'calendar.changed', clock_timestamp(),
    jsonb_build_object('provider', coalesce(new.provider, old.provider), 'state', now_is),
    'person:' || coalesce(new.user_id, old.user_id));
  return null;
end $$;
create or replace trigger calendar_connections_tell after insert or delete on calendar_connections
  for each row execute function tell_calendar_changed();

-- not when tokens are refreshed: nothing that anybody sees has changed
create or replace trigger calendar_connections_tell_change after update of connected_at, reauth_required_at on calendar_connections
  for each row when (old.connected_at <> new.connected_at
    or (old.reauth_required_at is null) <> (new.reauth_required_at is null))
  execute function tell_calendar_changed();
