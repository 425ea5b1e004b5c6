-- Programs that act for an organization, and what they do.

-- access ------------------------------------------------------------------------------------------

-- What is revoked is deleted: the audit trail keeps that it was there.
create table bearer_tokens (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  kind text not null check (kind in ('service', 'scim')),
  name text not null,
  token_hash bytea not null unique,
  -- ids of the operations that it may call
  operations text[] not null,
  -- null: an operator
  created_by bigint references users (id),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
create index bearer_tokens_of_organization on bearer_tokens (organization_id);

-- Which token did it. Refers to nothing: tokens end, entries stay.
alter table audit_entries add column actor_token_id bigint;

-- features/rooms ----------------------------------------------------------------------------------

-- null: a program with a service token
alter table rooms alter column created_by drop not null;
