-- Organizations, invitations, members, roles: who may come in, who is there, and who did what.

-- directory ---------------------------------------------------------------------------------------

-- Substrings of names and addresses. Trusted: the owner of a database may create it.
create extension if not exists pg_trgm;
create index users_search on users using gin ((lower(display_name) || E'\n' || email) gin_trgm_ops);
create index memberships_admins on memberships (organization_id) where role = 'admin' and status = 'active';

-- What the identity provider has still to be told. A row says only where to look: whoever works it off reads how
-- things stand then, so that order, doubles and crashes do not matter. user_id null: the organization itself.
create table identity_changes (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  user_id bigint references users (id),
  revision bigint not null default 1,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  unique nulls not distinct (organization_id, user_id)
);
create index identity_changes_due on identity_changes (next_attempt_at);

create function note_identity_change(organization bigint, person bigint) returns void language sql as $$
  insert into identity_changes (organization_id, user_id) values (organization, person)
  on conflict (organization_id, user_id)
    do update set revision = identity_changes.revision + 1, attempts = 0, next_attempt_at = now()
$$;

-- Triggers, so that no statement that changes a membership can forget to say so.
create function note_membership_change() returns trigger language plpgsql as $$
begin
  perform note_identity_change(coalesce(new.organization_id, old.organization_id), coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger memberships_noted after insert or delete on memberships
  for each row execute function note_membership_change();
create trigger memberships_change_noted after update of role, status on memberships
  for each row when (old.role is distinct from new.role or old.status is distinct from new.status)
  execute function note_membership_change();

create function note_organization_change() returns trigger language plpgsql as $$
begin
  perform note_identity_change(new.id, null);
  return null;
end $$;
create trigger organizations_name_noted after update of name on organizations
  for each row when (old.name is distinct from new.name)
  execute function note_organization_change();

-- access ------------------------------------------------------------------------------------------

create index sessions_of_organization on sessions (active_organization_id) where revoked_at is null;

-- Who did what in an organization. Every entry carries the hash of the one before it; the last one's is in
-- audit_heads, whose row is locked to append. `detail` is json, not jsonb: the text is hashed as it stands.
create table audit_heads (
  organization_id bigint primary key references organizations (id),
  sequence bigint not null,
  hash bytea not null
);

create table audit_entries (
  organization_id bigint not null references organizations (id),
  sequence bigint not null,
  at timestamptz not null,
  -- null: an operator at the command line
  actor_user_id bigint references users (id),
  action text not null,
  target_kind text not null,
  target_id text not null,
  request_id text not null,
  address text not null,
  detail json not null,
  hash bytea not null,
  primary key (organization_id, sequence)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the audit trail are never changed';
end $$;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();

-- features/invitations ----------------------------------------------------------------------------

-- The one link of an organization. Sealed, because it is shown again; hashed, to be found.
create table invite_links (
  organization_id bigint primary key references organizations (id),
  token_hash bytea not null unique,
  sealed_token bytea not null,
  created_at timestamptz not null
);

create table invitations (
  id bigint generated always as identity primary key,
  identity_invitation_id text not null unique,
  organization_id bigint not null references organizations (id),
  -- normalized
  email text not null,
  role text not null check (role in ('guest', 'member', 'moderator', 'admin')),
  inviter_user_id bigint not null references users (id),
  token_hash bytea not null unique,
  sealed_token bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by_user_id bigint references users (id),
  revoked_at timestamptz,
  -- a newer invitation of the same address has taken its place
  superseded_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);
create unique index invitations_live on invitations (organization_id, email)
  where accepted_at is null and revoked_at is null and superseded_at is null;
create index invitations_newest on invitations (organization_id, created_at desc, identity_invitation_id desc);
create index invitations_by_inviter on invitations (organization_id, inviter_user_id)
  where accepted_at is null and revoked_at is null and superseded_at is null;
