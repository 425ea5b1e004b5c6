-- What was minted from a session or a membership (realtime connections, connection tokens, chat tokens) ends with it.

-- directory ---------------------------------------------------------------------------------------

-- A token names the stretch of membership that it was minted in: whoever leaves and comes back is in another one.
create sequence membership_generations as bigint;
alter table memberships add column generation bigint not null default nextval('membership_generations');

-- platform ----------------------------------------------------------------------------------------

-- What no consumer would ever read, or would stop at, cannot be written.
alter table centrifugo_outbox
  add constraint centrifugo_outbox_is_read check (partition between 0 and 3),
  add constraint centrifugo_outbox_has_payload check (jsonb_typeof(payload) = 'object');

-- access ------------------------------------------------------------------------------------------

-- The browser goes on under another session: its connections are asked to come back, not sent away.
alter table sessions add column superseded boolean not null default false;

-- What has ended lately, for as long as something minted from it could still be shown. A log: it refers to nothing.
create table ended_access (
  id bigint generated always as identity primary key,
  cause text not null check (cause in ('session-ended', 'session-superseded', 'membership-ended')),
  session_id bigint,
  membership_generation bigint,
  user_id bigint not null,
  identity_user_id text not null,
  organization_id bigint,
  identity_organization_id text,
  -- by the clock of the database, which is one for all nodes
  ended_at timestamptz not null default clock_timestamp(),
  constraint names_what_ended check (num_nonnulls(session_id, membership_generation) = 1)
);
create index ended_access_by_time on ended_access (ended_at);

-- Triggers, so that no statement that ends an access can forget to say so.
create function note_ended_session() returns trigger language plpgsql as $$
begin
  insert into ended_access (cause, session_id, user_id, identity_user_id, organization_id, identity_organization_id)
    select case when tg_op = 'UPDATE' and new.superseded then 'session-superseded' else 'session-ended' end,
      old.id, u.id, u.identity_user_id, o.id, o.identity_organization_id
    from users u left join organizations o on o.id = old.active_organization_id where u.id = old.user_id;
  return null;
end $$;
create trigger sessions_ended after update of revoked_at on sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function note_ended_session();
create trigger sessions_ended_by_delete after delete on sessions
  for each row when (old.revoked_at is null) execute function note_ended_session();

create function note_ended_membership() returns trigger language plpgsql as $$
begin
  insert into ended_access (cause, membership_generation, user_id, identity_user_id, organization_id, identity_organization_id)
    select 'membership-ended', old.generation, u.id, u.identity_user_id, o.id, o.identity_organization_id
    from users u, organizations o where u.id = old.user_id and o.id = old.organization_id;
  return null;
end $$;
create trigger memberships_ended after update of status on memberships
  for each row when (old.status = 'active' and new.status <> 'active') execute function note_ended_membership();
create trigger memberships_ended_by_delete after delete on memberships
  for each row when (old.status = 'active') execute function note_ended_membership();
-- an organization is deleted: all its memberships have ended, and are others when it is restored
create trigger memberships_ended_together after update of generation on memberships
  for each row when (old.status = 'active' and new.status = 'active' and old.generation <> new.generation)
  execute function note_ended_membership();

create function begin_membership() returns trigger language plpgsql as $$
begin
  new.generation := nextval('membership_generations');
  return new;
end $$;
create trigger memberships_begun before update of status on memberships
  for each row when (old.status <> 'active' and new.status = 'active') execute function begin_membership();

create function end_memberships_of_organization() returns trigger language plpgsql as $$
begin
  update memberships set generation = nextval('membership_generations')
    where organization_id = new.id and status = 'active';
  return null;
end $$;
create trigger organizations_memberships_ended after update of deleted_at on organizations
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_memberships_of_organization();

-- Payload: the row. Every node keeps what has ended in memory, and closes connections when it is told here.
create function notify_access_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('access_ended', json_build_object('id', new.id::text, 'cause', new.cause,
    'sessionId', new.session_id::text, 'membershipGeneration', new.membership_generation::text,
    'userId', new.user_id::text, 'identityUserId', new.identity_user_id,
    'organizationId', new.organization_id::text, 'identityOrganizationId', new.identity_organization_id)::text);
  return null;
end $$;
create trigger access_ended after insert on ended_access for each row execute function notify_access_ended();
