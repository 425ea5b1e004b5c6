-- Rooms that live: deleted ones, and who is in which room.

-- features/rooms ----------------------------------------------------------------------------------

-- A deleted room stays as a row without name and metadata: recordings and late events are of it. Its name is its id
-- then, which no room is ever called by: the former name is free again, for a release of before too.
alter table rooms add column deleted_at timestamptz;

-- The request closes the room itself: the work is for where that fails.
create function close_deleted_room() returns trigger language plpgsql as $$
begin
  perform close_room(new.organization_id, new.id);
  return null;
end $$;
create trigger rooms_close_deleted after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function close_deleted_room();

-- features/guests ---------------------------------------------------------------------------------

-- A trigger, so that no way in which a room ends can forget them. What follows is what follows where a link expires.
create function end_guests_of_room() returns trigger language plpgsql as $$
begin
  update guests set expires_at = new.deleted_at
    where room_id = new.id and state in ('waiting', 'admitted') and expires_at > new.deleted_at;
  return null;
end $$;
create trigger rooms_end_guests after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_guests_of_room();

-- features/media-events ---------------------------------------------------------------------------

-- Of the connections of one person in a room: the last one that ends is their leaving.
create index media_participants_of_person on media_participants (room_id, user_id) where ended_at is null;

-- platform: events --------------------------------------------------------------------------------

-- The channels of one person: one in each organization that they are at work in.
create function channels_of_person(person bigint) returns text[] language sql stable as $$
  select coalesce(array_agg('user:' || o.identity_organization_id || ':' || u.identity_user_id order by o.id), '{}')
  from memberships m join organizations o on o.id = m.organization_id join users u on u.id = m.user_id
  where m.user_id = person and m.status = 'active' and o.deleted_at is null
$$;

-- Everything below is told by triggers, so that no statement that changes one of these things can forget to say so,
-- whoever runs it: a request, a job, an operator.

-- directory ---------------------------------------------------------------------------------------

create function channel_of_organization(organization bigint) returns text[] language sql stable as $$
  select coalesce(array_agg('org:' || identity_organization_id), '{}') from organizations
  where id = organization and deleted_at is null
$$;

create function ids_of_person(person bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('userId', id::text, 'presenceUserId', identity_user_id) from users where id = person
$$;

create function tell_member_joined() returns trigger language plpgsql as $$
declare
  channel text[] := channel_of_organization(new.organization_id);
begin
  perform append_event(channel, 'member.joined', clock_timestamp(), ids_of_person(new.user_id), 'person:' || new.user_id);
  return null;
end $$;
create trigger memberships_tell_joined after insert on memberships
  for each row when (new.status = 'active') execute function tell_member_joined();
create trigger memberships_tell_active after update of status on memberships
  for each row when (old.status <> 'active' and new.status = 'active') execute function tell_member_joined();

create function tell_member_updated() returns trigger language plpgsql as $$
declare
  channel text[] := channel_of_organization(new.organization_id);
begin
  perform append_event(channel, 'member.updated', clock_timestamp(),
    ids_of_person(new.user_id) || jsonb_build_object('role', new.role), 'person:' || new.user_id);
  return null;
end $$;
create trigger memberships_tell_role after update of role on memberships
  for each row when (old.status = 'active' and new.status = 'active' and old.role <> new.role)
  execute function tell_member_updated();

create function tell_member_removed() returns trigger language plpgsql as $$
declare
  channel text[] := channel_of_organization(old.organization_id);
begin
  perform append_event(channel, 'member.removed', clock_timestamp(), ids_of_person(old.user_id), 'person:' || old.user_id);
  return null;
end $$;
create trigger memberships_tell_removed after delete on memberships
  for each row when (old.status = 'active') execute function tell_member_removed();
create trigger memberships_tell_inactive after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function tell_member_removed();

create function tell_profile_updated() returns trigger language plpgsql as $$
begin
  perform append_event(array['org:' || o.identity_organization_id], 'profile.updated', clock_timestamp(),
      ids_of_person(new.id) || jsonb_build_object('displayName', new.display_name), 'person:' || new.id)
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = new.id and m.status = 'active' and o.deleted_at is null order by o.id;
  return null;
end $$;
create trigger users_tell_profile after update of display_name, avatar_key on users
  for each row when (old.display_name <> new.display_name or old.avatar_key is distinct from new.avatar_key)
  execute function tell_profile_updated();

create function tell_organization_updated() returns trigger language plpgsql as $$
begin
  perform append_event(array['org:' || new.identity_organization_id], 'organization.updated', clock_timestamp(),
    jsonb_build_object('organizationId', new.identity_organization_id, 'organizationName', new.name),
    'organization:' || new.id);
  return null;
end $$;
create trigger organizations_tell after update of name, logo_key on organizations
  for each row when (old.name <> new.name or old.logo_key is distinct from new.logo_key)
  execute function tell_organization_updated();

-- access ------------------------------------------------------------------------------------------

-- Not of a session whose browser goes on under another one: nobody was signed out.
create function tell_session_ended() returns trigger language plpgsql as $$
declare
  channels text[] := channels_of_person(new.user_id);
begin
  perform append_event(channels, 'session.ended', clock_timestamp(),
    jsonb_build_object('sessionId', new.id::text), 'person:' || new.user_id);
  return null;
end $$;
create trigger sessions_tell_ended after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null and not new.superseded)
  execute function tell_session_ended();

