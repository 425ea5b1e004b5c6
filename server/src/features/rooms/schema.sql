-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

create or replace function close_room(organization bigint, room uuid) returns void language sql as $$
  select enqueue_work('room-closures', 'default', organization, room::text, null, jsonb_build_object('room', room::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;

create or replace function close_rooms_of_organization() returns trigger language plpgsql as $$
begin
  perform close_room(organization_id, id) from rooms where organization_id = new.id;
  return null;
end $$;
create or replace trigger organizations_close_rooms after update of deleted_at on organizations
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function close_rooms_of_organization();

-- The people who are in a room, each once; guests are none.
create or replace function people_in_room(room uuid) returns setof bigint language sql stable as $$
  select distinct p.user_id from media_participants p
  where p.room_id = room and p.ended_at is null and p.counts and p.user_id is not null
$$;

-- A lock ends with the last member inside, however their stay has ended.
create or replace function open_left_room() returns trigger language plpgsql as $$
declare
  organization bigint;
begin
  update rooms set locked_at = null
    where id = new.room_id and locked_at is not null and not exists (select from people_in_room(new.room_id))
    returning organization_id into organization;
  if found then
    perform append_event(channel_of_organization(organization), 'room.updated', clock_timestamp(),
      jsonb_build_object('roomId', new.room_id, 'locked', false), 'room:' || new.room_id);
  end if;
  return null;
end $$;
create or replace trigger media_participants_open_left_room after update of ended_at on media_participants
  for each row when (old.ended_at is null and new.ended_at is not null and new.user_id is not null)
  execute function open_left_room();

create or replace function look_through_rooms(organization bigint) returns void language sql as $$
  select enqueue_work('room-departures', 'default', organization, organization::text, null,
    jsonb_build_object('organization', organization::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;

-- Who has left an organization stays in `room_departures` for as long as an earlier token may bring them back; the
-- organization's rooms are looked through by one item of work.
create or replace function note_room_departure() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where organization_id = old.organization_id) then
    insert into room_departures (organization_id, user_id, until)
    -- in milliseconds: it names the departure to whoever works it off
    values (old.organization_id, old.user_id, date_trunc('milliseconds', now()) + interval '15 minutes')
    on conflict (organization_id, user_id) do update set until = excluded.until, next_attempt_at = now();
    perform look_through_rooms(old.organization_id);
  end if;
  return null;
end $$;
create or replace trigger memberships_leave_rooms after delete on memberships
  for each row execute function note_room_departure();
create or replace trigger memberships_put_out_of_rooms after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function note_room_departure();

-- The request closes the room itself: the work is for where that fails.
create or replace function close_deleted_room() returns trigger language plpgsql as $$
begin
  perform close_room(new.organization_id, new.id);
  return null;
end $$;
create or replace trigger rooms_close_deleted after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function close_deleted_room();

-- Whether a room is recorded, as lists of rooms say it: `recording.changed` tells what one recording has come to, and by
-- more ways than the media server's.
create or replace function tell_room_recorded() returns trigger language plpgsql as $$
declare
  is_recorded boolean := exists (select from media_jobs
    where room_id = new.room_id and organization_id = new.organization_id and kind = 'egress' and ended_at is null);
  channel text[] := channel_of_organization(new.organization_id);
begin
  perform append_event(channel, 'room.updated', clock_timestamp(),
    jsonb_build_object('roomId', new.room_id, 'recording', is_recorded), 'room:' || new.room_id);
  return null;
end $$;
create or replace trigger media_jobs_tell_begun after insert on media_jobs
  for each row when (new.kind = 'egress' and new.ended_at is null) execute function tell_room_recorded();
create or replace trigger media_jobs_tell_ended after update of ended_at on media_jobs
  for each row when (new.kind = 'egress' and (old.ended_at is null) <> (new.ended_at is null))
  execute function tell_room_recorded();

-- Whoever is in a room by a session that has ended is put out. A trigger on what has ended, so that no statement that
-- ends a session can forget it. One item for a person: however many sessions end, and also where no media server is there to
-- work on it, there are no more of them than people.
create or replace function leave_rooms_with_session() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where organization_id = new.organization_id) then
    perform enqueue_work('room-session-ends', 'default', new.organization_id,
      new.organization_id || ' ' || new.user_id, null,
      jsonb_build_object('organization', new.organization_id::text, 'user', new.user_id::text),
      date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null);
  end if;
  return null;
end $$;
revoke execute on function leave_rooms_with_session() from public;
create or replace trigger access_ended_leaves_rooms after insert on ended_access
  for each row when (new.session_id is not null and new.organization_id is not null)
  execute function leave_rooms_with_session();
