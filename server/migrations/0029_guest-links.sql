-- features/guests ---------------------------------------------------------------------------------

-- The links for guests. What a link allows travels in it, sealed; the row is there to list it and to end it early. A
-- link that the release before has made gets its row when it is first used.
create table guest_invites (
  -- jti of the link
  id text primary key,
  organization_id bigint not null references organizations (id),
  room_id uuid not null references rooms (id) on delete cascade,
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  allow_all boolean not null,
  -- empty: nobody named
  allowed_admins bigint[] not null,
  -- it works no more since then: somebody has revoked it, or whoever made it is no longer in the organization
  revoked_at timestamptz
);
create index guest_invites_that_work on guest_invites (organization_id, created_at desc) where revoked_at is null;
create index guest_invites_of_person on guest_invites (created_by, organization_id) where revoked_at is null;
create index guest_invites_by_end on guest_invites (expires_at);
-- cascades from rooms
create index guest_invites_of_room on guest_invites (room_id);

-- Triggers, so that no way in which a link or a membership ends can forget those who wait. What follows is what
-- follows where a link expires. Who was admitted stays: somebody has decided on them, not the link.
create function end_guests_of_invite() returns trigger language plpgsql as $$
begin
  update guests set expires_at = new.revoked_at
    where room_id = new.room_id and invite_id = new.id and state = 'waiting' and expires_at > new.revoked_at;
  return null;
end $$;
create trigger guest_invites_end_guests after update of revoked_at on guest_invites
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function end_guests_of_invite();

create function end_guest_invites_of_member() returns trigger language plpgsql as $$
begin
  update guest_invites set revoked_at = clock_timestamp()
    where organization_id = old.organization_id and created_by = old.user_id and revoked_at is null
      and expires_at > clock_timestamp();
  return null;
end $$;
create trigger memberships_end_guest_invites after delete on memberships
  for each row execute function end_guest_invites_of_member();
create trigger memberships_inactive_end_guest_invites after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active')
  execute function end_guest_invites_of_member();

create function end_guest_invites_of_room() returns trigger language plpgsql as $$
begin
  update guest_invites set revoked_at = new.deleted_at
    where room_id = new.id and revoked_at is null and expires_at > new.deleted_at;
  return null;
end $$;
create trigger rooms_end_guest_invites after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_guest_invites_of_room();

-- Those in use have their rows at once.
insert into guest_invites (id, organization_id, room_id, created_by, created_at, expires_at, allow_all, allowed_admins)
  select distinct on (invite_id) invite_id, organization_id, room_id, invited_by, created_at, expires_at, allow_all,
    allowed_admins
  from guests where state in ('waiting', 'admitted') order by invite_id, created_at;

-- Put out after having been admitted: `denied`, and not heard again with this link.
alter table guests add column removed_at timestamptz;

-- features/media-events ---------------------------------------------------------------------------

-- Whether a room is recorded, as lists of rooms say it: `recording.changed` tells what one recording has come to, and by
-- more ways than the media server's.
create function tell_room_recorded() returns trigger language plpgsql as $$
declare
  is_recorded boolean := exists (select from media_jobs
    where room_id = new.room_id and organization_id = new.organization_id and kind = 'egress' and ended_at is null);
  channel text[] := channel_of_organization(new.organization_id);
begin
  perform append_event(channel, 'room.updated', clock_timestamp(),
    jsonb_build_object('roomId', new.room_id, 'recording', is_recorded), 'room:' || new.room_id);
  return null;
end $$;
create trigger media_jobs_tell_begun after insert on media_jobs
  for each row when (new.kind = 'egress' and new.ended_at is null) execute function tell_room_recorded();
create trigger media_jobs_tell_ended after update of ended_at on media_jobs
  for each row when (new.kind = 'egress' and (old.ended_at is null) <> (new.ended_at is null))
  execute function tell_room_recorded();
