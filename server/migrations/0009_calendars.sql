-- Calendars elsewhere: who has connected which, and what we need to read it.

-- features/calendar -------------------------------------------------------------------------------

-- A person's own, in whichever organization they work. Sealed anew with every change and never twice to the same
-- bytes: the sealed tokens are also what tells one state of a connection from the next.
create table calendar_connections (
  user_id bigint not null references users (id) on delete cascade,
  provider text not null check (provider in ('provider-a', 'provider-b')),
  sealed_tokens bytea not null,
  -- of the access token; null where the provider has not said
  access_expires_at timestamptz,
  -- set while the provider wants the person's consent again; the tokens are of no use until then
  reauth_required_at timestamptz,
  -- somebody is refreshing: until this lease ends nobody else does
  refreshing_until timestamptz,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, provider)
);

-- Organizations for which calendars are switched off. The rest follows the configuration.
create table calendar_switches (
  organization_id bigint primary key references organizations (id) on delete cascade,
  switched_off_at timestamptz not null
);

-- Codes that have been handed to a provider. A second time would not only be refused there: it ends what the first
-- time gave.
create table calendar_codes (
  code_hash bytea primary key,
  spent_at timestamptz not null
);
create index calendar_codes_by_age on calendar_codes (spent_at);
