-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- Payload: the organization. Every node keeps the limits of all in memory.
create or replace function notify_organization_limits_changed() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('organization_limits_changed', coalesce(new.organization_id, old.organization_id)::text);
  return null;
end $$;
revoke execute on function notify_organization_limits_changed() from public;
create or replace trigger organization_limits_changed after insert or update or delete on organization_limits
  for each row execute function notify_organization_limits_changed();

-- Its payload is the organization: nodes read what is set in it, of its people too.
create or replace trigger person_limits_changed after insert or update or delete on person_limits
  for each row execute function notify_organization_limits_changed();
