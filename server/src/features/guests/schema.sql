-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- What a new state means to a live connection has to be done at the media server. A request that decides does so itself
-- first: the work is for where that fails.
create or replace function enqueue_guest_state(organization bigint, room uuid, guest uuid, guest_state text, since timestamptz)
returns void language sql as $$
  select enqueue_work('guest-states', 'default', organization, guest::text, null,
    jsonb_build_object('organization', organization::text, 'room', room::text, 'guest', guest::text, 'state', guest_state),
    since, since + case when guest_state in ('admitted', 'denied') then interval '2 seconds' else interval '0' end, null)
$$;

create or replace function note_guest_state() returns trigger language plpgsql as $$
begin
  perform enqueue_guest_state(new.organization_id, new.room_id, new.id, new.state, new.since);
  return null;
end $$;
create or replace trigger guests_state_noted after update of state on guests
  for each row when (old.state <> new.state) execute function note_guest_state();

-- A trigger, so that no way in which a room ends can forget them. What follows is what follows where a link expires.
create or replace function end_guests_of_room() returns trigger language plpgsql as $$
begin
  update guests set expires_at = new.deleted_at
    where room_id = new.id and state in ('waiting', 'admitted') and expires_at > new.deleted_at;
  return null;
end $$;
create or replace trigger rooms_end_guests after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_guests_of_room();

-- An admission ends with the room being empty: who was admitted and is not inside comes before the minute is over for which
-- a reload is not leaving (ABSENT_AFTER_DISCONNECT_SECONDS), or asks anew.
create or replace function end_admissions_of_empty_room() returns trigger language plpgsql as $$
begin
  update guests set absent_at = new.ended_at + interval '60 seconds'
    where room_id = new.room_id and state = 'admitted' and since <= new.ended_at and absent_at > new.ended_at + interval '60 seconds'
      and not exists (select from media_participants p where p.room_id = new.room_id and p.ended_at is null and p.counts);
  return null;
end $$;
create or replace trigger media_participants_end_admissions after update of ended_at on media_participants
  for each row when (old.ended_at is null and new.ended_at is not null and new.counts)
  execute function end_admissions_of_empty_room();

-- The rooms of a deleted organization stay for a restoration; the stays in them end. Its links are good again then.
create or replace function end_guests_of_organization() returns trigger language plpgsql as $$
begin
  update guests set expires_at = new.deleted_at
    where room_id in (select id from rooms where organization_id = new.id)
      and state in ('waiting', 'admitted') and expires_at > new.deleted_at;
  return null;
end $$;
create or replace trigger organizations_end_guests after update of deleted_at on organizations
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_guests_of_organization();

create or replace function end_guest_invites_of_member() returns trigger language plpgsql as $$
begin
  update guest_invites set revoked_at = clock_timestamp()
    where organization_id = old.organization_id and created_by = old.user_id and revoked_at is null
      and expires_at > clock_timestamp();
  return null;
end $$;
create or replace trigger memberships_end_guest_invites after delete on memberships
  for each row execute function end_guest_invites_of_member();
create or replace trigger memberships_inactive_end_guest_invites after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active')
  execute function end_guest_invites_of_member();

create or replace function end_guest_invites_of_room() returns trigger language plpgsql as $$
begin
  update guest_invites set revoked_at = new.deleted_at
    where room_id = new.id and revoked_at is null and expires_at > new.deleted_at;
  return null;
end $$;
create or replace trigger rooms_end_guest_invites after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_guest_invites_of_room();

-- Triggers, so that no way in which a link or a membership ends can forget those who wait. What follows is what
-- follows where a link expires. Who was admitted stays: somebody has decided on them, not the link.
create or replace function end_guests_of_invite() returns trigger language plpgsql as $$
begin
  update guests set expires_at = new.revoked_at
    where room_id = new.room_id and invite_id = new.id and state = 'waiting' and expires_at > new.revoked_at;
  return null;
end $$;
create or replace trigger guest_invites_end_guests after update of revoked_at on guest_invites
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function end_guests_of_invite();

-- Who waits by a link that names some who may admit is told of to all others, once none of those may any more: they may decide
-- from then on, and nobody else would ask. A trigger, so that it follows from whatever takes the role.
create or replace function tell_others_of_guests() returns trigger language plpgsql as $$
declare
  guest record;
  roles text[] := roles_that_admit(old.organization_id);
  admins bigint[] := array(select m.user_id from memberships m join users b on b.id = m.user_id and not b.is_bot
    where m.organization_id = old.organization_id and m.role = any (roles) and m.status = 'active' order by m.user_id);
  channels text[] := array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
    from organizations o, users u where o.id = old.organization_id and u.id = any (admins));
begin
  if old.role <> all (roles) then
    return null;
  end if;
  for guest in
    select g.id, g.room_id, g.name, g.since from guests g
    cross join lateral (select case when g.allowed_admins = '{}' then array[g.invited_by] else g.allowed_admins end) as named (ids)
    where g.organization_id = old.organization_id and g.state = 'waiting' and not g.allow_all
      and g.expires_at > clock_timestamp() and old.user_id = any (named.ids) and not named.ids && admins
  loop
    perform append_event(channels, 'guest.waiting', clock_timestamp(),
      jsonb_build_object('roomId', guest.room_id, 'guestIdentity', 'guest:' || guest.id, 'guestName', guest.name,
        'since', to_char(guest.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      guest.id::text);
  end loop;
  return null;
end $$;
create or replace trigger memberships_role_tells_others_of_guests after update of role, status on memberships
  for each row when (old.status = 'active' and (new.role <> old.role or new.status <> 'active'))
  execute function tell_others_of_guests();
create or replace trigger memberships_tell_others_of_guests after delete on memberships
  for each row when (old.status = 'active') execute function tell_others_of_guests();
