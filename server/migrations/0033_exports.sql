-- Archives of what is stored of a person or an organization.

-- features/exports --------------------------------------------------------------------------------

create table exports (
  id uuid primary key,
  -- of one of the two
  organization_id bigint references organizations (id),
  user_id bigint references users (id) on delete cascade,
  state text not null check (state in ('running', 'ready', 'failed', 'expired')),
  -- per cent
  progress integer not null default 0 check (progress between 0 and 100),
  started_by bigint references users (id) on delete set null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- the archive is removed then
  expires_at timestamptz,
  object_key text not null unique,
  size_bytes bigint,
  check (num_nonnulls(organization_id, user_id) = 1),
  check ((state = 'running') = (ended_at is null))
);
create unique index exports_running_of_organization on exports (organization_id) where state = 'running';
create unique index exports_running_of_user on exports (user_id) where state = 'running';
create index exports_of_organization on exports (organization_id, started_at desc);
create index exports_of_user on exports (user_id, started_at desc);
create index exports_by_age on exports (started_at);
