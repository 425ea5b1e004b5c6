-- Administrators set up the single sign-on of their organization themselves. Forward only.

-- adapters/local-identity -------------------------------------------------------------------------

-- What is set up and not in force: nobody signs in by it. What is in force stays in sso_connections, apart, so that the
-- release before this one demands nothing that was not tested.
create table sso_drafts (
  identity_organization_id text primary key,
  issuer text not null,
  client_id text not null,
  sealed_client_secret bytea not null,
  trusts_email boolean not null,
  redirect_name text not null,
  -- another one with each change: what a test was of
  revision text not null,
  created_at timestamptz not null,
  -- a test of just this revision has passed, with an address of this domain
  tested_at timestamptz,
  tested_domain text,
  constraint tested_with_a_domain check (num_nulls(tested_at, tested_domain) in (0, 2))
);

-- features/sign-in --------------------------------------------------------------------------------

-- Test sign-ins of administrators. Of whom the issuer has named only the domain is kept.
create table sso_tests (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id) on delete cascade,
  -- that began: it has to be the one that comes back
  session_id bigint not null,
  state_hash bytea not null unique,
  browser_hash bytea not null,
  return_path text not null,
  sealed_secrets bytea not null,
  -- what it is of; null: of what is in force
  draft_revision text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  returned_at timestamptz,
  outcome text,
  email_domain text,
  email_verified boolean not null default false
);
create index sso_tests_by_expiry on sso_tests (expires_at);
create index sso_tests_ended on sso_tests (organization_id, returned_at) where outcome is not null;
