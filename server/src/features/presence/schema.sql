-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- Triggers, so that no statement can change a status and forget to count or to say so.
create or replace function count_presence_change() returns trigger language plpgsql as $$
begin
  new.revision := next_presence_revision(new.organization_id);
  perform pg_notify('presence_changed', json_build_object('organization', new.organization_id::text,
    'revision', new.revision::text, 'user', new.user_id::text, 'status', new.status)::text);
  return new;
end $$;
create or replace trigger presence_counted before update of status on presence
  for each row when (old.status is distinct from new.status) execute function count_presence_change();

-- Without a user: whoever holds a copy reads the organization anew.
create or replace function count_presence_reset() returns trigger language plpgsql as $$
declare
  organization bigint := coalesce(new.organization_id, old.organization_id);
begin
  perform pg_notify('presence_changed', json_build_object('organization', organization::text,
    'revision', next_presence_revision(organization)::text)::text);
  return null;
end $$;

-- Deferred to the commit: who joins or leaves does not hold the organization's counter while the rest is done.
drop trigger if exists memberships_presence_added on memberships;
create constraint trigger memberships_presence_added after insert or delete on memberships
  deferrable initially deferred for each row execute function count_presence_reset();
drop trigger if exists memberships_presence_changed on memberships;
create constraint trigger memberships_presence_changed after update on memberships
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function count_presence_reset();
create or replace trigger presence_removed after delete on presence
  for each row when (old.status <> 'offline') execute function count_presence_reset();

create or replace function next_presence_revision(organization bigint) returns bigint language sql as $$
  insert into presence_revisions as counter (organization_id, revision) values (organization, 1)
  on conflict (organization_id) do update set revision = counter.revision + 1
  returning revision
$$;

-- What a calendar that is no longer connected said does not hold any more.
create or replace function follow_calendar_connection() returns trigger language plpgsql as $$
begin
  update presence_meetings set read_next_at = 'epoch', change_at = date_trunc('milliseconds', clock_timestamp()),
      times = case tg_op when 'DELETE' then times - old.provider else times end
    where user_id = coalesce(new.user_id, old.user_id) and read_next_at is not null;
  return null;
end $$;
create or replace trigger calendar_connections_meetings after insert or delete on calendar_connections
  for each row execute function follow_calendar_connection();

create or replace function follow_calendar_status() returns trigger language plpgsql as $$
begin
  insert into presence_meetings as m (user_id, read_next_at, change_at)
    values (new.id, case when new.calendar_status then timestamptz 'epoch' end,
      date_trunc('milliseconds', clock_timestamp()))
    on conflict (user_id) do update
      set times = '{}', read_next_at = excluded.read_next_at, change_at = excluded.change_at;
  return null;
end $$;
create or replace trigger users_calendar_status after update of calendar_status on users
  for each row when (old.calendar_status <> new.calendar_status) execute function follow_calendar_status();
