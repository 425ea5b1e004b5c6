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

-- Where a room is told of: to its organization, of a temporary room to the two alone.
create or replace function channels_of_room(room uuid) returns text[] language sql stable as $$
  select case when r.first_person_id is null then channel_of_organization(r.organization_id)
    else array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
      from organizations o, users u
      where o.id = r.organization_id and u.id in (r.first_person_id, r.second_person_id)) end
  from rooms r where r.id = room
$$;

-- What people read: a desk is called as its owner, a temporary room as the two. Both are stored under their id.
create or replace function name_of_room(room rooms) returns text language sql stable as $$
  select case when room.owner_id is not null then (select display_name from users where id = room.owner_id)
    when room.first_person_id is not null then (select string_agg(display_name, ', ' order by id) from users
      where id in (room.first_person_id, room.second_person_id))
    else room.name end
$$;

-- The people who are in a room, each once; guests are none.
create or replace function people_in_room(room uuid) returns setof bigint language sql stable as $$
  select distinct p.user_id from media_participants p
  where p.room_id = room and p.ended_at is null and p.counts and p.user_id is not null
$$;

-- Those, and who was in it since then; a leave may be heard of a moment late.
create or replace function people_in_room_since(room uuid, since timestamptz) returns setof bigint language sql stable as $$
  select distinct p.user_id from media_participants p
  where p.room_id = room and p.counts and p.user_id is not null
    and (p.ended_at is null or p.ended_at > since - interval '5 seconds')
$$;

-- A lock ends with the last member inside, however their stay has ended.
create or replace function open_left_room() returns trigger language plpgsql as $$
declare
  channels text[] := channels_of_room(new.room_id);
begin
  update rooms set locked_at = null
    where id = new.room_id and locked_at is not null and not exists (select from people_in_room(new.room_id));
  if found then
    perform append_event(channels, 'room.updated', clock_timestamp(),
      jsonb_build_object('roomId', new.room_id, 'locked', false), 'room:' || new.room_id);
  end if;
  return null;
end $$;
create or replace trigger media_participants_open_left_room after update of ended_at on media_participants
  for each row when (old.ended_at is null and new.ended_at is not null and new.user_id is not null)
  execute function open_left_room();

-- Takes a room away: `rooms_close_deleted` closes it at the media server.
create or replace function take_room_away(room uuid) returns void language plpgsql as $$
declare
  channels text[] := channels_of_room(room);
begin
  perform append_event(channels, 'room.deleted', clock_timestamp(),
    jsonb_build_object('roomId', room), 'room:' || room);
  update rooms set name = room::text, metadata = '{}', deleted_at = clock_timestamp() where id = room;
end $$;

-- Takes temporary rooms away that are wanted no more, and in which nobody is or was a moment ago.
create or replace function end_empty_temporary_rooms(moment timestamptz, empty_since timestamptz) returns void
language sql as $$
  select take_room_away(empty.id) from (
    select r.id from rooms r
    where r.first_person_id is not null and r.deleted_at is null and r.wanted_until <= moment
      and not exists (select from media_participants p
        where p.room_id = r.id and p.counts and (p.ended_at is null or p.ended_at > empty_since))
    for update of r skip locked) empty
$$;

-- A desk ends with the membership of its owner, a temporary room with that of one of the two.
create or replace function end_rooms_of_member() returns trigger language plpgsql as $$
begin
  perform take_room_away(id) from rooms
    where organization_id = old.organization_id and deleted_at is null
      and old.user_id in (owner_id, first_person_id, second_person_id);
  return null;
end $$;
create or replace trigger memberships_end_rooms after delete on memberships
  for each row execute function end_rooms_of_member();
create or replace trigger memberships_inactive_end_rooms after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function end_rooms_of_member();

-- Who is inside is called by their new name there too: by one item for a person and an organization.
create or replace function rename_in_rooms() returns trigger language plpgsql as $$
begin
  perform enqueue_work('room-names', 'default', inside.organization_id, inside.organization_id || ' ' || new.id, null,
      jsonb_build_object('organization', inside.organization_id::text, 'user', new.id::text),
      date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
    from (select distinct p.organization_id from media_participants p
      where new.id in (p.user_id, p.bot_id) and p.ended_at is null) inside;
  return null;
end $$;
create or replace trigger users_rename_in_rooms after update of display_name on users
  for each row when (old.display_name <> new.display_name) execute function rename_in_rooms();

-- Who is inside as a bot is looked at again, by one item for an organization: where it wants none from now on, a room
-- wants none, a bot has other workers, or is gone.
create or replace function look_through_organization(for_queue text, organization bigint) returns void language sql as $$
  select enqueue_work(for_queue, 'default', organization, organization::text, null,
    jsonb_build_object('organization', organization::text),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), null)
$$;
create or replace function look_at_agents_again() returns trigger language plpgsql as $$
begin
  perform look_through_organization('room-agents', old.organization_id);
  return null;
end $$;
create or replace function look_at_agents_unwanted() returns trigger language plpgsql as $$
begin
  perform look_through_organization('room-agents', new.organization_id);
  return null;
end $$;
create or replace trigger organization_settings_agents_unwanted after insert or update of agents on organization_settings
  for each row when (not new.agents) execute function look_at_agents_unwanted();
create or replace trigger rooms_agents_unwanted after update of agent_dispatch on rooms
  for each row when (new.agent_dispatch = 'none' and old.agent_dispatch <> 'none') execute function look_at_agents_again();
create or replace trigger memberships_other_workers after update of agent_name on memberships
  for each row when (old.agent_name is distinct from new.agent_name and old.agent_name is not null)
  execute function look_at_agents_again();
create or replace trigger memberships_workers_gone after delete on memberships
  for each row when (old.agent_name is not null) execute function look_at_agents_again();

-- A desk is called as its owner, also from now on.
create or replace function tell_name_of_desk() returns trigger language plpgsql as $$
declare
  desk uuid;
  channels text[];
begin
  for desk, channels in
    select id, channels_of_room(id) from rooms where owner_id = new.id and deleted_at is null
  loop
    perform append_event(channels, 'room.updated', clock_timestamp(),
      jsonb_build_object('roomId', desk, 'name', new.display_name), 'room:' || desk);
  end loop;
  return null;
end $$;
create or replace trigger users_tell_name_of_desk after update of display_name on users
  for each row when (old.display_name <> new.display_name) execute function tell_name_of_desk();

create or replace function look_through_rooms(organization bigint) returns void language sql as $$
  select look_through_organization('room-departures', organization)
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

-- Whether bots may come into a room.
create or replace function admits_agents(room rooms) returns boolean language sql stable as $$
  select room.agent_dispatch <> 'none' and room.locked_at is null and not room.sealed and room.first_person_id is null
    and wants_agents(room.organization_id)
$$;

-- What the bots are called that are in a room, and those that will come.
create or replace function programs_of_room(room rooms, moment timestamptz) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct those.name order by those.name), '{}') from (
    select name_of_bot(room.organization_id, p.bot_id) as name from media_participants p
      where p.room_id = room.id and p.ended_at is null and p.bot_id is not null
    union all
    select name_of_bot(room.organization_id, d.user_id) from room_doors d
      where d.room_id = room.id and d.dispatched_until > moment and admits_agents(room)
    union all
    select names_of_bots(room.organization_id) where room.agent_dispatch = 'always' and admits_agents(room)) those
  where those.name is not null
$$;
