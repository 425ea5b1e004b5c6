-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- Every node keeps recent callers in memory and forgets them when told here. Triggers, so that no
-- statement that ends or changes an access can forget to say so. Payload: the user's id.
create or replace function notify_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;
create or replace trigger memberships_changed after insert or update or delete on memberships
  for each row execute function notify_access_changed();
create or replace trigger sessions_changed after update of revoked_at, active_organization_id on sessions
  for each row when (old.revoked_at is distinct from new.revoked_at
    or old.active_organization_id is distinct from new.active_organization_id)
  execute function notify_access_changed();
create or replace trigger sessions_deleted after delete on sessions
  for each row when (old.revoked_at is null) execute function notify_access_changed();

-- An organization that is deleted or comes back concerns all its people at once.
create or replace function notify_organization_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', 'organization:' || new.id);
  return null;
end $$;
create or replace trigger organizations_access_changed after update of deleted_at on organizations
  for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function notify_organization_changed();

create or replace function note_ended_membership() returns trigger language plpgsql as $$
begin
  insert into ended_access (cause, membership_generation, user_id, identity_user_id, organization_id, identity_organization_id)
    select 'membership-ended', old.generation, u.id, u.identity_user_id, o.id, o.identity_organization_id
    from users u, organizations o where u.id = old.user_id and o.id = old.organization_id;
  return null;
end $$;
create or replace trigger memberships_ended after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function note_ended_membership();
create or replace trigger memberships_ended_by_delete after delete on memberships
  for each row when (old.status = 'active') execute function note_ended_membership();

-- an organization is deleted: all its memberships have ended, and are others when it is restored
create or replace trigger memberships_ended_together after update of generation on memberships
  for each row when (old.status = 'active' and new.status = 'active' and old.generation <> new.generation)
  execute function note_ended_membership();

-- Triggers, so that no statement that ends an access can forget to say so.
create or replace function note_ended_session() returns trigger language plpgsql as $$
begin
  insert into ended_access (cause, session_id, user_id, identity_user_id, organization_id, identity_organization_id)
    select case when tg_op = 'UPDATE' and new.superseded then 'session-superseded' else 'session-ended' end,
      old.id, u.id, u.identity_user_id, o.id, o.identity_organization_id
    from users u left join organizations o on o.id = old.active_organization_id where u.id = old.user_id;
  return null;
end $$;
create or replace trigger sessions_ended after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function note_ended_session();
create or replace trigger sessions_ended_by_delete after delete on sessions
  for each row when (old.revoked_at is null) execute function note_ended_session();

-- Payload: the row. Every node keeps what has ended in memory, and closes connections when it is told here.
create or replace function notify_access_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_ended', json_build_object('id', new.id::text, 'cause', new.cause,
    'sessionId', new.session_id::text, 'membershipGeneration', new.membership_generation::text,
    'userId', new.user_id::text, 'identityUserId', new.identity_user_id,
    'organizationId', new.organization_id::text, 'identityOrganizationId', new.identity_organization_id)::text);
  return null;
end $$;
create or replace trigger access_ended after insert on ended_access for each row execute function notify_access_ended();

-- Not of a session that its browser continues under another one: the person is still signed in.
create or replace function tell_session_ended() returns trigger language plpgsql as $$
declare
  channels text[] := channels_of_person(new.user_id);
begin
  perform append_event(channels, 'session.ended', clock_timestamp(),
    jsonb_build_object('sessionId', new.id::text), 'person:' || new.user_id);
  return null;
end $$;
create or replace trigger sessions_tell_ended after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null and not new.superseded)
  execute function tell_session_ended();

-- Nodes know callers with their addresses.
create or replace function notify_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_changed', new.id::text);
  return null;
end $$;
revoke execute on function notify_user_changed() from public;
create or replace trigger users_access_changed after update of email, deleted_at on users
  for each row when (old.email <> new.email or old.deleted_at is distinct from new.deleted_at)
  execute function notify_user_changed();

-- A trigger, so that there is no way into an organization on which a session keeps its later end. It does not come back
-- on the way out: a session that was once at work there ends when it does.
create or replace function end_session_early() returns trigger language plpgsql as $$
declare
  days integer;
begin
  new.signed_in_at := coalesce(new.signed_in_at, new.created_at);
  -- who begins while another number is being written down waits for it: there may be no row yet to wait for
  perform pg_advisory_xact_lock_shared(hashtextextended('organization_retention', new.active_organization_id));
  select session_days into days from organization_retention
    where organization_id = new.active_organization_id;
  if days is not null then
    new.absolute_expires_at := least(new.absolute_expires_at, new.signed_in_at + days * interval '24 hours');
  end if;
  return new;
end $$;
revoke execute on function end_session_early() from public;
create or replace trigger sessions_end_early before insert or update of active_organization_id on sessions
  for each row execute function end_session_early();
