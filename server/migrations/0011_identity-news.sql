-- What happens at the identity provider (memberships, domains, sessions ended there) is read on from here.

-- directory ---------------------------------------------------------------------------------------

create table identity_news (
  only_row boolean primary key default true check (only_row),
  -- of the last event that has been followed; null: none yet, and everything since began_at is news
  cursor text,
  began_at timestamptz not null
);

-- access ------------------------------------------------------------------------------------------

create index sessions_by_upstream on sessions (upstream_session)
  where upstream_session is not null and revoked_at is null;