-- features/invitations ----------------------------------------------------------------------------

create function tell_invitation_accepted() returns trigger language plpgsql as $$
begin
  perform append_event(array['user:' || o.identity_organization_id || ':' || u.identity_user_id],
      'invitation.accepted', clock_timestamp(),
      jsonb_build_object('invitationId', new.identity_invitation_id, 'email', new.email,
        'userId', new.accepted_by_user_id::text),
      'person:' || u.id)
    from organizations o, users u, memberships m
    where o.id = new.organization_id and u.id = new.inviter_user_id
      and m.organization_id = o.id and m.user_id = u.id and m.status = 'active';
  return null;
end $$;
create trigger invitations_tell_accepted after update of accepted_at on invitations
  for each row when (old.accepted_at is null and new.accepted_at is not null and new.accepted_by_user_id is not null)
  execute function tell_invitation_accepted();

-- features/calendar -------------------------------------------------------------------------------

create function tell_calendar_changed() returns trigger language plpgsql as $$
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
create trigger calendar_connections_tell after insert or delete on calendar_connections
  for each row execute function tell_calendar_changed();
-- not when tokens are refreshed: nothing that anybody sees has changed
create trigger calendar_connections_tell_change after update of connected_at, reauth_required_at on calendar_connections
  for each row when (old.connected_at <> new.connected_at
    or (old.reauth_required_at is null) <> (new.reauth_required_at is null))
  execute function tell_calendar_changed();

-- features/recordings -----------------------------------------------------------------------------

-- From the moment that the media server has named it: before, nobody can know what is meant.
create function tell_recording_changed() returns trigger language plpgsql as $$
begin
  perform append_event(array['org:' || o.identity_organization_id], 'recording.changed', clock_timestamp(),
      jsonb_build_object('egressId', new.egress_id, 'roomId', new.room_id, 'state', new.state),
      'room:' || new.room_id)
    from organizations o where o.id = new.organization_id;
  return null;
end $$;
create trigger recordings_tell after update of state, egress_id on recordings
  for each row when (new.egress_id is not null
    and (old.state <> new.state or old.egress_id is distinct from new.egress_id))
  execute function tell_recording_changed();

-- features/knock ----------------------------------------------------------------------------------

-- Somebody asks somebody for a moment. What they say is not kept: it only travels.
create table knocks (
  id uuid primary key,
  organization_id bigint not null references organizations (id),
  from_user_id bigint not null references users (id),
  to_user_id bigint not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- null: it waits
  outcome text check (outcome in ('accept', 'later', 'no', 'cancelled', 'expired')),
  ended_at timestamptz,
  check ((outcome is null) = (ended_at is null))
);
create unique index knocks_waiting on knocks (organization_id, from_user_id, to_user_id) where outcome is null;
create index knocks_to_expire on knocks (expires_at) where outcome is null;
create index knocks_by_end on knocks (ended_at);

create function tell_knock_ended() returns trigger language plpgsql as $$
declare
  channels text[] := array(select 'user:' || o.identity_organization_id || ':' || u.identity_user_id
    from organizations o, users u where o.id = new.organization_id and u.id in (new.from_user_id, new.to_user_id));
begin
  perform append_event(channels, 'knock.ended', new.ended_at,
    jsonb_build_object('knockId', new.id, 'outcome', new.outcome), 'knock:' || new.id);
  return null;
end $$;
create trigger knocks_tell_ended after update of outcome on knocks
  for each row when (old.outcome is null and new.outcome is not null) execute function tell_knock_ended();

-- Nobody waits for somebody who is no longer there.
create function end_knocks_of_member() returns trigger language plpgsql as $$
begin
  update knocks set outcome = 'cancelled', ended_at = clock_timestamp()
    where organization_id = old.organization_id and outcome is null and old.user_id in (from_user_id, to_user_id);
  return null;
end $$;
create trigger memberships_end_knocks after delete on memberships
  for each row execute function end_knocks_of_member();
create trigger memberships_inactive_end_knocks after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function end_knocks_of_member();

-- Functions are open to everybody until it is said otherwise.
revoke execute on function channels_of_person, channel_of_organization, ids_of_person from public;
