-- Every way in: sign-ups by token, single sign-on, social sign-in. Forward only; never edited after landing.

-- directory ---------------------------------------------------------------------------------------

create table organization_domains (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  -- ASCII form (IDNA), lower case; matched exactly, without its subdomains
  domain text not null,
  state text not null check (state in ('pending', 'verified', 'failed')),
  -- what the organization publishes as a TXT record to prove that the domain is theirs
  challenge text not null,
  created_at timestamptz not null,
  verified_at timestamptz,
  unique (organization_id, domain)
);
-- a domain is proven by one organization only
create unique index organization_domains_verified on organization_domains (domain) where state = 'verified';

-- access ------------------------------------------------------------------------------------------

-- the identity provider's own session, where it has one: ended with ours
alter table sessions add column upstream_session text;

-- features/sign-in --------------------------------------------------------------------------------

create table pilot_tokens (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  note text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- kept for the first address that uses it, until its code has had time to be typed
  reserved_for text,
  reserved_until timestamptz,
  spent_at timestamptz
);

-- What proving an address by the newest code also does: at most one thing for each address.
create table pending_sign_ups (
  email text primary key,
  kind text not null check (kind in ('member', 'pilot')),
  sealed_token bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index pending_sign_ups_by_expiry on pending_sign_ups (expires_at);

-- A sign-in at somebody else's: started here, come back by the callback (with a code of ours), spent.
create table redirect_sign_ins (
  id bigint generated always as identity primary key,
  way text not null check (way in ('provider-a', 'provider-b', 'sso')),
  -- whose single sign-on it is
  organization_id bigint references organizations (id),
  state_hash bytea not null unique,
  -- SHA-256 of the cookie of the browser that began: no other one can go on
  browser_hash bytea not null,
  -- nonce, PKCE verifier and the like
  sealed_secrets bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  returned_at timestamptz,
  code_hash bytea unique,
  code_expires_at timestamptz,
  -- who the provider says it is
  sealed_identity bytea,
  spent_at timestamptz,
  constraint sso_has_organization check ((way = 'sso') = (organization_id is not null))
);
create index redirect_sign_ins_by_expiry on redirect_sign_ins (expires_at);

create table linked_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users (id),
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index linked_identities_of_user on linked_identities (user_id);

-- adapters/local-identity -------------------------------------------------------------------------

create table sso_connections (
  identity_organization_id text primary key,
  issuer text not null,
  client_id text not null,
  sealed_client_secret bytea not null,
  -- the operator vouches for the addresses of an issuer that does not say whether it has verified them
  trusts_email boolean not null default false,
  created_at timestamptz not null
);
